#include "link/ether_card.h"

#include "late/pcap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The largest frame, with room for libpcap's header before the frame in the ring. */
#define SNAP_BYTES   1536
#define BUFFER_BYTES (256 * 1024)
/* The same sizes for a listener of all frames. */
#define SNAP_ALL   65535
#define BUFFER_ALL (4 * 1024 * 1024)
#define LOOPBACK   "lo"

struct ether_card {
    pcap_t *pcap;
    int fd;       /* libpcap's, to receive */
    int out;      /* for sending; -1: a listener of all frames. A sent frame on the receiving handle
               * would wake waiting writers */
    bool all;     /* hears all lines, in promiscuous mode */
    bool foreign; /* hears frames of no line, too */
    void (*frame)(void *ctx, const uint8_t *bytes, size_t length);
    void *ctx;
};

static enum bl_status explain(const struct interface_info *info, int code, const char *text,
                              struct bl_diag *diag)
{
    switch (code) {
    case PCAP_ERROR_NO_SUCH_DEVICE:
        return bl_fail(diag, BL_NOINPUT,
                       "there is no interface %s: 'boothlink ports' lists those that are",
                       info->name);
    case PCAP_ERROR_PERM_DENIED:
    case PCAP_ERROR_PROMISC_PERM_DENIED:
        return bl_fail(diag, BL_NOPERM,
                       "no permission for frames on %s: give it to "
                       "boothlink's group once, as README says under 'On Ethernet'",
                       info->name);
    case PCAP_ERROR_IFACE_NOT_UP:
        return bl_fail(diag, BL_UNAVAIL, "%s is switched off: sudo ip link set %s up", info->name,
                       info->name);
    default:
        return bl_fail(diag, BL_IO, "%s cannot be opened: %s", info->name,
                       text && *text ? text : late_pcap.statustostr(code));
    }
}

/* Sets the kernel's filter: other traffic, of other lines too, does not wake this process. */
static int set_filter(pcap_t *pcap, const char *line)
{
    char text[160];
    size_t type = (size_t)snprintf(text, sizeof text, "ether proto 0x%04x", ETHER_TYPE);
    char name[ETHER_LINE_MAX] = "";
    uint32_t word[3];
    struct bpf_program program;
    int code;
    memcpy(name, line, strnlen(line, sizeof name));
    memcpy(word, name, sizeof word);
    if (*line)
        snprintf(text + type, sizeof text - type,
                 " and ether[%d:4] = 0x%08x and ether[%d:4] = 0x%08x and ether[%d:4] = 0x%08x",
                 ETHER_LINE_AT, ntohl(word[0]), ETHER_LINE_AT + 4, ntohl(word[1]),
                 ETHER_LINE_AT + 8, ntohl(word[2]));
    code = late_pcap.compile(pcap, &program, text, 1, PCAP_NETMASK_UNKNOWN);
    if (code)
        return code;
    code = late_pcap.setfilter(pcap, &program);
    late_pcap.freecode(&program);
    return code;
}

static int set_up(pcap_t *pcap, const char *line)
{
    char text[PCAP_ERRBUF_SIZE];
    int on = 1;
    bool all = !line || !*line;
    int code = late_pcap.set_snaplen(pcap, all ? SNAP_ALL : SNAP_BYTES);
    if (code == 0)
        code = late_pcap.set_buffer_size(pcap, all ? BUFFER_ALL : BUFFER_BYTES);
    if (code == 0)
        code = late_pcap.set_promisc(pcap, all);
    if (code == 0)
        code = late_pcap.set_immediate_mode(pcap, 1);
    if (code == 0)
        code = late_pcap.activate(pcap);
    if (code < 0)
        return code;
    if (line)
        code = set_filter(pcap, line);
    if (code == 0)
        code = late_pcap.setdirection(pcap, PCAP_D_IN);
    if (code == 0)
        code = late_pcap.setnonblock(pcap, 1, text);
    /* Saves time: the kernel does not copy this process's own frames to it. */
    setsockopt(late_pcap.fileno(pcap), SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on);
    return code;
}

/* Binds both sockets to the interface. Needs no privilege, and works while the interface is
 * down. */
static bool bind_both(const struct ether_card *card, unsigned index)
{
    /* Bound to the line's EtherType, unlike libpcap's binding. So the machine's other traffic does
     * not reach the filter. The sending socket receives nothing. */
    struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                  .sll_protocol = htons(card->foreign ? ETH_P_ALL : ETHER_TYPE),
                                  .sll_ifindex = (int)index};
    const struct packet_mreq all = {.mr_ifindex = (int)index, .mr_type = PACKET_MR_PROMISC};
    if (bind(card->fd, (struct sockaddr *)&address, sizeof address))
        return false;
    /* libpcap's setting was lost with the interface. */
    if (card->all)
        return setsockopt(card->fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) == 0;
    address.sll_protocol = 0;
    return bind(card->out, (struct sockaddr *)&address, sizeof address) == 0;
}

static bool open_out(struct ether_card *card)
{
    int on = 1;
    if (card->all)
        return true;
    card->out = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (card->out < 0)
        return false;
    /* A key's frame does not wait for a file transfer. */
    setsockopt(card->out, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on);
    return true;
}

enum bl_status ether_card_open(struct ether_card **out, const struct interface_info *info,
                               const char *line, struct bl_diag *diag)
{
    char text[PCAP_ERRBUF_SIZE] = "";
    struct ether_card *card;
    enum bl_status status = late_load(&late_pcap, diag);
    int code;
    if (status != BL_OK)
        return status;
    card = calloc(1, sizeof *card);
    if (!card)
        return bl_fail(diag, BL_NOMEM, "%s: out of memory", info->name);
    card->foreign = line == NULL;
    card->all = !line || !*line;
    card->out = -1;
    /* libpcap refuses an interface that is down. So libpcap opens the loopback interface, and the
     * socket is bound to the line's interface below. */
    card->pcap =
        late_pcap.create(!card->all && info->index && !info->up ? LOOPBACK : info->name, text);
    if (!card->pcap) {
        status = explain(info, PCAP_ERROR, text, diag);
    } else {
        code = set_up(card->pcap, line);
        if (code < 0)
            status = explain(info, code, late_pcap.geterr(card->pcap), diag);
        else if (late_pcap.datalink(card->pcap) != DLT_EN10MB)
            status = bl_fail(diag, BL_UNAVAIL,
                             "%s is no Ethernet interface: 'boothlink ports' lists those that are",
                             info->name);
    }
    if (status == BL_OK) {
        card->fd = late_pcap.get_selectable_fd(card->pcap);
        if (!open_out(card) || !ether_card_rebind(card, info->index))
            status = bl_fail(diag, BL_IO, "%s cannot be opened: %s", info->name, strerror(errno));
    }
    if (status != BL_OK) {
        ether_card_close(card);
        return status;
    }
    *out = card;
    return BL_OK;
}

void ether_card_close(struct ether_card *card)
{
    if (!card)
        return;
    if (card->pcap)
        late_pcap.close(card->pcap);
    if (card->out >= 0)
        close(card->out);
    free(card);
}

int ether_card_fd(const struct ether_card *card)
{
    return card->fd;
}

static void on_packet(u_char *user, const struct pcap_pkthdr *head, const u_char *bytes)
{
    const struct ether_card *card = (const struct ether_card *)user;
    if (head->caplen == head->len)
        card->frame(card->ctx, bytes, head->caplen);
}

int ether_card_receive(struct ether_card *card,
                       void (*frame)(void *ctx, const uint8_t *bytes, size_t length), void *ctx)
{
    int count;
    card->frame = frame;
    card->ctx = ctx;
    count = late_pcap.dispatch(card->pcap, ETHER_CARD_BATCH, on_packet, (u_char *)card);
    return count > 0 ? count : 0;
}

void ether_card_stop(struct ether_card *card)
{
    late_pcap.breakloop(card->pcap);
}

void ether_card_send(struct ether_card *card, const uint8_t *bytes, size_t length)
{
    ssize_t n = send(card->out, bytes, length, 0);
    (void)n;
}

bool ether_card_rebind(struct ether_card *card, unsigned index)
{
    bool bound;
    ether_card_clear(card);
    bound = bind_both(card, index);
    ether_card_clear(card); /* "is down", which is not a failure */
    return bound;
}

void ether_card_clear(struct ether_card *card)
{
    int error;
    socklen_t size = sizeof error;
    getsockopt(card->fd, SOL_SOCKET, SO_ERROR, &error, &size);
    getsockopt(card->out, SOL_SOCKET, SO_ERROR, &error, &size);
}
