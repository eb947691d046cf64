/* A line with a key on a hub, and a machine in the middle that loses, doubles, delays, changes and
 * reflects what goes through it, in simulated time: when it ceases, the line is there again within
 * two seconds, and nothing was taken that the other end did not send. */
#include "link/ether_frame.h"
#include "link/ether_peer.h"
#include "link/frame.h"
#include "link/secured.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MS          1000u
#define S           1000000u
#define BACK_US     (2 * S)
#define UNDER_WAY   512
#define PAYLOAD_MAX 400 /* of a frame: enough for what this test sends */

struct middle;

struct end {
    struct middle *middle;
    unsigned index;
    struct ether_address address;
    struct ether_peer peer;
    struct ether_frame heard; /* that is being handed over */
    uint32_t number;          /* of its frames */
    struct link_core *core;
    struct layer *layer;
    uint32_t sent, got; /* records in this connection */
    uint32_t got_of;    /* the other end's connection that they are of */
    uint32_t epoch;
    uint64_t got_us; /* when one came last */
};

struct flight {
    uint64_t due_us; /* UINT64_MAX: none */
    unsigned to;
    size_t length;
    uint8_t bytes[ETHER_HEAD + PAYLOAD_MAX];
};

struct middle {
    struct dice dice;
    uint64_t now_us;
    struct end end[2];
    struct flight flight[UNDER_WAY];
    struct {
        double lose, twice, late, change, reflect;
    } fault;
};

static bool chance(struct middle *m, double p)
{
    return (double)(uint32_t)dice_next(&m->dice) < p * 4294967296.0;
}

/* One copy of a frame on its way, unharmed or not. */
static void fly(struct middle *m, unsigned to, const uint8_t *bytes, size_t length, bool back)
{
    struct flight *f = m->flight;
    if (chance(m, m->fault.lose))
        return;
    while (f < m->flight + UNDER_WAY && f->due_us != UINT64_MAX)
        f++;
    if (f == m->flight + UNDER_WAY)
        return;
    f->to = to;
    f->length = length;
    f->due_us = m->now_us + 20 + (chance(m, m->fault.late) ? dice_below(&m->dice, 100 * MS) : 0);
    memcpy(f->bytes, bytes, length);
    if (back) {
        memcpy(f->bytes, bytes + 6, 6);
        memcpy(f->bytes + 6, bytes, 6);
    }
    if (chance(m, m->fault.change))
        for (uint64_t i = 1 + dice_below(&m->dice, 3); i; i--)
            f->bytes[dice_below(&m->dice, length)] ^= (uint8_t)(1u << dice_below(&m->dice, 8));
}

static void pump(struct end *end)
{
    struct middle *m = end->middle;
    uint8_t payload[FRAME_MAX], bytes[ETHER_FRAME_MAX];
    size_t n;
    while ((n = end->layer->ops->output(end->layer, end->core, m->now_us, payload)) > 0) {
        struct ether_frame frame = {.to = *ether_peer_address(&end->peer, m->now_us),
                                    .from = end->address,
                                    .kind = ETHER_DATA,
                                    .role = (unsigned)end->peer.role,
                                    .line = "left",
                                    .instance = end->peer.instance,
                                    .number = ++end->number,
                                    .payload = payload,
                                    .length = n};
        assert_true(n <= PAYLOAD_MAX);
        n = ether_frame_write(&frame, bytes);
        for (unsigned copies = chance(m, m->fault.twice) ? 2 : 1; copies; copies--)
            fly(m, 1 - end->index, bytes, n, false);
        if (chance(m, m->fault.reflect))
            fly(m, end->index, bytes, n, true);
    }
}

/* As ethernet.c does with what its card hands over. */
static void hear(struct end *end, const uint8_t *bytes, size_t length)
{
    static const struct ether_address everybody = {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}};
    char notice[LINK_REASON_MAX];
    struct middle *m = end->middle;
    if (ether_frame_read(&end->heard, bytes, length) != ETHER_OURS ||
        strcmp(end->heard.line, "left") != 0 ||
        !(ether_same(&end->heard.to, &end->address) || ether_same(&end->heard.to, &everybody)))
        return;
    if (ether_peer_hear(&end->peer, m->now_us, &end->heard, notice) == ETHER_TAKE &&
        end->layer->ops->frame(end->layer, end->core, m->now_us, end->heard.payload,
                               end->heard.length))
        ether_peer_proved(&end->peer, m->now_us, &end->heard);
    pump(end);
}

static void on_state(void *ctx, enum link_state state, const char *reason)
{
    struct end *end = ctx;
    (void)reason;
    if (state != LINK_UP) {
        ether_peer_lost(&end->peer);
    } else if (link_core_sent(end->core) == 0) {
        end->epoch++;
        end->sent = 0;
    }
}

/* In order from each connection's first on, and of nobody else. */
static enum bl_status on_record(void *ctx, const uint8_t *record, size_t length)
{
    struct end *end = ctx;
    uint32_t number, epoch;
    assert_int_equal(length, 9);
    assert_int_equal(record[0], 1 - end->index);
    memcpy(&epoch, record + 1, 4);
    memcpy(&number, record + 5, 4);
    if (epoch != end->got_of) {
        assert_true(epoch > end->got_of);
        end->got_of = epoch;
        end->got = 0;
    }
    assert_int_equal(number, end->got);
    end->got++;
    end->got_us = end->middle->now_us;
    return BL_OK;
}

static void on_progress(void *ctx)
{
    (void)ctx;
}

static uint32_t random_u32(void *ctx)
{
    return (uint32_t)dice_next(&((struct end *)ctx)->middle->dice);
}

static void random_bytes(void *ctx, uint8_t *out, size_t length)
{
    while (length--)
        *out++ = (uint8_t)random_u32(ctx);
}

static void start(struct middle *m, unsigned i)
{
    static const struct link_callbacks callbacks = {
        .state = on_state, .record = on_record, .progress = on_progress};
    static const uint8_t key[SECURE_KEY] = {42};
    struct link_wire wire = {.overhead = ETHER_HEAD, .frame_max = PAYLOAD_MAX, .reorder = 3};
    struct end *end = &m->end[i];
    enum link_role role = i ? LINK_ENTITY : LINK_JUDGE;
    const struct secured_config config = {.role = role,
                                          .secret = key,
                                          .line = "left",
                                          .frame_max = PAYLOAD_MAX,
                                          .random = random_bytes,
                                          .ctx = end};
    *end = (struct end){.middle = m, .index = i, .address = {{2, 0, 0, 0, 0, (uint8_t)(i + 1)}}};
    ether_peer_init(&end->peer, role, random_u32(end) | 1, "left", true);
    end->layer = secured_create(&config);
    end->layer->ops->wire(end->layer, &wire);
    end->core = link_core_create(role, &wire, random_u32, &callbacks, end);
    assert_true(end->layer && end->core);
    end->layer->ops->medium(end->layer, end->core, m->now_us, true, NULL);
    pump(end);
}

static struct middle *create(uint64_t seed)
{
    struct middle *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->dice = dice_make(seed);
    m->now_us = S;
    for (unsigned i = 0; i < UNDER_WAY; i++)
        m->flight[i].due_us = UINT64_MAX;
    start(m, 0);
    start(m, 1);
    return m;
}

static void destroy(struct middle *m)
{
    for (unsigned i = 0; i < 2; i++) {
        link_core_destroy(m->end[i].core);
        layer_destroy(m->end[i].layer);
    }
    free(m);
}

/* All that is due, in order of time, up to then. */
static void run(struct middle *m, uint64_t until_us)
{
    for (;;) {
        struct flight *next = m->flight;
        uint64_t due_us;
        for (struct flight *f = m->flight; f < m->flight + UNDER_WAY; f++)
            if (f->due_us < next->due_us)
                next = f;
        due_us = next->due_us;
        for (unsigned i = 0; i < 2; i++) {
            uint64_t own_us = m->end[i].layer->ops->deadline(m->end[i].layer, m->end[i].core);
            due_us = own_us < due_us ? own_us : due_us;
        }
        if (due_us > until_us)
            break;
        m->now_us = due_us > m->now_us ? due_us : m->now_us;
        if (next->due_us == due_us) {
            next->due_us = UINT64_MAX;
            hear(&m->end[next->to], next->bytes, next->length);
            continue;
        }
        for (unsigned i = 0; i < 2; i++) {
            m->end[i].layer->ops->tick(m->end[i].layer, m->end[i].core, m->now_us);
            pump(&m->end[i]);
        }
    }
    m->now_us = until_us;
}

/* Both type, so long; true, and earlier, when each has got something since then. */
static bool converse(struct middle *m, uint64_t for_us, uint64_t since_us)
{
    uint64_t until_us = m->now_us + for_us;
    while (m->now_us < until_us) {
        for (unsigned i = 0; i < 2; i++) {
            struct end *end = &m->end[i];
            uint8_t record[9] = {(uint8_t)i};
            memcpy(record + 1, &end->epoch, 4);
            memcpy(record + 5, &end->sent, 4);
            if (link_core_state(end->core) == LINK_UP &&
                link_core_sent(end->core) - link_core_acked(end->core) < 60 &&
                link_core_send(end->core, LINK_EXPRESS, record, sizeof record) == BL_OK)
                end->sent++;
            pump(end);
        }
        run(m, m->now_us + 50 * MS);
        if (m->end[0].got_us > since_us && m->end[1].got_us > since_us)
            return true;
    }
    return false;
}

/* What he does: anything, or nothing but to cut the line, or to change what is outside the seal. */
static void attack(struct middle *m)
{
    static const double strength[] = {0, 0, 0.1, 0.3, 0.5, 0.9};
    double *fault[] = {&m->fault.lose, &m->fault.twice, &m->fault.late, &m->fault.change,
                       &m->fault.reflect};
    for (unsigned i = 0; i < sizeof fault / sizeof fault[0]; i++)
        *fault[i] = strength[dice_below(&m->dice, sizeof strength / sizeof strength[0])];
    if (dice_below(&m->dice, 8) == 0)
        m->fault.lose = 1;
}

static void test_the_line_is_back_within_two_seconds(void **state)
{
    uint64_t seed = dice_seed("middle"), worst_us = 0;
    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        struct middle *m = create(seed + i);
        bool from_start = i % 4 == 0;
        if (!from_start)
            assert_true(converse(m, 2 * S, 0));
        for (unsigned k = 0; k < 4; k++) {
            uint64_t since_us;
            attack(m);
            converse(m, dice_below(&m->dice, 8 * S), UINT64_MAX);
            memset(&m->fault, 0, sizeof m->fault);
            since_us = m->now_us;
            if (!converse(m, BACK_US, since_us))
                fail_msg("seed %llu, attack %u: the line is not back after 2 s",
                         (unsigned long long)(seed + i), k);
            if (m->now_us - since_us > worst_us)
                worst_us = m->now_us - since_us;
            converse(m, S, UINT64_MAX);
        }
        destroy(m);
    }
    print_message("# back after %llu ms at the latest\n", (unsigned long long)worst_us / MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_line_is_back_within_two_seconds),
    };
    if (sodium_init() < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
