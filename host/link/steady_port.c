#include "link/steady_port.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SETTLE_US 250000u /* udev sets a new device's group a moment after its appearance */
#define AGAIN_US                                                                                   \
    2000000u /* the wait between two tries: another program's closing causes no event */

enum {
    BUSY_TRIES = 30, /* a killed program closes the port a moment later */
    BUSY_PAUSE_US = 30000,
    WATCH_TRIES = 3,
    REASON_MAX = 160,
};

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct steady_port *p = poll->data;
    if (events & UV_WRITABLE)
        p->callbacks.writable(p->ctx);
    if ((status < 0 || events & UV_READABLE) && !p->closing && p->port.fd >= 0)
        p->callbacks.readable(p->ctx);
}

void steady_port_poll(struct steady_port *p, int events)
{
    if (events == p->polled || !p->poll_open)
        return;
    p->polled = events;
    if (events)
        uv_poll_start(&p->poll, events, on_poll);
    else
        uv_poll_stop(&p->poll);
}

static void tell_if_closed(struct steady_port *p)
{
    if (p->open_handles == 0 && p->closing && p->closed)
        p->closed(p->ctx);
}

static void on_poll_closed(uv_handle_t *handle)
{
    struct steady_port *p = handle->data;
    p->poll_closing = false;
    p->open_handles--;
    tell_if_closed(p);
}

static void close_device(struct steady_port *p)
{
    if (p->port.fd < 0)
        return;
    steady_port_poll(p, 0);
    p->poll_open = false;
    p->poll_closing = true;
    uv_close((uv_handle_t *)&p->poll, on_poll_closed);
    serial_port_close(&p->port);
}

static enum bl_status open_device(struct steady_port *p, struct bl_diag *diag)
{
    enum bl_status status = serial_port_open(&p->port, p->device, p->baud, p->rtscts, diag);
    if (status != BL_OK)
        p->port.fd = -1;
    return status;
}

static enum bl_status join_loop(struct steady_port *p, struct bl_diag *diag)
{
    if (uv_poll_init(p->loop, &p->poll, p->port.fd)) {
        serial_port_close(&p->port);
        return bl_fail(diag, BL_IO, "%s cannot be watched for input", p->device);
    }
    p->poll.data = p;
    p->poll_open = true;
    p->open_handles++;
    p->polled = 0;
    return BL_OK;
}

static void watch_device(struct steady_port *p);

/* Handles an event in the watched directory. Two names matter: the watched one, and the directory's
 * own, which libuv gives when the directory and its watch are lost. */
static void on_watch(uv_fs_event_t *watch, const char *name, int events, int status)
{
    struct steady_port *p = watch->data;
    (void)events;
    (void)status;
    if (name && strcmp(name, p->watched) != 0 && strcmp(name, p->watched_in) != 0)
        return;
    watch_device(p);
    bl_timer_set(&p->timer, bl_mono_us() + SETTLE_US);
}

static void stop_watching(struct steady_port *p)
{
    if (p->watching)
        uv_fs_event_stop(&p->watch);
    p->watching = false;
}

/* Watches the directory of the device, or the nearest existing directory above. False: the
 * directory below has appeared meanwhile, perhaps without an event. */
static bool watch_nearest(struct steady_port *p)
{
    char directory[SERIAL_PATH_MAX];
    char *slash;
    snprintf(directory, sizeof directory, "%s", p->device);
    stop_watching(p);
    while (!p->watching && (slash = strrchr(directory, '/'))) {
        const char *in;
        snprintf(p->watched, sizeof p->watched, "%s", slash + 1);
        *slash = 0;
        in = strrchr(directory, '/');
        snprintf(p->watched_in, sizeof p->watched_in, "%s", in ? in + 1 : "/");
        p->watching = uv_fs_event_start(&p->watch, on_watch, *directory ? directory : "/", 0) == 0;
        if (p->watching) {
            *slash = '/';
            return strcmp(directory, p->device) == 0 || access(directory, F_OK) < 0;
        }
    }
    return true;
}

static void watch_device(struct steady_port *p)
{
    for (unsigned i = 0; i < WATCH_TRIES && !watch_nearest(p); i++)
        ;
}

static void lose(struct steady_port *p)
{
    char reason[REASON_MAX];
    close_device(p);
    watch_device(p);
    /* The timer looks once: the device may have returned before the watch began. */
    bl_timer_set(&p->timer, bl_mono_us() + SETTLE_US);
    snprintf(reason, sizeof reason,
             "%s%.60s is gone: plug the adapter in again, it is taken up by itself", p->what,
             p->device);
    p->callbacks.usable(p->ctx, false, reason);
}

/* True if the device's directory reports both the appearance of a device and a change of its
 * permissions. False where the name is a link of a person's own making, which stays when its target
 * goes. */
static bool is_told(const struct steady_port *p, enum bl_status status)
{
    struct stat info;
    return (status == BL_NOINPUT || status == BL_NOPERM) && p->watching &&
           (lstat(p->device, &info) < 0 || !S_ISLNK(info.st_mode));
}

/* Opens the port if it is lost. Reports the outcome. */
static void on_timer(struct bl_timer *timer)
{
    struct steady_port *p = timer->data;
    struct bl_diag diag;
    if (p->closing)
        return;
    if (p->port.fd < 0) {
        enum bl_status status = p->poll_closing ? BL_AGAIN : open_device(p, &diag);
        if (status == BL_OK)
            status = join_loop(p, &diag);
        if (status != BL_OK) {
            if (!is_told(p, status))
                bl_timer_set(&p->timer, bl_mono_us() + AGAIN_US);
            /* A missing device was reported already. */
            if (status != BL_AGAIN && status != BL_NOINPUT)
                p->callbacks.usable(p->ctx, false, diag.text);
            return;
        }
        stop_watching(p);
    }
    steady_port_poll(p, UV_READABLE);
    p->callbacks.usable(p->ctx, true, NULL);
}

enum bl_status steady_port_open(struct steady_port *p, uv_loop_t *loop, const char *what,
                                const char *device, uint32_t baud, bool rtscts,
                                const struct steady_port_callbacks *callbacks, void *ctx,
                                struct bl_diag *diag)
{
    enum bl_status status;
    memset(p, 0, sizeof *p);
    snprintf(p->device, sizeof p->device, "%s", device);
    p->loop = loop;
    p->what = what;
    p->baud = baud;
    p->rtscts = rtscts;
    p->callbacks = *callbacks;
    p->ctx = ctx;
    status = open_device(p, diag);
    for (unsigned i = 0; status == BL_BUSY && i < BUSY_TRIES; i++) {
        bl_sleep_until(bl_mono_us() + BUSY_PAUSE_US);
        status = open_device(p, diag);
    }
    if (status != BL_OK)
        return status;
    if (bl_timer_init(loop, &p->timer, on_timer, p) != BL_OK) {
        serial_port_close(&p->port);
        return bl_fail(diag, BL_IO, "%s: no timer can be had", device);
    }
    uv_fs_event_init(loop, &p->watch);
    p->watch.data = p;
    p->open_handles = 2;
    (void)join_loop(p, NULL); /* after a failure the timer tries again, and reports it */
    bl_timer_set(&p->timer, bl_mono_us());
    return BL_OK;
}

ssize_t steady_port_read(struct steady_port *p, void *bytes, size_t size)
{
    ssize_t n = serial_port_read(&p->port, bytes, size);
    if (n < 0)
        lose(p);
    return n;
}

bool steady_port_renew(struct steady_port *p)
{
    return p->port.fd >= 0 && serial_port_renew(&p->port);
}

static void on_timer_closed(struct bl_timer *timer)
{
    struct steady_port *p = timer->data;
    p->open_handles--;
    tell_if_closed(p);
}

static void on_watch_closed(uv_handle_t *handle)
{
    struct steady_port *p = handle->data;
    p->open_handles--;
    tell_if_closed(p);
}

void steady_port_close(struct steady_port *p, void (*closed)(void *ctx))
{
    p->closing = true;
    p->closed = closed;
    close_device(p);
    uv_close((uv_handle_t *)&p->watch, on_watch_closed);
    bl_timer_close(&p->timer, on_timer_closed);
}
