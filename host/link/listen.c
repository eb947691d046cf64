#include "link/listen.h"

#include "link/core_private.h"
#include "link/secured_frame.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* The wait for an acknowledged frame that has not come. The frame may have been overtaken, or one
 * receiver may be slower than the other. */
#define LATE_US 2000000u

/* A session that is silent for this long is over. */
#define SEALED_US 10000000u

/* Each end sends at least every 1.25 s. After a longer silence an unknown number of frames was
 * missed. */
#define QUIET_US 2000000u

/* A number's low bits identify a frame while fewer than this are missed in a row. A received frame
 * may lie a window behind the expected one, and is then no gap. */
#define SURE_FRAMES (256 - 2 * ARQ_WINDOW)

enum {
    HELLO_ROLE_AT = 4,
    HELLO_ID_AT = 9,
    HELLO_SEEN_AT = 13,
    SESSIONS = 2,  /* the present connection and the next */
    LATER = 16384, /* bytes of frames whose keys may still come */
    LATER_HEAD = 3,
};

struct listen_way {
    /* Seeds of the checksums: `seed` of this connection, `past` of the one before, `fresh` of an
     * announced one, `implied` of a guessed one. */
    uint32_t seed, past, fresh, implied;
    uint8_t first[FRAME_MAX]; /* the frame from which the guess came */
    size_t first_length;
    bool seeded, synced, behind;
    bool whole; /* the connection was heard from its first frame on: number 0 is the first */
    uint32_t expected;
    uint64_t heard_us;   /* time of the last frame */
    uint32_t acked;      /* the number before which the other end has acknowledged everything */
    uint64_t missing_us; /* the time since which an acknowledged frame is missing */
    struct arq_in in[ARQ_WINDOW];
    uint32_t got[ARQ_WINDOW]; /* one more than the number of the slot's last frame; 0: none */
    uint8_t payload[ARQ_WINDOW][FRAME_MAX];
    struct record_joiner joiner;
    bool overtaken; /* another record has overtaken the begun bulk record */
};

/* A session with known keys. Each frame is taken once: a replay is not heard. */
struct heard_session {
    struct secure_session from[2]; /* the ends: the judge's, the entity's */
    uint64_t heard;                /* the listener's frame count at the session's last frame */
    bool over;                     /* an end has said goodbye */
};

struct listen {
    struct listen_callbacks callbacks;
    void *ctx;
    enum listen_state state;
    uint64_t frames;
    struct listen_way way[2];
    struct pass_reader pass;
    struct heard_session session[SESSIONS];
    bool sealed;        /* the last sealed frame is of a session without a goodbye */
    uint64_t opened_us; /* time of the last sealed frame that was opened */
    uint8_t plain[FRAME_MAX];
    /* Sealed frames that came before their keys, the oldest first: end, length, frame. */
    uint8_t later[LATER];
    size_t later_used;
};

struct listen *listen_create(const struct listen_callbacks *callbacks, void *ctx)
{
    struct listen *l = sodium_init() < 0 ? NULL : sodium_malloc((sizeof *l + 63) / 64 * 64);
    if (!l)
        return NULL;
    memset(l, 0, sizeof *l);
    l->callbacks = *callbacks;
    l->ctx = ctx;
    return l;
}

void listen_destroy(struct listen *l)
{
    sodium_free(l);
}

enum listen_state listen_state(const struct listen *l)
{
    return l->state;
}

uint64_t listen_frames(const struct listen *l)
{
    return l->frames;
}

static void set_state(struct listen *l, enum listen_state state)
{
    if (state == l->state)
        return;
    l->state = state;
    l->callbacks.state(l->ctx, state);
}

struct heard {
    struct listen *listen;
    unsigned end;
};

static enum bl_status on_record(void *ctx, const uint8_t *record, size_t length)
{
    struct heard *heard = ctx;
    struct listen_way *way = &heard->listen->way[heard->end];
    const bool overtaken = way->overtaken;
    way->overtaken = way->joiner.part[LINK_BULK].open;
    if (!overtaken || way->overtaken)
        heard->listen->callbacks.record(heard->listen->ctx, heard->end, record, length);
    return BL_OK;
}

static void forget_parts(struct listen_way *way)
{
    way->overtaken = false;
    way->joiner.part[0].open = way->joiner.part[1].open = false;
}

static void drop_held(struct listen_way *way)
{
    for (unsigned i = 0; i < ARQ_WINDOW; i++)
        way->in[i].held = false;
    memset(way->got, 0, sizeof way->got);
}

static void begin(struct listen_way *way, uint32_t seed, bool from_start)
{
    way->past = way->seed;
    way->seed = seed;
    way->seeded = true;
    way->synced = way->whole = from_start;
    way->behind = false;
    way->expected = way->acked = 0;
    way->heard_us = 0;
    drop_held(way);
    forget_parts(way);
}

static void deliver(struct listen *l, unsigned end)
{
    struct listen_way *way = &l->way[end];
    struct heard heard = {l, end};
    struct arq_in *slot;
    while ((slot = &way->in[way->expected % ARQ_WINDOW])->held) {
        slot->held = false;
        if (joiner_take(&way->joiner, way->payload[way->expected % ARQ_WINDOW], slot->length,
                        slot->alone, on_record, &heard))
            forget_parts(way); /* the rest of a record that began in a gap */
        way->expected++;
    }
    if (way->behind && (int32_t)(way->acked - way->expected) <= 0)
        way->behind = false;
}

/* Counts the absent frames before number `until` as missed. */
static void skip_to(struct listen *l, unsigned end, uint32_t until)
{
    struct listen_way *way = &l->way[end];
    unsigned missed = 0;
    while ((int32_t)(until - way->expected) > 0) {
        if (!way->in[way->expected % ARQ_WINDOW].held) {
            missed++;
            way->expected++;
            forget_parts(way);
            continue;
        }
        if (missed)
            l->callbacks.gap(l->ctx, end, missed);
        missed = 0;
        deliver(l, end);
    }
    if (missed)
        l->callbacks.gap(l->ctx, end, missed);
    deliver(l, end);
}

/* Counts the records that the other end has, and the listener has not, as missed. */
static void give_up(struct listen *l, unsigned end)
{
    if (l->way[end].behind)
        skip_to(l, end, l->way[end].acked);
}

/* Stops counting: the number of missed frames is no longer certain. */
static void lose_count(struct listen *l, unsigned end)
{
    give_up(l, end);
    l->way[end].synced = false;
}

/* Takes an acknowledgement. The count goes on from the acknowledgement before, so any number of
 * missed frames is known while acknowledgements are heard. */
static void take_ack(struct listen *l, uint64_t now_us, unsigned end, uint8_t ack8)
{
    struct listen_way *way = &l->way[end];
    uint32_t from = way->behind ? way->acked : way->expected;
    uint8_t ahead = (uint8_t)(ack8 - (uint8_t)from);
    if (!way->synced || ahead == 0 || ahead >= 256 - ARQ_WINDOW)
        return;
    if (!way->behind)
        way->missing_us = now_us;
    way->behind = true;
    way->acked = from + ahead;
    if (way->acked - way->expected > SURE_FRAMES)
        give_up(l, end);
}

/* True if the frame taken for this number was another one, so the numbers have wrapped. */
static bool is_another(const struct listen_way *way, uint32_t number, const uint8_t *payload,
                       size_t length)
{
    const struct arq_in *slot = &way->in[number % ARQ_WINDOW];
    if (way->whole && number > UINT32_MAX - ARQ_WINDOW)
        return true;
    return way->got[number % ARQ_WINDOW] == number + 1 &&
           (slot->length != length ||
            memcmp(way->payload[number % ARQ_WINDOW], payload, length) != 0);
}

static void take_data(struct listen *l, unsigned end, uint8_t number8, const uint8_t *payload,
                      size_t length, bool alone)
{
    struct listen_way *way = &l->way[end];
    uint8_t ahead;
    uint32_t number;
    if (!way->synced) {
        drop_held(way);
        forget_parts(way);
        way->synced = true;
        way->whole = way->behind = false;
        way->expected = number8;
        l->callbacks.gap(l->ctx, end, 0);
    }
    ahead = (uint8_t)(number8 - (uint8_t)way->expected);
    number = way->expected + ahead;
    if (ahead >= 256 - ARQ_WINDOW) { /* the frame has come before */
        if (is_another(way, number - 256, payload, length)) {
            lose_count(l, end);
            take_data(l, end, number8, payload, length, alone);
        }
        return;
    }
    /* The sender's window shows that all frames a window or more before this one have arrived. */
    if (ahead >= ARQ_WINDOW)
        skip_to(l, end, number - (ARQ_WINDOW - 1));
    if (way->in[number % ARQ_WINDOW].held)
        return;
    memcpy(way->payload[number % ARQ_WINDOW], payload, length);
    way->in[number % ARQ_WINDOW] =
        (struct arq_in){.length = (uint16_t)length, .alone = alone, .held = true};
    way->got[number % ARQ_WINDOW] = number + 1;
    deliver(l, end);
}

/* The seed for which a frame's checksum is right: CRC-32C run backwards. */
static uint32_t seed_of(const uint8_t *frame, size_t length)
{
    uint32_t crc = 0;
    length -= FRAME_CRC;
    for (unsigned i = 0; i < FRAME_CRC; i++)
        crc |= (uint32_t)frame[length + i] << (8 * i);
    crc = ~crc;
    while (length--) {
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 31 ? (crc ^ 0x82F63B78u) << 1 | 1 : crc << 1;
        crc ^= frame[length];
    }
    return ~crc;
}

/* Finds the connection of a frame; 0: none known. A connection heard from its middle on is known by
 * two frames that agree on a seed, or by one sealed frame (`joined`). */
static size_t open_frame(struct listen *l, unsigned end, const uint8_t *frame, size_t length,
                         bool sealed, bool *joined)
{
    struct listen_way *way = &l->way[end], *back = &l->way[1 - end];
    uint32_t implied;
    size_t n = 0;
    *joined = false;
    if (length < FRAME_LEAST)
        return 0;
    if (way->seeded && (n = core_open(frame, length, way->seed)) > 0)
        return n;
    if (way->fresh && (n = core_open(frame, length, way->fresh)) > 0) {
        /* A new connection, known from its first frame on. */
        give_up(l, 0);
        give_up(l, 1);
        begin(way, way->fresh, true);
        begin(back, back->fresh, true);
        return n;
    }
    implied = seed_of(frame, length);
    if (way->seeded && implied == way->past)
        return 0; /* a late frame of the connection before */
    if (sealed || (way->first_length && implied == way->implied)) {
        give_up(l, end);
        begin(way, implied, false);
        *joined = true;
        return length - FRAME_CRC;
    }
    way->implied = implied;
    memcpy(way->first, frame, length);
    way->first_length = length;
    return 0;
}

static uint32_t number_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void take_hello(struct listen *l, unsigned end, const uint8_t *frame, size_t length)
{
    uint32_t id, seen;
    if (core_open(frame, length, HELLO_SEED) != HELLO_LENGTH)
        return;
    id = number_at(frame + HELLO_ID_AT);
    seen = number_at(frame + HELLO_SEEN_AT);
    l->callbacks.role(l->ctx, end, (enum link_role)(frame[HELLO_ROLE_AT] & 3));
    if (l->state == LISTEN_NOTHING || l->state == LISTEN_CLOSED)
        set_state(l, LISTEN_CONNECTING);
    if (seen) {
        l->way[end].fresh = core_seed(id, seen);
        l->way[1 - end].fresh = core_seed(seen, id);
    }
}

/* Takes a frame of a known connection. n: its length without the checksum. */
static void take_opened(struct listen *l, uint64_t now_us, unsigned end, const uint8_t *frame,
                        size_t n)
{
    uint8_t type = frame[0] & TYPE_MASK;
    size_t at = type == TYPE_DATA ? DATA_HEAD : 2;
    if (n < at || type < TYPE_DATA || type > TYPE_BYE)
        return;
    if (l->way[end].heard_us && now_us >= l->way[end].heard_us + QUIET_US)
        lose_count(l, end);
    l->way[end].heard_us = now_us;
    set_state(l, type == TYPE_BYE ? LISTEN_CLOSED : LISTEN_UP);
    take_ack(l, now_us, 1 - end, frame[1]);
    if (frame[0] & FLAG_BITMAP) {
        if (n == at || frame[at] > n - at - 1)
            return;
        at += 1 + (size_t)frame[at];
    }
    if (type == TYPE_DATA && n > at)
        take_data(l, end, frame[2], frame + at, n - at, !(frame[0] & FLAG_PIECES));
}

/* Takes a frame of the protocol. `sealed`: the frame was sealed. */
static void take_plain(struct listen *l, uint64_t now_us, unsigned end, const uint8_t *frame,
                       size_t length, bool sealed)
{
    struct listen_way *way = &l->way[end];
    bool joined;
    size_t n;
    if (frame[0] == TYPE_HELLO) {
        take_hello(l, end, frame, length);
        return;
    }
    n = open_frame(l, end, frame, length, sealed, &joined);
    if (n == 0)
        return;
    if (joined && way->first_length && !sealed)
        take_opened(l, now_us, end, way->first, way->first_length - FRAME_CRC);
    way->first_length = 0;
    take_opened(l, now_us, end, frame, n);
}

/* True if the frame belongs to the session and was received before. */
static bool is_repeated(const struct secure_session *session, const uint8_t *frame, size_t length)
{
    uint8_t plain[FRAME_MAX];
    size_t n;
    bool good = session->live && length >= SECURE_OVERHEAD &&
                secure_open_count(session->key_in, secure_count(frame, session->next_in), frame,
                                  length, plain, &n);
    sodium_memzero(plain, sizeof plain);
    return good;
}

/* Opens a sealed frame and takes it. False: the frame belongs to no session with known keys, or
 * (*repeated) was received before. */
static bool open_sealed(struct listen *l, uint64_t now_us, unsigned end, const uint8_t *frame,
                        size_t length, bool *repeated)
{
    unsigned from = frame[0] == KIND_DATA_ENTITY;
    size_t n;
    *repeated = false;
    for (unsigned i = 0; i < SESSIONS; i++) {
        struct heard_session *session = &l->session[i];
        uint64_t next = session->from[from].next_in;
        if (!secure_open(&session->from[from], frame, length, l->plain, &n)) {
            *repeated = *repeated || is_repeated(&session->from[from], frame, length);
            continue;
        }
        if (session->from[from].next_in > next + SURE_FRAMES)
            lose_count(l, end);
        session->heard = l->frames;
        l->opened_us = now_us;
        if (n)
            take_plain(l, now_us, end, l->plain, n, true);
        if (n && (l->plain[0] & TYPE_MASK) == TYPE_BYE && l->state == LISTEN_CLOSED)
            session->over = true;
        l->sealed = !session->over;
        return true;
    }
    return false;
}

/* Keeps a frame until its keys come. The oldest kept frames make room. */
static void keep_for_later(struct listen *l, unsigned end, const uint8_t *frame, size_t length)
{
    size_t drop = 0;
    while (l->later_used - drop + LATER_HEAD + length > LATER)
        drop += LATER_HEAD + (size_t)(l->later[drop + 1] | l->later[drop + 2] << 8);
    l->later_used -= drop;
    memmove(l->later, l->later + drop, l->later_used);
    l->later[l->later_used] = (uint8_t)end;
    l->later[l->later_used + 1] = (uint8_t)length;
    l->later[l->later_used + 2] = (uint8_t)(length >> 8);
    memcpy(l->later + l->later_used + LATER_HEAD, frame, length);
    l->later_used += LATER_HEAD + length;
}

static void take_later(struct listen *l, uint64_t now_us)
{
    size_t at = 0;
    while (at < l->later_used) {
        size_t length = (size_t)(l->later[at + 1] | l->later[at + 2] << 8);
        bool repeated;
        open_sealed(l, now_us, l->later[at], l->later + at + LATER_HEAD, length, &repeated);
        at += LATER_HEAD + length;
    }
    l->later_used = 0;
}

/* Adds a session, which replaces the one silent for the longest. False: the session is known
 * already. */
static bool add_session(struct listen *l, const struct pass_keys *keys)
{
    const uint8_t *const key[2] = {keys->from_judge, keys->from_entity};
    struct heard_session *session = &l->session[0];
    for (unsigned i = 0; i < SESSIONS; i++) {
        struct heard_session *known = &l->session[i];
        if (known->from[0].live && memcmp(known->from[0].key_in, key[0], SECURE_KEY) == 0 &&
            memcmp(known->from[1].key_in, key[1], SECURE_KEY) == 0)
            return false;
        if (known->heard < session->heard)
            session = known;
    }
    *session = (struct heard_session){.heard = l->frames};
    for (unsigned from = 0; from < 2; from++) {
        memcpy(session->from[from].key_in, key[from], SECURE_KEY);
        session->from[from].live = true;
    }
    return true;
}

static void take_pass(struct listen *l, uint64_t now_us, const uint8_t *frame, size_t length)
{
    struct pass_keys keys;
    bool new_one;
    if (!pass_take(&l->pass, frame, length) || !l->callbacks.pass(l->ctx, l->pass.pass, &keys))
        return;
    new_one = add_session(l, &keys);
    sodium_memzero(&keys, sizeof keys);
    if (new_one)
        take_later(l, now_us);
}

/* True if a session is running. An unsealed frame then comes from a sender without the secret. */
static bool is_sealed(const struct listen *l, uint64_t now_us)
{
    return l->sealed && now_us < l->opened_us + SEALED_US;
}

static void take_sealed(struct listen *l, uint64_t now_us, unsigned end, const uint8_t *frame,
                        size_t length)
{
    bool repeated;
    if (open_sealed(l, now_us, end, frame, length, &repeated) || repeated)
        return;
    set_state(l, LISTEN_SEALED);
    keep_for_later(l, end, frame, length);
}

void listen_frame(struct listen *l, uint64_t now_us, unsigned end, const uint8_t *frame,
                  size_t length)
{
    if (length < 2 || length > FRAME_MAX)
        return;
    l->frames++;
    switch (frame[0]) {
    case KIND_KNOCK:
    case KIND_ASK:
    case KIND_OFFER:
    case KIND_HAND1:
    case KIND_HAND2:
        if (l->state == LISTEN_NOTHING || l->state == LISTEN_CLOSED)
            set_state(l, LISTEN_CONNECTING);
        break;
    case KIND_PASS:
        take_pass(l, now_us, frame, length);
        break;
    case KIND_DATA_JUDGE:
    case KIND_DATA_ENTITY:
        take_sealed(l, now_us, end, frame, length);
        break;
    default:
        if (!is_sealed(l, now_us))
            take_plain(l, now_us, end, frame, length, false);
    }
    listen_tick(l, now_us);
}

void listen_tick(struct listen *l, uint64_t now_us)
{
    for (unsigned end = 0; end < 2; end++)
        if (l->way[end].behind && now_us >= l->way[end].missing_us + LATE_US)
            give_up(l, end);
}

uint64_t listen_deadline(const struct listen *l)
{
    uint64_t deadline = UINT64_MAX;
    for (unsigned end = 0; end < 2; end++)
        if (l->way[end].behind && l->way[end].missing_us + LATE_US < deadline)
            deadline = l->way[end].missing_us + LATE_US;
    return deadline;
}

void listen_finish(struct listen *l)
{
    give_up(l, 0);
    give_up(l, 1);
}
