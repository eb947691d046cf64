/* What a judge says, as text and back; and the files that keep it, whole, cut and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "rules/ballot_file.h"
#include "rules/ballot_kind.h"
#include "tests/support/random.h"

static const struct vote_rules points = {.kind = BALLOT_POINTS};
static const struct vote_rules human = {.kind = BALLOT_HUMAN};
static const struct vote_rules scale = {.kind = BALLOT_SCALE, .most = 5};
static const struct vote_rules verdict = {.kind = BALLOT_VERDICT};
static const struct vote_rules ranks = {.kind = BALLOT_RANKS, .ranks = 4};

static const struct vote_rules asked = {
    .kind = BALLOT_HUMAN,
    .asked = {.count = 3,
              .field = {{.name = "confidence", .type = ASKS_NUMBER, .least = -5, .most = 100},
                        {.name = "sure", .type = ASKS_CHOICE, .words = "guess think know"},
                        {.name = "reason", .type = ASKS_TEXT, .most = 20, .required = true}}}};

static void texts_are_read_and_written(void **state)
{
    static const struct {
        const struct vote_rules *rules;
        const char *text;
        const char *wrong; /* NULL: it is right, and written as it was */
    } rows[] = {
        {&points, "left 60 right 40", NULL},
        {&points, "left 0 right 100 notes no words at all", NULL},
        {&points, "left 60 right 40 notes  two blanks  and *an asterisk ", NULL},
        {&points, "left 50 right 50", "50 and 50 is a tie: one of the two gets 51 or more"},
        {&points, "left 60 right 41", "60 and 41: expected whole points, 100 in all"},
        {&points, "left 60",
         "\"left 60\" is no ballot of these rules: expected 'left 60 right 40'"},
        {&points, "left 6o right 40", "is no ballot"},
        {&points, "left -60 right 160", "is no ballot"},
        {&points, "left 60 right 40 and more", "is no ballot"},
        {&points, "left 60  right 40", "is no ballot"},
        {&points, "left 60 right 40 notes a\tb", "notes are one line of UTF-8"},
        {&points, "left 60 right 40 notes \xFF", "notes are one line of UTF-8"},
        {&points, "left 60 right 40 notes \xC2\x9B", "notes are one line of UTF-8"},
        {&human, "human left", NULL},
        {&human, "human right notes \xC3\xA9", NULL},
        {&human, "human both", "expected 'human left' or 'human right'"},
        {&human, "left 60 right 40", "expected 'human left' or 'human right'"},
        {&scale, "rating 3.25", NULL},
        {&scale, "rating 0", NULL},
        {&scale, "rating 5", NULL},
        {&scale, "rating 4.125", NULL},
        {&scale, "rating 5.001", "expected a rating from 0 to 5, such as 3.25"},
        {&scale, "rating 3.2555", "expected 'rating 3.25'"},
        {&scale, "rating .5", "expected 'rating 3.25'"},
        {&scale, "rating -1", "expected 'rating 3.25'"},
        {&scale, "rating", "expected 'rating 3.25'"},
        {&scale, "rating 99999999999999999999", "expected 'rating 3.25'"},
        {&verdict, "verdict human", NULL},
        {&verdict, "verdict machine", NULL},
        {&verdict, "verdict left", "expected 'verdict human' or 'verdict machine'"},
        {&ranks, "ranks 4 1 2 3", NULL},
        {&ranks, "ranks 4 1 2", "expected 'ranks' with one for each"},
        {&ranks, "ranks 4 1 2 2", "two have the rank 2: each rank is given once"},
        {&ranks, "ranks 5 1 2 3", "each needs a rank from 1, the least human, to 4"},
        {&ranks, "ranks 0 1 2 3", "each needs a rank from 1, the least human, to 4"},
        {&ranks, "ranks 4 1 2 3 4", "is no ballot"},
        {&asked, "human left confidence 80 sure know reason \"said \\\"aye\\\" \\\\\" notes n",
         NULL},
        {&asked, "human left reason \"\xC3\xA9\"", NULL},
        {&asked, "human right confidence -5 reason \"notes x\" notes reason \"", NULL},
        {&asked, "human left", "reason: expected a text of one line, of at most 20 bytes"},
        {&asked, "human left confidence 80", "reason: expected a text of one line"},
        {&asked, "human left confidence 101 reason \"a\"",
         "confidence: expected a whole number from -5 to 100"},
        {&asked, "human left confidence 080 reason \"a\"", "confidence: expected a whole"},
        {&asked, "human left confidence 8.5 reason \"a\"", "confidence: expected a whole"},
        {&asked, "human left confidence  reason \"a\"", "is no ballot"},
        {&asked, "human left sure perhaps reason \"a\"", "sure: expected one of: guess think know"},
        {&asked, "human left reason \"a\" confidence 80", "is no ballot"},
        {&asked, "human left reason a", "is no ballot"},
        {&asked, "human left reason \"a", "is no ballot"},
        {&asked, "human left reason \"a\\b\"", "is no ballot"},
        {&asked, "human left reason \"a\"b", "is no ballot"},
        {&asked, "human left reason \"\"", "is no ballot"},
        {&asked, "human left reason \"a\tb\"", "reason: expected a text of one line"},
        {&asked, "human left reason \"123456789012345678901\"", "of at most 20 bytes"},
        {&human, "human left confidence 80", "is no ballot"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char written[VOTE_TEXT_MAX + 1];
        struct bl_diag diag = {""};
        struct vote vote;
        enum bl_status status =
            vote_parse(&vote, rows[i].rules, rows[i].text, strlen(rows[i].text), &diag);
        if (status != (rows[i].wrong ? BL_DATA : BL_OK))
            fail_msg("'%s': %d '%s'", rows[i].text, status, diag.text);
        if (rows[i].wrong) {
            if (!strstr(diag.text, rows[i].wrong))
                fail_msg("'%s': '%s' does not say '%s'", rows[i].text, diag.text, rows[i].wrong);
            continue;
        }
        assert_int_equal(vote_format(&vote, rows[i].rules, written), strlen(rows[i].text));
        assert_string_equal(written, rows[i].text);
    }
}

/* A field as a ruleset has it, as a file's head has it, and faults. */
static void fields_are_read_and_written(void **state)
{
    static const struct {
        const char *text, *again; /* NULL: it is wrong */
    } rows[] = {
        {"confidence: 0..100", "confidence:0..100"},
        {"tilt: -100..100 required", "tilt:-100..100,required"},
        {"reason: text 400 required", "reason:text,400,required"},
        {"sure:guess,think,know,required", "sure:guess,think,know,required"},
        {"sure: 1 2 3 4 5", "sure:1,2,3,4,5"},
        {"confidence 0..100", NULL},
        {": 0..100", NULL},
        {"notes: text 400", NULL},
        {"a: 100..0", NULL},
        {"a: 0..10000", NULL},
        {"a: 0..1.", NULL},
        {"a: text", NULL},
        {"a: text 401", NULL},
        {"a: text 0", NULL},
        {"a: yes", NULL},
        {"a: yes yes", NULL},
        {"a: yes no%", NULL},
        {"a: 0..10 required more", NULL},
        {"A: yes no", NULL},
        {"abcdefghijklmnopqrstu: yes no", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ballot_field field, other;
        char written[BALLOT_FIELD_LINE + 1];
        struct bl_diag diag = {""};
        enum bl_status status =
            ballot_field_parse(&field, rows[i].text, strlen(rows[i].text), &diag);
        if (status != (rows[i].again ? BL_OK : BL_DATA))
            fail_msg("'%s': %d '%s'", rows[i].text, status, diag.text);
        if (!rows[i].again) {
            assert_non_null(strstr(diag.text, "expected a field such as"));
            continue;
        }
        assert_int_equal(ballot_field_print(&field, written), strlen(rows[i].again));
        assert_string_equal(written, rows[i].again);
        assert_int_equal(ballot_field_parse(&other, written, strlen(written), &diag), BL_OK);
        assert_memory_equal(&field, &other, sizeof field);
    }
}

/* Into an act and back: a number is a number; nothing that was not asked for is taken. */
static void fields_go_into_acts(void **state)
{
    static const char *const wrong[] = {"[]",
                                        "{\"reason\": \"a\", \"age\": 3}",
                                        "{\"reason\": 3}",
                                        "{\"reason\": \"a\", \"confidence\": \"80\"}",
                                        "{\"confidence\": 80}",
                                        "{\"reason\": \"a\", \"confidence\": 101}"};
    const char *text = "human left confidence 80 reason \"said \\\"aye\\\"\"";
    struct ballot_values values;
    struct bl_diag diag;
    struct vote vote;
    (void)state;
    assert_int_equal(vote_parse(&vote, &asked, text, strlen(text), &diag), BL_OK);
    json_t *json = ballot_values_to_json(&asked.asked, &vote.values);
    assert_int_equal(json_integer_value(json_object_get(json, "confidence")), 80);
    assert_string_equal(json_string_value(json_object_get(json, "reason")), "said \"aye\"");
    assert_int_equal(ballot_values_from_json(&asked.asked, json, &values, &diag), BL_OK);
    assert_memory_equal(&values, &vote.values, sizeof values);
    assert_true(ballot_values_digest(&asked.asked, &values) != 0);
    json_decref(json);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        json = json_loads(wrong[i], 0, NULL);
        assert_int_equal(ballot_values_from_json(&asked.asked, json, &values, &diag), BL_DATA);
        json_decref(json);
    }
    memset(&values, 0, sizeof values);
    assert_null(ballot_values_to_json(&asked.asked, &values));
    assert_true(ballot_values_digest(&asked.asked, &values) == 0);
}

/* Nothing stands behind a zero in what was read. */
static void a_zero_is_no_value(void **state)
{
    static const char word[] = "human left sure \0know reason \"a\"";
    static const char quoted[] = "human left reason \"a\0b\"";
    struct vote vote;
    (void)state;
    assert_int_equal(vote_parse(&vote, &asked, word, sizeof word - 1, NULL), BL_DATA);
    assert_int_equal(vote_parse(&vote, &asked, quoted, sizeof quoted - 1, NULL), BL_DATA);
}

static void a_comma_is_a_point(void **state)
{
    int32_t rating;
    char text[12];
    (void)state;
    assert_true(vote_rating_parse("3,25", 4, &rating));
    assert_int_equal(rating, 3250);
    vote_rating_format(rating, text);
    assert_string_equal(text, "3.25");
    vote_rating_format(10000, text);
    assert_string_equal(text, "10");
    assert_false(vote_rating_parse("3.2.5", 5, &rating));
    assert_false(vote_rating_parse("", 0, &rating));
}

/* A file of a session of 2004, with these lines. */
static size_t build(char *out, const struct ballot_line *line, unsigned lines)
{
    const struct ballot_head head = {.session = "r2-j3",
                                     .rules = "loebner-2004",
                                     .vote = points,
                                     .sealing = SEALED_WITH_SESSION};
    size_t length = ballot_head_write(&head, out);
    for (unsigned i = 0; i < lines; i++)
        length += ballot_line_write(&line[i], &points, out + length);
    return length;
}

static struct ballot_line given(uint64_t at_us, int left)
{
    struct ballot_line line = {.word = BALLOT_GIVEN, .at_us = at_us, .has_vote = true};
    line.vote.points[0] = (int16_t)left;
    line.vote.points[1] = (int16_t)(100 - left);
    return line;
}

/* Heads of before name a kind and its highest rating; those of today have fields alone. */
static void heads_of_before_are_read(void **state)
{
    static const char *const rows[][2] = {
        {"sealed=session field=points:left,right,100", "kind=points sealed=session"},
        {"sealed=contest field=human:left,right", "kind=human sealed=contest"},
        {"sealed=contest field=verdict:machine,human", "kind=verdict sealed=contest"},
        {"sealed=contest field=scale:0..5", "kind=scale sealed=contest most=5"},
        {"sealed=contest field=how-human:0..10 field=sure:no,yes",
         "kind=how-human sealed=contest most=10 field=sure:no,yes"},
        {"sealed=contest rank=a:left rank=b:right",
         "kind=ranks sealed=contest rank=a:left rank=b:right"},
        {"sealed=contest field=human:left,right field=human:left,right", /* one more, so named */
         "kind=human sealed=contest field=human:left,right"},
    };
    static const char *const refused[] = {
        "sealed=contest",
        "sealed=contest most=5",
        "kind=human kind=points sealed=contest",
        "kind=scale sealed=contest",
        "sealed=contest field=sure:no,yes",
        "sealed=contest field=human:left,right rank=a:left",
        "sealed=contest field=human:left,right most=5",
    };
    char text[2 * BALLOT_LINE_MAX], head[BALLOT_LINE_MAX];
    struct ballot_file file[2];
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned old = 0; old < 2; old++) {
            size_t length = (size_t)snprintf(
                text, sizeof text, "boothlink-ballot 1 session=s rules=r %s", rows[i][old]);
            snprintf(text + length, sizeof text - length, " *%08x\n", crc32c(0, text, length));
            assert_int_equal(ballot_file_read(&file[old], text, strlen(text), "f", NULL), BL_OK);
        }
        assert_memory_equal(&file[0].head, &file[1].head, sizeof file[0].head);
        size_t length = ballot_head_write(&file[1].head, head);
        snprintf(text, sizeof text, "boothlink-ballot 1 session=s rules=r %s *", rows[i][0]);
        assert_int_equal(length, strlen(text) + 9);
        assert_memory_equal(head, text, strlen(text));
    }
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        size_t length = (size_t)snprintf(text, sizeof text,
                                         "boothlink-ballot 1 session=s rules=r %s", refused[i]);
        snprintf(text + length, sizeof text - length, " *%08x\n", crc32c(0, text, length));
        assert_int_equal(ballot_file_read(&file[0], text, strlen(text), "f", NULL), BL_DATA);
    }
}

static void the_last_given_counts(void **state)
{
    static char text[8 * BALLOT_LINE_MAX];
    struct ballot_line line[] = {
        {.word = BALLOT_DRAFT, .at_us = 1, .vote.notes = "hm"},
        given(2, 60),
        given(3, 70),
        {.word = BALLOT_DRAFT, .at_us = 4, .has_vote = true, .vote.points = {80, 20}},
        {.word = BALLOT_SEALED, .at_us = 5},
        given(6, 90), /* too late */
    };
    struct ballot_file file;
    struct bl_diag diag;
    (void)state;
    assert_int_equal(ballot_file_read(&file, text, build(text, line, 1), "f", &diag), BL_OK);
    assert_false(file.given);
    assert_true(file.has_draft && !file.draft.has_vote);
    assert_string_equal(file.draft.vote.notes, "hm");
    assert_int_equal(ballot_file_read(&file, text, build(text, line, 4), "f", &diag), BL_OK);
    assert_string_equal(file.head.session, "r2-j3");
    assert_string_equal(file.head.rules, "loebner-2004");
    assert_int_equal(file.head.sealing, SEALED_WITH_SESSION);
    assert_true(file.given && !file.sealed && file.has_draft);
    assert_int_equal(file.vote.points[0], 70);
    assert_int_equal(file.versions, 2);
    assert_int_equal(file.given_us, 3);
    assert_int_equal(ballot_file_read(&file, text, build(text, line, 6), "f", &diag), BL_OK);
    assert_true(file.sealed);
    assert_int_equal(file.vote.points[0], 70);
    assert_int_equal(file.damaged, 1);
}

/* Cut anywhere, a file gives what it had up to there: never less, never another vote. */
static void a_cut_costs_the_cut_line_alone(void **state)
{
    static char text[8 * BALLOT_LINE_MAX];
    struct ballot_line line[] = {given(2, 60), given(3, 70), given(4, 80)};
    size_t length = build(text, line, 3), end[4] = {strcspn(text, "\n") + 1};
    (void)state;
    for (unsigned i = 1; i < 4; i++)
        end[i] = end[i - 1] + strcspn(text + end[i - 1], "\n") + 1;
    assert_int_equal(end[3], length);
    for (size_t cut = 0; cut <= length; cut++) {
        struct ballot_file file;
        enum bl_status status = ballot_file_read(&file, text, cut, "f", NULL);
        unsigned whole = 0;
        if (cut < end[0]) {
            assert_int_equal(status, BL_DATA);
            continue;
        }
        while (whole < 3 && end[whole + 1] <= cut)
            whole++;
        assert_int_equal(status, BL_OK);
        assert_int_equal(file.versions, whole);
        assert_int_equal(file.good_length, end[whole]);
        assert_int_equal(file.damaged, cut != end[whole]);
        if (whole)
            assert_int_equal(file.vote.points[0], 50 + 10 * (int)whole);
    }
}

/* A byte changed by hand or by a disk is never taken for another vote. */
static void a_changed_byte_is_seen(void **state)
{
    static char text[8 * BALLOT_LINE_MAX];
    struct ballot_line line[] = {given(2, 60), given(3, 70)};
    size_t length = build(text, line, 2), head = strcspn(text, "\n") + 1;
    (void)state;
    for (size_t at = 0; at < length; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            struct ballot_file file;
            enum bl_status status;
            text[at] = (char)(text[at] ^ 1 << bit);
            status = ballot_file_read(&file, text, length, "f", NULL);
            text[at] = (char)(text[at] ^ 1 << bit);
            if (at < head) {
                assert_int_equal(status, BL_DATA);
                continue;
            }
            assert_int_equal(status, BL_OK);
            assert_in_range(file.damaged, 1, 2);
            assert_true(!file.given || file.vote.points[0] == 60 || file.vote.points[0] == 70);
        }
    }
}

/* A file keeps fields, and a draft of them that is no vote yet; its head says what is asked. */
static void files_keep_fields(void **state)
{
    const struct ballot_head head = {
        .session = "r1-j1", .rules = "ours", .vote = asked, .sealing = SEALED_WITH_CONTEST};
    struct ballot_line line = {.word = BALLOT_DRAFT, .at_us = 7};
    static char text[4 * BALLOT_LINE_MAX];
    struct ballot_file file;
    struct bl_diag diag;
    size_t length = ballot_head_write(&head, text);
    (void)state;
    assert_non_null(strstr(text, " field=confidence:-5..100 field=sure:guess,think,know "
                                 "field=reason:text,20,required *"));
    snprintf(line.vote.values.text[0], 8, "8");
    snprintf(line.vote.values.text[2], 8, "a \"b\"");
    snprintf(line.vote.notes, sizeof line.vote.notes, "hm");
    length += ballot_line_write(&line, &head.vote, text + length);
    assert_non_null(strstr(text, "7 draft - confidence 8 reason \"a \\\"b\\\"\" notes hm *"));
    assert_int_equal(ballot_file_read(&file, text, length, "f", &diag), BL_OK);
    assert_true(file.has_draft && !file.draft.has_vote && !file.damaged);
    assert_memory_equal(&file.draft.vote, &line.vote, sizeof line.vote);
    assert_true(ballot_asked_is_same(&file.head.vote.asked, &asked.asked, &diag));
    line = (struct ballot_line){.word = BALLOT_GIVEN, .at_us = 8, .has_vote = true};
    /* The longest. */
    for (unsigned i = 0; i < VOTE_NOTES_MAX; i++)
        line.vote.notes[i] = 'n';
    struct ballot_head longest = head;
    longest.vote.asked.count = BALLOT_FIELDS;
    for (unsigned i = 0; i < BALLOT_FIELDS; i++) {
        longest.vote.asked.field[i] = (struct ballot_field){.type = ASKS_TEXT, .most = 400};
        memset(longest.vote.asked.field[i].name, 'a' + (int)i, BALLOT_FIELD_NAME);
        memset(line.vote.values.text[i], '"', BALLOT_VALUE_MAX);
    }
    length = ballot_head_write(&longest, text);
    length += ballot_line_write(&line, &longest.vote, text + length);
    assert_int_equal(ballot_file_read(&file, text, length, "f", &diag), BL_OK);
    assert_true(file.given && !file.damaged);
    assert_memory_equal(&file.vote, &line.vote, sizeof line.vote);
    assert_false(ballot_asked_is_same(&file.head.vote.asked, &asked.asked, &diag));
    assert_non_null(strstr(diag.text, "the rules ask 'confidence:-5..100' there"));
    assert_false(ballot_asked_is_same(&asked.asked, &human.asked, &diag));
}

static void heads(void **state)
{
    struct ballot_head head = {
        .session = "ranks", .rules = "loebner-2009", .vote = ranks, .sealing = SEALED_WITH_CONTEST};
    char text[BALLOT_LINE_MAX], again[BALLOT_LINE_MAX];
    struct ballot_file file;
    struct bl_diag diag;
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        snprintf(head.item[i].session, sizeof head.item[i].session, "r%u-j1", i + 1);
        head.item[i].side = i & 1;
    }
    assert_int_equal(ballot_file_read(&file, text, ballot_head_write(&head, text), "f", &diag),
                     BL_OK);
    assert_int_equal(file.head.vote.ranks, 4);
    assert_string_equal(file.head.item[3].session, "r4-j1");
    assert_int_equal(file.head.item[3].side, 1);
    ballot_head_write(&file.head, again);
    assert_string_equal(text, again);
    /* The longest. */
    head.vote.ranks = VOTE_RANKS_MAX;
    for (unsigned i = 0; i < VOTE_RANKS_MAX; i++)
        snprintf(head.item[i].session, sizeof head.item[i].session, "%0*u", BALLOT_SESSION_MAX, i);
    assert_int_equal(ballot_file_read(&file, text, ballot_head_write(&head, text), "f", &diag),
                     BL_OK);
    assert_int_equal(file.head.vote.ranks, VOTE_RANKS_MAX);
    assert_int_equal(ballot_file_read(&file, "", 0, "f", &diag), BL_DATA);
    assert_string_equal(diag.text, "f: is empty; a ballot begins with 'boothlink-ballot 1'");
}

static void any_bytes_are_safe(void **state)
{
    static char text[8 * BALLOT_LINE_MAX];
    struct dice dice = dice_make(dice_seed("test_vote"));
    struct ballot_line line[] = {given(2, 60), given(3, 70)};
    (void)state;
    for (unsigned turn = 0; turn < 3000; turn++) {
        struct ballot_file file;
        size_t length = build(text, line, 2);
        for (unsigned i = (unsigned)dice_below(&dice, 20); i > 0; i--)
            text[dice_below(&dice, length)] = (char)dice_below(&dice, 256);
        ballot_file_read(&file, text, (size_t)dice_below(&dice, length + 1), "f", NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read_and_written),
        cmocka_unit_test(fields_are_read_and_written),
        cmocka_unit_test(fields_go_into_acts),
        cmocka_unit_test(files_keep_fields),
        cmocka_unit_test(a_zero_is_no_value),
        cmocka_unit_test(a_comma_is_a_point),
        cmocka_unit_test(heads_of_before_are_read),
        cmocka_unit_test(the_last_given_counts),
        cmocka_unit_test(a_cut_costs_the_cut_line_alone),
        cmocka_unit_test(a_changed_byte_is_seen),
        cmocka_unit_test(heads),
        cmocka_unit_test(any_bytes_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
