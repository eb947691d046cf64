/* Records into payloads and out of them again, whatever their sizes and however the classes mix. */
#include "link/queue.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct dice dice;

/* What came out last, for the test to look at. */
static struct {
    uint8_t bytes[LINK_RECORD_MAX];
    size_t length;
    unsigned count;
    unsigned next[2]; /* number of the record that is next of each class */
    enum bl_status answer;
} got;

static enum bl_status keep(void *ctx, const uint8_t *record, size_t length)
{
    (void)ctx;
    memcpy(got.bytes, record, length);
    got.length = length;
    got.count++;
    return got.answer;
}

static enum bl_status check(void *ctx, const uint8_t *record, size_t length)
{
    unsigned class = record[0];
    (void)ctx;
    assert_true(class < 2);
    assert_int_equal(record[length - 1], (uint8_t)(length == 1 ? class : got.next[class]));
    got.next[class]++;
    got.count++;
    return BL_OK;
}

static int set_up(void **state)
{
    (void)state;
    memset(&got, 0, sizeof got);
    return 0;
}

static void test_one_record_goes_alone(void **state)
{
    static struct record_queue queue;
    static struct record_joiner joiner;
    const uint8_t record[] = {1, 0, 0, 0, 0, 'a'};
    uint8_t out[64];
    struct payload payload;
    (void)state;
    memset(&queue, 0, sizeof queue);
    memset(&joiner, 0, sizeof joiner);
    assert_true(queue_empty(&queue));
    assert_true(queue_put(&queue, record, sizeof record));
    payload = queue_pack(&queue, LINK_EXPRESS, out, sizeof out, sizeof out);
    assert_true(queue_empty(&queue));
    assert_true(payload.alone);
    assert_int_equal(payload.length, sizeof record);
    assert_int_equal(payload.records, 1);
    assert_memory_equal(out, record, sizeof record);
    assert_int_equal(joiner_take(&joiner, out, payload.length, true, keep, NULL), BL_OK);
    assert_int_equal(got.length, sizeof record);
}

static void test_several_share_a_payload(void **state)
{
    static struct record_queue queue;
    const uint8_t record[] = {1, 0, 0, 0, 0, 'a'};
    uint8_t out[64];
    struct payload payload;
    (void)state;
    memset(&queue, 0, sizeof queue);
    for (unsigned i = 0; i < 3; i++)
        assert_true(queue_put(&queue, record, sizeof record));
    payload = queue_pack(&queue, LINK_EXPRESS, out, sizeof out, sizeof out);
    assert_false(payload.alone);
    assert_int_equal(payload.records, 3);
    assert_int_equal(payload.length, 3 * (1 + sizeof record));
}

/* Both classes through one joiner, in payloads of random room and in random turn. */
static void test_all_come_back_in_order(void **state)
{
    static struct record_queue queue[2];
    static struct record_joiner joiner;
    unsigned put[2] = {0};
    unsigned packed = 0;
    (void)state;
    memset(queue, 0, sizeof queue);
    memset(&joiner, 0, sizeof joiner);
    for (unsigned step = 0; step < 40000; step++) {
        unsigned class = (unsigned)dice_below(&dice, 2);
        uint8_t bytes[LINK_RECORD_MAX];
        if (dice_below(&dice, 2)) {
            size_t length = 2 + dice_below(&dice, step % 3 ? 30 : LINK_RECORD_MAX - 1);
            memset(bytes, 0, length);
            bytes[0] = (uint8_t) class;
            bytes[length - 1] = (uint8_t)put[class];
            if (queue_put(&queue[class], bytes, length))
                put[class]++;
        } else if (!queue_empty(&queue[class])) {
            size_t room = 3 + dice_below(&dice, 300);
            struct payload payload = queue_pack(&queue[class], class, bytes, room, room);
            assert_true(payload.length > 0 && payload.length <= room);
            assert_int_equal(
                joiner_take(&joiner, bytes, payload.length, payload.alone, check, NULL), BL_OK);
            packed += payload.records;
            assert_int_equal(got.count, packed);
        }
    }
    assert_true(got.count > 1000);
    for (unsigned class = 0; class < 2; class ++)
        assert_true(got.next[class] <= put[class]);
}

static void test_a_full_queue_takes_no_more(void **state)
{
    static struct record_queue queue;
    uint8_t record[LINK_RECORD_MAX] = {0};
    unsigned count = 0;
    (void)state;
    memset(&queue, 0, sizeof queue);
    while (queue_put(&queue, record, sizeof record))
        count++;
    assert_int_equal(count, QUEUE_BYTES / (LINK_RECORD_MAX + 2));
    assert_int_equal(queue.used, count * (LINK_RECORD_MAX + 2));
}

static void test_refusals(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
    } wrong[] = {
        {"\x00", 1},               /* a record of nothing */
        {"\x05pqrs", 5},           /* ends within the record */
        {"\xE0", 1},               /* ends within the prefix */
        {"\xE0\x00", 2},           /* a piece of nothing */
        {"\xE0\x03pq", 4},         /* ends within the piece */
        {"\xA0\x01p", 3},          /* a last piece without a first */
        {"\x80\x01p", 3},          /* a middle piece without a first */
        {"\xC0\x01p\xC0\x01q", 6}, /* a first piece within a record */
        {"\xC0\x01p\xB0\x01q", 6}, /* the rest of another class */
    };
    static struct record_joiner joiner;
    uint8_t piece[2 + 600] = {0xC2, 0x58}; /* the first 600 bytes of a record */
    uint8_t long_one[LINK_RECORD_MAX + 1] = {0};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        memset(&joiner, 0, sizeof joiner);
        assert_int_equal(joiner_take(&joiner, (const uint8_t *)wrong[i].bytes, wrong[i].length,
                                     false, keep, NULL),
                         BL_DATA);
    }
    memset(&joiner, 0, sizeof joiner);
    assert_int_equal(joiner_take(&joiner, piece, sizeof piece, false, keep, NULL), BL_OK);
    piece[0] = 0xA2; /* 600 more make it too long */
    assert_int_equal(joiner_take(&joiner, piece, sizeof piece, false, keep, NULL), BL_DATA);
    assert_int_equal(joiner_take(&joiner, long_one, sizeof long_one, true, keep, NULL), BL_DATA);
    assert_int_equal(joiner_take(&joiner, long_one, 0, true, keep, NULL), BL_DATA);
    assert_int_equal(got.count, 0);
}

static void test_the_taker_can_stop(void **state)
{
    static struct record_joiner joiner;
    const uint8_t two[] = {1, 'a', 1, 'b'};
    (void)state;
    memset(&joiner, 0, sizeof joiner);
    got.answer = BL_FULL;
    assert_int_equal(joiner_take(&joiner, two, sizeof two, false, keep, NULL), BL_FULL);
    assert_int_equal(got.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_one_record_goes_alone, set_up),
        cmocka_unit_test_setup(test_several_share_a_payload, set_up),
        cmocka_unit_test_setup(test_all_come_back_in_order, set_up),
        cmocka_unit_test_setup(test_a_full_queue_takes_no_more, set_up),
        cmocka_unit_test_setup(test_refusals, set_up),
        cmocka_unit_test_setup(test_the_taker_can_stop, set_up),
    };
    dice = dice_make(dice_seed("queue"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
