/* "boothlink tap": the referee's passive ear. */
#include "base/privilege.h"
#include "cli/tap_book.h"

#include "cli/booth.h"
#include "link/ether_card.h"
#include "link/frame.h"
#include "link/secured_pass.h"
#include "link/serial_port.h"
#include "transcript/words.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <sodium.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#define FRAME_BYTES_MAX 65535

struct receiver {
    struct tap *tap;
    unsigned end;
    struct serial_port port;
    uv_poll_t poll;
    bool open;
    const char *name;
    struct frame_reader reader;
    uint64_t heard_us;
};

struct tap {
    uv_loop_t loop;
    struct booth_signals signals;
    struct bl_timer timer;
    struct tap_book *book;
    const char *interface, *serial[2], *write;
    unsigned serials;
    struct ether_card *card;
    uv_poll_t poll;
    struct receiver receiver[2];
    pcap_t *shape; /* of the frames in the file */
    pcap_dumper_t *file;
    bool stopped;
};

static void after_input(struct tap *tap)
{
    bl_timer_set(&tap->timer, tap_book_deadline(tap->book));
    fflush(stdout);
    if (tap->file)
        pcap_dump_flush(tap->file);
}

static void on_frame(void *ctx, const uint8_t *bytes, size_t length)
{
    struct tap *tap = ctx;
    struct bl_time now = bl_now();
    if (tap->file) {
        struct pcap_pkthdr head = {.caplen = (bpf_u_int32)length, .len = (bpf_u_int32)length};
        head.ts.tv_sec = (time_t)(now.wall_us / 1000000u);
        head.ts.tv_usec = (suseconds_t)(now.wall_us % 1000000u);
        pcap_dump((u_char *)tap->file, &head, bytes);
    }
    tap_book_ether(tap->book, now, bytes, length);
}

static void on_card(uv_poll_t *poll, int status, int events)
{
    struct tap *tap = poll->data;
    (void)events;
    if (status < 0)
        ether_card_clear(tap->card);
    ether_card_receive(tap->card, on_frame, tap);
    after_input(tap);
}

static void feed(struct receiver *r, const uint8_t *bytes, size_t length)
{
    struct bl_time now = bl_now();
    if (now.mono_us - r->heard_us > FRAME_PAUSE_US)
        frame_abandon(&r->reader);
    r->heard_us = now.mono_us;
    for (size_t i = 0; i < length; i++)
        if (frame_feed(&r->reader, bytes[i]) == FRAME_WHOLE)
            tap_book_serial(r->tap->book, now, r->end, r->reader.frame, r->reader.length);
}

static void on_receiver(uv_poll_t *poll, int status, int events)
{
    struct receiver *r = poll->data;
    uint8_t bytes[4096];
    ssize_t n = read(r->port.fd, bytes, sizeof bytes);
    (void)events;
    if (n > 0) {
        feed(r, bytes, (size_t)n);
    } else if (status < 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        printf("%s is gone: nothing more is heard of it\n", r->name);
        uv_poll_stop(poll);
    }
    after_input(r->tap);
}

static void on_timer(struct bl_timer *timer)
{
    struct tap *tap = timer->data;
    tap_book_tick(tap->book, bl_now());
    after_input(tap);
}

static void stop(void *ctx)
{
    struct tap *tap = ctx;
    if (tap->stopped)
        return;
    tap->stopped = true;
    if (tap->card)
        uv_close((uv_handle_t *)&tap->poll, NULL);
    for (unsigned i = 0; i < 2; i++)
        if (tap->receiver[i].open)
            uv_close((uv_handle_t *)&tap->receiver[i].poll, NULL);
    tap_book_finish(tap->book);
    bl_timer_close(&tap->timer, NULL);
    booth_signals_close(&tap->signals);
}

static enum bl_status open_interface(struct tap *tap, struct bl_diag *diag)
{
    struct interface_info info;
    enum bl_status status;
    interface_look(&info, tap->interface);
    status = ether_card_open(&tap->card, &info, NULL, diag);
    if (status)
        return status;
    tap->poll.data = tap;
    uv_poll_init(&tap->loop, &tap->poll, ether_card_fd(tap->card));
    uv_poll_start(&tap->poll, UV_READABLE, on_card);
    if (!tap->write)
        return BL_OK;
    tap->shape = pcap_open_dead(DLT_EN10MB, FRAME_BYTES_MAX);
    tap->file = tap->shape ? pcap_dump_open(tap->shape, tap->write) : NULL;
    return tap->file ? BL_OK
                     : bl_fail(diag, BL_IO, "--write %s: %s", tap->write,
                               tap->shape ? pcap_geterr(tap->shape) : "out of memory");
}

static enum bl_status open_receiver(struct tap *tap, unsigned end, struct bl_diag *diag)
{
    struct receiver *r = &tap->receiver[end];
    char device[SERIAL_PATH_MAX];
    uint32_t baud;
    const char *name = tap->serial[end];
    enum bl_status status;
    if (strncmp(name, "serial:", 7) == 0)
        name += 7;
    status = serial_parse(name, device, &baud, diag);
    if (!status)
        status = serial_port_open(&r->port, device, baud, false, diag);
    if (status)
        return status;
    r->tap = tap;
    r->end = end;
    r->name = tap->serial[end];
    r->open = true;
    r->poll.data = r;
    uv_poll_init(&tap->loop, &r->poll, r->port.fd);
    uv_poll_start(&r->poll, UV_READABLE, on_receiver);
    return BL_OK;
}

static enum bl_status run(struct tap *tap, const struct tap_ears *ears, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    uv_loop_init(&tap->loop);
    tap->book = tap_book_create(&tap->loop, ears);
    if (!tap->book || bl_timer_init(&tap->loop, &tap->timer, on_timer, tap))
        return bl_fail(diag, BL_NOMEM, "out of memory");
    booth_signals_open(&tap->signals, &tap->loop, stop, tap);
    if (tap->interface)
        status = open_interface(tap, diag);
    for (unsigned i = 0; !status && i < tap->serials; i++)
        status = open_receiver(tap, i, diag);
    if (!status)
        status = privilege_drop(diag);
    if (status)
        stop(tap);
    else
        puts("listening; ^C ends it");
    fflush(stdout);
    uv_run(&tap->loop, UV_RUN_DEFAULT);
    uv_loop_close(&tap->loop);
    ether_card_close(tap->card);
    for (unsigned i = 0; i < 2; i++)
        if (tap->receiver[i].open)
            serial_port_close(&tap->receiver[i].port);
    if (tap->file)
        pcap_dump_close(tap->file);
    if (tap->shape)
        pcap_close(tap->shape);
    tap_book_destroy(tap->book);
    return status;
}

static enum bl_status take_line_key(struct tap_ears *ears, const char *path, struct bl_diag *diag)
{
    struct line_key key;
    enum bl_status status;
    if (ears->lines == TAP_KEYS_MAX)
        return bl_fail(diag, BL_USAGE, "--line-key: at most %d", TAP_KEYS_MAX);
    status = booth_key(&key, path, diag);
    if (!status)
        memcpy(ears->line[ears->lines++].key, key.key, SECURE_KEY);
    key_wipe(&key);
    return status;
}

static int tap_run(const struct command *command, int argc, char **argv)
{
    struct command_walk walk = {.command = command, .argc = argc, .argv = argv};
    static struct tap tap;
    static struct tap_ears ears;
    struct bl_diag diag = {""};
    enum bl_status status = BL_OK;
    const char *name;
    if (sodium_init() < 0)
        return command_fail(command, BL_UNAVAIL, "the system gives no randomness");
    while (!status && (name = command_next(&walk))) {
        if (walk.bare)
            return command_fail(command, BL_USAGE,
                                "takes no argument; what to hear is --interface IF or --serial A "
                                "--serial B");
        if (strcmp(name, "--interface") == 0)
            tap.interface = walk.value;
        else if (strcmp(name, "--serial") == 0 && tap.serials < 2)
            tap.serial[tap.serials++] = walk.value;
        else if (strcmp(name, "--serial") == 0)
            return command_fail(command, BL_USAGE, "--serial: two receivers are wanted, not more");
        else if (strcmp(name, "--write") == 0)
            tap.write = walk.value;
        else if (strcmp(name, "--journal") == 0)
            ears.journal_dir = walk.value;
        else if (strcmp(name, "--line-key") == 0)
            status = take_line_key(&ears, walk.value, &diag);
        else if (strcmp(name, "--referee-key") == 0) {
            status = key_referee_load(&ears.referee_key, walk.value, &diag);
            ears.referee = status == BL_OK;
        } else if (!words_find_side(walk.value, strlen(walk.value), &ears.side))
            return command_fail(command, BL_USAGE, "--side: left or right is wanted");
    }
    if (!status && (walk.status || walk.helped))
        return bl_status_exit(walk.status);
    if (!status && (tap.interface != NULL) == (tap.serials > 0))
        status =
            bl_fail(&diag, BL_USAGE, "one of --interface IF and --serial A --serial B is wanted");
    else if (!status && !tap.interface && tap.serials != 2)
        status =
            bl_fail(&diag, BL_USAGE, "--serial: two receivers are wanted, one for each direction");
    else if (!status && tap.write && !tap.interface)
        status =
            bl_fail(&diag, BL_USAGE, "--write goes with --interface: a file of frames of a hub");
    else if (!status && ears.referee && !ears.lines)
        status =
            bl_fail(&diag, BL_USAGE,
                    "--referee-key wants --line-key FILE too: the line's key proves who gave the "
                    "session's keys away");
    if (!status)
        status = run(&tap, &ears, &diag);
    sodium_memzero(&ears, sizeof ears);
    return status ? command_fail(command, status, diag.text) : EX_OK;
}

static const struct command_option tap_options[] = {
    {"--interface", "IF", "listen on this Ethernet interface, on the lines' hub"},
    {"--serial", "PORT", "listen with this receiver of a Y-cable; give it twice"},
    {"--referee-key", "FILE", "read encrypted lines whose judge's end has --referee FILE.pub"},
    {"--line-key", "FILE", "the key of such a line; may be given several times"},
    {"--journal", "DIR", "keep a record of every session in this directory, of its own"},
    {"--side", "left|right", "the side of a line whose name does not tell (default: left)"},
    {"--write", "FILE", "write all frames of the interface to a pcap file"},
    {0},
};

const struct command command_tap = {
    .name = "tap",
    .synopsis = "--interface IF | --serial A --serial B [OPTION]...",
    .help = "the referee's ear: who talks to whom, and what",
    .text =
        "Listens and never sends. Says which lines there are and who is at their ends, when they "
        "connect, every frame that belongs to no line (\"foreign\"), and what it missed itself "
        "(\"gap\"). A conversation is told key by key, and recorded with --journal, if it is not "
        "encrypted or the judge's end gives its keys to this referee. A transcript of that record "
        "is the same as one of the judge's, where nothing was missed.\n\n"
        "An encrypted line is read with --referee-key, which boothlink key referee made, and with "
        "--line-key, which proves that the keys come from the line's own end. Keys that were given "
        "more than a minute ago, or from now, are refused as a recording: the clocks of the "
        "judge's terminal and of this machine must be set.\n\n"
        "What it misses, on a hub that loses frames or because it came late, is named by the "
        "numbers "
        "of the keys, on the screen and in its record; where nobody can know whether there was "
        "more, it says that.\n\n"
        "What the judge's end writes for itself is in its record alone: when it leaves before a "
        "segment has ended, that end is not sent and does not stand in the tap's record.",
    .examples = "boothlink tap --interface eth0\n"
                "boothlink tap --interface eth0 --referee-key referee.key --line-key booth3.key "
                "--journal ~/heard\n"
                "boothlink tap --serial /dev/ttyUSB0 --serial /dev/ttyUSB1 --journal ~/heard",
    .options = tap_options,
    .run = tap_run,
};
