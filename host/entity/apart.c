#include "entity/apart.h"

#include "base/libexec.h"
#include "base/loop.h"
#include "http/server.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define OURS   "boothlink-lpp2"
#define STARTS 8 /* the limit of starts, for a program that cannot run */

/* A killed terminal's program may still have the port: the next terminal tries again. */
#define PORT_TRIES    100
#define PORT_EVERY_US 10000u

#define PACKETS 64 /* most packets read in a turn of the loop */

struct apart {
    uv_loop_t *loop;
    uv_idle_t starts;
    uv_poll_t poll;
    bool watched, closing;
    int events;       /* awaited events of the socket */
    unsigned handles; /* number of open handles */
    struct apart_options options;
    struct apart_callbacks callbacks;
    void *ctx;
    char path[PATH_MAX];
    int port; /* listening socket, until the program has it; then -1 */
    int socket;
    pid_t pid;
    unsigned started; /* number of starts */

    struct apart_told holds; /* state that the program was told */
    uint64_t order, known;   /* the number of keys; the number that the program was told */
    uint64_t seen;           /* number of keys already searched for keys of the judge */
    bool stale;              /* there is news for the program */
    bool full;               /* the socket has no room */
    struct apart_said said;  /* the program's packet; its first `taken` keys are handed over */
    uint32_t taken;
    unsigned allowed;
    uint64_t taken_all; /* keys handed over since the program's start */
    uint64_t given;
    uint32_t sent; /* number of the last answered question: has the Entry been sent all keys? */
    bool handing;
    uint64_t asked; /* `given` of the last APART_ASKS */
    bool owes;      /* that APART_ASKS is unanswered */
};

static void on_packet(uv_poll_t *poll, int status, int events);

static void watch(struct apart *a)
{
    bool held = a->taken < a->said.count;
    int events = (held ? 0 : UV_READABLE) | (a->full ? UV_WRITABLE : 0);
    if (!a->watched || events == a->events)
        return;
    a->events = events;
    if (events)
        uv_poll_start(&a->poll, events, on_packet);
    else
        uv_poll_stop(&a->poll);
}

static bool send_told(struct apart *a, const struct apart_told *told)
{
    size_t length = offsetof(struct apart_told, key) + told->count * sizeof told->key[0];
    a->full = a->socket < 0 || (send(a->socket, told, length, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 &&
                                (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS));
    return !a->full;
}

static void fill_keys(struct apart *a)
{
    struct apart_told *h = &a->holds;
    h->from = a->known;
    h->count = 0;
    while (h->count < APART_KEYS && a->known + h->count < a->order) {
        enum party party = PARTY_JUDGE;
        uint32_t point = a->callbacks.placed(a->ctx, a->known + h->count + 1, &party);
        h->key[h->count++] = point * 2 + (party == PARTY_ENTITY);
    }
}

/* Answers APART_ASKS with the Entry's keys: those placed after the first `asked` keys of the order,
 * then the keys without a place. */
static void answer(struct apart *a)
{
    static struct apart_told told; /* one answer at a time, from the loop */
    uint32_t point;
    told = a->holds;
    told.answers = true;
    told.count = 0;
    for (uint64_t i = a->asked + 1; i <= a->order && told.count < APART_KEYS; i++) {
        enum party party = PARTY_JUDGE;
        point = a->callbacks.placed(a->ctx, i, &party);
        if (party == PARTY_ENTITY)
            told.key[told.count++] = point;
    }
    for (size_t i = 0; a->callbacks.waiting && told.count < APART_KEYS &&
                       (point = a->callbacks.waiting(a->ctx, i)) != 0;
         i++)
        told.key[told.count++] = point;
    a->owes = !send_told(a, &told);
}

static void tell(struct apart *a)
{
    if (a->owes)
        answer(a);
    while (a->socket >= 0 && a->stale) {
        if (a->known > a->order)
            a->known = 0; /* a new session: the order begins again */
        fill_keys(a);
        if (!send_told(a, &a->holds))
            break;
        a->known += a->holds.count;
        a->stale = a->known != a->order;
    }
    watch(a);
}

static void hand_over(struct apart *a)
{
    if (a->handing)
        return;
    a->handing = true;
    while (a->taken < a->said.count && !a->closing) {
        uint32_t point = a->said.as.key[a->taken].point;
        bool late = a->said.session != a->holds.session || a->holds.ended || !key_is_key(point);
        if (!late && a->allowed == 0)
            break;
        if (!late &&
            a->callbacks.key(a->ctx, point, a->said.as.key[a->taken].pressed_us) == HANDED_BACK)
            break;
        a->taken++;
        a->taken_all++;
        a->allowed -= !late;
    }
    a->handing = false;
}

static void hear(struct apart *a)
{
    struct apart_said *s = &a->said;
    uint32_t keys = s->kind == APART_TYPES ? s->count : 0, count = s->count;
    s->count = keys;
    a->taken = 0;
    switch ((enum apart_kind)s->kind) {
    case APART_TYPES:
        hand_over(a);
        break;
    case APART_NOTES:
        a->callbacks.event(a->ctx, (enum apart_news)s->event, count, s->as.text);
        break;
    case APART_KNOWS:
        if (s->session == a->holds.session && s->given > a->given)
            a->given = s->given;
        a->sent = s->last;
        break;
    case APART_ASKS:
        a->asked = s->given;
        answer(a);
        break;
    }
}

static void on_closed(uv_handle_t *handle)
{
    struct apart *a = handle->data;
    a->handles--;
    if (a->closing && a->handles == 0)
        free(a);
}

static void drop(struct apart *a, int *status)
{
    if (a->watched)
        uv_close((uv_handle_t *)&a->poll, on_closed);
    a->watched = false;
    if (a->socket >= 0)
        close(a->socket);
    a->socket = -1;
    if (a->pid > 0) {
        kill(a->pid, SIGKILL);
        while (waitpid(a->pid, status, 0) < 0 && errno == EINTR)
            ;
    }
    a->pid = 0;
}

static void on_start(uv_idle_t *idle);

static void on_ended(struct apart *a)
{
    char text[NOTE_MAX];
    int status = 0;
    drop(a, &status);
    bool again = a->started < STARTS;
    snprintf(text, sizeof text, "%s has ended, %s %d%s", OURS,
             WIFSIGNALED(status) ? "signal" : "exit code",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
             again ? "; it is started again" : ": too often to be started again");
    a->callbacks.event(a->ctx, APART_TELLS, 1, text);
    if (again)
        uv_idle_start(&a->starts, on_start);
}

static void on_packet(uv_poll_t *poll, int status, int events)
{
    struct apart *a = poll->data;
    (void)status;
    if (events & UV_WRITABLE)
        tell(a);
    for (unsigned i = 0; i < PACKETS && a->taken == a->said.count && !a->closing; i++) {
        enum apart_taken taken = apart_take(a->socket, &a->said);
        if (taken == APART_NOTHING)
            break;
        if (taken == APART_OVER) {
            a->said.count = a->taken = 0;
            on_ended(a);
            return;
        }
        hear(a);
    }
    if (!a->closing)
        watch(a);
}

static enum bl_status spawn_ours(struct apart *a, int channel, struct bl_diag *diag)
{
    char name[] = OURS;
    char *const argv[] = {name, NULL};
    int port = a->options.listening > 0 ? a->options.listening : a->port;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    /* Duplicates both descriptors to high numbers first: one may have the other's target number. */
    posix_spawn_file_actions_adddup2(&actions, channel, 1000);
    posix_spawn_file_actions_adddup2(&actions, port, 1001);
    posix_spawn_file_actions_adddup2(&actions, 1000, APART_SOCKET);
    posix_spawn_file_actions_adddup2(&actions, 1001, APART_PORT);
    int error = posix_spawn(&a->pid, a->path, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        a->pid = 0;
    return error ? bl_fail(diag, BL_UNAVAIL, "%s does not start: %s", OURS, strerror(error))
                 : BL_OK;
}

static enum bl_status start(struct apart *a, struct bl_diag *diag)
{
    struct apart_begin begin = {.boxed = a->options.listening > 0};
    int pair[2];
    unsigned port = a->options.place->port;
    const char *address = a->options.place->address;
    enum bl_status status = BL_OK;
    a->started++;
    if (a->port < 0 && a->options.listening <= 0)
        status = http_listen(address[0] ? address : NULL, &port, &a->port, diag);
    if (status)
        return status;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return bl_fail(diag, BL_IO, "no socket: %s", strerror(errno));
    status = spawn_ours(a, pair[1], diag);
    close(pair[1]);
    if (a->port >= 0)
        close(a->port);
    a->port = -1;
    if (status || uv_poll_init(a->loop, &a->poll, pair[0])) {
        close(pair[0]);
        return status ? status : bl_fail(diag, BL_IO, "%s cannot be watched", OURS);
    }
    a->socket = pair[0];
    a->poll.data = a;
    a->watched = true;
    a->events = 0;
    a->handles++;
    snprintf(begin.secret, sizeof begin.secret, "%s", a->options.place->secret);
    if (send(a->socket, &begin, sizeof begin, MSG_NOSIGNAL) < 0)
        return bl_fail(diag, BL_IO, "%s: %s", OURS, strerror(errno));
    explicit_bzero(&begin, sizeof begin);
    a->known = a->taken_all = 0;
    a->owes = false;
    a->holds.granted = a->allowed;
    a->holds.given = a->given;
    a->stale = a->holds.session > 0;
    tell(a);
    return BL_OK;
}

static void on_start(uv_idle_t *idle)
{
    struct apart *a = idle->data;
    struct bl_diag diag = {""};
    uv_idle_stop(idle);
    if (start(a, &diag) == BL_OK)
        return;
    int status;
    drop(a, &status);
    a->callbacks.event(a->ctx, APART_IGNORES, 1, diag.text);
}

enum bl_status apart_open(struct apart **out, uv_loop_t *loop, const struct apart_options *options,
                          const struct apart_callbacks *callbacks, void *ctx, struct bl_diag *diag)
{
    struct apart *a = calloc(1, sizeof *a);
    unsigned port = options->place->port;
    const char *address = options->place->address;
    *out = NULL;
    if (!a)
        return bl_fail(diag, BL_NOMEM, "no memory");
    a->loop = loop;
    a->options = *options;
    a->callbacks = *callbacks;
    a->ctx = ctx;
    a->port = a->socket = -1;
    enum bl_status status = libexec_path(a->path, OURS, diag);
    for (unsigned i = 0; !status && options->listening <= 0 && i < PORT_TRIES; i++) {
        status = http_listen(address[0] ? address : NULL, &port, &a->port, diag);
        if (status != BL_BUSY || i + 1 == PORT_TRIES)
            break;
        status = BL_OK;
        bl_sleep_until(bl_mono_us() + PORT_EVERY_US);
    }
    if (status) {
        free(a);
        return status;
    }
    uv_idle_init(loop, &a->starts);
    a->starts.data = a;
    a->handles = 1;
    uv_idle_start(&a->starts, on_start);
    *out = a;
    return BL_OK;
}

void apart_session(struct apart *a, unsigned round, uint64_t given)
{
    a->holds.session++;
    a->holds.round = round;
    a->holds.given = a->given = given;
    a->holds.started = a->holds.ended = false;
    a->order = a->known = a->seen = 0;
    a->stale = true;
    tell(a);
}

void apart_start(struct apart *a)
{
    if (a->holds.started || a->holds.ended)
        return;
    a->holds.started = a->stale = true;
    tell(a);
}

void apart_end(struct apart *a)
{
    if (a->holds.ended)
        return;
    a->holds.ended = a->stale = true;
    tell(a);
}

void apart_run(struct apart *a, unsigned allowed, uint64_t order)
{
    a->allowed = allowed;
    hand_over(a);
    if (a->holds.granted != a->taken_all + a->allowed) {
        a->holds.granted = a->taken_all + a->allowed;
        a->stale = true;
    }
    if (order < a->seen)
        a->seen = 0;
    /* A packet is sent for keys of the judge. The Entry's own keys go with the next packet. */
    for (; a->seen < order; a->seen++) {
        enum party party = PARTY_JUDGE;
        a->callbacks.placed(a->ctx, a->seen + 1, &party);
        a->stale = a->stale || party == PARTY_JUDGE;
    }
    a->stale = a->stale || order < a->known;
    a->order = order;
    tell(a);
}

uint64_t apart_given(const struct apart *a)
{
    return a->given;
}

bool apart_sent(struct apart *a)
{
    if (a->socket < 0)
        return true;
    if (a->holds.last == 0) {
        a->holds.last = 1;
        a->stale = true;
        tell(a);
    }
    return a->sent == a->holds.last;
}

void apart_close(struct apart *a)
{
    int status;
    if (!a)
        return;
    a->closing = true;
    drop(a, &status);
    if (a->port >= 0)
        close(a->port);
    uv_close((uv_handle_t *)&a->starts, on_closed);
}
