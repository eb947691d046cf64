/* Records: 'H' has this end's token, the other end's token as known here, and the number of bytes
 * received from the other end. 'D' has bytes. 'C' has the number of all bytes written to the pty.
 * Bytes that no 'C' covers stay in the ring, and are sent again on the next connection. So a pulled
 * cable loses no byte. */
#include "booth/line_booth.h"

#include "base/bytes.h"
#include "base/privilege.h"
#include "booth/booth.h"
#include "booth/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#define WINDOW    32768 /* most bytes under way in one direction */
#define PIECE_MAX 1000
#define TELL_AT   (WINDOW / 4)

struct ring {
    uint8_t byte[WINDOW];
    uint64_t from, to; /* positions in the whole stream: to - from <= WINDOW */
};

struct line {
    uv_loop_t loop;
    struct booth_signals signals;
    struct link *link;
    uv_poll_t poll;
    int master, slave, events;
    const char *path;
    bool up, ready, stopped;
    char reason[LINK_REASON_MAX]; /* reason why the line is down; "": it is up, or was never up */
    uint32_t token, other;        /* tokens of this process, and of the other end's process */
    struct ring out; /* bytes from the pty that may not be in the other end's pty yet */
    uint64_t sent;   /* end of the bytes that were sent in this connection */
    struct ring in;  /* bytes from the link that are not in this end's pty yet */
    uint64_t told;   /* in.from as the other end was last told */
    bool tell;       /* a 'C' must be sent even with the same number */
    bool hello_due;
};

/* Finds the longest contiguous piece of a ring from a position. */
static size_t piece(const struct ring *ring, uint64_t from, const uint8_t **at)
{
    size_t offset = (size_t)(from % WINDOW), length = (size_t)(ring->to - from);
    *at = ring->byte + offset;
    return length < WINDOW - offset ? length : WINDOW - offset;
}

static void send_out(struct line *line)
{
    uint8_t record[1 + PIECE_MAX];
    struct bytes_out out = {.at = record, .left = sizeof record};
    if (!line->up)
        return;
    if (line->hello_due) {
        bytes_put(&out, 'H', 1);
        bytes_put(&out, line->token, 4);
        bytes_put(&out, line->other, 4);
        bytes_put(&out, line->in.to, 8);
        if (link_send(line->link, LINK_EXPRESS, record, out.length))
            return;
        line->hello_due = false;
    }
    if (line->ready && (line->tell || line->in.from - line->told >= TELL_AT ||
                        (line->in.from == line->in.to && line->in.from != line->told))) {
        out = (struct bytes_out){.at = record, .left = sizeof record};
        bytes_put(&out, 'C', 1);
        bytes_put(&out, line->in.from, 8);
        if (link_send(line->link, LINK_EXPRESS, record, out.length))
            return;
        line->told = line->in.from;
        line->tell = false;
    }
    while (line->ready && line->sent < line->out.to) {
        const uint8_t *at;
        size_t length = piece(&line->out, line->sent, &at);
        if (length > PIECE_MAX)
            length = PIECE_MAX;
        record[0] = 'D';
        memcpy(record + 1, at, length);
        if (link_send(line->link, LINK_EXPRESS, record, 1 + length))
            return;
        line->sent += length;
    }
}

static void on_poll(uv_poll_t *poll, int status, int events);

static void watch(struct line *line)
{
    int events = 0;
    if (line->out.to - line->out.from < WINDOW)
        events |= UV_READABLE;
    if (line->in.from < line->in.to)
        events |= UV_WRITABLE;
    if (events == line->events || line->stopped)
        return;
    line->events = events;
    if (events)
        uv_poll_start(&line->poll, events, on_poll);
    else
        uv_poll_stop(&line->poll);
}

static void write_in(struct line *line)
{
    while (line->in.from < line->in.to) {
        const uint8_t *at;
        size_t length = piece(&line->in, line->in.from, &at);
        ssize_t n = write(line->master, at, length);
        if (n <= 0)
            break;
        line->in.from += (uint64_t)n;
    }
}

static void read_out(struct line *line)
{
    for (;;) {
        size_t offset = (size_t)(line->out.to % WINDOW);
        size_t room = WINDOW - (size_t)(line->out.to - line->out.from);
        if (room > WINDOW - offset)
            room = WINDOW - offset;
        ssize_t n = room ? read(line->master, line->out.byte + offset, room) : 0;
        if (n <= 0)
            break;
        line->out.to += (uint64_t)n;
    }
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct line *line = poll->data;
    (void)status;
    if (events & UV_READABLE)
        read_out(line);
    if (events & UV_WRITABLE)
        write_in(line);
    send_out(line);
    watch(line);
}

static void on_state(void *ctx, enum link_state state, const char *reason)
{
    struct line *line = ctx;
    bool was_up = line->up;
    line->up = state == LINK_UP;
    if (line->up && was_up) {
        fprintf(stderr, say_line_says, reason);
        return;
    }
    line->ready = false;
    line->hello_due = line->up;
    /* The reason may change while the line is down, as when an interface that is down vanishes. */
    if (line->up != was_up ||
        (state == LINK_DOWN && line->reason[0] && strcmp(reason, line->reason) != 0)) {
        fprintf(stderr, say_line_says, line->up ? say_the_line_is_up : reason);
        snprintf(line->reason, sizeof line->reason, "%s", line->up ? "" : reason);
    }
    send_out(line);
}

static enum bl_status on_hello(struct line *line, struct bytes_in *in)
{
    uint32_t token = (uint32_t)bytes_get(in, 4), known = (uint32_t)bytes_get(in, 4);
    uint64_t had = bytes_get(in, 8);
    if (in->bad || in->left)
        return BL_DATA;
    if (known == line->token) {
        if (had < line->out.from || had > line->out.to)
            return BL_DATA;
        line->sent = had; /* the other end has received the bytes up to here */
    } else {
        /* The other end is a new process. Its stream begins with our oldest byte that may not be in
         * a pty. */
        uint64_t length = line->out.to - line->out.from;
        uint8_t *copy = malloc(WINDOW);
        if (!copy)
            return BL_NOMEM;
        for (uint64_t i = 0; i < length; i++)
            copy[i] = line->out.byte[(line->out.from + i) % WINDOW];
        memcpy(line->out.byte, copy, (size_t)length);
        free(copy);
        line->out.from = 0;
        line->out.to = length;
        line->sent = 0;
    }
    if (token != line->other) {
        /* Bytes from an earlier process that are not in our pty are dropped. */
        line->in.from = line->in.to = line->told = 0;
        line->other = token;
    }
    line->tell = true; /* an earlier connection may have lost a 'C' */
    line->ready = true;
    return BL_OK;
}

static enum bl_status on_record(void *ctx, const uint8_t *record, size_t length)
{
    struct line *line = ctx;
    struct bytes_in in = {.at = record + 1, .left = length - 1};
    enum bl_status status = BL_OK;
    switch (record[0]) {
    case 'H':
        status = on_hello(line, &in);
        break;
    case 'C': {
        uint64_t had = bytes_get(&in, 8);
        if (in.bad || in.left || had < line->out.from || had > line->sent)
            return BL_DATA;
        line->out.from = had;
        break;
    }
    case 'D':
        if (line->in.to - line->in.from + in.left > WINDOW)
            return BL_DATA; /* more than the window */
        for (size_t i = 0; i < in.left; i++)
            line->in.byte[(line->in.to + i) % WINDOW] = in.at[i];
        line->in.to += in.left;
        write_in(line);
        break;
    default:
        return BL_DATA;
    }
    send_out(line);
    watch(line);
    return status;
}

static void on_progress(void *ctx)
{
    struct line *line = ctx;
    send_out(line);
    watch(line);
}

static enum bl_status open_pty(struct line *line, struct bl_diag *diag)
{
    char name[64];
    struct termios raw;
    struct stat old;
    line->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (line->master < 0 || grantpt(line->master) || unlockpt(line->master) ||
        ptsname_r(line->master, name, sizeof name))
        return bl_fail(diag, BL_IO, say_fail_cannot_make_a_pty, strerror(errno));
    /* Held open, so that the pty outlives a program that closes it. */
    line->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (line->slave < 0 || tcgetattr(line->slave, &raw))
        return bl_fail(diag, BL_IO, "%s: %s", name, strerror(errno));
    cfmakeraw(&raw);
    tcsetattr(line->slave, TCSANOW, &raw);
    if (lstat(line->path, &old) == 0 && !S_ISLNK(old.st_mode))
        return bl_fail(diag, BL_USAGE, say_fail_link_is_there_already_and_is, line->path);
    unlink(line->path);
    if (symlink(name, line->path)) {
        enum bl_status status = errno == EACCES ? BL_NOPERM : BL_NOINPUT;
        const char *why = strerror(errno);
        line->path = NULL;
        return bl_fail(diag, status, say_fail_link, why);
    }
    return BL_OK;
}

static void stop(void *ctx)
{
    struct line *line = ctx;
    if (line->stopped)
        return;
    line->stopped = true;
    link_close(line->link);
    line->link = NULL;
    line->up = false;
    booth_signals_close(&line->signals);
    if (line->events >= 0)
        uv_close((uv_handle_t *)&line->poll, NULL);
}

enum bl_status line_booth_run(const struct line_options *given, struct bl_diag *diag)
{
    static struct line running;
    struct line *line = &running;
    struct line_secret secret;
    struct link_options options = {
        .role = LINK_ANY, .rtscts = given->rtscts, .insecure = given->insecure};
    const struct link_callbacks callbacks = {
        .state = on_state, .record = on_record, .progress = on_progress};
    line->master = line->slave = -1;
    line->path = given->path;
    uv_loop_init(&line->loop);
    booth_signals_open(&line->signals, &line->loop, stop, line);
    line->events = -1;
    line->token = randombytes_random();
    enum bl_status status = booth_secret(&secret, given->key_file, diag);
    options.secret = given->key_file ? secret.secret : NULL;
    if (!status)
        status = open_pty(line, diag);
    if (!status)
        status = link_open(&line->link, &line->loop, given->port, &options, &callbacks, line, diag);
    secret_wipe(&secret);
    if (!status)
        status = privilege_drop(diag);
    if (!status) {
        line->events = 0;
        line->poll.data = line;
        uv_poll_init(&line->loop, &line->poll, line->master);
        watch(line);
        printf("%s\n", line->path);
        fflush(stdout);
    } else {
        stop(line);
    }
    uv_run(&line->loop, UV_RUN_DEFAULT);
    uv_loop_close(&line->loop);
    if (line->path)
        unlink(line->path);
    if (line->slave >= 0)
        close(line->slave);
    if (line->master >= 0)
        close(line->master);
    return status;
}
