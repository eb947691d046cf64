/* Frames on Ethernet, and who is taken for the other end. */
#include "link/ether_frame.h"
#include "link/ether_peer.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define SECOND 1000000u

static const struct ether_address here = {{2, 0, 0, 0, 0, 1}}, there = {{2, 0, 0, 0, 0, 2}},
                                  stranger = {{2, 0, 0, 0, 0, 3}};

static struct ether_frame make(const struct ether_address *from, unsigned role, uint32_t instance,
                               uint32_t number)
{
    static const uint8_t payload[] = {1, 2, 3, 4, 5, 6};
    return (struct ether_frame){.to = here,
                                .from = *from,
                                .kind = ETHER_DATA,
                                .role = role,
                                .line = "left",
                                .instance = instance,
                                .number = number,
                                .payload = payload,
                                .length = sizeof payload};
}

static void test_round_trip(void **state)
{
    struct ether_frame out = make(&there, LINK_ENTITY, 0x01020304, 0xFFFFFFFE), in;
    uint8_t bytes[ETHER_FRAME_MAX + 20] = {0};
    size_t n = ether_frame_write(&out, bytes);
    (void)state;
    assert_int_equal(n, ETHER_HEAD + 6);
    assert_int_equal(bytes[12] << 8 | bytes[13], 0x88B5);
    /* As a card pads it. */
    assert_int_equal(ether_frame_read(&in, bytes, 60), ETHER_OURS);
    assert_true(ether_same(&in.to, &here));
    assert_true(ether_same(&in.from, &there));
    assert_int_equal(in.role, LINK_ENTITY);
    assert_string_equal(in.line, "left");
    assert_int_equal(in.instance, 0x01020304);
    assert_int_equal(in.number, 0xFFFFFFFE);
    assert_int_equal(in.length, 6);
    assert_memory_equal(in.payload, out.payload, 6);
}

static void test_every_length(void **state)
{
    static uint8_t payload[ETHER_PAYLOAD_MAX], bytes[ETHER_FRAME_MAX];
    (void)state;
    for (size_t length = 1; length <= ETHER_PAYLOAD_MAX; length++) {
        struct ether_frame out = make(&there, LINK_JUDGE, 7, 1), in = {.length = 0};
        size_t n;
        payload[length - 1] = (uint8_t)length;
        out.payload = payload;
        out.length = length;
        n = ether_frame_write(&out, bytes);
        assert_int_equal(ether_frame_read(&in, bytes, n), ETHER_OURS);
        assert_int_equal(in.length, length);
        /* One byte less, and it is none; nothing of it is taken over. */
        in.length = 12345;
        assert_int_equal(ether_frame_read(&in, bytes, n - 1), ETHER_FOREIGN);
        assert_int_equal(in.length, 12345);
    }
}

static void test_not_ours(void **state)
{
    static const struct {
        size_t at;
        uint8_t value;
        enum ether_sort sort;
    } wrong[] = {
        {12, 0x08, ETHER_FOREIGN}, /* type */
        {14, 'X', ETHER_FOREIGN},  /* magic */
        {16, 2, ETHER_VERSIONS},   /* version */
        {17, 0, ETHER_FOREIGN},    /* kind */
        {17, 0x31, ETHER_FOREIGN}, /* role */
        {17, 0x02, ETHER_FOREIGN}, /* "taken" with a payload */
        {18, 0xFF, ETHER_FOREIGN}, /* length */
        {19, 0, ETHER_FOREIGN},    /* no payload */
        {20, ' ', ETHER_FOREIGN},  /* line */
        {20, 0, ETHER_FOREIGN},    /* no line, and something behind it */
        {30, 'x', ETHER_FOREIGN},  /* behind the line's end */
        {6, 0x03, ETHER_FOREIGN},  /* from a group */
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct ether_frame frame = make(&there, LINK_JUDGE, 7, 1);
        uint8_t bytes[ETHER_FRAME_MAX];
        size_t n = ether_frame_write(&frame, bytes);
        bytes[wrong[i].at] = wrong[i].value;
        assert_int_equal(ether_frame_read(&frame, bytes, n), wrong[i].sort);
    }
}

static void test_line_names(void **state)
{
    (void)state;
    assert_true(ether_line_good("left"));
    assert_true(ether_line_good("A-1_b.c45678"));
    assert_false(ether_line_good(""));
    assert_false(ether_line_good("A-1_b.c456789"));
    assert_false(ether_line_good("a b"));
    assert_false(ether_line_good("a/b"));
    assert_false(ether_line_good("\xC3\xA4"));
}

/* A peer that the link has found to be there. */
static void settle(struct ether_peer *peer)
{
    struct ether_frame frame = make(&there, LINK_ENTITY, 7, 100);
    char notice[LINK_REASON_MAX];
    ether_peer_init(peer, LINK_JUDGE, 1, "left", false);
    assert_true(ether_same(ether_peer_address(peer, SECOND), &ether_everybody));
    assert_int_equal(ether_peer_hear(peer, SECOND, &frame, notice), ETHER_TAKE);
    assert_string_equal(notice, "");
    ether_peer_proved(peer, SECOND, &frame);
    assert_true(ether_same(ether_peer_address(peer, SECOND), &there));
}

static enum ether_verdict hear(struct ether_peer *peer, uint64_t now_us,
                               const struct ether_frame *frame, const char *said)
{
    char notice[LINK_REASON_MAX];
    enum ether_verdict verdict = ether_peer_hear(peer, now_us, frame, notice);
    if (said ? !strstr(notice, said) : notice[0] != '\0')
        fail_msg("'%s' instead of '%s'", notice, said ? said : "");
    return verdict;
}

static void test_third_end(void **state)
{
    struct ether_peer peer;
    struct ether_frame frame = make(&stranger, LINK_ENTITY, 8, 1);
    (void)state;
    settle(&peer);
    assert_int_equal(hear(&peer, 2 * SECOND, &frame, "as a third end and is kept out"),
                     ETHER_REFUSE);
    /* It is not told each time, and neither are we. */
    assert_int_equal(hear(&peer, 2 * SECOND + 1000, &frame, NULL), ETHER_IGNORE);
    assert_int_equal(hear(&peer, 2 * SECOND + 300000, &frame, NULL), ETHER_REFUSE);
    assert_int_equal(hear(&peer, 3 * SECOND, &frame, "third end"), ETHER_REFUSE);
    assert_true(ether_same(ether_peer_address(&peer, SECOND), &there));
    /* When the line is free it may come. */
    ether_peer_lost(&peer);
    assert_int_equal(hear(&peer, 4 * SECOND, &frame, NULL), ETHER_TAKE);
    /* What the third is told. */
    frame.kind = ETHER_TAKEN;
    frame.length = 0;
    assert_int_equal(hear(&peer, 5 * SECOND, &frame, "has its two ends already"), ETHER_IGNORE);
}

static void test_one_name(void **state)
{
    struct ether_peer peer;
    struct ether_frame judge = make(&stranger, LINK_JUDGE, 8, 1);
    struct ether_frame mirror = make(&stranger, LINK_JUDGE, 1, 1);
    (void)state;
    ether_peer_init(&peer, LINK_JUDGE, 1, "left", false);
    assert_int_equal(hear(&peer, SECOND, &judge, "another terminal of this kind"), ETHER_IGNORE);
    assert_int_equal(hear(&peer, 3 * SECOND, &mirror, "a loop in the network"), ETHER_IGNORE);
    settle(&peer);
    assert_int_equal(hear(&peer, 5 * SECOND, &judge, "02:00:00:00:00:03"), ETHER_REFUSE);
    assert_int_equal(hear(&peer, 7 * SECOND, &mirror, "a loop in the network"), ETHER_IGNORE);
    /* Without roles any two may talk. */
    ether_peer_init(&peer, LINK_ANY, 1, "left", false);
    judge.role = LINK_ANY;
    assert_int_equal(hear(&peer, SECOND, &judge, NULL), ETHER_TAKE);
}

static void test_restart(void **state)
{
    struct ether_peer peer;
    struct ether_frame frame = make(&there, LINK_ENTITY, 9, 1), old;
    (void)state;
    settle(&peer);
    assert_int_equal(hear(&peer, 2 * SECOND, &frame, NULL), ETHER_TAKE);
    /* Until it has proved itself, the old one's frames count as before. */
    old = make(&there, LINK_ENTITY, 7, 100);
    assert_int_equal(hear(&peer, 2 * SECOND, &old, NULL), ETHER_IGNORE);
    old.number = 101;
    assert_int_equal(hear(&peer, 2 * SECOND, &old, NULL), ETHER_TAKE);
    ether_peer_proved(&peer, SECOND, &frame);
    assert_int_equal(hear(&peer, 2 * SECOND, &frame, NULL), ETHER_IGNORE);
}

/* On a line with a key what is sealed goes to the link whatever is written on it, and the peer is
 * where the last one that proved itself came from; who calls is judged by his address. */
static void test_what_is_sealed_proves_itself(void **state)
{
    static const uint8_t sealed[40] = {0x46};
    struct ether_peer peer;
    struct ether_frame frame = make(&there, LINK_JUDGE, 7, 0x80000000u), good, call;
    (void)state;
    ether_peer_init(&peer, LINK_ENTITY, 1, "left", true);
    frame.payload = sealed;
    frame.length = sizeof sealed;
    good = frame;
    call = make(&stranger, LINK_JUDGE, 8, 1);
    assert_int_equal(hear(&peer, SECOND, &frame, NULL), ETHER_TAKE);
    ether_peer_proved(&peer, SECOND, &frame);
    good.number = 5;
    assert_int_equal(hear(&peer, SECOND, &good, NULL), ETHER_TAKE);
    frame.from = stranger;
    assert_int_equal(hear(&peer, SECOND, &frame, NULL), ETHER_TAKE);
    assert_true(ether_same(ether_peer_address(&peer, SECOND), &there));
    ether_peer_proved(&peer, SECOND, &frame);
    assert_true(ether_same(ether_peer_address(&peer, SECOND), &stranger));
    assert_int_equal(hear(&peer, SECOND, &good, NULL), ETHER_TAKE);
    ether_peer_proved(&peer, SECOND, &good);
    assert_true(ether_same(ether_peer_address(&peer, SECOND), &there));
    assert_int_equal(hear(&peer, SECOND, &call, "third end"), ETHER_REFUSE);
    /* The address is not relied on for long. */
    assert_true(ether_same(ether_peer_address(&peer, SECOND + 500000), &ether_everybody));
    good.instance = 1;
    assert_int_equal(hear(&peer, 3 * SECOND, &good, "a loop in the network"), ETHER_IGNORE);
}

/* Whatever comes in whatever order, even across the end of the numbers: nothing is taken twice, and
 * nothing that more than LINK_OVERTAKE have overtaken. */
static void test_window(void **state)
{
    enum { FRAMES = 20000, SPREAD = 12 };
    static uint8_t taken[FRAMES];
    struct dice dice = dice_make(dice_seed("window"));
    struct ether_peer peer;
    uint32_t base = 0u - FRAMES / 2, newest = 0, count = 0;
    struct ether_frame first = make(&there, LINK_ENTITY, 7, base - 1);
    (void)state;
    ether_peer_init(&peer, LINK_JUDGE, 1, "left", false);
    assert_int_equal(hear(&peer, SECOND, &first, NULL), ETHER_TAKE);
    ether_peer_proved(&peer, SECOND, &first);
    memset(taken, 0, sizeof taken);
    for (uint32_t i = 0; i + SPREAD < FRAMES; i++) {
        uint32_t at = i + (uint32_t)dice_below(&dice, SPREAD);
        struct ether_frame frame = make(&there, LINK_ENTITY, 7, base + at);
        bool fresh = !taken[at] && (at + LINK_OVERTAKE >= newest || at > newest);
        assert_int_equal(hear(&peer, SECOND, &frame, NULL), fresh ? ETHER_TAKE : ETHER_IGNORE);
        if (!fresh)
            continue;
        if (dice_below(&dice, 4) == 0)
            continue; /* the link did not take it: it was damaged, and may come again */
        ether_peer_proved(&peer, SECOND, &frame);
        taken[at] = 1;
        count++;
        if (at > newest)
            newest = at;
    }
    assert_true(count > FRAMES / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_not_ours),   cmocka_unit_test(test_line_names),
        cmocka_unit_test(test_third_end),  cmocka_unit_test(test_one_name),
        cmocka_unit_test(test_restart),    cmocka_unit_test(test_what_is_sealed_proves_itself),
        cmocka_unit_test(test_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
