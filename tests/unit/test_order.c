/* Pauses of a part, found by an order between its records: `contest verify` takes them from the
 * time in which a line was open. */
#include "journal/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SECOND_US UINT64_C(1000000)

static struct order_set set;

static void segment(enum segment_state state, unsigned at_s, unsigned left_s)
{
    const struct journal_record record = {
        .kind = JOURNAL_SEGMENT,
        .wall_us = at_s * SECOND_US,
        .as.segment = {.generation = 1, .state = state, .remaining_us = left_s * SECOND_US}};
    order_feed(&set, &record);
}

static void key(unsigned at_s, uint64_t number)
{
    const uint8_t text[] = "a";
    const struct journal_record record = {
        .kind = JOURNAL_KEYS,
        .wall_us = at_s * SECOND_US,
        .as.keys = {.first = number, .run = {.text = text, .length = 1, .count = 1}}};
    order_feed(&set, &record);
}

static void begin(void)
{
    const struct journal_record header = {.kind = JOURNAL_HEADER,
                                          .as.header = {.session = "s", .style = ""}};
    set = (struct order_set){.headed = false};
    order_feed(&set, &header);
}

/* In all, in seconds. */
static uint64_t stood(void)
{
    uint64_t sum_us = 0;
    for (uint64_t i = 0; i < set.side[SIDE_LEFT].marks; i++)
        sum_us += set.side[SIDE_LEFT].mark[i].away_us;
    order_free(&set);
    return sum_us / SECOND_US;
}

static void test_a_clock_that_runs(void **state)
{
    (void)state;
    begin();
    segment(SEGMENT_OPEN, 100, 60);
    key(110, 1);
    segment(SEGMENT_OPEN, 120, 40);
    segment(SEGMENT_CLOSING, 159, 1);
    segment(SEGMENT_CLOSED, 160, 0);
    assert_int_equal(stood(), 0);
}

/* The key switch at PAUSE, or a controller without power. */
static void test_a_clock_that_stands(void **state)
{
    (void)state;
    begin();
    segment(SEGMENT_OPEN, 100, 60);
    segment(SEGMENT_OPEN, 120, 40);
    segment(SEGMENT_OPEN, 150, 40);
    segment(SEGMENT_CLOSING, 189, 1);
    segment(SEGMENT_CLOSING, 199, 2); /* the controller has more left than was thought, */
    segment(SEGMENT_CLOSED, 206, 0);  /* and finds the lines for 5 s */
    assert_int_equal(stood(), 30 + 10 + 5);
}

/* A terminal that was started again while the clock stood. */
static void test_restart(void **state)
{
    struct journal_record record = {.kind = JOURNAL_START, .wall_us = 130 * SECOND_US};
    (void)state;
    begin();
    segment(SEGMENT_OPEN, 100, 60);
    segment(SEGMENT_OPEN, 120, 40);
    order_feed(&set, &record);
    record = (struct journal_record){.kind = JOURNAL_NOTE,
                                     .wall_us = 130 * SECOND_US,
                                     .as.note = {.code = NOTE_RESTART, .text = ""}};
    order_feed(&set, &record);
    segment(SEGMENT_OPEN, 145, 40);
    assert_int_equal(stood(), 10 + 15);
}

/* A clock that stands while keys are placed is no pause; a key as the line comes back ends one. */
static void test_keys(void **state)
{
    (void)state;
    begin();
    segment(SEGMENT_OPEN, 100, 60);
    for (unsigned at = 1; at < 20; at++)
        key(100 + at, at);
    segment(SEGMENT_OPEN, 120, 60);
    segment(SEGMENT_OPEN, 121, 60);
    key(139, 20);
    segment(SEGMENT_OPEN, 140, 60);
    assert_int_equal(stood(), 1 + 1 + 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_clock_that_runs),
                                       cmocka_unit_test(test_a_clock_that_stands),
                                       cmocka_unit_test(test_restart), cmocka_unit_test(test_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
