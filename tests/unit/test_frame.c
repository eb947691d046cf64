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

/* Feeds a byte and takes a frame as soon as its checksum is right, as a medium does. FRAME_MAYBE is
 * answered: FRAME_WHOLE for a frame that was taken, FRAME_MORE for one that was not. */
static enum frame_step feed(struct frame_reader *reader, uint8_t byte, uint32_t seed)
{
    enum frame_step step = frame_feed(reader, byte);
    if (step != FRAME_MAYBE)
        return step;
    if (!frame_open(reader->frame, reader->length, seed))
        return FRAME_MORE;
    frame_take(reader);
    return FRAME_WHOLE;
}

static void test_every_length_comes_back(void **state)
{
    static struct frame_reader reader;
    static const unsigned hidden[] = {0, 1, 50, 100};
    uint8_t frame[FRAME_MAX];
    uint8_t wire[FRAME_STUFFED(FRAME_MAX)];
    unsigned early = 0;
    (void)state;
    memset(&reader, 0, sizeof reader);
    for (size_t content = 2; content <= FRAME_MAX - FRAME_CRC; content++) {
        uint32_t seed = roll();
        size_t length = random_frame(frame, content, seed, hidden[content % 4]);
        size_t n = frame_stuff(frame, length, wire);
        size_t inner_zeros = 0, taken_at = 0;
        assert_true(n <= FRAME_STUFFED(length));
        assert_int_equal(wire[0], 0);
        assert_int_equal(wire[n - 1], 0);
        for (size_t i = 0; i < n; i++) {
            enum frame_step step = feed(&reader, wire[i], seed);
            if (step == FRAME_WHOLE) {
                assert_int_equal(taken_at, 0); /* not twice */
                taken_at = i;
            } else {
                assert_int_equal(step, FRAME_MORE);
            }
            inner_zeros += i && i + 1 < n && !wire[i];
        }
        assert_in_range(taken_at, n - 2, n - 1);
        early += taken_at == n - 2;
        if (length < 254 && !memchr(frame, 0xFF, length))
            assert_int_equal(taken_at, n - 2);
        assert_int_equal(inner_zeros, 0);
        assert_int_equal(reader.length, length);
        assert_memory_equal(reader.frame, frame, length);
        assert_int_equal(frame_open(reader.frame, reader.length, seed), content);
        assert_int_equal(frame_open(reader.frame, reader.length, seed + 1), 0);
    }
    assert_true(early > 100);
}

/* A medium that takes nothing early gets each frame at its delimiter. */
static void test_waits_for_the_delimiter(void **state)
{
    static struct frame_reader reader;
    uint8_t frame[FRAME_MAX];
    uint8_t wire[FRAME_STUFFED(FRAME_MAX)];
    (void)state;
    memset(&reader, 0, sizeof reader);
    for (unsigned round = 0; round < 2000; round++) {
        size_t length = random_frame(frame, 2 + roll() % 300, 5, round % 3 * 20);
        size_t n = frame_stuff(frame, length, wire);
        for (size_t i = 0; i < n; i++) {
            enum frame_step step = frame_feed(&reader, wire[i]);
            if (i + 1 == n)
                assert_int_equal(step, FRAME_WHOLE);
            else
                assert_true(step == FRAME_MORE || step == FRAME_MAYBE);
        }
        assert_int_equal(reader.length, length);
        assert_memory_equal(reader.frame, frame, length);
    }
}

/* The beginning of a frame that ends in a right checksum by chance is taken for one, as any garbage
 * with a right checksum would be; the frame itself is not lost over it, nor what follows. */
static void test_a_checksum_right_by_chance(void **state)
{
    static struct frame_reader reader;
    uint8_t frame[FRAME_MAX];
    uint8_t wire[FRAME_STUFFED(FRAME_MAX)];
    (void)state;
    memset(&reader, 0, sizeof reader);
    for (unsigned round = 0; round < 3000; round++) {
        size_t prefix, length, n;
        size_t taken[3] = {0};
        unsigned count = 0;
        do
            prefix = random_frame(frame, 2 + roll() % 60, 8, 0);
        while (memchr(frame, 0xFF, prefix));
        frame[prefix] = 0xFF; /* ends the block behind the checksum */
        length = prefix + 1 + roll() % 20;
        for (size_t i = prefix + 1; i < length; i++)
            frame[i] = (uint8_t)(roll() % 255);
        length = frame_seal(frame, length, 8);
        n = frame_stuff(frame, length, wire);
        for (size_t i = 0; i < n; i++) {
            enum frame_step step = feed(&reader, wire[i], 8);
            if (step == FRAME_WHOLE && count < 3)
                taken[count++] = reader.length;
            else
                assert_int_equal(step, FRAME_MORE);
        }
        assert_int_equal(count, 2);
        assert_int_equal(taken[0], prefix);
        assert_int_equal(taken[1], length);
        assert_memory_equal(reader.frame, frame, length);
    }
}

/* Frames one after the other on a line that flips bits and swallows bytes, as it may hit
 * delimiters: every frame that came whole is handed over once and in order, whatever became of the
 * delimiter behind it, and nothing else is. */
static void test_each_once_on_a_bad_line(void **state)
{
    static struct frame_reader reader;
    uint32_t next = 0, got = 0, saved = 0;
    (void)state;
    memset(&reader, 0, sizeof reader);
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t frame[64];
        uint8_t wire[FRAME_STUFFED(64)];
        bool front = false, damaged = false, behind = false, handed = false;
        size_t content = 4 + roll() % 30;
        for (size_t i = 4; i < content; i++)
            frame[i] = (uint8_t)(roll() % 255);
        memcpy(frame, &next, 4);
        size_t n = frame_stuff(frame, frame_seal(frame, content, 6), wire);
        for (size_t i = 0; i < n; i++) {
            bool hit = roll() % 60 == 0, swallowed = hit && roll() % 3 == 0;
            if (hit && !swallowed)
                wire[i] ^= (uint8_t)(1u << roll() % 8);
            damaged = damaged || (hit && i > 0 && i + 1 < n);
            front = front || (hit && i == 0);
            behind = behind || (hit && i + 1 == n);
            if (swallowed)
                continue;
            if (feed(&reader, wire[i], 6) != FRAME_WHOLE ||
                !frame_open(reader.frame, reader.length, 6))
                continue;
            uint32_t number;
            memcpy(&number, reader.frame, 4);
            assert_true(number >= got && number <= next); /* once, and in order */
            handed = handed || number == next;
            got = number + 1;
        }
        if (!front && !damaged)
            assert_true(handed);
        saved += handed && behind;
        next++;
    }
    assert_true(saved > 0);
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
            if (step == FRAME_MAYBE)
                step = FRAME_MORE;
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
            assert_int_equal(feed(&reader, wire[i], 5), i + 2 == n ? FRAME_WHOLE : FRAME_MORE);
        assert_int_equal(frame_abandon(&reader), cut + 1 == n ? 0 : cut);
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
            feed(&reader, wire[i], 9);
            if (i + 1 == n)
                break;
            assert_true(frame_missing(&reader) <= (n - 2 - i ? n - 2 - i : 1));
            if (i == 0)
                assert_int_equal(frame_missing(&reader), FRAME_LEAST + 1);
            else if (plain)
                assert_int_equal(frame_missing(&reader), n - 2 - i);
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
    bool taken = false;
    while (!taken) {
        size_t take = frame_missing(&reader);
        if (take == 0)
            take = 1;
        while (take--)
            taken = feed(&reader, wire[at++], 1) == FRAME_WHOLE;
        wakeups++;
    }
    assert_int_equal(at, n - 1);
    assert_int_equal(wakeups, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length_comes_back),
        cmocka_unit_test(test_waits_for_the_delimiter),
        cmocka_unit_test(test_a_checksum_right_by_chance),
        cmocka_unit_test(test_each_once_on_a_bad_line),
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
