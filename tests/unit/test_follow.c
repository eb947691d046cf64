/* A referee's listener on a whole session, deaf at times and hard of hearing at others: each key
 * has its number, who is recorded said it when it is recorded, and whatever was missed is named. */
#include "link/listen.h"
#include "session/follow.h"
#include "tests/support/pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define MS 1000u

/* What the listener was told, from key 1 on without a hole. */
struct listener {
    struct pair *pair;
    struct dice dice;
    struct listen *listen;
    struct follow *follow;
    double deaf; /* chance to miss a frame */
    uint64_t n;  /* keys recorded or named as missed */
    uint64_t recorded, missed;
    bool unmarked; /* a MARK may have been missed: times are as good as the one before */
    bool unknown;  /* whether more followed, as the last word */
    enum segment_state course[4]; /* where the segment stood, in its order */
    unsigned courses;
};

static void on_state(void *ctx, enum listen_state state)
{
    (void)ctx;
    (void)state;
}

static void on_record(void *ctx, unsigned end, const uint8_t *record, size_t length)
{
    struct listener *listener = ctx;
    if (end == J)
        follow_record(listener->follow, record, length, pair_now(listener->pair).wall_us);
}

static void on_gap(void *ctx, unsigned end, unsigned frames)
{
    struct listener *listener = ctx;
    (void)frames;
    if (end == J)
        follow_gap(listener->follow);
}

static void on_role(void *ctx, unsigned end, enum link_role role)
{
    (void)ctx;
    assert_int_equal(role, end == J ? LINK_JUDGE : LINK_ENTITY);
}

static bool on_pass(void *ctx, const uint8_t pass[PASS_LENGTH], struct pass_keys *keys)
{
    (void)ctx;
    (void)pass;
    (void)keys;
    return false;
}

static void on_begin(void *ctx, const struct journal_record *header)
{
    (void)ctx;
    (void)header;
}

static void on_entry(void *ctx, const struct journal_record *record)
{
    struct listener *listener = ctx;
    const struct sequence *order = judge_end_sequence(listener->pair->judge);
    if (record->kind == JOURNAL_SEGMENT && listener->courses < 4)
        listener->course[listener->courses++] = record->as.segment.state;
    if (record->kind != JOURNAL_KEYS)
        return;
    assert_int_equal(record->as.keys.first, listener->n + 1);
    for (size_t i = 0; i < record->as.keys.run.length; i++) {
        const struct key_event *event = &order->event[listener->n++];
        assert_true(listener->n <= order->count);
        assert_int_equal(record->as.keys.run.text[i], event->point);
        assert_int_equal(record->as.keys.party, event->party);
        if (!listener->unmarked)
            assert_int_equal(record->wall_us, event->posted_us);
        listener->recorded++;
    }
    listener->unknown = false;
}

static void on_missed(void *ctx, uint64_t first, uint64_t last)
{
    struct listener *listener = ctx;
    assert_int_equal(first, listener->n + 1);
    assert_true(last >= first && last <= judge_end_sequence(listener->pair->judge)->count);
    listener->missed += last - first + 1;
    listener->n = last;
    listener->unknown = false;
}

static void on_unknown(void *ctx, uint64_t n)
{
    struct listener *listener = ctx;
    assert_int_equal(n, listener->n);
    listener->unknown = true;
}

static void hear(void *ctx, unsigned end, const uint8_t *frame, size_t length)
{
    struct listener *listener = ctx;
    if ((double)(uint32_t)dice_next(&listener->dice) < listener->deaf * 4294967296.0)
        return;
    listen_frame(listener->listen, listener->pair->now_us, end, frame, length);
}

/* For some time both type, and one of them may be killed. */
static void converse(struct listener *listener)
{
    struct pair *pair = listener->pair;
    uint64_t pause_us =
        1 + dice_below(&listener->dice, dice_below(&listener->dice, 2) ? 20 * MS : 200 * MS);
    unsigned keys = 10 + (unsigned)dice_below(&listener->dice, 300);
    if (listener->unmarked)
        pause_us += 16 * MS; /* so that no 192 keys go by in less time than is seen as a gap */
    uint64_t kill_at = dice_below(&listener->dice, 3 * keys);
    for (unsigned i = 0; i < keys; i++) {
        uint32_t point = 'a' + (uint32_t)dice_below(&listener->dice, 26);
        if (dice_below(&listener->dice, 2))
            judge_end_key(pair->judge, point, pair_now(pair));
        else
            entity_end_key(pair->entity, point, pair_now(pair));
        pair_run(pair, pause_us);
        listen_tick(listener->listen, pair->now_us);
        if (i == kill_at) {
            unsigned which = (unsigned)dice_below(&listener->dice, 2);
            pair_kill(pair, which);
            pair_start(pair, which);
            pair_settle(pair, 20000 * MS);
        }
    }
}

/* A session from its beginning; told is what comes of it. */
static void listen_to(struct listener *listener, uint64_t seed, bool listened, bool hard)
{
    static const struct listen_callbacks listen = {on_state, on_record, on_gap, on_role, on_pass};
    static const struct follow_callbacks follow = {on_begin, on_entry, on_missed, on_unknown};
    static const double deaf[] = {0, 0.02, 0.1, 0.3, 0.7, 1};
    *listener = (struct listener){.dice = dice_make(seed)};
    listener->pair = pair_open(STARTS_EITHER);
    listener->listen = listen_create(&listen, listener);
    listener->follow = follow_create(SIDE_LEFT, &follow, listener);
    assert_true(listener->listen && listener->follow);
    listener->pair->listener = hear;
    listener->pair->listener_ctx = listener;
    listener->pair->listened = listened;
    listener->unmarked = hard && !listened;
    pair_kill(listener->pair, J);
    pair_start(listener->pair, J);
    pair_settle(listener->pair, 20000 * MS);
    for (unsigned i = 0; i < 6; i++) {
        if (hard)
            listener->deaf = deaf[dice_below(&listener->dice, sizeof deaf / sizeof deaf[0])];
        converse(listener);
    }
    pair_settle(listener->pair, 20000 * MS);
    judge_end_closing(listener->pair->judge, pair_now(listener->pair));
    pair_run(listener->pair, 400 * MS);
    judge_end_cut(listener->pair->judge, true, pair_now(listener->pair));
    pair_run(listener->pair, 400 * MS);
    listen_finish(listener->listen);
    follow_leave(listener->follow);
}

static void be_done(struct listener *listener)
{
    listen_destroy(listener->listen);
    follow_destroy(listener->follow);
    pair_destroy(listener->pair);
}

static void test_what_is_missed_is_named(void **state)
{
    uint64_t seed = dice_seed("deaf"), recorded = 0, missed = 0, unknown = 0;
    (void)state;
    for (unsigned i = 0; i < 40; i++) {
        struct listener listener;
        listen_to(&listener, seed + i, true, true);
        assert_true(listener.unknown ||
                    listener.n == judge_end_sequence(listener.pair->judge)->count);
        assert_int_equal(listener.n, listener.recorded + listener.missed);
        recorded += listener.recorded;
        missed += listener.missed;
        unknown += listener.unknown;
        be_done(&listener);
    }
    print_message("# %llu keys recorded, %llu missed, the end unknown in %llu sessions\n",
                  (unsigned long long)recorded, (unsigned long long)missed,
                  (unsigned long long)unknown);
    assert_true(recorded > 1000 && missed > 1000);
}

/* On a null-modem cable without a key keys come without a number. */
static void test_numbers_without_a_key(void **state)
{
    uint64_t seed = dice_seed("deaf, on a cable"), recorded = 0, missed = 0;
    (void)state;
    for (unsigned i = 0; i < 40; i++) {
        struct listener listener;
        listen_to(&listener, seed + i, false, true);
        assert_int_equal(listener.n, listener.recorded + listener.missed);
        recorded += listener.recorded;
        missed += listener.missed;
        be_done(&listener);
    }
    print_message("# %llu keys recorded, %llu missed\n", (unsigned long long)recorded,
                  (unsigned long long)missed);
    assert_true(recorded > 1000 && missed > 1000);
}

static void test_who_hears_all_records_all(void **state)
{
    uint64_t seed = dice_seed("all ears");
    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        struct listener listener;
        listen_to(&listener, seed + i, false, false);
        assert_int_equal(listener.recorded, judge_end_sequence(listener.pair->judge)->count);
        assert_true(listener.missed == 0 && !listener.unknown);
        be_done(&listener);
    }
}

/* With a listener's own frames it has each state of the segment, once; another clock is none. */
static void test_the_course_is_told(void **state)
{
    static const enum segment_state course[] = {SEGMENT_OPEN, SEGMENT_CLOSING, SEGMENT_FINISHED};
    struct listener listener;
    (void)state;
    listen_to(&listener, dice_seed("course"), true, false);
    assert_int_equal(listener.courses, 3);
    assert_memory_equal(listener.course, course, sizeof course);
    be_done(&listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_missed_is_named),
        cmocka_unit_test(test_numbers_without_a_key),
        cmocka_unit_test(test_who_hears_all_records_all),
        cmocka_unit_test(test_the_course_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
