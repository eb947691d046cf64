/* The handshake of the two ends. Each end draws a new id for every attempt. A hello has the
 * sender's own id and the last id heard from the other end. An end is connected once a hello, or a
 * data frame, proves that the other end knows its id. An old, doubled or late hello has an id that
 * is out of use, and has no effect. */
#include "link/core_private.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    HELLO_VERSION = 1,
    HELLO_MAGIC = 'B' | 'L' << 8,
    HELLO_HEAD = 4, /* type, magic, version: the same in every version */
    ROLE_MASK = 0x03,
    ROLE_CHALLENGE = 0x80,
};

#define HELLO_US    250000u
#define RECENT_US   1500000u /* an older observation no longer holds */
#define FOLLOWER_US 250000u  /* one end waits longer, and answers the other's heartbeat */
#define ANSWER_US   750000u  /* an end silent for so long answers every frame */

/* The wait after a refused record. The wait doubles with each refusal until a connection has
 * held. */
#define BACKOFF_US      1000000u
#define BACKOFF_MOST_US 8000000u
#define HELD_US         10000000u
/* UPS_BURST connections may follow each other at once; then one in UPS_EVERY_US. */
#define UPS_BURST    10
#define UPS_EVERY_US 1000000u

static uint32_t draw_id(struct link_core *core)
{
    uint32_t id;
    do
        id = core->random_u32(core->ctx);
    while (id == 0 || id == core->connection.my_id || id == core->connection.candidate);
    return id;
}

static uint64_t hello_period_us(const struct link_core *core)
{
    uint64_t frames_us = 3 * (uint64_t)core_frame_us(core);
    return frames_us > HELLO_US ? frames_us : HELLO_US;
}

void connect_begin(struct link_core *core, uint64_t now_us, const char *reason)
{
    uint32_t id = draw_id(core);
    core->connection = (struct connection){
        .boot = core->connection.boot,
        .my_id = id,
        .hello_due = true,
        .hello_us = now_us + hello_period_us(core),
    };
    core_state(core, LINK_CONNECTING, reason ? reason : core->waiting);
}

void connect_drop(struct link_core *core, uint64_t now_us, const char *reason)
{
    core_state(core, LINK_DOWN, reason);
    if (!core->closed)
        connect_begin(core, now_us, core->reason);
}

void connect_refuse(struct link_core *core, uint64_t now_us, const char *reason)
{
    uint64_t wait_us = now_us - core->up_us < HELD_US ? 2 * core->backoff_us : 0;
    core->backoff_us = wait_us < BACKOFF_US        ? BACKOFF_US
                       : wait_us > BACKOFF_MOST_US ? BACKOFF_MOST_US
                                                   : wait_us;
    connect_drop(core, now_us, reason);
    core->quiet_us = now_us + core->backoff_us;
    core->connection.hello_due = false;
    core->connection.hello_us = core->quiet_us;
}

/* Limits new connections, for ends that do not agree and for attacks on their connections. */
static bool too_soon(const struct link_core *core, uint64_t now_us)
{
    return !limit_has(&core->ups, now_us, UPS_BURST, UPS_EVERY_US);
}

static void come_up(struct link_core *core, uint64_t now_us, uint32_t peer, uint32_t peer_boot)
{
    struct connection *c = &core->connection;
    limit_pass(&core->ups, now_us, UPS_BURST, UPS_EVERY_US);
    core->up_us = now_us;
    c->peer_id = peer;
    c->peer_boot = peer_boot;
    c->trouble_us = 0;
    c->seed_out = core_seed(c->my_id, peer);
    c->seed_in = core_seed(peer, c->my_id);
    c->candidate = 0;
    c->confirmed = false;
    c->challenge_due = false;
    c->hello_due = true;
    c->hello_us = now_us + hello_period_us(core);
    c->heard_us = now_us;
    c->sent_us = now_us;
    arq_begin(core, now_us);
    core->stats.connections++;
    core_state(core, LINK_UP, LINK_CONNECTED);
}

/* Takes over a new connection with a proven other end. */
static void adopt(struct link_core *core, uint64_t now_us, uint32_t peer, uint32_t peer_boot)
{
    struct connection *c = &core->connection;
    uint32_t id = c->candidate;
    core_state(core, LINK_DOWN,
               peer_boot == c->peer_boot ? "the other terminal heard nothing and connects anew"
                                         : "the other terminal was started again");
    if (core->closed)
        return;
    c->my_id = id;
    come_up(core, now_us, peer, peer_boot);
}

void connect_trouble(struct link_core *core, uint64_t now_us, const char *reason)
{
    core->connection.trouble_us = now_us;
    core_state(core, core->state, reason);
}

struct hello {
    uint32_t version, role;
    bool challenge;
    uint32_t boot, id, seen;
};

static void hello_while_connecting(struct link_core *core, uint64_t now_us,
                                   const struct hello *hello)
{
    struct connection *c = &core->connection;
    c->garbage_us = 0;
    if (too_soon(core, now_us))
        return;
    if (hello->seen == c->my_id) {
        come_up(core, now_us, hello->id, hello->boot);
        return;
    }
    if (hello->challenge)
        return;
    c->peer_id = hello->id;
    c->peer_boot = hello->boot;
    c->hello_due = true;
    if (!c->deaf_us)
        c->deaf_us = now_us;
    c->deaf_last_us = now_us;
}

static void hello_while_up(struct link_core *core, uint64_t now_us, const struct hello *hello)
{
    struct connection *c = &core->connection;
    if (hello->id == c->peer_id && hello->seen == c->my_id) {
        c->heard_us = now_us;
        arq_answer(core, now_us); /* the other end has no frame of this connection yet */
    } else if (hello->id == c->peer_id) {
        c->hello_due = true;
    } else if (c->candidate && hello->seen == c->candidate) {
        if (!too_soon(core, now_us))
            adopt(core, now_us, hello->id, hello->boot);
    } else if (!hello->challenge) {
        if (!c->candidate)
            c->candidate = draw_id(core);
        c->candidate_peer = hello->id;
        c->candidate_boot = hello->boot;
        c->challenge_due = true;
    }
}

/* True if this end may connect with the other end. False: reports the reason. */
static bool is_partner(struct link_core *core, uint64_t now_us, const struct hello *hello)
{
    char text[LINK_REASON_MAX];
    if (hello->version != HELLO_VERSION)
        snprintf(
            text, sizeof text,
            "the other terminal speaks version %u of the line's protocol, this one %u: install "
            "the same boothlink on both",
            hello->version, HELLO_VERSION);
    else if (hello->boot == core->connection.boot)
        snprintf(text, sizeof text,
                 "the line is looped back: what this end sends comes back to it");
    else if (core->role != LINK_ANY && hello->role == (uint32_t)core->role)
        snprintf(text, sizeof text,
                 "both ends are %s terminals: one must be the judge's, the other the entity's",
                 core->role == LINK_JUDGE ? "judge" : "entity");
    else
        return true;
    if (core->state == LINK_CONNECTING)
        connect_trouble(core, now_us, text);
    core->connection.garbage_us = 0;
    return false;
}

bool link_core_is_hello(const uint8_t *frame, size_t length)
{
    struct bytes_in in = {.at = frame, .left = frame_open(frame, length, HELLO_SEED)};
    return (bytes_get(&in, 1) & TYPE_MASK) == TYPE_HELLO && bytes_get(&in, 2) == HELLO_MAGIC;
}

bool connect_hello(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length)
{
    struct bytes_in in = {.at = frame + 1, .left = core_open(frame, length, HELLO_SEED)};
    struct hello hello;
    uint32_t magic, role;
    if (in.left < HELLO_HEAD)
        return false;
    in.left--; /* the type */
    magic = (uint32_t)bytes_get(&in, 2);
    hello.version = (uint32_t)bytes_get(&in, 1);
    role = (uint32_t)bytes_get(&in, 1);
    hello.role = role & ROLE_MASK;
    hello.challenge = role & ROLE_CHALLENGE;
    hello.boot = (uint32_t)bytes_get(&in, 4);
    hello.id = (uint32_t)bytes_get(&in, 4);
    hello.seen = (uint32_t)bytes_get(&in, 4);
    if (magic != HELLO_MAGIC)
        return false;
    if (hello.version == HELLO_VERSION && (in.bad || in.left || hello.id == 0))
        return false;
    if (now_us < core->quiet_us || !is_partner(core, now_us, &hello))
        return true;
    if (core->state == LINK_UP)
        hello_while_up(core, now_us, &hello);
    else
        hello_while_connecting(core, now_us, &hello);
    return true;
}

static size_t hello_write(struct link_core *core, unsigned flags, uint32_t id, uint32_t seen,
                          uint8_t *out)
{
    struct bytes_out hello = {.at = out, .left = HELLO_LENGTH};
    bytes_put(&hello, TYPE_HELLO, 1);
    bytes_put(&hello, HELLO_MAGIC, 2);
    bytes_put(&hello, HELLO_VERSION, 1);
    bytes_put(&hello, (unsigned)core->role | flags, 1);
    bytes_put(&hello, core->connection.boot, 4);
    bytes_put(&hello, id, 4);
    bytes_put(&hello, seen, 4);
    return core_seal(out, hello.length, HELLO_SEED);
}

size_t connect_open(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length)
{
    struct connection *c = &core->connection;
    size_t n;
    if (core->state == LINK_UP) {
        n = core_open(frame, length, c->seed_in);
        if (!n && c->candidate && !too_soon(core, now_us)) {
            n = core_open(frame, length, core_seed(c->candidate_peer, c->candidate));
            if (n)
                adopt(core, now_us, c->candidate_peer, c->candidate_boot);
        }
    } else {
        n = c->peer_id && !too_soon(core, now_us)
                ? core_open(frame, length, core_seed(c->peer_id, c->my_id))
                : 0;
        if (n)
            come_up(core, now_us, c->peer_id, c->peer_boot);
    }
    if (!n || core->closed)
        return n;
    c->confirmed = true;
    c->heard_us = now_us;
    /* On an idle line an end answers the other end's heartbeat and sends none of its own. */
    if (now_us - c->sent_us >= ANSWER_US)
        arq_answer(core, now_us);
    return n;
}

void connect_garbage(struct link_core *core, uint64_t now_us)
{
    struct connection *c = &core->connection;
    if (now_us < core->quiet_us)
        return;
    if (!c->garbage_us)
        c->garbage_us = now_us;
    c->garbage_last_us = now_us;
}

static void diagnose(struct link_core *core, uint64_t now_us)
{
    struct connection *c = &core->connection;
    char text[LINK_REASON_MAX];
    if (c->garbage_us && now_us - c->garbage_last_us >= RECENT_US)
        c->garbage_us = 0;
    if (c->deaf_us && now_us - c->deaf_last_us >= RECENT_US)
        c->deaf_us = 0;
    if (c->garbage_us && now_us - c->garbage_us >= SILENCE_US) {
        if (core->wire.baud)
            snprintf(text, sizeof text,
                     "bytes arrive but make no sense: the other end probably uses another speed; "
                     "this end uses %" PRIu32 " baud",
                     core->wire.baud);
        else
            snprintf(text, sizeof text, "frames arrive but none of them is whole");
        connect_trouble(core, now_us, text);
    } else if (c->deaf_us && now_us - c->deaf_us >= SILENCE_US) {
        connect_trouble(
            core, now_us,
            "the other terminal is heard but does not hear this one: one wire of the cable is "
            "broken, or it is no null-modem cable");
    } else if (c->trouble_us && now_us - c->trouble_us >= SILENCE_US) {
        c->trouble_us = 0;
        core_state(core, LINK_CONNECTING, core->waiting);
    }
}

/* Time of this end's next heartbeat. The end with the lower id sends first. */
static uint64_t heartbeat_us(const struct connection *c)
{
    return c->sent_us + HEARTBEAT_US + (c->my_id < c->peer_id ? 0 : FOLLOWER_US);
}

static bool is_saying_hello(const struct link_core *core)
{
    return core->state == LINK_CONNECTING || !core->connection.confirmed;
}

void connect_tick(struct link_core *core, uint64_t now_us)
{
    struct connection *c = &core->connection;
    if (is_saying_hello(core) && now_us >= c->hello_us) {
        c->hello_due = true;
        c->hello_us = now_us + hello_period_us(core);
        if (core->state == LINK_CONNECTING)
            diagnose(core, now_us);
    }
    if (core->state != LINK_UP || core->closed)
        return;
    if (c->trouble_us && now_us - c->trouble_us >= SILENCE_US) {
        c->trouble_us = 0;
        core_state(core, LINK_UP, LINK_CONNECTED);
        if (core->closed)
            return;
    }
    if (now_us - c->heard_us >= SILENCE_US)
        connect_drop(core, now_us,
                     "nothing heard for 3 s: cable out, or the other terminal is off");
    else if (now_us >= heartbeat_us(c))
        core->arq.ack_due = true;
}

uint64_t connect_deadline(const struct link_core *core)
{
    const struct connection *c = &core->connection;
    uint64_t deadline = is_saying_hello(core) ? c->hello_us : UINT64_MAX;
    if (core->state != LINK_UP)
        return deadline;
    if (c->heard_us + SILENCE_US < deadline)
        deadline = c->heard_us + SILENCE_US;
    if (c->trouble_us && c->trouble_us + SILENCE_US < deadline)
        deadline = c->trouble_us + SILENCE_US;
    /* A hello that is already due waits for the wire; it needs no deadline. */
    if (!core->arq.ack_due && heartbeat_us(c) < deadline)
        deadline = heartbeat_us(c);
    return deadline;
}

size_t connect_output(struct link_core *core, uint8_t *out)
{
    struct connection *c = &core->connection;
    if (c->hello_due) {
        c->hello_due = false;
        return hello_write(core, 0, c->my_id, c->peer_id, out);
    }
    if (c->challenge_due) {
        c->challenge_due = false;
        return hello_write(core, ROLE_CHALLENGE, c->candidate, c->candidate_peer, out);
    }
    return 0;
}
