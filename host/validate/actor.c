#include "validate/actor_private.h"

#include "base/loop.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PORTION 4096u
_Static_assert(PORTION <= ACTOR_ERRORS, "a portion of standard error is kept whole");

static void on_lpp_key(void *ctx, uint32_t point);

static enum bl_status apart_open(struct actor *a, const struct sandbox_options *sandbox,
                                 struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    if (sandbox_lpp_fd(a->sandbox) >= 0)
        status = lpp_judge_create(&a->lpp, sandbox_lpp_fd(a->sandbox), diag);
    if (status == BL_OK && sandbox->net == SANDBOX_NET_PORT)
        status = lpp2_judge_create(&a->server, sandbox_net_fd(a->sandbox), sandbox->port,
                                   on_lpp_key, a, diag);
    a->apart = a->lpp || a->server;
    return status;
}

/* Connects the actor to its end of the line. */
static enum bl_status line_join(struct actor *a, struct bl_diag *diag)
{
    int tap = sandbox_net_fd(a->sandbox);
    if (tap < 0)
        return bl_fail(diag, BL_UNAVAIL, "a simulated hub needs /dev/net/tun");
    scene_line_join(scene_line(a->scene), a->part == PART_JUDGE ? LINE_JUDGE : LINE_ENTITY, tap);
    return BL_OK;
}

static enum bl_status start(struct actor *a, const struct sandbox_options *sandbox,
                            struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    a->take = take_create();
    if (!a->take || (sandbox->screen && !screen_open(a, sandbox->rows, sandbox->columns)))
        return bl_fail(diag, BL_NOMEM, "no memory");
    if (!sandbox->screen)
        status = talk_open(a, sandbox, diag);
    if (status == BL_OK)
        status = sandbox_open(&a->sandbox, sandbox, diag);
    if (status == BL_OK)
        status = apart_open(a, sandbox, diag);
    if (status == BL_OK && sandbox->net == SANDBOX_NET_ETHER)
        status = line_join(a, diag);
    a->net_closed = sandbox->net !=
                    SANDBOX_NET_LISTEN; /* otherwise the network is read elsewhere, or not at all */
    return status;
}

enum bl_status actor_open(struct actor **out, struct scene *scene, enum scene_part part,
                          const struct sandbox_options *sandbox,
                          const struct actor_options *options, struct bl_diag *diag)
{
    struct actor *a = calloc(1, sizeof *a);
    enum bl_status status;
    *out = NULL;
    if (!a)
        return bl_fail(diag, BL_NOMEM, "no memory");
    a->scene = scene;
    a->part = part;
    a->options = *options;
    scene_put(scene, part, a);
    status = start(a, sandbox, diag);
    if (status) {
        actor_close(a);
        return status;
    }
    a->last_us = bl_mono_us();
    if (!a->screen.emulator)
        talk_start(a);
    *out = a;
    return BL_OK;
}

enum bl_status actor_open_alone(struct actor **out, const struct sandbox_options *sandbox,
                                const struct actor_options *options, struct bl_diag *diag)
{
    struct scene *scene = scene_create(NULL);
    enum bl_status status = scene ? actor_open(out, scene, PART_ENTRY, sandbox, options, diag)
                                  : bl_fail(diag, BL_NOMEM, "no memory");
    if (status)
        scene_close(scene);
    return status;
}

void actor_close(struct actor *a)
{
    if (!a)
        return;
    if (scene_line(a->scene) && a->part != PART_ENTRY)
        scene_line_join(scene_line(a->scene), a->part == PART_JUDGE ? LINE_JUDGE : LINE_ENTITY, -1);
    lpp2_judge_destroy(a->server);
    sandbox_close(a->sandbox);
    lpp_judge_destroy(a->lpp);
    talk_close(a);
    screen_close(a);
    take_destroy(a->take);
    scene_put(a->scene, a->part, NULL);
    free(a);
}

enum bl_status actor_again(struct actor *a, struct bl_diag *diag)
{
    enum bl_status status = sandbox_again(a->sandbox, diag);
    if (status)
        return status;
    a->out_closed = a->err_closed = a->in_closed = false;
    a->waiting = a->error_length = 0;
    a->errors[0] = '\0';
    take_clear(a->take);
    a->flood_from = 0;
    a->last_us = bl_mono_us();
    talk_start(a);
    if (a->lpp)
        lpp_judge_restart(a->lpp);
    return a->server ? lpp2_judge_restart(a->server, diag) : BL_OK;
}

struct scene *actor_scene(const struct actor *a)
{
    return a->scene;
}

struct sandbox *actor_sandbox(const struct actor *a)
{
    return a->sandbox;
}

struct take *actor_take(const struct actor *a)
{
    return a->take;
}

const char *actor_errors(const struct actor *a)
{
    return a->errors;
}

const struct network *actor_network(const struct actor *a)
{
    return &a->network;
}

/* ---- the program's output ---- */

static void hear(struct actor *a, const uint8_t *bytes, size_t length)
{
    a->last_us = bl_mono_us();
    take_add(a->take, a->last_us, scene_waits(a->scene), scene_delay_us(a->scene), bytes, length);
    if (a->screen.emulator)
        screen_hear(a, bytes, length);
    else
        talk_hear(a, bytes, length);
    a->take->seen = a->take->total;
}

static void on_lpp_key(void *ctx, uint32_t point)
{
    uint8_t key[UTF8_MAX] = {0};
    hear(ctx, key, utf8_encode(point == KEY_RETURN ? '\n' : point, key));
}

void actor_take_lpp(struct actor *a)
{
    if (a->lpp)
        lpp_judge_take(a->lpp, bl_mono_us(), on_lpp_key, a);
    if (a->server)
        lpp2_judge_take(a->server);
}

bool actor_read(struct actor *a)
{
    uint8_t part[PORTION];
    ssize_t n = read(sandbox_out_fd(a->sandbox), part, sizeof part);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (n <= 0) {
        a->out_closed = true; /* hung up; the program's end is read later */
        return false;
    }
    if (a->apart)
        a->flood_from -= (uint64_t)n; /* not keys, but counted as output */
    else
        hear(a, part, (size_t)n);
    return true;
}

static void err_read(struct actor *a)
{
    char part[PORTION];
    ssize_t n = read(sandbox_err_fd(a->sandbox), part, sizeof part);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        a->err_closed = true;
        return;
    }
    const size_t taken = (size_t)n, room = ACTOR_ERRORS - taken;
    const size_t kept = a->error_length < room ? a->error_length : room;
    memmove(a->errors, a->errors + a->error_length - kept, kept);
    for (size_t i = 0; i < taken; i++)
        a->errors[kept + i] = part[i] ? part[i] : '?';
    a->error_length = kept + taken;
    a->errors[a->error_length] = '\0';
}

static void net_read(struct actor *a)
{
    uint8_t frame[NETWORK_FRAME_MAX], answer[NETWORK_FRAME_MAX];
    int fd = sandbox_net_fd(a->sandbox);
    ssize_t n = read(fd, frame, sizeof frame);
    if (n <= 0) {
        a->net_closed = n == 0 || (errno != EAGAIN && errno != EINTR);
        return;
    }
    size_t length = network_take(&a->network, frame, (size_t)n, answer);
    if (length && write(fd, answer, length) < 0)
        a->net_closed = errno != EAGAIN && errno != EINTR && errno != EIO;
}

/* ---- the program's input ---- */

static void flush(struct actor *a)
{
    while (a->waiting) {
        ssize_t n = write(sandbox_in_fd(a->sandbox), a->input, a->waiting);
        if (n <= 0) {
            a->in_closed = n < 0 && errno != EAGAIN && errno != EINTR;
            return;
        }
        a->waiting -= (size_t)n;
        memmove(a->input, a->input + n, a->waiting);
    }
}

size_t actor_give(struct actor *a, const void *bytes, size_t length)
{
    size_t room = sizeof a->input - a->waiting, taken = length < room ? length : room;
    if (a->in_closed)
        return 0;
    memcpy(a->input + a->waiting, bytes, taken);
    a->waiting += taken;
    flush(a);
    return taken;
}

/* ---- a turn of the scene ---- */

enum { HEAR_OUT, HEAR_ROOM, HEAR_ERR, HEAR_NET, HEAR_NEWS, HEAR_LPP, HEAR_LPP2 };

uint64_t actor_due(const struct actor *a, uint64_t now_us, uint64_t until_us)
{
    int wait_ms = a->server ? lpp2_judge_wait_ms(a->server) : -1;
    return wait_ms >= 0 && now_us + (unsigned)wait_ms * MS < until_us
               ? now_us + (unsigned)wait_ms * MS
               : until_us;
}

void actor_polls(const struct actor *a, struct pollfd polls[ACTOR_POLLS])
{
    const struct sandbox *s = a->sandbox;
    const int fds[ACTOR_POLLS] = {
        [HEAR_OUT] = a->out_closed || a->deaf ? -1 : sandbox_out_fd(s),
        [HEAR_ROOM] = a->waiting && !a->in_closed ? sandbox_in_fd(s) : -1,
        [HEAR_ERR] = a->err_closed ? -1 : sandbox_err_fd(s),
        [HEAR_NET] = a->net_closed ? -1 : sandbox_net_fd(s),
        [HEAR_NEWS] = sandbox_news_fd(s),
        [HEAR_LPP] = a->lpp && !a->deaf ? lpp_judge_fd(a->lpp) : -1,
        [HEAR_LPP2] = a->server && !a->deaf ? lpp2_judge_fd(a->server) : -1,
    };
    for (unsigned i = 0; i < ACTOR_POLLS; i++)
        polls[i] = (struct pollfd){.fd = fds[i], .events = i == HEAR_ROOM ? POLLOUT : POLLIN};
}

void actor_turn(struct actor *a, const struct pollfd polls[ACTOR_POLLS])
{
    if (a->server && !a->deaf) /* the server has timers of its own */
        lpp2_judge_take(a->server);
    if (polls[HEAR_NEWS].revents)
        sandbox_news(a->sandbox);
    if (polls[HEAR_OUT].revents)
        actor_read(a);
    if (polls[HEAR_ROOM].revents)
        flush(a);
    if (polls[HEAR_ERR].revents)
        err_read(a);
    if (polls[HEAR_NET].revents)
        net_read(a);
    if (polls[HEAR_LPP].revents)
        lpp_judge_take(a->lpp, bl_mono_us(), on_lpp_key, a);
}

/* ---- the program's end ---- */

bool actor_flooded(const struct actor *a)
{
    if (a->screen.emulator)
        return a->take->full;
    return a->take->total - a->flood_from > a->options.flood_bytes;
}

bool actor_is_over(const struct actor *a, enum actor_outcome *outcome)
{
    const struct sandbox_facts *facts = sandbox_facts(a->sandbox);
    bool ended =
        atomic_load(&facts->ended); /* read before the reason for a kill, which is stored earlier */
    enum actor_outcome how = atomic_load(&facts->too_many) || atomic_load(&facts->too_large)
                                 ? ACTOR_KILLED
                             : actor_flooded(a) ? ACTOR_FLOOD
                             : ended            ? ACTOR_ENDED
                                                : ACTOR_DONE;
    if (outcome)
        *outcome = how;
    return how != ACTOR_DONE;
}

void actor_drain(struct actor *a)
{
    while (!a->out_closed && !actor_flooded(a) && actor_read(a))
        ; /* another process may still hold the terminal */
    if (!a->err_closed)
        err_read(a);
    actor_take_lpp(a);
    if (!a->screen.emulator)
        talk_drain(a);
}

/* The meaning of an exit status of a shell. */
static const char *shell_word(int status)
{
    return status == 127   ? " (" NO_PROGRAM "; one of the folder is ./NAME)"
           : status == 126 ? " (it cannot be run: no permission, or no program)"
                           : "";
}

const char *actor_ending(struct actor *a)
{
    const struct sandbox_facts *facts = sandbox_facts(a->sandbox);
    int status = atomic_load(&facts->status);
    a->ending[0] = '\0';
    if (!atomic_load(&facts->ended))
        return a->ending;
    /* A shell reports a signal to its program as 128 and the signal's number. */
    int number = WIFSIGNALED(status)         ? WTERMSIG(status)
                 : WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128
                                             : 0;
    if (number > 0 && number < NSIG)
        snprintf(a->ending, sizeof a->ending, "was ended by signal %d (%s)", number,
                 strsignal(number));
    else
        snprintf(a->ending, sizeof a->ending, "ended by itself, exit status %d%s",
                 WEXITSTATUS(status), shell_word(WEXITSTATUS(status)));
    return a->ending;
}
