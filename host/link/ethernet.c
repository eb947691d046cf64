/* The Ethernet medium: whole frames to one other end, on a shared wire. A passing fault of the
 * cable or the interface is a state, reported by the kernel (rtnetlink). A frame that the interface
 * does not take is lost, as on the wire. */
#include "link/ether_card.h"
#include "link/ether_frame.h"
#include "link/ether_peer.h"
#include "link/frame.h"
#include "link/medium.h"
#include "link/port.h"

#include "base/loop.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define ANSWER_WITHIN_US 2000u /* waking takes some 0.1 ms, more beside a busy screen */

enum {
    BUSY_TRIES = 10, /* a killed program frees the line a moment later */
    BUSY_PAUSE_US = 30000,
    MTU_LEAST = 576,
};

struct ethernet {
    struct medium medium;
    uv_loop_t *loop;
    char line[ETHER_LINE_MAX + 1];
    struct interface_info info; /* state of the interface at the last look */
    unsigned bound;             /* index of the interface to which the card is bound */
    uint16_t frame_max;
    int lock; /* a socket whose name marks the line as taken on this machine */
    struct ether_card *card;
    struct interface_watch *watch;
    uv_poll_t poll;
    bool edge; /* the descriptor is watched for edges */
    uv_timer_t start;
    bool usable, closing;
    void (*closed)(void *ctx);
    unsigned open_handles;
    struct ether_peer peer;
    uint32_t number; /* number of the last sent frame */
    uint8_t out[ETHER_FRAME_MAX];
};

static enum bl_status parse(struct ethernet *e, const char *name, struct bl_diag *diag)
{
    char interface[IF_NAMESIZE];
    enum bl_status status = port_parse_ether(name, interface, e->line, diag);
    if (status == BL_OK)
        interface_look(&e->info, interface);
    return status;
}

/* Marks the line as taken on this machine. A machine does not receive its own frames, so two
 * programs with one line on one interface would wait for ever. The mark is an abstract socket's
 * name (unix(7)), which is free when its owner has ended. */
static enum bl_status take_line(struct ethernet *e, struct bl_diag *diag)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "boothlink/ether/%s/%s",
                     e->info.name, e->line);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    struct ucred owner = {0};
    socklen_t size = sizeof owner;
    e->lock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    for (unsigned i = 0; e->lock >= 0 && i < BUSY_TRIES; i++) {
        if (bind(e->lock, (struct sockaddr *)&name, length) == 0 && listen(e->lock, 1) == 0)
            return BL_OK;
        if (errno != EADDRINUSE)
            break;
        bl_sleep_until(bl_mono_us() + BUSY_PAUSE_US);
    }
    if (e->lock < 0 || errno != EADDRINUSE)
        return bl_fail(diag, BL_IO, "ether:%s/%s: %s", e->info.name, e->line, strerror(errno));
    if (connect(e->lock, (struct sockaddr *)&name, length) == 0 &&
        getsockopt(e->lock, SOL_SOCKET, SO_PEERCRED, &owner, &size) == 0)
        return bl_fail(diag, BL_BUSY,
                       "the line '%s' on %s is held by boothlink (pid %ld): end that first, or "
                       "take another line, ether:%s/LINE",
                       e->line, e->info.name, (long)owner.pid, e->info.name);
    return bl_fail(diag, BL_BUSY,
                   "the line '%s' on %s is held by another boothlink: end that first, or take "
                   "another line, ether:%s/LINE",
                   e->line, e->info.name, e->info.name);
}

static void say_waiting(struct ethernet *e)
{
    char text[LINK_REASON_MAX];
    snprintf(text, sizeof text, "waiting for the other terminal of line '%s' on %s%s", e->line,
             e->info.name, e->info.has_ip ? "" : ", which has no IP address; the line needs none");
    e->medium.callbacks.usable(e->medium.ctx, true, text);
}

static void on_interface(void *ctx)
{
    struct ethernet *e = ctx;
    char name[IF_NAMESIZE], text[256], reason[LINK_REASON_MAX];
    bool usable;
    snprintf(name, sizeof name, "%s", e->info.name);
    interface_look(&e->info, name);
    usable = !interface_problem(&e->info, text, sizeof text);
    if (e->info.index == 0) {
        e->bound = 0;
        snprintf(text, sizeof text,
                 "%s is gone: plug the adapter in again, it is taken up by itself", name);
    } else if (e->info.index != e->bound && e->info.up) {
        if (ether_card_rebind(e->card, e->info.index)) {
            e->bound = e->info.index;
        } else {
            snprintf(text, sizeof text,
                     "%s is here again but cannot be opened (%s): end boothlink and start it anew",
                     name, strerror(errno));
            usable = false;
        }
    }
    snprintf(reason, sizeof reason, "%.*s", LINK_REASON_MAX - 1, text);
    if (usable && !e->usable)
        say_waiting(e);
    else if (!usable)
        e->medium.callbacks.usable(e->medium.ctx, false, reason);
    e->usable = usable;
}

static void put(struct ethernet *e, const struct ether_address *to, enum ether_kind kind,
                const uint8_t *payload, size_t length)
{
    struct ether_frame frame = {
        .to = *to,
        .from = e->info.address,
        .kind = kind,
        .role = e->peer.role,
        .instance = e->peer.instance,
        .number = ++e->number,
        .payload = payload,
        .length = length,
    };
    memcpy(frame.line, e->line, sizeof frame.line);
    length = ether_frame_write(&frame, e->out);
    e->medium.bytes_out += length;
    if (length > e->medium.largest)
        e->medium.largest = (uint32_t)length;
    ether_card_send(e->card, e->out, length);
}

static void on_frame(void *ctx, const uint8_t *bytes, size_t length)
{
    struct ethernet *e = ctx;
    const struct medium_callbacks *callbacks = &e->medium.callbacks;
    char notice[LINK_REASON_MAX] = "";
    struct ether_frame frame;
    uint64_t now_us;
    if (e->closing)
        return;
    e->medium.bytes_in += length;
    switch (ether_frame_read(&frame, bytes, length)) {
    case ETHER_FOREIGN:
        return;
    case ETHER_VERSIONS:
        if (!ether_peer_versions(&e->peer, bl_mono_us()))
            return;
        snprintf(notice, sizeof notice,
                 "the other terminal speaks another version of the line's protocol: install the "
                 "same boothlink on both");
        callbacks->notice(e->medium.ctx, notice);
        return;
    case ETHER_OURS:
        break;
    }
    if (strcmp(frame.line, e->line) != 0)
        return;
    now_us = bl_mono_us();
    switch (ether_peer_hear(&e->peer, now_us, &frame, notice)) {
    case ETHER_TAKE:
        if (callbacks->frame(e->medium.ctx, frame.payload, frame.length, length))
            ether_peer_proved(&e->peer, now_us, &frame);
        break;
    case ETHER_IGNORE:
        break;
    case ETHER_REFUSE:
        put(e, &frame.from, ETHER_TAKEN, NULL, 0);
        break;
    }
    if (notice[0] && !e->closing)
        callbacks->notice(e->medium.ctx, notice);
}

/* Watches the descriptor for edges, which saves the kernel a look at the socket before each wait.
 * Edges suffice, since each wake-up takes all waiting frames. A new setting reports frames that
 * already wait. */
static void watch_edges(struct ethernet *e)
{
    struct epoll_event edge = {.events = EPOLLIN | EPOLLET, .data.fd = ether_card_fd(e->card)};
    e->edge = epoll_ctl(uv_backend_fd(e->loop), EPOLL_CTL_MOD, edge.data.fd, &edge) == 0;
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct ethernet *e = poll->data;
    int count;
    (void)events;
    if (status < 0) {
        /* The interface went down. rtnetlink reports the reason. libuv has stopped its watch. */
        ether_card_clear(e->card);
        uv_poll_start(&e->poll, UV_READABLE, on_poll);
        e->edge = false;
        return;
    }
    count = ether_card_receive(e->card, on_frame, e);
    if (count && !e->closing)
        e->medium.callbacks.idle(e->medium.ctx);
    if ((!e->edge || count == ETHER_CARD_BATCH) && !e->closing)
        watch_edges(e);
}

static void on_start(uv_timer_t *timer)
{
    on_interface(timer->data);
}

static bool ethernet_ready(struct medium *medium, uint64_t now_us)
{
    const struct ethernet *e = (const struct ethernet *)medium;
    (void)now_us;
    return e->usable;
}

static void ethernet_send(struct medium *medium, uint64_t now_us, const uint8_t *frame,
                          size_t length)
{
    struct ethernet *e = (struct ethernet *)medium;
    put(e, ether_peer_address(&e->peer, now_us), ETHER_DATA, frame, length);
}

static void ethernet_wire(const struct medium *medium, struct link_wire *wire)
{
    const struct ethernet *e = (const struct ethernet *)medium;
    *wire = (struct link_wire){
        .overhead = ETHER_HEAD,
        .frame_max = e->frame_max,
        .reorder = LINK_OVERTAKE,
        .answer_us = ANSWER_WITHIN_US,
    };
}

static void ethernet_lost(struct medium *medium)
{
    struct ethernet *e = (struct ethernet *)medium;
    ether_peer_lost(&e->peer);
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct ethernet *e = handle->data;
    if (--e->open_handles)
        return;
    ether_card_close(e->card);
    if (e->closed)
        e->closed(e->medium.ctx);
    free(e);
}

static void ethernet_close(struct medium *medium, void (*closed)(void *ctx))
{
    struct ethernet *e = (struct ethernet *)medium;
    e->closing = true;
    e->closed = closed;
    ether_card_stop(e->card);
    close(e->lock);
    interface_watch_close(e->watch);
    uv_poll_stop(&e->poll);
    uv_close((uv_handle_t *)&e->poll, on_handle_closed);
    uv_close((uv_handle_t *)&e->start, on_handle_closed);
}

static const struct medium_ops ethernet_ops = {
    .ready = ethernet_ready,
    .send = ethernet_send,
    .wire = ethernet_wire,
    .close = ethernet_close,
    .lost = ethernet_lost,
};

static uint32_t draw_instance(void)
{
    uint32_t instance = 0;
    while (instance == 0)
        instance = randombytes_random();
    return instance;
}

static enum bl_status open_all(struct ethernet *e, struct bl_diag *diag)
{
    char text[256];
    enum bl_status status;
    /* An interface without carrier, or switched off, can be opened, and waits. */
    if (e->info.index == 0 || !e->info.ethernet) {
        interface_problem(&e->info, text, sizeof text);
        return bl_fail(diag, e->info.index ? BL_UNAVAIL : BL_NOINPUT, "%s", text);
    }
    if (e->info.mtu < MTU_LEAST)
        return bl_fail(
            diag, BL_UNAVAIL,
            "%s carries frames of %u byte%s, %d are needed: sudo ip link set %s mtu 1500",
            e->info.name, e->info.mtu, BL_S(e->info.mtu), MTU_LEAST, e->info.name);
    e->frame_max = FRAME_MAX;
    if (e->info.mtu - (ETHER_HEAD - 14) < e->frame_max)
        e->frame_max = (uint16_t)(e->info.mtu - (ETHER_HEAD - 14));
    status = take_line(e, diag);
    if (status == BL_OK)
        status = ether_card_open(&e->card, &e->info, e->line, diag);
    if (status == BL_OK)
        status = interface_watch_open(&e->watch, e->loop, on_interface, e, diag);
    if (status == BL_OK && uv_poll_init(e->loop, &e->poll, ether_card_fd(e->card))) {
        interface_watch_close(e->watch);
        status = bl_fail(diag, BL_IO, "%s cannot be watched for frames", e->info.name);
    }
    return status;
}

enum bl_status ethernet_open(struct medium **out, uv_loop_t *loop, const char *name,
                             enum link_role role, bool sealed,
                             const struct medium_callbacks *callbacks, void *ctx,
                             struct bl_diag *diag)
{
    struct ethernet *e = calloc(1, sizeof *e);
    enum bl_status status;
    if (!e)
        return bl_fail(diag, BL_NOMEM, "ether:%s: out of memory", name);
    e->medium =
        (struct medium){.ops = &ethernet_ops, .callbacks = *callbacks, .ctx = ctx, .line = e->line};
    e->loop = loop;
    e->lock = -1;
    status = parse(e, name, diag);
    if (status == BL_OK)
        status = open_all(e, diag);
    if (status != BL_OK) {
        ether_card_close(e->card);
        if (e->lock >= 0)
            close(e->lock);
        free(e);
        return status;
    }
    e->bound = e->info.index;
    ether_peer_init(&e->peer, role, draw_instance(), e->line, sealed);
    e->poll.data = e->start.data = e;
    e->open_handles = 2;
    uv_poll_start(&e->poll, UV_READABLE, on_poll);
    uv_timer_init(loop, &e->start);
    /* The first callback comes from the loop. */
    uv_timer_start(&e->start, on_start, 0, 0);
    *out = &e->medium;
    return BL_OK;
}
