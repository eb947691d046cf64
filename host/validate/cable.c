#include "validate/cable.h"

#include "base/loop.h"
#include "validate/cable_rate.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FIFO         16 /* of a UART's sender: what is on its way and can no longer be held back */
#define FRAME_MAX    2048 /* with room to spare over Ethernet's 1,514 */
#define FRAME_HEADER 14
#define PATH         64

struct end;

/* A descriptor that is listened to; its memory is its own, for a port may go and come again. */
struct ear {
    uv_poll_t poll;
    struct end *end;
    void (*heard)(struct end *end);
};

/* An end: its port, and what it sends. */
struct end {
    struct cable *cable;
    unsigned which;
    int fd;          /* the pty's master, or a TAP that is not ours; -1: none */
    char path[PATH]; /* of the pty */
    int opens_fd;    /* inotify: it is opened */
    struct ear *port, *opens;
    bool open; /* a program has it open */
    bool timed;
    struct bl_timer timer;
    uint8_t fifo[FIFO]; /* on its way to the other end: from `next` up to `length` */
    unsigned next, length;
    uint64_t begun_us, byte_us; /* when the first of them began, and how long each takes */
    uint64_t sent;
};

struct cable {
    uv_loop_t *loop;
    bool serial, plugged, closed;
    struct end end[CABLE_ENDS];
    unsigned handles; /* that are not closed yet */
    uint64_t dice;
};

/* splitmix64 */
static uint64_t dice_roll(struct cable *cable)
{
    uint64_t z = cable->dice += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static struct end *other_of(struct end *end)
{
    return &end->cable->end[1 - end->which];
}

static void on_heard(uv_poll_t *poll, int status, int events)
{
    struct ear *ear = poll->data;
    (void)status;
    (void)events;
    ear->heard(ear->end);
}

/* NULL: no memory, or the loop refuses the descriptor. */
static struct ear *ear_open(struct end *end, int fd, void (*heard)(struct end *end))
{
    struct ear *ear = calloc(1, sizeof *ear);
    if (!ear || uv_poll_init(end->cable->loop, &ear->poll, fd)) {
        free(ear);
        return NULL;
    }
    ear->poll.data = ear;
    ear->end = end;
    ear->heard = heard;
    uv_poll_start(&ear->poll, UV_READABLE, on_heard);
    end->cable->handles++;
    return ear;
}

static void free_last(struct cable *cable);

static void on_ear_closed(uv_handle_t *handle)
{
    struct ear *ear = handle->data;
    ear->end->cable->handles--;
    free_last(ear->end->cable);
    free(ear);
}

static void ear_close(struct ear **ear)
{
    if (*ear)
        uv_close((uv_handle_t *)&(*ear)->poll, on_ear_closed);
    *ear = NULL;
}

/* Listens to a serial port while a program has it open and its last bytes are through. */
static void port_listen(struct end *end)
{
    if (end->port && end->open && end->next == end->length)
        uv_poll_start(&end->port->poll, UV_READABLE, on_heard);
    else if (end->port)
        uv_poll_stop(&end->port->poll);
}

/* A byte comes to the end of the wire. What the other end does not take is lost, as in a UART. */
static void byte_arrive(struct end *from, uint8_t byte)
{
    struct end *to = other_of(from);
    unsigned sent = cable_rate(from->fd), taken = cable_rate(to->fd);
    if (!from->cable->plugged || !to->open || !sent || !taken)
        return;
    if (sent != taken)
        byte = (uint8_t)dice_roll(from->cable);
    if (write(to->fd, &byte, 1) != 1)
        return;
}

static void on_timer(struct bl_timer *timer)
{
    struct end *end = timer->data;
    uint64_t now_us = bl_mono_us();
    while (end->next < end->length && end->begun_us + (end->next + 1) * end->byte_us <= now_us)
        byte_arrive(end, end->fifo[end->next++]);
    if (end->next < end->length)
        bl_timer_set(timer, end->begun_us + (end->next + 1) * end->byte_us);
    port_listen(end);
}

static void serial_read(struct end *end)
{
    uint64_t now_us = bl_mono_us(), free_us = end->begun_us + end->length * end->byte_us;
    unsigned rate = cable_rate(end->fd);
    ssize_t count = read(end->fd, end->fifo, sizeof end->fifo);
    if (count < 0 && errno == EIO) { /* hung up: nobody has it open any more */
        end->open = false;
        port_listen(end);
    }
    if (count <= 0)
        return;
    /* The next byte follows at once, if the sender had it ready: a late look costs no wire time. */
    end->begun_us = now_us - free_us < 2 * end->byte_us ? free_us : now_us;
    end->byte_us = 10000000u / (rate ? rate : 9600);
    end->next = 0;
    end->length = (unsigned)count;
    end->sent += (uint64_t)count;
    bl_timer_set(&end->timer, end->begun_us + end->byte_us);
    port_listen(end);
}

/* False: there was no frame. */
static bool frame_read(struct end *end)
{
    uint8_t frame[FRAME_MAX];
    int to = other_of(end)->fd;
    ssize_t count = read(end->fd, frame, sizeof frame);
    if (count < FRAME_HEADER)
        return false;
    end->sent += (uint64_t)count - FRAME_HEADER;
    return !end->cable->plugged || to < 0 || write(to, frame, (size_t)count) == count;
}

static void hub_read(struct end *end)
{
    for (unsigned i = 0; i < 64 && frame_read(end); i++)
        continue;
}

static void on_open(struct end *end)
{
    struct pollfd state = {.fd = end->fd, .events = POLLIN};
    char news[1024];
    while (read(end->opens_fd, news, sizeof news) > 0)
        continue;
    end->open = poll(&state, 1, 0) >= 0 && !(state.revents & POLLHUP);
    port_listen(end);
}

static void free_last(struct cable *cable)
{
    if (!cable->closed || cable->handles)
        return;
    for (unsigned i = 0; i < CABLE_ENDS; i++) {
        struct end *end = &cable->end[i];
        if (end->opens_fd >= 0)
            close(end->opens_fd);
        if (cable->serial && end->fd >= 0)
            close(end->fd);
    }
    free(cable);
}

static void on_timer_closed(struct bl_timer *timer)
{
    struct end *end = timer->data;
    end->cable->handles--;
    free_last(end->cable);
}

void cable_close(struct cable *cable)
{
    if (!cable || cable->closed)
        return;
    for (unsigned i = 0; i < CABLE_ENDS; i++) {
        struct end *end = &cable->end[i];
        ear_close(&end->port);
        ear_close(&end->opens);
        if (end->timed)
            bl_timer_close(&end->timer, on_timer_closed);
    }
    cable->closed = true;
    free_last(cable);
}

static enum bl_status pty_make(struct end *end, struct bl_diag *diag)
{
    int slave;
    end->fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (end->fd < 0 || grantpt(end->fd) || unlockpt(end->fd) ||
        ptsname_r(end->fd, end->path, sizeof end->path))
        return bl_fail(diag, BL_IO, "the simulated cable: no pty: %s", strerror(errno));
    /* A port that was never opened is not hung up; after this it is. */
    slave = open(end->path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0)
        return bl_fail(diag, BL_IO, "the simulated cable: %s: %s", end->path, strerror(errno));
    close(slave);
    end->opens_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (end->opens_fd < 0 || inotify_add_watch(end->opens_fd, end->path, IN_OPEN) < 0)
        return bl_fail(diag, BL_IO, "the simulated cable: inotify: %s", strerror(errno));
    end->port = ear_open(end, end->fd, serial_read);
    end->opens = ear_open(end, end->opens_fd, on_open);
    if (!end->port || !end->opens)
        return bl_fail(diag, BL_NOMEM, "the simulated cable: no memory");
    port_listen(end);
    if (end->timed)
        return BL_OK;
    if (bl_timer_init(end->cable->loop, &end->timer, on_timer, end))
        return bl_fail(diag, BL_IO, "the simulated cable: no timer: %s", strerror(errno));
    end->timed = true;
    end->cable->handles++;
    return BL_OK;
}

enum bl_status cable_renew(struct cable *cable, enum cable_end which, struct bl_diag *diag)
{
    struct end *end = &cable->end[which];
    ear_close(&end->port);
    ear_close(&end->opens);
    if (end->opens_fd >= 0)
        close(end->opens_fd);
    if (end->fd >= 0)
        close(end->fd);
    end->fd = end->opens_fd = -1;
    end->open = false;
    end->next = end->length = 0;
    return pty_make(end, diag);
}

static struct cable *cable_make(uv_loop_t *loop, bool serial)
{
    struct cable *cable = calloc(1, sizeof *cable);
    if (!cable)
        return NULL;
    cable->loop = loop;
    cable->serial = serial;
    cable->plugged = true;
    for (unsigned i = 0; i < CABLE_ENDS; i++)
        cable->end[i] = (struct end){.cable = cable, .which = i, .fd = -1, .opens_fd = -1};
    return cable;
}

enum bl_status cable_open_serial(struct cable **out, uv_loop_t *loop, struct bl_diag *diag)
{
    struct cable *cable = cable_make(loop, true);
    enum bl_status status = cable ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    for (unsigned i = 0; i < CABLE_ENDS && !status; i++)
        status = pty_make(&cable->end[i], diag);
    if (status) {
        cable_close(cable);
        return status;
    }
    *out = cable;
    return BL_OK;
}

enum bl_status cable_open_hub(struct cable **out, uv_loop_t *loop, struct bl_diag *diag)
{
    *out = cable_make(loop, false);
    return *out ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
}

const char *cable_device(const struct cable *cable, enum cable_end end)
{
    return cable->end[end].path;
}

bool cable_is_open(const struct cable *cable, enum cable_end end)
{
    return cable->end[end].open;
}

static void carrier_set(const struct end *end, bool plugged)
{
    int carrier = plugged;
    if (!end->cable->serial && end->fd >= 0)
        ioctl(end->fd, TUNSETCARRIER, &carrier);
}

void cable_join(struct cable *cable, enum cable_end which, int tap)
{
    struct end *end = &cable->end[which];
    ear_close(&end->port);
    end->fd = tap;
    if (tap < 0)
        return;
    end->port = ear_open(end, tap, hub_read);
    carrier_set(end, cable->plugged);
}

void cable_plug(struct cable *cable, bool plugged)
{
    cable->plugged = plugged;
    for (unsigned i = 0; i < CABLE_ENDS; i++)
        carrier_set(&cable->end[i], plugged);
}

/* To everybody, and otherwise anything. */
static void frame_noise(struct cable *cable, const struct end *end)
{
    uint8_t frame[FRAME_HEADER + 46];
    for (unsigned i = 0; i < sizeof frame; i++)
        frame[i] = i < 6 ? 0xFF : (uint8_t)dice_roll(cable);
    frame[6] = 0x02; /* a sender's address of its own */
    if (write(end->fd, frame, sizeof frame) < 0)
        return;
}

void cable_noise(struct cable *cable, uint64_t seed, unsigned count)
{
    cable->dice = seed;
    for (unsigned i = 0; i < CABLE_ENDS; i++) {
        struct end *end = &cable->end[i];
        for (unsigned n = 0; n < count && end->fd >= 0; n++) {
            if (!cable->serial)
                frame_noise(cable, end);
            else
                byte_arrive(other_of(end), (uint8_t)dice_roll(cable));
        }
    }
}

uint64_t cable_sent(const struct cable *cable, enum cable_end end)
{
    return cable->end[end].sent;
}
