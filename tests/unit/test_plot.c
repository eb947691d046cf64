/* Pictures of how people type: each gap is counted where it belongs, each kind of key has a mark of
 * its own, names are text, all text contrasts at least 7 to 1 without any colour, and a million
 * keys make no larger a picture than its dots. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/histories.h"
#include "tests/support/random.h"
#include "transcript/plot.h"

static const struct plot_names plain = {.title = "test"};

static void take(void *ctx, const char *bytes, size_t length)
{
    struct text *text = ctx;
    if (text->length + length + 1 > text->room) {
        text->room = 2 * (text->length + length + 1);
        text->bytes = realloc(text->bytes, text->room);
        assert_non_null(text->bytes);
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static struct text draw(const struct history *history, const struct plot_names *names)
{
    struct text text = {.bytes = NULL};
    const struct html_out out = {take, &text};
    plot_typing(&out, history, names);
    return text;
}

static unsigned count(const char *text, const char *piece)
{
    unsigned found = 0;
    for (const char *at = text; (at = strstr(at, piece)); at += strlen(piece))
        found++;
    return found;
}

static void type(struct history *history, uint64_t at_us, enum side side, enum party party,
                 uint32_t point)
{
    const struct history_key key = {
        .posted_us = at_us, .point = point, .side = (uint8_t)side, .party = (uint8_t)party};
    if (history->parts == 0)
        assert_int_equal(history_add_part(history, NULL), BL_OK);
    assert_int_equal(history_add_key(history, &key), BL_OK);
}

/* A class ends before its border, and the last one takes all others. */
static void gaps_are_counted_in_their_classes(void **state)
{
    static const unsigned below_ms[] = {10, 50, 2000, 0};
    struct plot_gaps gaps = {.below_ms = below_ms};
    struct text text = {.bytes = NULL};
    const struct html_out out = {take, &text};
    (void)state;
    plot_gap_add(&gaps, 0);
    plot_gap_add(&gaps, 9999);
    plot_gap_add(&gaps, 10000);
    plot_gap_add(&gaps, 49999);
    plot_gap_add(&gaps, 50000);
    plot_gap_add(&gaps, 1999999);
    plot_gap_add(&gaps, 1999999);
    plot_gap_add(&gaps, 2000000);
    plot_gap_add(&gaps, UINT64_MAX);
    assert_int_equal(gaps.count[0], 2);
    assert_int_equal(gaps.count[1], 2);
    assert_int_equal(gaps.count[2], 3);
    assert_int_equal(gaps.count[3], 2);
    plot_gaps(&out, "gaps <of> one", &gaps);
    assert_int_equal(count(text.bytes, ">below 10 ms<"), 1);
    assert_int_equal(count(text.bytes, ">below 2 s<"), 1);
    assert_int_equal(count(text.bytes, ">longer<"), 1);
    assert_int_equal(count(text.bytes, ">3<"), 1);
    assert_int_equal(count(text.bytes, "gaps &lt;of&gt; one"), 1);
    text_free(&text);
}

/* "ab", a BackSpace and, after 10 s, a Return: three dots or crosses, a line to the Return. */
static void each_kind_has_a_mark_of_its_own(void **state)
{
    struct history history = {.keys = 0};
    struct text text;
    (void)state;
    type(&history, 1000000, SIDE_LEFT, PARTY_JUDGE, 'a');
    type(&history, 1150000, SIDE_LEFT, PARTY_JUDGE, 'b');
    type(&history, 1300000, SIDE_LEFT, PARTY_JUDGE, KEY_BACKSPACE);
    type(&history, 11300000, SIDE_LEFT, PARTY_JUDGE, KEY_RETURN);
    text = draw(&history, &plain);
    assert_non_null(strstr(text.bytes, ">left judge<"));
    assert_non_null(strstr(text.bytes, "keys 4, BackSpaces 1 (25.0 %), pauses 1<"));
    /* The legend has one of each, too. */
    assert_int_equal(count(text.bytes, "h2m0 1h-2"), 2 + 1);
    assert_int_equal(count(text.bytes, "l6 6m0-6l-6 6"), 1 + 1);
    assert_int_equal(count(text.bytes, "v9"), 1 + 1);
    /* Two gaps of 150 ms stand in one row at the same height, the second key at the right place:
     * 150 ms of 10.3 s are 7 of 488 dots. The pause lasts from there to the end. */
    assert_non_null(strstr(text.bytes, "M98 90h2m0 1h-2"));
    assert_non_null(strstr(text.bytes, "M103 87l6 6m0-6l-6 6"));
    assert_non_null(strstr(text.bytes, "M106 29h471"));
    assert_int_equal(count(text.bytes, ">0:10<"), 1);
    text_free(&text);
    history_free(&history);
}

/* A strip for each party that typed on a side, none for others, each with its own name. */
static void each_party_has_a_strip_with_its_name(void **state)
{
    const struct plot_names names = {
        .title = "<script>alert(1)</script>",
        .party = {{"J1 \"&'", "E1 <b>\xE2\x80\xAE"}, {NULL, NULL}},
    };
    struct history history = {.keys = 0};
    struct text text;
    (void)state;
    type(&history, 1000000, SIDE_LEFT, PARTY_JUDGE, 'a');
    type(&history, 2000000, SIDE_LEFT, PARTY_ENTITY, 'a');
    type(&history, 3000000, SIDE_RIGHT, PARTY_ENTITY, 'a');
    assert_true(history_set(&history, FIELD_PROGRAM, "<i>P</i>", 8));
    text = draw(&history, &names);
    assert_int_equal(count(text.bytes, "keys 1, BackSpaces 0 (0.0 %), pauses 0<"), 3);
    assert_int_equal(count(text.bytes, ">J1 &quot;&amp;&#39;<"), 1);
    assert_int_equal(count(text.bytes, ">E1 &lt;b&gt;\xEF\xBF\xBD<"), 1);
    assert_int_equal(count(text.bytes, ">right entity<"), 1);
    assert_int_equal(count(text.bytes, ">program &lt;i&gt;P&lt;/i&gt;<"), 1);
    assert_int_equal(
        count(text.bytes, "<script") + count(text.bytes, "<b>") + count(text.bytes, "<i>"), 0);
    text_free(&text);
    history_free(&history);
}

/* Sums up what the bars of one strip say, "<rect .../><text ...>N</text>". */
static uint64_t bars_sum(const char *from, const char *end)
{
    uint64_t sum = 0;
    while ((from = strstr(from, "fill=\"#444\"/><text")) && from < end) {
        from = strchr(from + strlen("fill=\"#444\"/>"), '>') + 1;
        sum += strtoull(from, NULL, 10);
    }
    return sum;
}

/* Whatever was typed: there is a strip for every party of every part, and its bars count each gap
 * but the steps back in time. */
static void every_gap_is_in_a_bar(void **state)
{
    struct dice dice = dice_make(dice_seed("plots"));
    (void)state;
    for (unsigned turn = 0; turn < 200; turn++) {
        struct history history = {.keys = 0};
        struct text text;
        uint64_t gaps = 0;
        unsigned strips = 0;
        histories_make(&dice, &history);
        for (unsigned i = 0; i < SIDES * PARTIES; i++) {
            const struct history_key *before = NULL;
            for (size_t k = 0; k < history.keys; k++) {
                const struct history_key *key = &history.key[k];
                if (key->side != i / PARTIES || key->party != i % PARTIES)
                    continue;
                bool fresh = !before || before->part != key->part;
                strips += fresh;
                gaps += !fresh && key->posted_us >= before->posted_us;
                before = key;
            }
        }
        text = draw(&history, &plain);
        assert_int_equal(count(text.bytes, ", pauses "), strips);
        assert_int_equal(bars_sum(text.bytes, text.bytes + text.length), gaps);
        text_free(&text);
        history_free(&history);
    }
}

static double linear(unsigned value)
{
    double part = value * 17 / 255.0; /* "#1" is "#11" */
    return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

/* Nothing is coloured, and what is no line of the grid contrasts (WCAG 2.1, 1.4.6). */
static void black_on_white_tells_all(void **state)
{
    struct history history = {.keys = 0};
    struct text text;
    unsigned colours = 0;
    (void)state;
    type(&history, 1000000, SIDE_LEFT, PARTY_JUDGE, 'a');
    text = draw(&history, &plain);
    for (const char *at = text.bytes; (at = strchr(at, '#')); at += 4) {
        char digit[2] = {at[1], '\0'};
        double light = linear((unsigned)strtoul(digit, NULL, 16));
        bool is_grid = strncmp(at - strlen("stroke=\""), "stroke=\"", strlen("stroke=\"")) == 0 &&
                       (at[1] == '7' || at[1] == 'c');
        assert_int_equal(at[4], '"');
        assert_int_equal(at[1], at[2]);
        assert_int_equal(at[1], at[3]);
        assert_true(is_grid || at[1] == 'f' || 1.05 / (light + 0.05) >= 7);
        colours++;
    }
    assert_true(colours > 5);
    text_free(&text);
    history_free(&history);
}

/* A key pressed for hours, and pauses for days. */
static void a_picture_is_bounded(void **state)
{
    struct dice dice = dice_make(dice_seed("bounded plots"));
    struct history history = {.keys = 0};
    struct text text;
    uint64_t at_us = 1000000;
    (void)state;
    for (unsigned i = 0; i < 1000000; i++) {
        at_us += dice_below(&dice, 4) ? dice_below(&dice, 3000000) : dice_below(&dice, 100000000);
        type(&history, at_us, SIDE_LEFT, PARTY_JUDGE,
             dice_below(&dice, 3)   ? 'a'
             : dice_below(&dice, 2) ? KEY_BACKSPACE
                                    : KEY_RETURN);
    }
    text = draw(&history, &plain);
    assert_true(text.length > 10000);
    assert_true(text.length < 4u * 490 * 117 * 24);
    text_free(&text);
    history_free(&history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_counted_in_their_classes),
        cmocka_unit_test(each_kind_has_a_mark_of_its_own),
        cmocka_unit_test(each_party_has_a_strip_with_its_name),
        cmocka_unit_test(every_gap_is_in_a_bar),
        cmocka_unit_test(black_on_white_tells_all),
        cmocka_unit_test(a_picture_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
