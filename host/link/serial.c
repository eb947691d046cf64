/* The serial medium. A wake-up for a byte would be one for each byte of a frame, so after a part of
 * one the port is looked at again when the rest can have come. On the way out only a little more
 * than one frame is left to the system, so that what is urgent has at most that before it. */
#include "link/medium.h"
#include "link/serial_port.h"

#include "base/loop.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LATE_US   60u      /* a timer fires so much later than it was set to */
#define AHEAD_US  4000u    /* of wire time are left to the system under load */
#define SETTLE_US 250000u  /* udev gives a new device its group a moment after it appears */
#define BUSY_US   2000000u /* nothing tells when another program lets go of a port */
#define DRAIN_US  5000u    /* beyond the wire time, when closing */

enum {
    READ_MAX = 4096,
    BUSY_TRIES = 10, /* a program that was just killed lets go of the port a moment later */
    BUSY_PAUSE_MS = 30,
};

struct serial {
    struct medium medium;
    uv_loop_t *loop;
    char device[SERIAL_PATH_MAX];
    uint32_t baud, byte_ns;
    bool rtscts;
    struct serial_port port; /* fd -1: the device is gone */
    uv_poll_t poll;
    bool poll_open, poll_closing;
    int polled; /* events */
    struct bl_timer timer;
    uv_fs_event_t watch;
    bool watching;
    char watched[SERIAL_PATH_MAX]; /* the name in the directory that is watched */
    bool closing;
    void (*closed)(void *ctx);
    unsigned open_handles;

    struct frame_reader reader;
    uint64_t heard_us;
    uint64_t look_us;     /* when the rest of a frame can be there */
    uint64_t free_us;     /* when the system has sent all */
    uint64_t writable_us; /* when to tell that there is room */
    uint64_t retry_us;    /* when to open, or say that it is open */
    uint8_t out[FRAME_STUFFED(FRAME_MAX)];
    size_t out_length, out_done;
};

static void set_timer(struct serial *s)
{
    uint64_t due = s->look_us;
    if (s->writable_us < due)
        due = s->writable_us;
    if (s->retry_us < due)
        due = s->retry_us;
    bl_timer_set(&s->timer, due);
}

static void on_poll(uv_poll_t *poll, int status, int events);

static void poll_for(struct serial *s, int events)
{
    if (events == s->polled || !s->poll_open)
        return;
    s->polled = events;
    if (events)
        uv_poll_start(&s->poll, events, on_poll);
    else
        uv_poll_stop(&s->poll);
}

static void free_if_closed(struct serial *s)
{
    if (s->open_handles)
        return;
    if (s->closed)
        s->closed(s->medium.ctx);
    free(s);
}

static void on_poll_closed(uv_handle_t *handle)
{
    struct serial *s = handle->data;
    s->poll_closing = false;
    s->open_handles--;
    if (s->closing)
        free_if_closed(s);
}

static void close_port(struct serial *s)
{
    if (s->port.fd < 0)
        return;
    poll_for(s, 0);
    s->poll_open = false;
    s->poll_closing = true;
    uv_close((uv_handle_t *)&s->poll, on_poll_closed);
    serial_port_close(&s->port);
}

static enum bl_status open_port(struct serial *s, struct bl_diag *diag)
{
    enum bl_status status = serial_port_open(&s->port, s->device, s->baud, s->rtscts, diag);
    if (status != BL_OK) {
        s->port.fd = -1;
        return status;
    }
    if (uv_poll_init(s->loop, &s->poll, s->port.fd)) {
        serial_port_close(&s->port);
        return bl_fail(diag, BL_IO, "%s cannot be watched for input", s->device);
    }
    s->poll.data = s;
    s->poll_open = true;
    s->open_handles++;
    s->polled = 0;
    frame_abandon(&s->reader);
    s->look_us = s->writable_us = BL_NEVER;
    s->free_us = 0;
    s->out_length = s->out_done = 0;
    return BL_OK;
}

static void watch_device(struct serial *s);

/* Something happened in the directory; only our name in it matters, for /dev is a busy place. */
static void on_watch(uv_fs_event_t *watch, const char *name, int events, int status)
{
    struct serial *s = watch->data;
    (void)events;
    (void)status;
    if (name && strcmp(name, s->watched) != 0)
        return;
    watch_device(s);
    s->retry_us = bl_mono_us() + SETTLE_US;
    set_timer(s);
}

/* Watches the directory of the device, or the nearest above it that is there: /dev/serial goes with
 * the last adapter. */
static void watch_device(struct serial *s)
{
    char directory[SERIAL_PATH_MAX];
    char *slash;
    snprintf(directory, sizeof directory, "%s", s->device);
    if (s->watching)
        uv_fs_event_stop(&s->watch);
    s->watching = false;
    while (!s->watching && (slash = strrchr(directory, '/'))) {
        snprintf(s->watched, sizeof s->watched, "%s", slash + 1);
        *slash = 0;
        s->watching = uv_fs_event_start(&s->watch, on_watch, *directory ? directory : "/", 0) == 0;
    }
}

static void lose(struct serial *s)
{
    char reason[LINK_REASON_MAX];
    close_port(s);
    s->look_us = s->writable_us = BL_NEVER;
    watch_device(s);
    /* It may have come back before the watch began. */
    s->retry_us = bl_mono_us() + SETTLE_US;
    set_timer(s);
    snprintf(reason, sizeof reason,
             "%.60s is gone: plug the adapter in again, it is taken up by "
             "itself",
             s->device);
    s->medium.events.usable(s->medium.ctx, false, reason);
}

static void retry(struct serial *s)
{
    struct bl_diag diag;
    enum bl_status status;
    s->retry_us = BL_NEVER;
    if (s->port.fd < 0) {
        status = s->poll_closing ? BL_AGAIN : open_port(s, &diag);
        if (status != BL_OK) {
            if (status == BL_AGAIN || status == BL_BUSY)
                s->retry_us = bl_mono_us() + BUSY_US;
            /* Not there is what was said already. */
            if (status != BL_AGAIN && status != BL_NOINPUT)
                s->medium.events.usable(s->medium.ctx, false, diag.text);
            return;
        }
        if (s->watching)
            uv_fs_event_stop(&s->watch);
        s->watching = false;
    }
    poll_for(s, UV_READABLE);
    s->medium.events.usable(s->medium.ctx, true, NULL);
}

/* A hang-up reads as nothing at all, as does a port without bytes. */
static bool has_hung_up(int fd)
{
    struct pollfd look = {.fd = fd};
    return poll(&look, 1, 0) > 0 && look.revents & (POLLHUP | POLLERR | POLLNVAL);
}

static void feed(struct serial *s, uint64_t now_us, const uint8_t *bytes, size_t length)
{
    const struct medium_events *events = &s->medium.events;
    if (now_us - s->heard_us > FRAME_PAUSE_US) {
        size_t abandoned = frame_abandon(&s->reader);
        if (abandoned)
            events->garbage(s->medium.ctx, abandoned);
    }
    s->heard_us = now_us;
    s->medium.bytes_in += length;
    for (size_t i = 0; i < length && !s->closing; i++)
        medium_feed(events, s->medium.ctx, &s->reader, bytes[i]);
    if (!s->closing)
        events->idle(s->medium.ctx);
}

/* Reads what is there. If that ends within a frame, sleeps until the rest can have come. */
static void take_input(struct serial *s)
{
    uint8_t bytes[READ_MAX];
    uint64_t now_us, rest_us;
    size_t missing;
    ssize_t n = read(s->port.fd, bytes, sizeof bytes);
    uint64_t heard_us = s->look_us == BL_NEVER ? BL_NEVER : s->heard_us;
    s->look_us = BL_NEVER;
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            if (n < 0 || has_hung_up(s->port.fd)) {
                lose(s);
                return;
            }
        }
        poll_for(s, s->polled | UV_READABLE);
        return;
    }
    now_us = bl_mono_us();
    feed(s, now_us, bytes, (size_t)n);
    if (s->closing)
        return;
    /* What came while we slept may have come at once: or garbage that seemed to begin a long frame
     * would hide the pause after it. */
    if (heard_us != BL_NEVER && heard_us + (size_t)n * s->byte_ns / 1000 < s->heard_us)
        s->heard_us = heard_us + (size_t)n * s->byte_ns / 1000;
    missing = frame_missing(&s->reader);
    rest_us = missing * s->byte_ns / 1000;
    if (missing > 1 && rest_us > LATE_US) {
        s->look_us = now_us + rest_us - LATE_US;
        poll_for(s, s->polled & ~UV_READABLE);
        set_timer(s);
    } else {
        poll_for(s, s->polled | UV_READABLE);
    }
}

/* Writes the rest of the frame; the port takes a whole one at once unless it is stopped by CTS. */
static void put_out(struct serial *s)
{
    ssize_t n = write(s->port.fd, s->out + s->out_done, s->out_length - s->out_done);
    if (n > 0)
        s->out_done += (size_t)n;
    else if (n < 0 && errno != EAGAIN && errno != EINTR)
        s->out_done = s->out_length; /* the port is gone: reading says so */
    poll_for(s, s->out_done < s->out_length ? s->polled | UV_WRITABLE : s->polled & ~UV_WRITABLE);
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct serial *s = poll->data;
    if (events & UV_WRITABLE) {
        put_out(s);
        if (s->out_done == s->out_length)
            s->medium.events.writable(s->medium.ctx);
    }
    if ((status < 0 || events & UV_READABLE) && !s->closing && s->port.fd >= 0)
        take_input(s);
}

static void finish_close(struct serial *s);

static void on_timer(struct bl_timer *timer)
{
    struct serial *s = timer->data;
    uint64_t now_us = bl_mono_us();
    if (s->closing) {
        finish_close(s);
        return;
    }
    if (s->look_us <= now_us)
        take_input(s);
    if (s->writable_us <= now_us && !s->closing) {
        s->writable_us = BL_NEVER;
        s->medium.events.writable(s->medium.ctx);
    }
    if (s->retry_us <= now_us && !s->closing)
        retry(s);
    if (!s->closing)
        set_timer(s);
}

static bool serial_ready(struct medium *medium, uint64_t now_us)
{
    struct serial *s = (struct serial *)medium;
    if (s->port.fd < 0 || s->out_done < s->out_length)
        return false;
    if (now_us + AHEAD_US >= s->free_us)
        return true;
    s->writable_us = s->free_us - AHEAD_US;
    set_timer(s);
    return false;
}

static void serial_send(struct medium *medium, uint64_t now_us, const uint8_t *frame, size_t length)
{
    struct serial *s = (struct serial *)medium;
    bool loaded = s->free_us > now_us + AHEAD_US / 2;
    int waiting = 0;
    s->out_length = frame_stuff(frame, length, s->out);
    s->out_done = 0;
    medium->bytes_out += s->out_length;
    if (s->out_length > medium->largest)
        medium->largest = (uint32_t)s->out_length;
    if (s->free_us < now_us)
        s->free_us = now_us;
    s->free_us += s->out_length * s->byte_ns / 1000;
    put_out(s);
    /* A UART is not as fast as its name says, and CTS may hold it: under load the system's own
     * count keeps the estimate right. */
    if (loaded && ioctl(s->port.fd, TIOCOUTQ, &waiting) == 0) {
        uint64_t free_us = now_us + (uint64_t)waiting * s->byte_ns / 1000;
        if (free_us > s->free_us)
            s->free_us = free_us;
    }
}

static void serial_wire(const struct medium *medium, struct link_wire *wire)
{
    const struct serial *s = (const struct serial *)medium;
    *wire = (struct link_wire){
        .byte_ns = s->byte_ns,
        .baud = s->baud,
        .overhead = FRAME_STUFFED(0),
        .frame_max = (uint16_t)frame_room(s->baud),
    };
}

static void on_timer_closed(struct bl_timer *timer)
{
    struct serial *s = timer->data;
    s->open_handles--;
    free_if_closed(s);
}

static void on_watch_closed(uv_handle_t *handle)
{
    struct serial *s = handle->data;
    s->open_handles--;
    free_if_closed(s);
}

static void finish_close(struct serial *s)
{
    close_port(s);
    uv_close((uv_handle_t *)&s->watch, on_watch_closed);
    bl_timer_close(&s->timer, on_timer_closed);
}

static void serial_close(struct medium *medium, void (*closed)(void *ctx))
{
    struct serial *s = (struct serial *)medium;
    uint64_t now_us = bl_mono_us();
    s->closing = true;
    s->closed = closed;
    poll_for(s, 0);
    if (s->port.fd >= 0 && s->free_us > now_us)
        bl_timer_set(&s->timer, s->free_us + DRAIN_US);
    else
        finish_close(s);
}

static const struct medium_ops serial_ops = {
    .ready = serial_ready,
    .send = serial_send,
    .wire = serial_wire,
    .close = serial_close,
};

enum bl_status serial_open(struct medium **out, uv_loop_t *loop, const char *name, bool rtscts,
                           const struct medium_events *events, void *ctx, struct bl_diag *diag)
{
    struct serial *s = calloc(1, sizeof *s);
    enum bl_status status;
    if (!s)
        return bl_fail(diag, BL_NOMEM, "serial:%s: out of memory", name);
    s->medium = (struct medium){.ops = &serial_ops, .events = *events, .ctx = ctx, .line = ""};
    s->loop = loop;
    s->rtscts = rtscts;
    s->port.fd = -1;
    status = serial_parse(name, s->device, &s->baud, diag);
    if (status == BL_OK) {
        s->byte_ns = (uint32_t)(10000000000u / s->baud);
        status = open_port(s, diag);
    }
    for (unsigned i = 0; status == BL_BUSY && i < BUSY_TRIES; i++) {
        poll(NULL, 0, BUSY_PAUSE_MS);
        status = open_port(s, diag);
    }
    if (status != BL_OK) {
        free(s);
        return status;
    }
    s->watch.data = s;
    s->open_handles += 2;
    uv_fs_event_init(loop, &s->watch);
    if (bl_timer_init(loop, &s->timer, on_timer, s) != BL_OK) {
        s->open_handles--;
        s->closing = true;
        close_port(s);
        uv_close((uv_handle_t *)&s->watch, on_watch_closed);
        return bl_fail(diag, BL_IO, "serial:%s: no timer can be had", name);
    }
    /* Nothing is told from within this call, so the first news comes from the loop. */
    s->retry_us = bl_mono_us();
    set_timer(s);
    *out = &s->medium;
    return BL_OK;
}
