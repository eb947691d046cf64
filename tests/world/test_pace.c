/* DESIGN.md, "Blindness": the gaps of an entity's keys as the judge's end has them, where keys wait
 * for the judge, its terminal is killed, its line is out, or the venue has a pace. */
#include "tests/world/oracles.h"

#include "base/utf8.h"
#include "journal/journal.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <limits.h>

#define MS       1000ull
#define KEYS_MAX 8192

/* The entity's keys at the judge's end: when each was shown, and when the judge's last one was
 * before the first of them. */
static struct {
    uint64_t us[KEYS_MAX], asked_us;
    unsigned count;
} seen;

static void on_record(void *ctx, const struct journal_record *record)
{
    (void)ctx;
    if (record->kind != JOURNAL_KEYS || record->side != SIDE_LEFT)
        return;
    if (record->as.keys.party == PARTY_JUDGE && !seen.count)
        seen.asked_us = record->wall_us;
    for (size_t i = 0; record->as.keys.party == PARTY_ENTITY && i < record->as.keys.run.count;
         i++) {
        assert_true(seen.count < KEYS_MAX);
        seen.us[seen.count++] = record->wall_us;
    }
}

/* The shortest gap between two of them, from the first-th on. */
static uint64_t shortest_us(struct scene *s, unsigned first)
{
    char path[PATH_MAX];
    uint64_t least_us = UINT64_MAX;
    seen.count = 0;
    journal_name(machine_folder(s->station[JUDGE].machine), "s", PARTY_JUDGE, path);
    assert_int_equal(journal_read(&disk_real, path, on_record, NULL, NULL, NULL), BL_OK);
    for (unsigned i = first + 1; i < seen.count; i++)
        if (seen.us[i] - seen.us[i - 1] < least_us)
            least_us = seen.us[i] - seen.us[i - 1];
    return least_us;
}

static struct scene *begin(const char *plan, enum starts starts, const char *pace)
{
    struct scene *s =
        scene_begin(&(struct scene_setup){.seed = 11, .plan = plan, .starts = starts});
    struct bl_diag diag;
    if (pace)
        assert_int_equal(pace_parse(&s->entity[SIDE_LEFT].pace, pace, &diag), BL_OK);
    assert_true(scene_wait(s, scene_is_open));
    return s;
}

static void see(struct scene *s, const char *text, uint64_t least_us)
{
    assert_true(scene_wait(s, scene_is_quiet));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), text);
    assert_true(shortest_us(s, 0) >= least_us);
}

/* Keys typed before the judge begins are kept, and go with their gaps when he has begun. */
static void test_held(void **state)
{
    (void)state;
    struct scene *s = begin("60 left", STARTS_JUDGE, NULL);
    assert_true(scene_will_read(s, LEFT, "the judge begins"));
    person_press(s->station[LEFT].process, 'e');
    scene_pass(s, 50 * MS); /* it is there at once: no answer to it is on its way */
    assert_int_equal(person_sees(s->station[LEFT].process)->side[0].pending_count, 1);
    scene_pass(s, 50 * MS);
    scene_type(s, LEFT, "arly,");
    scene_pass(s, 5 * SECOND);
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "");
    scene_type(s, JUDGE, "x");
    see(s, "xearly,", 55 * MS); /* a person types a key in 60 ms at least */
    assert_string_equal(scene_end(s), "");
}

/* There is room for 4,096 keys. More are lost, which is on the entity's record alone. */
static void test_room(void **state)
{
    (void)state;
    struct scene *s = begin("60 left", STARTS_JUDGE, NULL);
    for (unsigned i = 0; i < 6000; i++)
        person_press(s->station[LEFT].process, '0' + i % 10);
    assert_true(scene_will_note(s, LEFT, "a key is lost"));
    scene_type(s, JUDGE, "x");
    assert_true(scene_wait(s, scene_is_over));
    assert_int_equal(scene_notes(s, JUDGE, "is lost"), 0);
    assert_true(shortest_us(s, 0) >= 25 * MS);
    assert_true(seen.count > 500);
    assert_string_equal(scene_end(s), "");
}

/* A paste waits at the keyboard while the line carries what came before: no key of it is lost. */
static void test_paste(void **state)
{
    (void)state;
    struct scene *s = begin("60 left", STARTS_EITHER, NULL);
    for (unsigned i = 0; i < 8000; i++)
        person_press(s->station[JUDGE].process, 'a' + i % 26);
    assert_true(scene_wait(s, scene_is_over));
    assert_int_equal(oracle_order(s->oracle, LEFT, SIDE_LEFT)->count, 8000);
    assert_string_equal(scene_end(s), "");
}

static void test_killed(void **state)
{
    static const char text[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    (void)state;
    struct scene *s = begin("60 left", STARTS_EITHER, NULL);
    scene_type(s, LEFT, text);
    scene_pass(s, 2 * SECOND);
    scene_kill(s, LEFT, 3 * SECOND / 2);
    see(s, text, 25 * MS);
    assert_string_equal(scene_end(s), "");
}

#define TYPED "Helo\b\bllo, judge.\n"
#define WHOLE "Who?\nHello, judge.\n"

/* A message comes without its mistakes, at one cadence, from a common moment on. */
static void test_message(void **state)
{
    (void)state;
    struct scene *s = begin("60 left", STARTS_EITHER, "message 60+-20 after 6000");
    scene_type(s, JUDGE, "Who?\n");
    assert_true(scene_wait(s, scene_is_quiet));
    scene_type(s, LEFT, TYPED);
    see(s, WHOLE, 40 * MS);
    assert_true(seen.us[0] - seen.asked_us >= 6000 * MS);
    assert_true(seen.us[0] - seen.asked_us < 6200 * MS);
    assert_string_equal(scene_end(s), "");
}

/* Killed in mid-message it is whole, and no faster. */
static void test_message_killed(void **state)
{
    (void)state;
    struct scene *s = begin("60 left", STARTS_EITHER, "message 60+-20 after 500");
    scene_type(s, JUDGE, "Who?\n");
    assert_true(scene_wait(s, scene_is_quiet));
    scene_type(s, LEFT, TYPED);
    while (oracle_order(s->oracle, JUDGE, SIDE_LEFT)->count < 8)
        scene_pass(s, 20 * MS);
    scene_kill(s, LEFT, 3 * SECOND);
    see(s, WHOLE, 40 * MS);
    assert_string_equal(scene_end(s), "");
}

/* Nor after a cable that was out for 5 s. */
static void test_unplugged(void **state)
{
    (void)state;
    struct scene *s = begin("60 left", STARTS_EITHER, "keys 60+-20");
    scene_type(s, LEFT, TYPED);
    scene_pass(s, SECOND / 2);
    cable_plug(s->cable[SIDE_LEFT], false);
    scene_pass(s, 5 * SECOND);
    cable_plug(s->cable[SIDE_LEFT], true);
    see(s, TYPED, 40 * MS);
    assert_string_equal(scene_end(s), "");
}

static unsigned ups(struct scene *s)
{
    return scene_notes(s, JUDGE, "the line is up");
}

/* Killed and started again an entity's end meets the judge's, and gives it the first key, not
 * before a moment that is the same whatever it takes up; chance hides how long the system took. */
static void test_restart(void **state)
{
    uint64_t least_us = UINT64_MAX, most_us = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct scene *s = scene_begin(
            &(struct scene_setup){.seed = seed, .plan = "60 left", .starts = STARTS_EITHER});
        assert_true(scene_wait(s, scene_is_open));
        scene_type(s, LEFT, "abcdefghijklmnopqrstuvwxyz");
        scene_pass(s, SECOND);
        scene_kill(s, LEFT, 0);
        uint64_t began_us = world_now();
        size_t placed = oracle_order(s->oracle, JUDGE, SIDE_LEFT)->count;
        unsigned was = ups(s);
        for (unsigned ms = 0; ups(s) == was && ms < 60000; ms++)
            scene_pass(s, MS);
        assert_true(world_now() - began_us >= 250 * MS);
        for (unsigned ms = 0;
             oracle_order(s->oracle, JUDGE, SIDE_LEFT)->count == placed && ms < 60000; ms++)
            scene_pass(s, MS);
        uint64_t first_us = world_now() - began_us;
        assert_true(first_us >= 850 * MS);
        least_us = first_us < least_us ? first_us : least_us;
        most_us = first_us > most_us ? first_us : most_us;
        assert_string_equal(scene_end(s), "");
    }
    assert_true(most_us - least_us > 220 * MS); /* more than between two keys of a person */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held),      cmocka_unit_test(test_room),
        cmocka_unit_test(test_paste),     cmocka_unit_test(test_killed),
        cmocka_unit_test(test_message),   cmocka_unit_test(test_message_killed),
        cmocka_unit_test(test_unplugged), cmocka_unit_test(test_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
