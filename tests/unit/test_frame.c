/* Frames: what is stuffed comes out again in any split, nothing else does, and frame_missing()
 * never promises more than the truth. */
#include "link/frame.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <cmocka.h>

static struct dice dice;

static uint32_t roll(void)
{
    return (uint32_t)dice_next(&dice);
}

/* A frame of length bytes with a share of the byte that stuffing has to hide. */
static size_t random_frame(uint8_t *frame, size_t content, uint32_t seed, unsigned hidden_percent)
{
    for (size_t i = 0; i < content; i++)
        frame[i] = roll() % 100 < hidden_percent ? 0xFF : (uint8_t)roll();
    return frame_seal(frame, content, seed);
}

static void test_every_length_comes_back(void **state)
{
    static struct frame_reader reader;
    static const unsigned hidden[] = {0, 1, 50, 100};
    uint8_t frame[FRAME_MAX];
    uint8_t wire[FRAME_STUFFED(FRAME_MAX)];
    (void)state;
    memset(&reader, 0, sizeof reader);
    for (size_t content = 2; content <= FRAME_MAX - FRAME_CRC; content++) {
        uint32_t seed = roll();
        size_t length = random_frame(frame, content, seed, hidden[content % 4]);
        size_t n = frame_stuff(frame, length, wire);
        size_t inner_zeros = 0;
        assert_true(n <= FRAME_STUFFED(length));
        assert_int_equal(wire[0], 0);
        assert_int_equal(wire[n - 1], 0);
        for (size_t i = 0; i < n; i++) {
            enum frame_step step = frame_feed(&reader, wire[i]);
            if (step != (i + 1 == n ? FRAME_WHOLE : FRAME_MORE))
                fail_msg("byte %zu of %zu gave step %d", i, n, step);
            inner_zeros += i && i + 1 < n && !wire[i];
        }
        assert_int_equal(inner_zeros, 0);
        assert_int_equal(reader.length, length);
        assert_memory_equal(reader.frame, frame, length);
        assert_int_equal(frame_open(reader.frame, reader.length, seed), content);
        assert_int_equal(frame_open(reader.frame, reader.length, seed + 1), 0);
    }
}

static void test_a_key_is_16_bytes(void **state)
{
    /* type, acknowledgement, number, then a record of kind, time (4) and an ASCII key. */
    const uint8_t ascii[] = {2, 17, 200, 1, 0xE8, 3, 0, 0, 'a'};
    const uint8_t wide[] = {2, 17, 200, 1, 0xE8, 3, 0, 0, 0xF0, 0x9F, 0x98, 0x80};
    uint8_t frame[32];
    uint8_t wire[64];
    (void)state;
    memcpy(frame, ascii, sizeof ascii);
    assert_int_equal(frame_stuff(frame, frame_seal(frame, sizeof ascii, 1), wire), 16);
    memcpy(frame, wide, sizeof wide);
    assert_int_equal(frame_stuff(frame, frame_seal(frame, sizeof wide, 1), wire), 19);
}

static void test_flipped_bits_are_seen(void **state)
{
    uint8_t frame[64 + FRAME_CRC];
    size_t length = random_frame(frame, 60, 7, 10);
    (void)state;
    for (size_t bit = 0; bit < length * 8; bit++) {
        frame[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(frame_open(frame, length, 7), 0);
        frame[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t n = 0; n < length; n++)
        assert_int_equal(frame_open(frame, n, 7), 0);
    assert_int_equal(frame_open(frame, length, 7), 60);
}

static void test_nothing_is_no_frame(void **state)
{
    uint8_t frame[8] = {0};
    (void)state;
    /* The checksum of nothing is its seed: an empty frame must not pass. */
    assert_int_equal(frame_seal(frame, 0, 0), FRAME_CRC);
    assert_int_equal(frame_open(frame, FRAME_CRC, 0), 0);
}

/* After any noise one delimiter is enough to be in step again, and all the noise is counted. */
static void test_in_step_after_noise(void **state)
{
    static struct frame_reader reader;
    uint8_t frame[FRAME_MAX];
    uint8_t wire[FRAME_STUFFED(FRAME_MAX)];
    (void)state;
    memset(&reader, 0, sizeof reader);
    for (unsigned round = 0; round < 2000; round++) {
        size_t noise = roll() % (round % 50 ? 40 : 5000);
        size_t told = 0;
        bool whole = false;
        for (size_t i = 0; i < noise; i++)
            if (frame_feed(&reader, (uint8_t)(roll() % 255 + 1)) == FRAME_GARBAGE)
                told += reader.taken;
        size_t length = random_frame(frame, 2 + roll() % 100, 3, 20);
        size_t n = frame_stuff(frame, length, wire);
        for (size_t i = 0; i < n; i++) {
            enum frame_step step = frame_feed(&reader, wire[i]);
            if (i == 0 && step == FRAME_GARBAGE) {
                told += reader.taken;
            } else if (i == 0 && step == FRAME_WHOLE) {
                whole = true;
                assert_int_equal(frame_open(reader.frame, reader.length, 3), 0);
            } else {
                assert_int_equal(step, i + 1 == n ? FRAME_WHOLE : FRAME_MORE);
            }
        }
        assert_int_equal(frame_open(reader.frame, reader.length, 3), length - FRAME_CRC);
        if (!whole)
            assert_int_equal(told, noise);
    }
}

static void test_a_run_of_zeros_is_garbage(void **state)
{
    static struct frame_reader reader;
    size_t garbage = 0;
    (void)state;
    memset(&reader, 0, sizeof reader);
    for (unsigned i = 0; i < 100; i++)
        if (frame_feed(&reader, 0) == FRAME_GARBAGE)
            garbage += reader.taken;
    assert_int_equal(garbage, 98);
}

/* What a silence cuts off is garbage; what it finds between frames is not. */
static void test_silence_ends_a_frame(void **state)
{
    static struct frame_reader reader;
    uint8_t frame[32];
    uint8_t wire[64];
    size_t length = random_frame(frame, 20, 5, 0);
    size_t n = frame_stuff(frame, length, wire);
    (void)state;
    memset(&reader, 0, sizeof reader);
    assert_int_equal(frame_abandon(&reader), 0);
    for (size_t cut = 1; cut < n; cut++) {
        for (size_t i = 0; i < cut; i++)
            assert_int_equal(frame_feed(&reader, wire[i]), FRAME_MORE);
        assert_int_equal(frame_abandon(&reader), cut);
        assert_int_equal(frame_missing(&reader), 0);
    }
    for (size_t i = 0; i < n; i++)
        frame_feed(&reader, wire[i]);
    assert_int_equal(reader.length, length);
    assert_int_equal(frame_abandon(&reader), 0);
}

static void test_missing_is_a_lower_bound(void **state)
{
    static struct frame_reader reader;
    uint8_t frame[FRAME_MAX];
    uint8_t wire[FRAME_STUFFED(FRAME_MAX)];
    (void)state;
    memset(&reader, 0, sizeof reader);
    assert_int_equal(frame_missing(&reader), 0);
    for (unsigned round = 0; round < 3000; round++) {
        size_t content = 2 + roll() % (round % 10 ? 60 : 1300);
        size_t length = random_frame(frame, content, 9, round % 3 * 20);
        bool plain = length < 254 && !memchr(frame, 0xFF, length);
        size_t n = frame_stuff(frame, length, wire);
        for (size_t i = 0; i < n; i++) {
            frame_feed(&reader, wire[i]);
            assert_true(frame_missing(&reader) <= n - 1 - i);
            if (i == 0)
                assert_int_equal(frame_missing(&reader), FRAME_LEAST + 2);
            else if (plain)
                assert_int_equal(frame_missing(&reader), n - 1 - i);
        }
        assert_int_equal(frame_missing(&reader), 0);
    }
}

/* A paced reader wakes up and then waits for what is missing: three times for a key. */
static void test_wakeups_of_a_key(void **state)
{
    static struct frame_reader reader;
    uint8_t frame[32] = {2, 17, 200, 1, 0xE8, 3, 0, 0, 'a'};
    uint8_t wire[64];
    size_t n = frame_stuff(frame, frame_seal(frame, 9, 1), wire);
    size_t at = 0;
    unsigned wakeups = 0;
    (void)state;
    memset(&reader, 0, sizeof reader);
    while (at < n) {
        size_t take = frame_missing(&reader);
        if (take == 0)
            take = 1;
        while (take--)
            frame_feed(&reader, wire[at++]);
        wakeups++;
    }
    assert_int_equal(wakeups, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length_comes_back),
        cmocka_unit_test(test_a_key_is_16_bytes),
        cmocka_unit_test(test_flipped_bits_are_seen),
        cmocka_unit_test(test_nothing_is_no_frame),
        cmocka_unit_test(test_in_step_after_noise),
        cmocka_unit_test(test_a_run_of_zeros_is_garbage),
        cmocka_unit_test(test_silence_ends_a_frame),
        cmocka_unit_test(test_missing_is_a_lower_bound),
        cmocka_unit_test(test_wakeups_of_a_key),
    };
    dice = dice_make(dice_seed("frame"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
