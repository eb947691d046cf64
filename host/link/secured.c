#include "link/secured_frame.h"

#include "link/frame.h"
#include "link/secured_pass.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define RETRY_US  250000u
#define SILENT_US 3000000u    /* the protocol's SILENCE_US: after it a new session is asked for */
#define REKEY_US  3600000000u /* lifetime of a session's keys */
#define YOUNG_US  1000000u    /* a request does not replace a session younger than this */
/* The keys are sent to the referee again, first after PASS_FIRST_US, then less and less often, at
 * least every PASS_US. The referee may have missed them, and keeps few frames without keys
 * (listen.h). */
#define PASS_FIRST_US 20000u
#define PASS_US       5000000u
/* Repeats after which a handshake begins anew, since the other end may have forgotten it. The
 * number is low, so that a session is up within a second after a bad time. */
enum { HAND_TRIES = 3 };

/* The highest byte of a rank. The greatest rank begins. */
enum { RANK_JUDGE = 0xFF, RANK_ANY = 0x80, RANK_ENTITY = 0 };

/* The state of the end that begins. The other end stays in RESTING. */
enum doing { RESTING, ASKING, HANDSHAKING, CONFIRMING };

struct secured {
    struct layer layer;
    enum link_role role;
    bool begins;
    uint16_t frame_max;
    void (*random)(void *ctx, uint8_t *out, size_t length);
    uint64_t (*wall_us)(void *ctx);
    void *ctx;
    uint8_t psk[SECURE_KEY], mac_key[SECURE_KEY];
    uint8_t prologue[80];
    size_t prologue_length;
    bool usable;

    struct secure_session live, next;
    uint64_t heard_us, born_us, sessions;

    enum doing doing;
    unsigned tries;
    uint64_t due_us; /* time of the next repeat; at an answering end, of its knock */
    bool knock_due, ask_due, offer_due, hand_due, confirm_due;
    uint8_t rank[NUMBER];
    uint8_t mine[NUMBER];   /* a random number for the present activity */
    uint8_t theirs[NUMBER]; /* the number to repeat in an OFFER, or brought by an OFFER */
    struct secure_handshake handshake;
    uint8_t hand[HAND1_LENGTH > HAND2_LENGTH ? HAND1_LENGTH : HAND2_LENGTH]; /* to be sent */
    bool has_answer;
    uint8_t answered[SECURE_KEY]; /* public key of the HAND1 that `hand` answers */

    /* For the referee, if there is one. */
    bool has_referee;
    uint8_t referee[SECURE_KEY], pass_key[SECURE_KEY], pass[PASS_LENGTH];
    unsigned pass_part; /* next part to send; PASS_PARTS: none */
    bool pass_new;      /* the PASS is sent before the frames that need it */
    uint64_t pass_us;   /* time of the PASS's next repeat; below, the wait after it */
    uint64_t pass_wait_us;

    uint8_t plain[FRAME_MAX];
};

static void make_mac(const struct secured *s, const uint8_t *bytes, size_t length, uint8_t *mac,
                     size_t mac_length)
{
    uint8_t whole[MAC];
    crypto_generichash_blake2b(whole, sizeof whole, bytes, length, s->mac_key, SECURE_KEY);
    memcpy(mac, whole, mac_length);
}

static bool has_mac(const struct secured *s, const uint8_t *frame, size_t length, size_t mac_length)
{
    uint8_t mac[MAC];
    make_mac(s, frame, length - mac_length, mac, mac_length);
    return sodium_memcmp(mac, frame + length - mac_length, mac_length) == 0;
}

static void secured_destroy(struct layer *layer)
{
    sodium_free(layer); /* wipes it */
}

static void secured_wire(const struct layer *layer, struct link_wire *wire)
{
    (void)layer;
    wire->frame_max = (uint16_t)(wire->frame_max - SECURE_OVERHEAD);
    wire->overhead = (uint16_t)(wire->overhead + SECURE_OVERHEAD);
}

uint64_t secured_sessions(const struct layer *layer)
{
    return ((const struct secured *)layer)->sessions;
}

static void ask(struct secured *s, uint64_t now_us)
{
    s->doing = ASKING;
    s->tries = 0;
    sodium_memzero(&s->handshake, sizeof s->handshake); /* wipes a handshake that came to nothing */
    s->random(s->ctx, s->mine, NUMBER);
    s->ask_due = true;
    s->hand_due = false;
    s->due_us = now_us + RETRY_US;
}

static void begin(struct secured *s, uint64_t now_us)
{
    if (s->begins) {
        ask(s, now_us);
    } else {
        s->doing = RESTING;
        s->ask_due = s->hand_due = s->confirm_due = false;
        s->knock_due = !s->live.live;
        s->due_us = now_us + RETRY_US;
    }
}

static void secured_medium(struct layer *layer, struct link_core *core, uint64_t now_us,
                           bool usable, const char *reason)
{
    struct secured *s = (struct secured *)layer;
    if (usable && !s->usable)
        begin(s, now_us);
    s->usable = usable;
    link_core_medium(core, now_us, usable, reason);
}

static void promote(struct secured *s, uint64_t now_us)
{
    s->live = s->next;
    sodium_memzero(&s->next, sizeof s->next);
    sodium_memzero(&s->handshake, sizeof s->handshake);
    s->born_us = s->heard_us = now_us;
    s->sessions++;
    if (s->begins) {
        s->doing = RESTING;
        s->confirm_due = false;
    } else {
        s->random(s->ctx, s->mine, NUMBER); /* a new number: that handshake is over */
        s->has_answer = false;
        s->knock_due = s->offer_due = s->hand_due = false;
        s->confirm_due = true;
    }
}

/* Between two ends that may both begin, the end with the greater rank begins. */
static void settle_roles(struct secured *s, uint64_t now_us, const uint8_t *rank)
{
    bool begins = sodium_compare(s->rank, rank, NUMBER) > 0;
    if (s->role != LINK_ANY || begins == s->begins)
        return;
    s->begins = begins;
    begin(s, now_us);
}

static void say(struct link_core *core, uint64_t now_us, const char *text)
{
    link_core_trouble(core, now_us, text);
}

/* Takes a KNOCK or an ASK, which both prove that the sender has the secret. */
static void take_call(struct secured *s, struct link_core *core, uint64_t now_us,
                      const uint8_t *frame)
{
    const uint8_t *rank = frame + 2, *number = rank + NUMBER;
    char text[LINK_REASON_MAX];
    if (sodium_memcmp(rank, s->rank, NUMBER) == 0) {
        say(core, now_us, "the line is looped back: what this end sends comes back to it");
        return;
    }
    settle_roles(s, now_us, rank);
    if (s->begins != (frame[0] == KIND_KNOCK)) {
        snprintf(text, sizeof text,
                 "both ends are %s terminals: one must be the judge's, the other the entity's",
                 s->begins ? "judge" : "entity");
        if (s->role != LINK_ANY)
            say(core, now_us, text);
        else
            s->knock_due = !s->begins; /* to tell the other end the greater rank */
    } else if (!s->begins) {
        memcpy(s->theirs, number, NUMBER);
        s->offer_due = true;
        s->knock_due = false;
    } else if (s->doing == RESTING && (!s->live.live || now_us - s->born_us >= YOUNG_US)) {
        ask(s, now_us);
    }
}

static void take_offer(struct secured *s, uint64_t now_us, const uint8_t *frame)
{
    const uint8_t *answer = frame + 2, *number = frame + 2 + NUMBER;
    uint8_t ephemeral[SECURE_KEY];
    if (s->doing != ASKING || sodium_memcmp(answer, s->mine, NUMBER) != 0)
        return;
    s->random(s->ctx, ephemeral, sizeof ephemeral);
    secure_begin(&s->handshake, s->psk, s->prologue, s->prologue_length);
    s->hand[0] = KIND_HAND1;
    secure_write_1(&s->handshake, ephemeral, number, NUMBER, s->hand + 1);
    sodium_memzero(ephemeral, sizeof ephemeral);
    s->doing = HANDSHAKING;
    s->tries = 0;
    s->ask_due = false;
    s->hand_due = true;
    s->due_us = now_us + RETRY_US;
}

static void take_hand1(struct secured *s, const uint8_t *frame)
{
    uint8_t ephemeral[SECURE_KEY], number[NUMBER];
    if (s->has_answer && sodium_memcmp(frame + 1, s->answered, SECURE_KEY) == 0) {
        s->hand_due = true; /* the same HAND1 again gets the same answer */
        return;
    }
    secure_begin(&s->handshake, s->psk, s->prologue, s->prologue_length);
    if (!secure_read_1(&s->handshake, frame + 1, HAND1_LENGTH - 1, number) ||
        sodium_memcmp(number, s->mine, NUMBER) != 0)
        return;
    s->random(s->ctx, ephemeral, sizeof ephemeral);
    s->hand[0] = KIND_HAND2;
    if (secure_write_2(&s->handshake, ephemeral, NULL, 0, s->hand + 1)) {
        make_mac(s, s->hand, HAND2_LENGTH - HAND2_MAC, s->hand + HAND2_LENGTH - HAND2_MAC,
                 HAND2_MAC);
        sodium_memzero(&s->next, sizeof s->next);
        secure_split(&s->handshake, s->next.key_in, s->next.key_out);
        s->next.kind = KIND_DATA_ENTITY;
        s->next.live = true;
        memcpy(s->answered, frame + 1, SECURE_KEY);
        s->has_answer = true;
        s->hand_due = true;
        s->offer_due = false;
    }
    sodium_memzero(ephemeral, sizeof ephemeral);
    sodium_memzero(&s->handshake, sizeof s->handshake);
}

/* Seals the newest session's keys for the referee. All parts are then due. */
static void give_pass(struct secured *s, uint64_t now_us)
{
    const struct secure_session *session = s->next.live ? &s->next : &s->live;
    struct pass_keys keys = {.wall_us = s->wall_us(s->ctx)};
    memcpy(keys.from_judge, session->key_out, SECURE_KEY);
    memcpy(keys.from_entity, session->key_in, SECURE_KEY);
    pass_make(s->pass, s->referee, s->pass_key, &keys);
    sodium_memzero(&keys, sizeof keys);
    s->pass_part = 0;
    s->pass_us = now_us + s->pass_wait_us;
    s->pass_wait_us = 2 * s->pass_wait_us < PASS_US ? 2 * s->pass_wait_us : PASS_US;
}

static void take_hand2(struct secured *s, uint64_t now_us, const uint8_t *frame)
{
    struct secure_handshake copy = s->handshake;
    if (s->doing == HANDSHAKING &&
        secure_read_2(&copy, frame + 1, HAND2_LENGTH - 1 - HAND2_MAC, s->plain)) {
        sodium_memzero(&s->next, sizeof s->next);
        secure_split(&copy, s->next.key_out, s->next.key_in);
        sodium_memzero(&s->handshake, sizeof s->handshake); /* wipes its ephemeral secret, too */
        s->next.kind = KIND_DATA_JUDGE;
        s->next.live = true;
        s->doing = CONFIRMING;
        s->tries = 0;
        s->hand_due = false;
        s->confirm_due = true;
        s->due_us = now_us + RETRY_US;
        if (s->has_referee) {
            s->pass_wait_us = PASS_FIRST_US;
            give_pass(s, now_us);
            s->pass_new = true;
        }
    }
    sodium_memzero(&copy, sizeof copy);
}

static bool take_data(struct secured *s, struct link_core *core, uint64_t now_us,
                      const uint8_t *frame, size_t length)
{
    bool proved = false;
    size_t n = 0;
    if (!secure_open(&s->live, frame, length, s->plain, &n)) {
        if (!secure_open(&s->next, frame, length, s->plain, &n)) {
            if (s->live.live)
                link_core_garbage(core, now_us, length);
            return false;
        }
        promote(s, now_us);
    }
    s->heard_us = now_us;
    if (n)
        proved = link_core_frame(core, now_us, s->plain, n);
    else if (!s->begins)
        s->confirm_due = true; /* the other end asks whether it is heard in this session */
    sodium_memzero(s->plain, n);
    return proved;
}

bool secured_is_call(const uint8_t *frame, size_t length)
{
    return length == CALL_LENGTH && frame[0] >= KIND_KNOCK && frame[0] <= KIND_OFFER;
}

bool secured_is_sealed(const uint8_t *frame, size_t length)
{
    return length >= SECURE_OVERHEAD &&
           (frame[0] == KIND_DATA_JUDGE || frame[0] == KIND_DATA_ENTITY);
}

static bool is_plain_hello(const uint8_t *frame, size_t length)
{
    return length > 3 && frame[0] == 1 && frame[1] == 'B' && frame[2] == 'L';
}

static void take_signed(struct secured *s, struct link_core *core, uint64_t now_us,
                        const uint8_t *frame, size_t length)
{
    char text[LINK_REASON_MAX];
    if (frame[1] != SECURED_VERSION) {
        snprintf(text, sizeof text,
                 "the other terminal encrypts in version %u, this one in %u: install the same "
                 "boothlink on both",
                 frame[1], SECURED_VERSION);
        say(core, now_us, text);
    } else if (!has_mac(s, frame, length, MAC)) {
        say(core, now_us,
            "the other terminal has another secret, or another name for the line: 'boothlink key "
            "show' must give the same words at both ends");
    } else if (frame[0] != KIND_OFFER) {
        take_call(s, core, now_us, frame);
    } else if (s->begins) {
        take_offer(s, now_us, frame);
    }
}

static bool secured_early(struct layer *layer, struct link_core *core, uint64_t now_us,
                          const uint8_t *frame, size_t length)
{
    (void)layer;
    (void)core;
    (void)now_us;
    (void)frame;
    (void)length;
    return false;
}

static bool secured_frame(struct layer *layer, struct link_core *core, uint64_t now_us,
                          const uint8_t *frame, size_t length)
{
    struct secured *s = (struct secured *)layer;
    uint8_t kind = length ? frame[0] : 0;
    if (!s->usable || length == 0 || length > FRAME_MAX)
        return false;
    if (secured_is_call(frame, length))
        take_signed(s, core, now_us, frame, length);
    else if (kind == KIND_HAND1 && !s->begins && length == HAND1_LENGTH)
        take_hand1(s, frame);
    else if (kind == KIND_HAND2 && s->begins && length == HAND2_LENGTH &&
             has_mac(s, frame, length, HAND2_MAC))
        take_hand2(s, now_us, frame);
    else if (kind == KIND_DATA_JUDGE || kind == KIND_DATA_ENTITY)
        return take_data(s, core, now_us, frame, length);
    else if (kind == KIND_PASS)
        return false; /* meant for the referee; a mirror returned it */
    else if (is_plain_hello(frame, length))
        say(core, now_us,
            "this terminal has a secret for the line and the other one has none: give it --key "
            "FILE");
    else
        link_core_garbage(core, now_us, length);
    return false;
}

static void retry(struct secured *s, uint64_t now_us)
{
    s->due_us = now_us + RETRY_US;
    s->tries++;
    switch (s->doing) {
    case RESTING:
        s->knock_due = !s->begins && !s->live.live;
        break;
    case ASKING:
        s->ask_due = true;
        break;
    case HANDSHAKING:
    case CONFIRMING:
        if (s->tries >= HAND_TRIES)
            ask(s, now_us);
        else if (s->doing == HANDSHAKING)
            s->hand_due = true;
        else
            s->confirm_due = true;
        break;
    }
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The time of the session's next task, not counting the protocol above. */
static uint64_t due_us(const struct secured *s)
{
    if (!s->usable)
        return UINT64_MAX;
    if (s->doing != RESTING || !s->live.live)
        return sooner(s->due_us, s->pass_us);
    if (!s->begins)
        return UINT64_MAX;
    return sooner(sooner(s->heard_us + SILENT_US, s->born_us + REKEY_US), s->pass_us);
}

static void secured_tick(struct layer *layer, struct link_core *core, uint64_t now_us)
{
    struct secured *s = (struct secured *)layer;
    if (now_us >= s->pass_us)
        give_pass(s, now_us);
    if (now_us >= due_us(s)) {
        if (s->doing == RESTING && s->live.live)
            ask(s, now_us);
        else
            retry(s, now_us);
    }
    link_core_tick(core, now_us);
}

static uint64_t secured_deadline(const struct layer *layer, const struct link_core *core)
{
    return sooner(due_us((const struct secured *)layer), link_core_deadline(core));
}

static size_t write_call(const struct secured *s, uint8_t kind, uint8_t *out)
{
    out[0] = kind;
    out[1] = SECURED_VERSION;
    memcpy(out + 2, kind == KIND_OFFER ? s->theirs : s->rank, NUMBER);
    memcpy(out + 2 + NUMBER, s->mine, NUMBER);
    make_mac(s, out, CALL_LENGTH - MAC, out + CALL_LENGTH - MAC, MAC);
    return CALL_LENGTH;
}

static size_t seal(struct secured *s, const uint8_t *frame, size_t length, uint8_t *out)
{
    struct secure_session *session = s->begins && s->next.live ? &s->next : &s->live;
    return secure_seal(session, frame, length, out, s->frame_max);
}

static bool take_due(bool *due)
{
    bool was = *due;
    *due = false;
    return was;
}

/* Writes the next part of the PASS for the referee; 0: no part is left. */
static size_t take_pass(struct secured *s, uint8_t *out)
{
    size_t n = 0;
    if (s->pass_part < PASS_PARTS)
        n = pass_part(s->pass, s->pass_part++, out, s->frame_max);
    if (n == 0) {
        s->pass_part = PASS_PARTS;
        s->pass_new = false;
    }
    return n;
}

static size_t secured_output(struct layer *layer, struct link_core *core, uint64_t now_us,
                             uint8_t *out)
{
    struct secured *s = (struct secured *)layer;
    size_t n;
    if (!s->usable)
        return 0;
    if (take_due(&s->hand_due)) {
        n = s->begins ? HAND1_LENGTH : HAND2_LENGTH;
        memcpy(out, s->hand, n);
        return n;
    }
    if (take_due(&s->offer_due))
        return write_call(s, KIND_OFFER, out);
    if (take_due(&s->ask_due))
        return write_call(s, KIND_ASK, out);
    if (take_due(&s->knock_due))
        return write_call(s, KIND_KNOCK, out);
    if (!s->live.live && !(s->begins && s->next.live))
        return 0;
    if (s->pass_new && (n = take_pass(s, out)) > 0)
        return n;
    n = link_core_output(core, now_us, s->plain);
    if (n == 0 && !s->confirm_due)
        return take_pass(s, out);
    s->confirm_due = false; /* any frame of the session confirms it */
    return seal(s, s->plain, n, out);
}

struct layer *secured_create(const struct secured_config *config)
{
    static const struct layer_ops ops = {
        .medium = secured_medium,
        .frame = secured_frame,
        .early = secured_early,
        .tick = secured_tick,
        .deadline = secured_deadline,
        .output = secured_output,
        .wire = secured_wire,
        .destroy = secured_destroy,
    };
    static const char about[] = "boothlink line";
    struct secured *s;
    size_t n = strlen(config->line);
    if (sodium_init() < 0 || n > SECURED_LINE_MAX)
        return NULL;
    /* The end of the memory touches a guard page: the size keeps the alignment. */
    s = sodium_malloc((sizeof *s + 63) / 64 * 64);
    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    s->layer.ops = &ops;
    s->role = config->role;
    s->begins = config->role == LINK_JUDGE;
    s->frame_max = config->frame_max;
    s->random = config->random;
    s->wall_us = config->wall_us;
    s->ctx = config->ctx;
    memcpy(s->psk, config->secret, SECURE_KEY);
    memcpy(s->prologue, about, sizeof about);
    s->prologue[sizeof about] = SECURED_VERSION;
    memcpy(s->prologue + sizeof about + 1, config->line, n);
    s->prologue_length = sizeof about + 1 + n;
    crypto_generichash_blake2b(s->mac_key, SECURE_KEY, s->prologue, s->prologue_length, s->psk,
                               SECURE_KEY);
    s->pass_part = PASS_PARTS;
    s->pass_us = UINT64_MAX;
    if (config->referee) {
        s->has_referee = true;
        memcpy(s->referee, config->referee, SECURE_KEY);
        pass_line(s->pass_key, s->psk, config->line);
    }
    s->random(s->ctx, s->mine, NUMBER);
    s->random(s->ctx, s->rank, NUMBER);
    s->rank[NUMBER - 1] = s->role == LINK_JUDGE    ? RANK_JUDGE
                          : s->role == LINK_ENTITY ? RANK_ENTITY
                                                   : RANK_ANY;
    return &s->layer;
}
