/* Games by condition: exact numbers, roles and conditions even, nobody twice. The draw itself is
 * held against another program's by system/games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/games.h"
#include "tests/support/random.h"

static struct games games, other;
static struct bl_diag diag;

static void draw(const struct games_need *need)
{
    if (games_draw(&games, need, &diag))
        fail_msg("%u people, %u of %u: %s", need->people, need->conditions, need->each, diag.text);
}

/* All that must hold of one draw. */
static void check(const struct games_need *need)
{
    static bool met[GAMES_PEOPLE_MAX][GAMES_PEOPLE_MAX];
    static unsigned judged[GAMES_PEOPLE_MAX][GAMES_CONDITIONS_MAX];
    unsigned role[2][GAMES_PEOPLE_MAX] = {{0}}, of[GAMES_CONDITIONS_MAX] = {0};
    unsigned booked[GAMES_PEOPLE_MAX] = {0}, booth = 0;
    memset(met, 0, sizeof met);
    memset(judged, 0, sizeof judged);
    draw(need);
    assert_int_equal(games.count, need->conditions * need->each);
    assert_int_equal(games.game[0].round, 0);
    assert_int_equal(games.rounds, games.game[games.count - 1].round + 1);
    for (unsigned i = 0; i < games.count; i++) {
        const struct game *g = &games.game[i];
        bool same = i && g->round == g[-1].round;
        assert_true(i == 0 || same || g->round == g[-1].round + 1);
        booth = same ? booth + 1 : 0;
        assert_int_equal(g->booth, booth);
        assert_true(booth < need->booths);
        assert_true(g->judge < need->people && g->confederate < need->people);
        assert_int_not_equal(g->judge, g->confederate);
        assert_false(met[g->judge][g->confederate]);
        met[g->judge][g->confederate] = met[g->confederate][g->judge] = true;
        assert_int_not_equal(booked[g->judge], g->round + 1);
        assert_int_not_equal(booked[g->confederate], g->round + 1);
        booked[g->judge] = booked[g->confederate] = g->round + 1U;
        assert_true(g->condition < need->conditions);
        of[g->condition]++;
        judged[g->judge][g->condition]++;
        role[0][g->judge]++;
        role[1][g->confederate]++;
    }
    for (unsigned c = 0; c < need->conditions; c++)
        assert_int_equal(of[c], need->each);
    for (unsigned p = 0; p < need->people; p++) {
        for (unsigned c = 0; c < need->conditions; c++)
            for (unsigned d = 0; d < c; d++)
                assert_in_range(judged[p][c] + 1 - judged[p][d], 0, 2);
        for (unsigned q = 0; q < p; q++)
            for (unsigned r = 0; r < 2; r++)
                assert_in_range(role[r][p] + 1 + need->people % 2 - role[r][q], 0,
                                2 + 2 * (need->people % 2));
    }
}

static void test_sixty_people(void **state)
{
    const struct games_need need = {
        .people = 60, .conditions = 3, .each = 100, .booths = 30, .key = "k"};
    (void)state;
    check(&need);
    assert_int_equal(games.rounds, 10);
}

/* Every pair of an even and of an odd number, and the limits. */
static void test_limits(void **state)
{
    const struct games_need rows[] = {
        {.people = 2, .conditions = 1, .each = 1, .booths = 1},
        {.people = 8, .conditions = 4, .each = 7, .booths = 2},
        {.people = 9, .conditions = 6, .each = 6, .booths = 64},
        {.people = 999, .conditions = 64, .each = 1024, .booths = 64},
        {.people = 998, .conditions = 1, .each = 65536, .booths = 1},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(&rows[i]);
}

static void test_any_numbers(void **state)
{
    struct dice dice = dice_make(dice_seed("test_games"));
    (void)state;
    for (unsigned run = 0; run < 300; run++) {
        struct games_need need = {.booths = 1 + (unsigned)dice_below(&dice, GAMES_BOOTHS_MAX)};
        need.people = 4 + (unsigned)dice_below(&dice, 90);
        need.conditions = 1 + (unsigned)dice_below(&dice, 6);
        unsigned most = need.people * (need.people - 1) / 2 / need.conditions;
        need.each = 1 + (unsigned)dice_below(&dice, most);
        for (unsigned i = 0; i < GAMES_KEY; i++)
            need.key[i] = (uint8_t)dice_below(&dice, 256);
        check(&need);
    }
}

/* Each key draws its own games, and the same ones again. */
static void test_the_key_decides(void **state)
{
    struct games_need need = {.people = 20, .conditions = 2, .each = 20, .booths = 10};
    const size_t bytes = 40 * sizeof games.game[0];
    (void)state;
    draw(&need);
    other = games;
    draw(&need);
    assert_memory_equal(games.game, other.game, bytes);
    need.key[15] = 1;
    draw(&need);
    assert_int_not_equal(memcmp(games.game, other.game, bytes), 0);
}

static void test_refusals(void **state)
{
    const struct {
        struct games_need need;
        const char *said;
    } rows[] = {
        {{1, 1, 1, 1, {0}}, "1 person: expected 2 to 999"},
        {{1000, 1, 1, 1, {0}}, "1000 people: expected 2 to 999"},
        {{9, 1, 1, 0, {0}}, "0 booths: expected 1 to 64"},
        {{9, 1, 1, 65, {0}}, "65 booths: expected 1 to 64"},
        {{9, 0, 1, 1, {0}}, "0 conditions: expected 1 to 64 Entries"},
        {{9, 65, 1, 1, {0}}, "65 conditions: expected 1 to 64 Entries"},
        {{999, 2, 32769, 1, {0}}, "32769 games of 2 conditions: expected 1 to 65536 in all"},
        {{9, 1, 0, 1, {0}}, "0 games of 1 condition: expected 1 to 65536 in all"},
        {{9, 1, 37, 1, {0}}, "37 games: 9 people are 36 pairs"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(games_draw(&games, &rows[i].need, &diag), BL_DATA);
        if (!strstr(diag.text, rows[i].said))
            fail_msg("'%s' does not say '%s'", diag.text, rows[i].said);
    }
    assert_int_equal(games_design("games-per-condition 100"), 100);
    assert_int_equal(games_design("games-per-condition 0"), 0);
    assert_int_equal(games_design("games-per-condition 100 "), 0);
    assert_int_equal(games_design("games-per-condition 65537"), 0);
    assert_int_equal(games_design("games-per-condition"), 0);
    assert_int_equal(games_design("everybody"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sixty_people), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_any_numbers),  cmocka_unit_test(test_the_key_decides),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
