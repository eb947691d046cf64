/* The serial medium. After a part of a frame the port is read when the rest can have come, which
 * saves a wake-up for each byte. On the way out the system holds little more than one frame, which
 * limits an urgent frame's wait. */
#include "base/assert.h"
#include "link/medium.h"
#include "link/steady_port.h"

#include <stdlib.h>

#define LATE_US  60u   /* a timer's greatest delay */
#define AHEAD_US 4000u /* wire time left to the system under load */
#define DRAIN_US 5000u /* wait beyond the wire time when closing */

enum { READ_MAX = 4096 };

struct serial {
    struct medium medium;
    struct steady_port port;
    uint32_t baud, byte_ns;
    struct bl_timer timer;
    bool closing;
    void (*closed)(void *ctx);
    unsigned open; /* open handles, of port and timer */

    struct frame_reader reader;
    uint64_t heard_us;
    uint64_t look_us;     /* time at which the rest of a frame can have come */
    uint64_t free_us;     /* time at which the system has sent everything */
    uint64_t writable_us; /* time to tell that there is room */
    uint8_t out[FRAME_STUFFED(FRAME_MAX)];
    size_t out_length, out_done;
};

static void set_timer(struct serial *s)
{
    uint64_t due = s->look_us;
    if (s->writable_us < due)
        due = s->writable_us;
    bl_timer_set(&s->timer, due);
}

static void watch_also(struct serial *s, int event)
{
    steady_port_poll(&s->port, s->port.polled | event);
}

static void watch_no_more(struct serial *s, int event)
{
    steady_port_poll(&s->port, s->port.polled & ~event);
}

static void on_usable(void *ctx, bool usable, const char *reason)
{
    struct serial *s = ctx;
    if (s->closing)
        return;
    s->look_us = s->writable_us = BL_NEVER;
    if (usable) {
        frame_abandon(&s->reader);
        s->free_us = 0;
        s->out_length = s->out_done = 0;
    }
    set_timer(s);
    s->medium.callbacks.usable(s->medium.ctx, usable, reason);
}

static void feed(struct serial *s, uint64_t now_us, const uint8_t *bytes, size_t length)
{
    const struct medium_callbacks *callbacks = &s->medium.callbacks;
    if (now_us - s->heard_us > FRAME_PAUSE_US) {
        size_t abandoned = frame_abandon(&s->reader);
        if (abandoned)
            callbacks->garbage(s->medium.ctx, abandoned);
    }
    s->heard_us = now_us;
    s->medium.bytes_in += length;
    for (size_t i = 0; i < length && !s->closing; i++)
        medium_feed(callbacks, s->medium.ctx, &s->reader, bytes[i]);
    if (!s->closing)
        callbacks->idle(s->medium.ctx);
}

/* Reads the waiting bytes. If a frame is unfinished, sleeps until its rest can have come. */
static void take_input(void *ctx)
{
    struct serial *s = ctx;
    uint8_t bytes[READ_MAX];
    uint64_t now_us, rest_us;
    size_t missing;
    uint64_t heard_us = s->look_us == BL_NEVER ? BL_NEVER : s->heard_us;
    ssize_t n;
    if (s->closing)
        return;
    s->look_us = BL_NEVER;
    n = steady_port_read(&s->port, bytes, sizeof bytes);
    if (n == 0)
        watch_also(s, UV_READABLE);
    if (n <= 0)
        return;
    now_us = bl_mono_us();
    feed(s, now_us, bytes, (size_t)n);
    if (s->closing)
        return;
    /* Bytes received in the sleep count as received at the earliest possible time. Otherwise
     * garbage that looks like the beginning of a long frame would hide a pause after it. */
    if (heard_us != BL_NEVER && heard_us + (size_t)n * s->byte_ns / 1000 < s->heard_us)
        s->heard_us = heard_us + (size_t)n * s->byte_ns / 1000;
    missing = frame_missing(&s->reader);
    rest_us = missing * s->byte_ns / 1000;
    if (missing > 1 && rest_us > LATE_US) {
        s->look_us = now_us + rest_us - LATE_US;
        watch_no_more(s, UV_READABLE);
        set_timer(s);
    } else {
        watch_also(s, UV_READABLE);
    }
}

/* Writes the rest of the frame. The port takes a whole frame at once, unless CTS stops it. */
static void put_out(struct serial *s)
{
    ssize_t n = serial_port_write(&s->port.port, s->out + s->out_done, s->out_length - s->out_done);
    if (n >= 0)
        s->out_done += (size_t)n;
    else
        s->out_done = s->out_length; /* the port is lost; the next read reports it */
    if (s->out_done < s->out_length)
        watch_also(s, UV_WRITABLE);
    else
        watch_no_more(s, UV_WRITABLE);
}

static void on_writable(void *ctx)
{
    struct serial *s = ctx;
    put_out(s);
    if (s->out_done == s->out_length)
        s->medium.callbacks.writable(s->medium.ctx);
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
        s->medium.callbacks.writable(s->medium.ctx);
    }
    if (!s->closing)
        set_timer(s);
}

static bool serial_ready(struct medium *medium, uint64_t now_us)
{
    struct serial *s = (struct serial *)medium;
    if (s->port.port.fd < 0 || s->out_done < s->out_length)
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
    size_t waiting;
    bl_assert(s->out_done == s->out_length);
    s->out_length = frame_stuff(frame, length, s->out);
    s->out_done = 0;
    medium->bytes_out += s->out_length;
    if (s->out_length > medium->largest)
        medium->largest = (uint32_t)s->out_length;
    if (s->free_us < now_us)
        s->free_us = now_us;
    s->free_us += s->out_length * s->byte_ns / 1000;
    put_out(s);
    /* A UART is slower than its nominal speed, and CTS may stop it. Under load the system's own
     * count corrects the estimate. */
    if (loaded && serial_port_waiting(&s->port.port, &waiting)) {
        uint64_t free_us = now_us + waiting * s->byte_ns / 1000;
        if (free_us > s->free_us)
            s->free_us = free_us;
    }
}

static bool serial_renew(struct medium *medium)
{
    return steady_port_renew(&((struct serial *)medium)->port);
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

static void free_if_closed(struct serial *s)
{
    if (--s->open)
        return;
    if (s->closed)
        s->closed(s->medium.ctx);
    free(s);
}

static void on_timer_closed(struct bl_timer *timer)
{
    free_if_closed(timer->data);
}

static void on_port_closed(void *ctx)
{
    free_if_closed(ctx);
}

static void finish_close(struct serial *s)
{
    steady_port_close(&s->port, on_port_closed);
    bl_timer_close(&s->timer, on_timer_closed);
}

static void serial_close(struct medium *medium, void (*closed)(void *ctx))
{
    struct serial *s = (struct serial *)medium;
    s->closing = true;
    s->closed = closed;
    steady_port_poll(&s->port, 0);
    if (s->port.port.fd >= 0 && s->free_us > bl_mono_us())
        bl_timer_set(&s->timer, s->free_us + DRAIN_US);
    else
        finish_close(s);
}

static const struct medium_ops serial_ops = {
    .ready = serial_ready,
    .send = serial_send,
    .wire = serial_wire,
    .renew = serial_renew,
    .close = serial_close,
};

enum bl_status serial_open(struct medium **out, uv_loop_t *loop, const char *name, bool rtscts,
                           const struct medium_callbacks *callbacks, void *ctx,
                           struct bl_diag *diag)
{
    static const struct steady_port_callbacks port_callbacks = {take_input, on_writable, on_usable};
    struct serial *s = calloc(1, sizeof *s);
    char device[SERIAL_PATH_MAX];
    enum bl_status status;
    if (!s)
        return bl_fail(diag, BL_NOMEM, "serial:%s: out of memory", name);
    s->medium =
        (struct medium){.ops = &serial_ops, .callbacks = *callbacks, .ctx = ctx, .line = ""};
    s->look_us = s->writable_us = BL_NEVER;
    status = serial_parse(name, device, &s->baud, diag);
    if (status == BL_OK)
        status =
            steady_port_open(&s->port, loop, "", device, s->baud, rtscts, &port_callbacks, s, diag);
    if (status != BL_OK) {
        free(s);
        return status;
    }
    s->byte_ns = (uint32_t)(10000000000u / s->baud);
    s->open = 2;
    if (bl_timer_init(loop, &s->timer, on_timer, s) != BL_OK) {
        s->open = 1;
        s->closing = true;
        steady_port_close(&s->port, on_port_closed);
        return bl_fail(diag, BL_IO, "serial:%s: no timer can be had", name);
    }
    *out = &s->medium;
    return BL_OK;
}
