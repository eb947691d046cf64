/* Words of a command line as members of acts, and the rows of the verbs that name these members. */
#include "cli/contest.h"
#include "contest/act_field.h"
#include "contest/act_word.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool has_member(enum act_kind kind, const char *key)
{
    return strcmp(key, "session") == 0
               ? act_field_find(kind, "round") && act_field_find(kind, "judge")
               : act_field_find(kind, key) != NULL;
}

/* A row names its members by text: a wrong one would end the program. */
static void test_the_words_of_each_verb_are_members_of_its_act(void **state)
{
    unsigned acts = 0, undone = 0;
    (void)state;
    for (const struct command *verb = NULL; (verb = command_next_verb(&command_contest, verb));) {
        const struct contest_verb *act = verb->act;
        const char *name = command_verb_name(verb);
        if (!act)
            continue;
        acts++;
        for (unsigned i = 0; i < CONTEST_WORDS && act->words[i]; i++) {
            assert_true(has_member(act->kind, act->words[i]));
            assert_true(i + 1 < verb->most);
        }
        if (act->why)
            assert_true(has_member(act->kind, "why"));
        assert_false(act->done && act->tell);
        assert_int_equal(act->undone || act->untell, act_undo_key(name) != NULL);
        if (act_undo_key(name)) {
            undone++;
            assert_non_null(strstr(ACT_UNDONE, name));
            assert_true(!*act_undo_key(name) || has_member(ACT_UNDO, act_undo_key(name)));
        }
    }
    assert_true(acts > 25);
    assert_int_equal(undone, 7);
}

static void test_a_word_becomes_a_member(void **state)
{
    struct contest *contest = contest_create();
    struct act_body act = {.kind = ACT_CONFLICT};
    struct bl_diag diag;
    (void)state;
    assert_int_equal(act_word(contest, &act, "who", "J1", &diag), BL_OK);
    assert_int_equal(act_word(contest, &act, "with_", "E64", &diag), BL_OK);
    assert_int_equal(act.conflict.who.role, CONTEST_JUDGE);
    assert_int_equal(act.conflict.with.role, CONTEST_ENTRY);
    assert_int_equal(act.conflict.with.number, 64);
    assert_int_equal(act_word(contest, &act, "who", "X1", &diag), BL_USAGE);
    assert_non_null(strstr(diag.text, "'X1': expected J1 for a judge"));
    act = (struct act_body){.kind = ACT_SCORE};
    assert_int_equal(act_word(contest, &act, "entry", "J1", &diag), BL_USAGE);
    assert_non_null(strstr(diag.text, "'J1': expected E1"));
    assert_int_equal(act_word(contest, &act, "question", "3", &diag), BL_OK);
    assert_int_equal(act.score.question, 3);
    assert_int_equal(act_word(contest, &act, "points", "3x", &diag), BL_USAGE);
    assert_int_equal(act_word(contest, &act, "points", "", &diag), BL_USAGE);
    act = (struct act_body){.kind = ACT_BEGIN};
    assert_int_equal(act_word(contest, &act, "round", "2", &diag), BL_OK);
    assert_int_equal(act.begin.round, 2);
    assert_int_equal(act_word(contest, &act, "round", "0", &diag), BL_USAGE);
    act = (struct act_body){.kind = ACT_EXCLUDE};
    assert_int_equal(act_word(contest, &act, "session", "r1-j1", &diag), BL_DATA);
    act = (struct act_body){.kind = ACT_PERSON};
    assert_int_equal(act_word(contest, &act, "role", "judge", &diag), BL_OK);
    assert_int_equal(act_word(contest, &act, "name", "Ann", &diag), BL_OK);
    assert_int_equal(act.person.role, CONTEST_JUDGE);
    assert_string_equal(act.person.name, "Ann");
    contest_destroy(contest);
}

static void test_votes_are_for_and_against(void **state)
{
    struct contest *contest = contest_create();
    struct act_votes votes = {.given = false};
    struct bl_diag diag;
    (void)state;
    contest->people[CONTEST_JUDGE] = 5;
    assert_int_equal(act_word_votes(contest, &votes, "3:2", false, &diag), BL_OK);
    assert_true(votes.given && votes.for_it == 3 && votes.against == 2 && votes.judges == 5);
    assert_int_equal(act_word_votes(contest, &votes, "2:1", true, &diag), BL_OK);
    assert_true(votes.panel && votes.judges == 0);
    assert_int_equal(act_word_votes(contest, &votes, "3", false, &diag), BL_USAGE);
    assert_int_equal(act_word_votes(contest, &votes, NULL, false, &diag), BL_USAGE);
    contest_destroy(contest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_words_of_each_verb_are_members_of_its_act),
        cmocka_unit_test(test_a_word_becomes_a_member),
        cmocka_unit_test(test_votes_are_for_and_against),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
