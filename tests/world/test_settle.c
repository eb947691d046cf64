/* Records of the two ends that are not the same when a session is over or stands still, and
 * `boothlink journal settle`, which makes them so. */
#include "booth/say.h"
#include "command/command.h"
#include "journal/journal.h"
#include "tests/world/controller.h"
#include "tests/world/oracles.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

extern const struct command command_journal;
const struct command *const commands[] = {&command_journal, NULL};
const char *const command_users[] = {"The manager", NULL};
const struct message_room *const command_messages = message_rooms;

static struct scene *begin(const char *plan, bool controller)
{
    struct scene *s = scene_begin(&(struct scene_setup){
        .seed = 9, .plan = plan, .starts = STARTS_EITHER, .controller = controller});
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, LEFT, "And so does the entity, before it.\n");
    scene_type(s, JUDGE, "A judge types this");
    assert_true(scene_wait(s, scene_is_quiet));
    return s;
}

static bool is_closed(struct scene *s)
{
    return oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).segment >= SEGMENT_CLOSED;
}

static bool is_agreed(struct scene *s)
{
    return oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).outcome == CLOSE_AGREED;
}

static size_t keys(struct scene *s, enum place place)
{
    return oracle_order(s->oracle, place, SIDE_LEFT)->count;
}

/* The entity's end has the beginning of the order, and less of it. */
static void see_beginning(struct scene *s)
{
    char had[400];
    snprintf(had, sizeof had, "%s", scene_text(s, LEFT, SIDE_LEFT));
    assert_true(keys(s, LEFT) < keys(s, JUDGE));
    assert_memory_equal(scene_text(s, JUDGE, SIDE_LEFT), had, strlen(had));
}

static char path[PARTIES][PATH_MAX];

static int settle_main(void *arg)
{
    char *words[] = {(char *)"boothlink", (char *)"journal",  (char *)"settle",
                     path[PARTY_JUDGE],   path[PARTY_ENTITY], NULL};
    (void)arg;
    return boothlink_main(5, words);
}

static void run_settle(struct scene *s)
{
    static const enum place place[PARTIES] = {[PARTY_JUDGE] = JUDGE, [PARTY_ENTITY] = LEFT};
    struct process *desk = machine_run(machine_create("desk"), settle_main, NULL);
    for (unsigned i = 0; i < PARTIES; i++)
        journal_name(machine_folder(s->station[place[i]].machine), "s", (enum party)i, path[i]);
    scene_pass(s, SECOND);
    assert_false(process_lives(desk));
    assert_int_equal(process_status(desk), 0);
    for (unsigned i = 0; i < PARTIES; i++) {
        machine_wrote(s->station[place[i]].machine, path[i]);
        oracle_read(s->oracle, place[i]);
    }
}

/* After that they are the same, as they were at the judge's end. */
static void settle(struct scene *s)
{
    char text[400];
    snprintf(text, sizeof text, "%s", scene_text(s, JUDGE, SIDE_LEFT));
    run_settle(s);
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), text);
    assert_string_equal(scene_text(s, LEFT, SIDE_LEFT), text);
}

/* A cable comes out and the judge types on; then both ends are ended, and settled, and go on. */
static void test_cut(void **state)
{
    (void)state;
    struct scene *s = begin("90 left", false);
    cable_plug(s->cable[SIDE_LEFT], false);
    scene_type(s, JUDGE, " and more of it.");
    scene_pass(s, 2 * SECOND);
    scene_kill(s, JUDGE, 10 * SECOND);
    scene_kill(s, LEFT, 10 * SECOND);
    see_beginning(s);
    settle(s);
    cable_plug(s->cable[SIDE_LEFT], true);
    scene_type(s, LEFT, "Again.");
    assert_true(scene_wait(s, scene_is_quiet));
    assert_non_null(strstr(scene_text(s, JUDGE, SIDE_LEFT), "Again."));
    assert_true(scene_wait(s, scene_is_over));
    assert_true(is_agreed(s));
    assert_string_equal(scene_end(s), "");
}

/* A part whose end nobody at the other end hears. */
static void test_unheard(void **state)
{
    (void)state;
    struct scene *s = begin("20 left", false);
    cable_plug(s->cable[SIDE_LEFT], false);
    scene_type(s, JUDGE, " and more of it.");
    assert_true(scene_wait(s, scene_is_over));
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).outcome, CLOSE_UNCONFIRMED);
    assert_int_equal(oracle_recorded(s->oracle, LEFT, SIDE_LEFT).outcome, CLOSE_PREFIX);
    see_beginning(s);
    settle(s);
    assert_int_equal(oracle_recorded(s->oracle, JUDGE, SIDE_LEFT).outcome, CLOSE_SETTLED);
    assert_int_equal(oracle_recorded(s->oracle, LEFT, SIDE_LEFT).outcome, CLOSE_SETTLED);
    assert_string_equal(scene_end(s), "");
}

/* The ends have agreed, the entity's machine loses its power before its disk has the last keys, and
 * the controller has cut the line: its record says that it has a beginning. */
static void test_lost(void **state)
{
    (void)state;
    struct scene *s = begin("20 left,5 right", true);
    machine_spoil(s->station[LEFT].machine, true);
    scene_type(s, LEFT, "The last words.");
    assert_true(scene_wait(s, is_agreed));
    scene_cut_power(s, LEFT, SECOND);
    machine_spoil(s->station[LEFT].machine, false);
    assert_true(scene_wait(s, is_closed));
    assert_true(scene_wait(s, scene_is_over));
    assert_true(is_agreed(s));
    assert_int_equal(oracle_recorded(s->oracle, LEFT, SIDE_LEFT).outcome, CLOSE_PREFIX);
    see_beginning(s);
    assert_null(oracle_verdict(s->oracle));
    settle(s);
    scene_end(s); /* its record of pressed keys is as short as it was */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_unheard),
        cmocka_unit_test(test_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
