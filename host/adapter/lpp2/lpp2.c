/* boothlink-lpp2: the server of an Entry that speaks LPP v2 (adapter/lpp2.h). An entity's terminal
 * starts it with two descriptors and no arguments (entity/apart_told.h). It ends with its
 * terminal. */
#include "adapter/lpp2.h"
#include "adapter/outcome.h"
#include "base/log.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define ORDER_MAX (4u << 20) /* keys of a session, as in sequence.h */

static struct {
    uv_loop_t loop;
    uv_poll_t poll;
    uv_prepare_t prepare;
    struct lpp2 *lpp2;
    struct apart_told told;
    struct apart_said typed; /* keys to be reported in this turn of the loop */
    struct apart_said known; /* the state that was last reported */
    uint64_t handed, n;
    uint32_t session;
    bool heard; /* `told` has an unhandled packet */
    uint32_t order[ORDER_MAX];
    uint32_t waiting[APART_KEYS];
    uint32_t waiters;
} s;

/* Ends the process when the terminal is lost. */
static void end(void)
{
    _exit(0);
}

static void say(const struct apart_said *said)
{
    if (!outcome_send(said))
        end();
}

static void say_typed(void)
{
    if (s.typed.count)
        say(&s.typed);
    s.typed.count = 0;
}

static enum handed on_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    (void)ctx;
    s.typed.kind = APART_TYPES;
    s.typed.session = s.session;
    s.typed.as.key[s.typed.count].point = point;
    s.typed.as.key[s.typed.count++].pressed_us = pressed_us;
    s.handed++;
    if (s.typed.count == APART_SAID)
        say_typed();
    return HANDED_ON;
}

static uint32_t on_placed(void *ctx, uint64_t n, enum party *party)
{
    (void)ctx;
    *party = s.order[n - 1] & 1 ? PARTY_ENTITY : PARTY_JUDGE;
    return s.order[n - 1] / 2;
}

static bool hear(bool waits);

/* Asks the terminal for the keys without a place. */
static uint32_t on_waiting(void *ctx, size_t i)
{
    (void)ctx;
    if (i == 0) {
        const struct apart_said asks = {.kind = APART_ASKS, .given = s.n};
        say_typed();
        say(&asks);
        while (!hear(true))
            ;
    }
    return i < s.waiters ? s.waiting[i] : 0;
}

static void on_event(void *ctx, enum lpp2_event event, uint32_t count, const char *text)
{
    (void)ctx;
    say_typed();
    outcome_tell(event == LPP2_REGISTERED                           ? APART_IS_THERE
                 : event == LPP2_NOT_A_KEY || event == LPP2_REFUSED ? APART_IGNORES
                                                                    : APART_TELLS,
                 count, "%s", text);
}

/* Handles a packet of the terminal. */

static void apply(void)
{
    const struct apart_told *told = &s.told;
    if (told->session == 0)
        return;
    if (told->session != s.session) {
        say_typed();
        s.session = told->session;
        lpp2_session(s.lpp2, told->round, told->given);
    }
    if (told->ended)
        lpp2_end(s.lpp2);
    else if (told->started)
        lpp2_start(s.lpp2);
    uint64_t allowed = told->granted > s.handed ? told->granted - s.handed : 0;
    s.n = told->from + told->count;
    lpp2_allow(s.lpp2, allowed < UINT32_MAX ? (unsigned)allowed : UINT32_MAX);
    lpp2_order(s.lpp2, s.n);
}

/* Reads a packet; waits: waits for one. True: the packet is the answer to APART_ASKS. Otherwise
 * s.told has the packet, if any. */
static bool hear(bool waits)
{
    static struct apart_told told;
    const ssize_t head = offsetof(struct apart_told, key);
    ssize_t length;
    while ((length = recv(APART_SOCKET, &told, sizeof told, waits ? 0 : MSG_DONTWAIT)) < 0 &&
           errno == EINTR)
        ;
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return false;
    if (length < head || told.count > APART_KEYS || told.from + told.count > ORDER_MAX)
        end();
    if (told.answers) {
        memcpy(s.waiting, told.key, told.count * sizeof told.key[0]);
        s.waiters = told.count;
        return true;
    }
    memcpy(s.order + told.from, told.key, told.count * sizeof told.key[0]);
    memcpy(&s.told, &told, (size_t)head);
    s.heard = true;
    return false;
}

static void on_told(uv_poll_t *poll, int status, int events)
{
    (void)poll, (void)status, (void)events;
    for (;;) {
        (void)hear(false);
        if (!s.heard)
            return;
        s.heard = false;
        apply();
    }
}

/* Called before the loop waits. */
static void on_turn(uv_prepare_t *prepare)
{
    struct apart_said now = {.kind = APART_KNOWS, .given = lpp2_given(s.lpp2)};
    (void)prepare;
    say_typed();
    if (s.heard) { /* handles a packet that came before an answer */
        s.heard = false;
        apply();
        say_typed();
    }
    now.session = s.session;
    now.last = lpp2_sent(s.lpp2) ? s.told.last : s.known.last;
    if (now.given == s.known.given && now.last == s.known.last && now.session == s.known.session)
        return;
    s.known = now;
    say(&now);
}

int main(int argc, char **argv)
{
    static const struct lpp2_callbacks callbacks = {
        .key = on_key, .placed = on_placed, .waiting = on_waiting, .event = on_event};
    struct apart_begin begin;
    struct bl_diag diag = {""};
    (void)argv;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN); /* the terminal handles ^C: pending packets are sent first */
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    outcome_begin(STDERR_FILENO + 1, APART_PORT);
    if (argc != 1 || recv(APART_SOCKET, &begin, sizeof begin, 0) != (ssize_t)sizeof begin) {
        fputs("boothlink-lpp2: expected to be started by boothlink entity --lpp2\n", stderr);
        return bl_status_exit(BL_USAGE);
    }
    begin.secret[sizeof begin.secret - 1] = '\0';
    const struct lpp2_options options = {
        .listening = APART_PORT, .boxed = begin.boxed, .secret = begin.secret};
    if (uv_loop_init(&s.loop) || uv_poll_init(&s.loop, &s.poll, APART_SOCKET) ||
        uv_prepare_init(&s.loop, &s.prepare))
        return bl_status_exit(BL_NOMEM);
    enum bl_status status = lpp2_open(&s.lpp2, &s.loop, &options, &callbacks, NULL, &diag);
    if (status) {
        log_line("boothlink-lpp2", "%s", diag.text);
        return bl_status_exit(status);
    }
    explicit_bzero(&begin, sizeof begin);
    uv_poll_start(&s.poll, UV_READABLE, on_told);
    uv_prepare_start(&s.prepare, on_turn);
    return uv_run(&s.loop, UV_RUN_DEFAULT);
}
