/* The film of a transcript: true pauses at every speed, seeking, parts; and its statistics. */
#include "tests/support/histories.h"
#include "transcript/player.h"
#include "transcript/stats.h"

#include "base/time.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define T0 1252251165610049u

static struct history h;
static struct player *player;
static struct player_view view;

static void add(enum side side, enum party party, uint64_t at_us, uint32_t point)
{
    const struct history_key key = {.posted_us = T0 + at_us,
                                    .point = point,
                                    .part = (uint16_t)(h.parts - 1),
                                    .side = (uint8_t)side,
                                    .party = (uint8_t)party};
    assert_int_equal(history_add_key(&h, &key), BL_OK);
}

static int setup(void **state)
{
    (void)state;
    assert_int_equal(history_add_part(&h, NULL), BL_OK);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    player_destroy(player);
    player = NULL;
    history_free(&h);
    return 0;
}

static void start(void)
{
    struct style style;
    style_default(&style);
    player = player_create(&h, &style);
    assert_non_null(player);
}

static size_t keys_at(uint64_t mono_us)
{
    player_run(player, mono_us);
    player_view(player, mono_us, &view);
    return view.keys;
}

/* What a party's pane of a side shows, of ASCII, rows separated by '/'. */
static const char *pane(enum side side, enum party party)
{
    static char text[512];
    size_t length = 0;
    for (unsigned row = 0; row < page_rows(view.page[side], party); row++) {
        struct page_row cells;
        page_row(view.page[side], party, row, &cells);
        if (row)
            text[length++] = '/';
        for (unsigned i = 0; i < cells.cells; i++)
            text[length++] = (char)cells.cell[i].point;
    }
    text[length] = '\0';
    return text;
}

static void test_pauses(void **state)
{
    static const unsigned speeds[] = {25, 50, 100, 333, 5000};
    (void)state;
    add(SIDE_LEFT, PARTY_JUDGE, 0, 'a');
    add(SIDE_LEFT, PARTY_JUDGE, 1000003, 'b');
    add(SIDE_RIGHT, PARTY_ENTITY, 61000007, 'c');
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        uint64_t mono_us = 7777, due_us[2];
        start();
        assert_int_equal(player_due(player), BL_NEVER); /* paused */
        player_speed(player, speeds[i], mono_us);
        player_pause(player, false, mono_us);
        assert_int_equal(keys_at(mono_us), 1);
        due_us[0] = player_due(player);
        /* The key's own place, and no earlier. */
        assert_int_equal(due_us[0] - mono_us, (1000003u * 100u + speeds[i] - 1) / speeds[i]);
        assert_int_equal(keys_at(due_us[0] - 1), 1);
        assert_int_equal(keys_at(due_us[0]), 2);
        /* However often it is asked in between. */
        for (uint64_t at = due_us[0]; at < player_due(player); at += 99991)
            assert_int_equal(keys_at(at), 2);
        due_us[1] = player_due(player);
        assert_int_equal(due_us[1] - mono_us, (61000007ull * 100u + speeds[i] - 1) / speeds[i]);
        assert_int_equal(keys_at(due_us[1]), 3);
        assert_true(view.ended);
        assert_int_equal(player_due(player), BL_NEVER);
        player_destroy(player);
        player = NULL;
    }
}

static void test_pause_and_speed(void **state)
{
    (void)state;
    add(SIDE_LEFT, PARTY_JUDGE, 0, 'a');
    add(SIDE_LEFT, PARTY_JUDGE, 10000000, 'b');
    start();
    player_pause(player, false, 0);
    assert_int_equal(keys_at(4000000), 1);
    player_pause(player, true, 4000000);
    assert_int_equal(keys_at(400000000), 1);
    assert_int_equal(view.at_us, 4000000);
    player_pause(player, false, 500000000);
    player_speed(player, 200, 501000000); /* one second more was played */
    assert_int_equal(player_due(player), 501000000 + 2500000);
    player_speed(player, 1, 501000000);
    player_view(player, 501000000, &view);
    assert_int_equal(view.speed, PLAYER_SLOWEST);
    player_speed(player, 100000, 501000000);
    player_view(player, 501000000, &view);
    assert_int_equal(view.speed, PLAYER_FASTEST);
    assert_int_equal(keys_at(UINT64_MAX), 2);
    assert_int_equal(player_faster(100), 200);
    assert_int_equal(player_slower(25), 25);
    assert_int_equal(player_faster(5000), 5000);
}

static void test_steps_back(void **state)
{
    (void)state;
    add(SIDE_LEFT, PARTY_JUDGE, 500000000, 'a');
    add(SIDE_LEFT, PARTY_JUDGE, 502000000, 'b');
    add(SIDE_LEFT, PARTY_JUDGE, 501000000, 'c'); /* out of order: at once, */
    add(SIDE_LEFT, PARTY_JUDGE, 503000000, 'd'); /* and this one where it was */
    add(SIDE_LEFT, PARTY_JUDGE, 100000000, 'e'); /* the clock was set: time goes on */
    add(SIDE_LEFT, PARTY_JUDGE, 104000000, 'f');
    start();
    player_view(player, 0, &view);
    assert_int_equal(view.length_us, 7000000);
    player_seek(player, 2000000, 0);
    player_view(player, 0, &view);
    assert_string_equal(pane(SIDE_LEFT, PARTY_JUDGE), "abc");
    player_seek(player, 3000000, 0);
    player_view(player, 0, &view);
    assert_string_equal(pane(SIDE_LEFT, PARTY_JUDGE), "abcde");
}

static void test_seek(void **state)
{
    (void)state;
    add(SIDE_LEFT, PARTY_JUDGE, 0, 'a');
    add(SIDE_RIGHT, PARTY_ENTITY, 5000000, 'x');
    assert_int_equal(history_add_part(&h, NULL), BL_OK);
    add(SIDE_LEFT, PARTY_JUDGE, 3600000000, 'b');
    add(SIDE_LEFT, PARTY_JUDGE, 3601000000, 'c');
    start();
    player_seek(player, UINT64_MAX, 0);
    player_view(player, 0, &view);
    assert_true(view.ended);
    assert_int_equal(view.part, 1);
    assert_string_equal(pane(SIDE_LEFT, PARTY_JUDGE), "bc"); /* its own page */
    assert_string_equal(pane(SIDE_RIGHT, PARTY_ENTITY), "");
    player_seek(player, 6000000, 0);
    player_view(player, 0, &view);
    assert_int_equal(view.keys, 2);
    assert_int_equal(view.part, 0);
    assert_string_equal(pane(SIDE_LEFT, PARTY_JUDGE), "a");
    assert_string_equal(pane(SIDE_RIGHT, PARTY_ENTITY), "x");
    player_next(player, 0);
    player_view(player, 0, &view);
    assert_int_equal(view.keys, 3);
    assert_int_equal(view.at_us, 3600000000);
    player_next(player, 0);
    player_next(player, 0);
    player_view(player, 0, &view);
    assert_int_equal(view.keys, 4);
}

/* Wherever one comes from, the page at a time is the same. */
static void test_seek_by_dice(void **state)
{
    struct dice dice = dice_make(dice_seed("seek"));
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        struct player *straight;
        struct style style;
        history_free(&h);
        histories_make(&dice, &h);
        start();
        style_default(&style);
        for (unsigned k = 0; k < 20; k++) {
            struct player_view other;
            uint8_t a[DIGEST_SIZE], b[DIGEST_SIZE];
            uint64_t at_us = dice_below(&dice, 200000000);
            player_seek(player, at_us, 0);
            player_view(player, 0, &view);
            straight = player_create(&h, &style);
            player_seek(straight, at_us, 0);
            player_view(straight, 0, &other);
            assert_int_equal(view.keys, other.keys);
            for (unsigned side = 0; side < SIDES; side++) {
                page_digest(view.page[side], a);
                page_digest(other.page[side], b);
                assert_memory_equal(a, b, DIGEST_SIZE);
            }
            player_destroy(straight);
        }
        player_destroy(player);
        player = NULL;
    }
}

static void test_empty(void **state)
{
    (void)state;
    start();
    player_pause(player, false, 5);
    assert_int_equal(keys_at(10), 0);
    assert_true(view.ended);
    assert_int_equal(view.length_us, 0);
    assert_int_equal(player_due(player), BL_NEVER);
    player_next(player, 11);
    player_seek(player, 100, 12);
}

static void test_stats(void **state)
{
    struct stats stats = {.of = {{{.keys = 0}}}};
    const struct stats_party *judge = &stats.of[SIDE_LEFT][PARTY_JUDGE];
    (void)state;
    /* Gaps of 100, 200, 300 and 400 ms, a pause of 3 s, one after a Return, and a step back. */
    add(SIDE_LEFT, PARTY_JUDGE, 0, 'H');
    add(SIDE_LEFT, PARTY_JUDGE, 100000, 'i');
    add(SIDE_LEFT, PARTY_ENTITY, 150000, 'x');
    add(SIDE_LEFT, PARTY_JUDGE, 300000, ' ');
    add(SIDE_LEFT, PARTY_JUDGE, 600000, 'y');
    add(SIDE_LEFT, PARTY_JUDGE, 3600000, KEY_BACKSPACE);
    add(SIDE_LEFT, PARTY_JUDGE, 4000000, KEY_RETURN);
    add(SIDE_LEFT, PARTY_JUDGE, 4500000, 'a');
    add(SIDE_LEFT, PARTY_JUDGE, 4400000, 'b');
    assert_int_equal(stats_compute(&h, &stats), BL_OK);
    assert_int_equal(judge->keys, 8);
    assert_int_equal(judge->words, 2); /* "Hi" and "ab": the y was taken back */
    assert_int_equal(judge->returns, 1);
    assert_int_equal(judge->gaps, 4);
    assert_int_equal(judge->median_us, 250000);
    assert_true(fabs(judge->variation - 0.516398) < 0.0001); /* 129.099 over 250 */
    assert_true(fabs(stats_backspace_share(judge) - 0.125) < 1e-9);
    assert_int_equal(stats.of[SIDE_LEFT][PARTY_ENTITY].keys, 1);
    assert_int_equal(stats.of[SIDE_LEFT][PARTY_ENTITY].words, 1);
    assert_int_equal(stats.of[SIDE_LEFT][PARTY_ENTITY].gaps, 0);
    assert_int_equal(stats.of[SIDE_RIGHT][PARTY_JUDGE].keys, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pauses, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pause_and_speed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_steps_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_seek, setup, teardown),
        cmocka_unit_test_setup_teardown(test_seek_by_dice, setup, teardown),
        cmocka_unit_test_setup_teardown(test_empty, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stats, setup, teardown),
    };
    return cmocka_run_group_tests_name("player", tests, NULL, NULL);
}
