/* The ballot's form, fed with keys: what it takes, what it refuses, and what it never takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "session/event.h"
#include "terminal/form_draw.h"

static struct form form;

static void begin(enum ballot_kind kind, int most)
{
    const struct vote_rules rules = {
        .kind = kind, .most = most, .ranks = kind == BALLOT_RANKS ? 3 : 0};
    form_begin(&form, &rules);
    form_feed(&form, INPUT_F3, 0);
}

/* Types; '\n' is Return, '\t' Tab, '\b' BackSpace. The last answer. */
static enum form_answer type(const char *text)
{
    enum form_answer answer = FORM_NOT_MINE;
    for (; *text; text++)
        answer = form_feed(&form, INPUT_POINT,
                           *text == '\n'   ? KEY_RETURN
                           : *text == '\t' ? KEY_TAB
                           : *text == '\b' ? KEY_BACKSPACE
                                           : (uint32_t)*text);
    return answer;
}

/* What would be given, as text. */
static const char *stands(void)
{
    static char text[VOTE_TEXT_MAX + 1];
    struct vote vote;
    struct bl_diag diag;
    if (form_vote(&form, &vote, &diag) != BL_OK)
        return diag.text[0] ? "nothing" : "";
    vote_format(&vote, &form.rules, text);
    return text;
}

static void points_fill_each_other(void **state)
{
    (void)state;
    begin(BALLOT_POINTS, 0);
    assert_int_equal(type("\n"), FORM_TAKEN);
    assert_string_equal(form.hint, "Type the points of the left or of the right first.");
    assert_int_equal(type("60"), FORM_TAKEN);
    assert_string_equal(stands(), "left 60 right 40");
    type("1"); /* 601 */
    assert_string_equal(form.hint, "At most 100 points.");
    assert_string_equal(stands(), "left 60 right 40");
    type("\t35"); /* the right's begins anew */
    assert_string_equal(stands(), "left 65 right 35");
    type("\b");
    assert_string_equal(stands(), "left 97 right 3");
    type("\b");
    assert_string_equal(stands(), "nothing");
    type("x.-");
    assert_string_equal(form.hint, "Type a whole number.");
    assert_string_equal(stands(), "nothing");
    type("050");
    assert_string_equal(form.number[1], "50");
    assert_int_equal(type("\n"), FORM_TAKEN); /* a tie: 2004 A15 */
    assert_string_equal(form.hint, "50 and 50 is a tie: one of the two gets 51 or more");
    assert_int_equal(type("49\n"), FORM_GIVE);
    assert_string_equal(stands(), "left 51 right 49");
    type("100");
    assert_string_equal(stands(), "left 0 right 100");
}

static void one_of_two(void **state)
{
    (void)state;
    begin(BALLOT_HUMAN, 0);
    assert_int_equal(type("h1 \n"), FORM_TAKEN);
    assert_string_equal(stands(), "nothing");
    assert_int_equal(type("\tnote\n"), FORM_TAKEN); /* the choice is asked for, and is typed next */
    assert_int_equal(type("r\n"), FORM_GIVE);
    assert_string_equal(stands(), "human right notes note");
    type("\t\b\b\b\b\tL");
    assert_string_equal(stands(), "human left");
    type("\b");
    assert_string_equal(stands(), "nothing");
    begin(BALLOT_VERDICT, 0);
    type("l");
    assert_string_equal(form.hint, "Press H or M.");
    assert_int_equal(type("m\n"), FORM_GIVE);
    assert_string_equal(stands(), "verdict machine");
    type("H");
    assert_string_equal(stands(), "verdict human");
}

/* The rules' other fields stand between the kind's own and the notes. */
static void other_fields_are_typed(void **state)
{
    const struct vote_rules rules = {
        .kind = BALLOT_HUMAN,
        .asked = {.count = 3,
                  .field = {{.name = "tilt", .type = ASKS_NUMBER, .least = -100, .most = 100},
                            {.name = "sure",
                             .type = ASKS_CHOICE,
                             .words = "guess think know gone",
                             .required = true},
                            {.name = "reason", .type = ASKS_TEXT, .most = 5, .required = true}}}};
    char label[FORM_LABEL];
    (void)state;
    form_begin(&form, &rules);
    form_feed(&form, INPUT_F3, 0);
    assert_int_equal(form_rows(&form), 6 + 1 + 1 + 2);
    assert_int_equal(type("l\n"), FORM_TAKEN);
    assert_string_equal(form.hint, "sure: expected one of: guess think know gone");
    assert_true(form_is_asked(&form, 1)); /* the field at fault is the one to type in */
    assert_int_equal(form_feed(&form, INPUT_UP, 0), FORM_TAKEN);
    type("-07");
    assert_true(form_is_asked(&form, 0));
    assert_string_equal(form.values.text[0], "-7");
    type("5\b");
    type("00");
    assert_string_equal(form.values.text[0], "-70");
    assert_string_equal(form.hint, "Expected a whole number from -100 to 100.");
    type("x");
    assert_string_equal(form.values.text[0], "-70");
    type("\tg");
    assert_string_equal(form.values.text[1], "guess");
    type("g");
    assert_string_equal(form.values.text[1], "gone");
    type("G");
    assert_string_equal(form.values.text[1], "guess");
    type("\b");
    assert_string_equal(form.values.text[1], "");
    type("k\n");
    assert_string_equal(form.hint, "reason: expected a text of one line, of at most 5 bytes");
    type("a \"bc");
    assert_string_equal(form.values.text[2], "a \"bc");
    type("d");
    assert_string_equal(form.hint, "There is no more room: at most 5 bytes.");
    type("\tn\n");
    assert_string_equal(stands(), "human left tilt -70 sure know reason \"a \\\"bc\" notes n");
    form_label(&form, 0, label);
    assert_string_equal(label, "tilt, -100 to 100");
    /* The given ballot comes back. */
    struct vote vote;
    assert_int_equal(form_vote(&form, &vote, NULL), BL_OK);
    form_begin(&form, &rules);
    form_set(&form, &vote, true);
    assert_string_equal(stands(), "human left tilt -70 sure know reason \"a \\\"bc\" notes n");
}

static void ratings_have_fractions(void **state)
{
    (void)state;
    begin(BALLOT_SCALE, 5);
    assert_int_equal(type("3.25\n"), FORM_GIVE);
    assert_string_equal(stands(), "rating 3.25");
    type("5.1");
    assert_string_equal(form.hint, "A rating is from 0 to 5.");
    assert_string_equal(stands(), "rating 5");
    type("\b\b0,125");
    assert_string_equal(stands(), "rating 0.125");
    type("7");
    assert_string_equal(form.hint, "A rating has at most three decimals, such as 3.25.");
    begin(BALLOT_HOW_HUMAN, 10);
    type("11");
    assert_string_equal(stands(), "rating 1");
    type("0");
    assert_string_equal(stands(), "rating 10");
}

static void ranks_are_a_permutation(void **state)
{
    (void)state;
    begin(BALLOT_RANKS, 0);
    type("4");
    assert_string_equal(form.hint, "A rank is from 1 to 3.");
    assert_int_equal(type("3\t1\t1\n"), FORM_TAKEN);
    assert_string_equal(form.hint, "two have the rank 1: each rank is given once");
    assert_int_equal(type("2\n"), FORM_GIVE);
    assert_string_equal(stands(), "ranks 3 1 2");
    form_feed(&form, INPUT_UP, 0);
    assert_int_equal(form.field, 1);
    form_feed(&form, INPUT_DOWN, 0);
    form_feed(&form, INPUT_DOWN, 0);
    assert_true(form_in_notes(&form));
    form_feed(&form, INPUT_DOWN, 0);
    assert_int_equal(form.field, 0);
}

static void notes_are_bounded(void **state)
{
    struct vote vote;
    (void)state;
    begin(BALLOT_HUMAN, 0);
    type("l\tabc");
    form_feed(&form, INPUT_POINT, 0x1F642);
    form_feed(&form, INPUT_POINT, 0xE9);
    assert_string_equal(form.notes, "abc\xF0\x9F\x99\x82\xC3\xA9");
    type("\b\b");
    assert_string_equal(form.notes, "abc");
    for (unsigned i = 0; i < 2 * VOTE_NOTES_MAX; i++)
        form_feed(&form, INPUT_POINT, i % 7 ? 0x4E2D : 'x');
    assert_in_range(strlen(form.notes), VOTE_NOTES_MAX - 3, VOTE_NOTES_MAX);
    assert_true(vote_notes_good(form.notes, strlen(form.notes)));
    assert_int_equal(form_vote(&form, &vote, NULL), BL_OK);
    assert_int_equal(type("\n"), FORM_GIVE);
}

static void a_form_that_is_not_open_takes_nothing(void **state)
{
    static const enum form_state states[] = {FORM_AWAY, FORM_SHOWN};
    struct form before;
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        begin(BALLOT_HUMAN, 0);
        form.state = states[i];
        before = form;
        assert_int_equal(type("left right\n\t\b"), FORM_NOT_MINE);
        assert_int_equal(form_feed(&form, INPUT_UP, 0), FORM_NOT_MINE);
        assert_memory_equal(&before, &form, sizeof form);
    }
    /* Open it leaves alone what looks back, calls the steward, helps. */
    begin(BALLOT_HUMAN, 0);
    for (enum input_what what = INPUT_F1; what <= INPUT_SILENT; what++)
        if (what != INPUT_F3 && what != INPUT_UP && what != INPUT_DOWN)
            assert_int_equal(form_feed(&form, what, 0), FORM_NOT_MINE);
    /* And without a ballot there is no F3. */
    begin(BALLOT_NONE, 0);
    assert_int_equal(form_feed(&form, INPUT_F3, 0), FORM_NOT_MINE);
    assert_int_equal(form_rows(&form), 0);
}

/* It comes by itself, and opens when nobody has typed for a while: what was meant for an entity is
 * not on it. */
static void it_opens_by_itself(void **state)
{
    const uint64_t came_us = 1000;
    (void)state;
    begin(BALLOT_HUMAN, 0);
    assert_true(form_open_by_itself(&form, 0, UINT64_MAX / 2) == UINT64_MAX); /* it is open */
    form.state = FORM_AWAY;
    assert_true(form_open_by_itself(&form, 0, UINT64_MAX / 2) == UINT64_MAX);
    assert_int_equal(form.state, FORM_AWAY);
    form.state = FORM_SHOWN;
    assert_true(form_open_by_itself(&form, came_us, came_us) == came_us + FORM_QUIET_US);
    assert_int_equal(form_feed(&form, INPUT_POINT, 'l'), FORM_NOT_MINE);
    assert_true(form_open_by_itself(&form, came_us + 9, came_us + FORM_QUIET_US) ==
                came_us + 9 + FORM_QUIET_US);
    assert_int_equal(form.state, FORM_SHOWN);
    assert_true(form_open_by_itself(&form, came_us + 9, came_us + 9 + FORM_QUIET_US) == UINT64_MAX);
    assert_int_equal(form.state, FORM_OPEN);
    /* Who was about to press F3 does not close it. */
    assert_int_equal(form_feed(&form, INPUT_F3, 0), FORM_TAKEN);
    assert_int_equal(form.state, FORM_OPEN);
    assert_int_equal(form_feed(&form, INPUT_F3, 0), FORM_TAKEN);
    assert_int_equal(form.state, FORM_AWAY);
}

static void a_late_one_asks_first(void **state)
{
    (void)state;
    begin(BALLOT_HUMAN, 0);
    form.standing = FORM_OVERDUE;
    assert_int_equal(type("\n"), FORM_TAKEN); /* nothing is chosen yet */
    assert_int_equal(type("l\n"), FORM_TAKEN);
    assert_non_null(strstr(form.hint, "Press Return again"));
    /* Any other key takes the question back. */
    assert_int_equal(type("r\n"), FORM_TAKEN);
    assert_int_equal(type("\t\n"), FORM_TAKEN);
    assert_int_equal(type("\n"), FORM_GIVE);
    assert_string_equal(stands(), "human right");
    /* In time none is asked. */
    form.standing = FORM_GIVEN;
    assert_int_equal(type("\n"), FORM_GIVE);
}

static void an_early_one_asks_first(void **state)
{
    (void)state;
    begin(BALLOT_HUMAN, 0);
    form.ends = true;
    assert_int_equal(type("l\n"), FORM_TAKEN);
    assert_non_null(strstr(form.hint, "it ends the conversation"));
    assert_int_equal(type("r\n"), FORM_TAKEN);
    assert_int_equal(type("\n"), FORM_GIVE);
    form.ends = false; /* the time was over meanwhile */
    assert_int_equal(type("l\n"), FORM_GIVE);
}

static void a_sealed_ballot_stays(void **state)
{
    (void)state;
    begin(BALLOT_POINTS, 0);
    type("60\n");
    form.standing = FORM_SEALED;
    assert_int_equal(type("\t70\n\b"), FORM_TAKEN);
    assert_string_equal(form.hint, "The ballot is sealed: it can no longer be changed.");
    assert_string_equal(stands(), "left 60 right 40");
}

static void what_was_given_is_set_again(void **state)
{
    static const struct {
        enum ballot_kind kind;
        const char *text;
    } rows[] = {{BALLOT_POINTS, "left 7 right 93 notes n"},
                {BALLOT_HUMAN, "human right"},
                {BALLOT_SCALE, "rating 4.1 notes of it"},
                {BALLOT_VERDICT, "verdict machine"},
                {BALLOT_RANKS, "ranks 2 3 1"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct vote vote;
        begin(rows[i].kind, 5);
        assert_int_equal(vote_parse(&vote, &form.rules, rows[i].text, strlen(rows[i].text), NULL),
                         BL_OK);
        form_set(&form, &vote, true);
        assert_string_equal(stands(), rows[i].text);
        assert_int_equal(type("\n"), FORM_GIVE);
    }
}

/* A given vote is said; and one alone is not both the most human and the least. */
static void a_given_vote_is_said(void **state)
{
    static const struct {
        enum ballot_kind kind;
        const char *keys, *said;
    } rows[] = {{BALLOT_POINTS, "60", "GIVEN 23:31: LEFT 60, RIGHT 40"},
                {BALLOT_HUMAN, "r", "GIVEN 23:31: RIGHT is the human"},
                {BALLOT_SCALE, "4.5", "GIVEN 23:31: 4.5"},
                {BALLOT_VERDICT, "m", "GIVEN 23:31: MACHINE"}};
    char words[FORM_WORDS], question[FORM_ABOUT];
    bool good;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin(rows[i].kind, 5);
        type(rows[i].keys);
        form.standing = FORM_GIVEN;
        form.changed = false;
        snprintf(form.given, sizeof form.given, "23:31");
        form_standing_words(&form, words, &good);
        assert_string_equal(words, rows[i].said);
        assert_true(good);
    }
    begin(BALLOT_RANKS, 0);
    form.rules.ranks = 1;
    form_question(&form, question);
    assert_string_equal(question, "There is one entity to rank: its rank is 1.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_fill_each_other),
        cmocka_unit_test(one_of_two),
        cmocka_unit_test(other_fields_are_typed),
        cmocka_unit_test(ratings_have_fractions),
        cmocka_unit_test(ranks_are_a_permutation),
        cmocka_unit_test(notes_are_bounded),
        cmocka_unit_test(a_form_that_is_not_open_takes_nothing),
        cmocka_unit_test(it_opens_by_itself),
        cmocka_unit_test(a_late_one_asks_first),
        cmocka_unit_test(an_early_one_asks_first),
        cmocka_unit_test(a_sealed_ballot_stays),
        cmocka_unit_test(what_was_given_is_set_again),
        cmocka_unit_test(a_given_vote_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
