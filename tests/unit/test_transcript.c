/* Transcripts against what a person would write down by hand. */
#include "tests/support/random.h"
#include "transcript/iso.h"
#include "transcript/keys.h"
#include "transcript/transcript.h"
#include "transcript/words.h"

#include "base/utf8.h"
#include "session/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <vterm.h>

#include <cmocka.h>

#define T0 1252251165610049u /* 2009-09-06T15:32:45.610049Z */

static struct {
    char text[1 << 20];
    size_t length;
} got;

static void on_write(void *ctx, const char *bytes, size_t length)
{
    (void)ctx;
    assert_true(got.length + length < sizeof got.text);
    memcpy(got.text + got.length, bytes, length);
    got.length += length;
    got.text[got.length] = '\0';
}

static const struct out out = {.write = on_write};

/* The conversation of a test. */
static struct key_event event[SIDES][4096];
static struct transcript_mark mark[SIDES][16];
static struct transcript t;

static void begin(enum party role)
{
    memset(&t, 0, sizeof t);
    t.session = "s1";
    t.role = role;
    style_default(&t.style);
    got.length = 0;
    got.text[0] = '\0';
}

/* Places the keys of a text; the first at T0 + at_ms, the others 100 ms apart. */
static void type(enum side side, enum party party, unsigned at_ms, const char *text)
{
    size_t taken, left = strlen(text);
    uint32_t point;
    for (; (taken = utf8_decode((const uint8_t *)text, left, &point)); at_ms += 100) {
        event[side][t.side[side].count++] = (struct key_event){
            .posted_us = T0 + at_ms * 1000u, .point = point, .party = (uint8_t)party};
        text += taken;
        left -= taken;
    }
    t.side[side].event = event[side];
}

static void put_mark(enum side side, enum transcript_mark_kind kind, unsigned at_ms,
                     enum close_outcome outcome)
{
    mark[side][t.side[side].marks++] = (struct transcript_mark){.kind = kind,
                                                                .n = t.side[side].count,
                                                                .at_us = T0 + at_ms * 1000u,
                                                                .part = 1,
                                                                .outcome = outcome};
    t.side[side].mark = mark[side];
}

static const char *text_of(void)
{
    assert_int_equal(transcript_text(&t, &out), BL_OK);
    return got.text;
}

static void test_text_of_one_side(void **state)
{
    static const char *const header[] = {"Loebner Prize 2009",
                                         "This transcript is in the public domain"};
    (void)state;
    begin(PARTY_JUDGE);
    t.header = header;
    t.headers = 2;
    put_mark(SIDE_LEFT, MARK_OPENED, 0, 0);
    type(SIDE_LEFT, PARTY_JUDGE, 1000, "Helo\blo, who are you?\r");
    type(SIDE_LEFT, PARTY_ENTITY, 5000, "I am \xe4\xbd\xa0\xe5\xa5\xbd.\r\b\b\bNot a\tmachine\r");
    type(SIDE_LEFT, PARTY_JUDGE, 65000, "\r");
    type(SIDE_LEFT, PARTY_JUDGE, 66000, "cut off in the mid");
    type(SIDE_LEFT, PARTY_ENTITY, 68000, "gone\b\b\b\b");
    put_mark(SIDE_LEFT, MARK_CLOSE, 70000, CLOSE_AGREED);
    put_mark(SIDE_LEFT, MARK_SEGMENT_OVER, 70500, 0);
    assert_string_equal(text_of(), "Loebner Prize 2009\n"
                                   "This transcript is in the public domain\n"
                                   "*** session s1, judge's record, times in UTC\n"
                                   "*** 2009-09-06 15:32:45 left: part 1 opened\n"
                                   "[15:32:46] Judge: Hello, who are you?\n"
                                   "[15:32:50] Entity: I am \xe4\xbd\xa0\xe5\xa5\xbd.\n"
                                   "[15:32:51] Entity: Not a\tmachine\n"
                                   "[15:33:50] Judge:\n"
                                   "[15:33:51] Judge: cut off in the mid\n"
                                   "*** 2009-09-06 15:33:55 left: part 1, end agreed, 75 keys\n"
                                   "*** 2009-09-06 15:33:56 left: part 1 closed\n");
}

static void test_text_where_both_type_at_once(void **state)
{
    (void)state;
    begin(PARTY_JUDGE);
    /* H i \r of the judge between the keys of the entity, which has not finished. */
    type(SIDE_LEFT, PARTY_ENTITY, 0, "He");
    type(SIDE_LEFT, PARTY_JUDGE, 150, "Hx");
    type(SIDE_LEFT, PARTY_ENTITY, 260, "ll");
    type(SIDE_LEFT, PARTY_JUDGE, 370, "\bi\r");
    type(SIDE_LEFT, PARTY_ENTITY, 700, "\bl");
    type(SIDE_LEFT, PARTY_ENTITY, 900, "o\r");
    assert_string_equal(text_of(), "*** session s1, judge's record, times in UTC\n"
                                   "[15:32:45] Entity: Hello\n"
                                   "[15:32:45] Judge: Hi\n");
}

/* As the page has them: whole, in the order of their Returns. */
static void test_text_of_lines(void **state)
{
    static const char *const styles[] = {"scroll", "web"};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        begin(PARTY_JUDGE);
        assert_int_equal(style_parse(&t.style, styles[i], 2, NULL), BL_OK);
        type(SIDE_LEFT, PARTY_ENTITY, 0, "Wa");
        type(SIDE_LEFT, PARTY_JUDGE, 1000, "Hx\bello\r\r");
        type(SIDE_LEFT, PARTY_ENTITY, 3000, "it\r\r");
        type(SIDE_LEFT, PARTY_JUDGE, 4000, "And");
        put_mark(SIDE_LEFT, MARK_SEGMENT_OVER, 5000, 0);
        type(SIDE_LEFT, PARTY_JUDGE, 6000, "x");
        assert_string_equal(text_of(), i == 0 ? "*** session s1, judge's record, times in UTC\n"
                                                "[15:32:47] Judge: Hello\n"
                                                "[15:32:47] Judge:\n"
                                                "[15:32:48] Entity: Wait\n"
                                                "[15:32:49] Judge: And\n"
                                                "*** 2009-09-06 15:32:50 left: part 1 closed\n"
                                                "[15:32:51] Judge: x\n"
                                              : "*** session s1, judge's record, times in UTC\n"
                                                "[15:32:47] Judge: Hello\n"
                                                "[15:32:48] Partner: Wait\n"
                                                "[15:32:49] Judge: And\n"
                                                "*** 2009-09-06 15:32:50 left: part 1 closed\n"
                                                "[15:32:51] Judge: x\n");
    }
}

/* A program that never sends a Return still has turns. */
static void test_text_of_an_entity_without_returns(void **state)
{
    (void)state;
    begin(PARTY_JUDGE);
    type(SIDE_LEFT, PARTY_ENTITY, 0, "Welcome.");
    type(SIDE_LEFT, PARTY_JUDGE, 2000, "Hi\r");
    type(SIDE_LEFT, PARTY_ENTITY, 3000, "Nice");
    type(SIDE_LEFT, PARTY_JUDGE, 3100, "\r"); /* says nothing */
    type(SIDE_LEFT, PARTY_ENTITY, 3500, " day");
    put_mark(SIDE_LEFT, MARK_SEGMENT_OVER, 4000, 0);
    put_mark(SIDE_LEFT, MARK_OPENED, 5000, 0);
    type(SIDE_LEFT, PARTY_ENTITY, 5100, "Again");
    assert_string_equal(text_of(), "*** session s1, judge's record, times in UTC\n"
                                   "[15:32:45] Entity: Welcome.\n"
                                   "[15:32:47] Judge: Hi\n"
                                   "[15:32:48] Entity: Nice day\n"
                                   "[15:32:48] Judge:\n"
                                   "*** 2009-09-06 15:32:49 left: part 1 closed\n"
                                   "*** 2009-09-06 15:32:50 left: part 1 opened\n"
                                   "[15:32:50] Entity: Again\n");
}

static void test_text_of_two_sides_and_of_damage(void **state)
{
    (void)state;
    begin(PARTY_JUDGE);
    type(SIDE_RIGHT, PARTY_JUDGE, 1000, "Right?\r");
    type(SIDE_LEFT, PARTY_JUDGE, 0, "Left?\r");
    type(SIDE_LEFT, PARTY_ENTITY, 2000, "Yes???\r");
    event[SIDE_LEFT][8].point = event[SIDE_LEFT][9].point = 0;
    event[SIDE_LEFT][8].posted_us = event[SIDE_LEFT][9].posted_us = 0;
    t.damaged = 1;
    assert_string_equal(text_of(),
                        "*** session s1, judge's record, times in UTC\n"
                        "[15:32:45] left  Judge: Left?\n"
                        "[15:32:46] right Judge: Right?\n"
                        "[15:32:47] left  Entity: Ye??\n"
                        "*** 2009-09-06 15:32:47 left: the record is damaged: keys 9 to 10 are "
                        "missing\n"
                        "*** the record is damaged in 1 place\n");
}

static void test_keys_of_two_sides(void **state)
{
    static uint64_t pressed_us[16];
    (void)state;
    begin(PARTY_JUDGE);
    put_mark(SIDE_LEFT, MARK_OPENED, 0, 0);
    type(SIDE_LEFT, PARTY_JUDGE, 0, "# \t");
    type(SIDE_RIGHT, PARTY_ENTITY, 150, "U\xc3\xa9\b\r");
    event[SIDE_RIGHT][2].point = 0;
    pressed_us[0] = T0 + 1;
    pressed_us[3] = T0 + 1000000;
    t.side[SIDE_RIGHT].pressed_us = pressed_us;
    transcript_keys(&t, &out);
    assert_string_equal(got.text,
                        "# boothlink keys 1\n"
                        "# session s1, judge's record\n"
                        "# n side party posted pressed key\n"
                        "# left part 1 opened 2009-09-06T15:32:45.610049Z\n"
                        "1 left judge 2009-09-06T15:32:45.610049Z - #\n"
                        "2 left judge 2009-09-06T15:32:45.710049Z - space\n"
                        "1 right entity 2009-09-06T15:32:45.760049Z 2009-09-06T15:32:45.610050Z U\n"
                        "3 left judge 2009-09-06T15:32:45.810049Z - Tab\n"
                        "2 right entity 2009-09-06T15:32:45.860049Z - U+00E9\n"
                        "# right key 3 is missing: the record is damaged\n"
                        "4 right entity 2009-09-06T15:32:46.060049Z 2009-09-06T15:32:46.610049Z "
                        "Return\n");
}

static void test_keys_round_trip(void **state)
{
    struct dice dice = dice_make(dice_seed("keys_round_trip"));
    static const uint32_t special[] = {KEY_BACKSPACE, KEY_TAB, KEY_RETURN, ' ', '#', '-', 'U', '+'};
    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct keys_line back,
            line = {.n = 1 + dice_below(&dice, 1u << 30), .side = (enum side)dice_below(&dice, 2)};
        const char *why;
        uint64_t kind = dice_below(&dice, 4);
        line.event.party = (uint8_t)dice_below(&dice, 2);
        line.event.posted_us = dice_below(&dice, ISO_MAX_US);
        line.pressed_us = dice_below(&dice, 2) ? 1 + dice_below(&dice, ISO_MAX_US) : 0;
        line.event.point = kind == 0   ? special[dice_below(&dice, 8)]
                           : kind == 1 ? 0x20 + (uint32_t)dice_below(&dice, 0x5F)
                           : kind == 2 ? 0xA0 + (uint32_t)dice_below(&dice, 0xD800 - 0xA0)
                                       : 0xE000 + (uint32_t)dice_below(&dice, 0x102000);
        got.length = 0;
        keys_write(&out, &line);
        assert_int_equal(got.text[got.length - 1], '\n');
        assert_int_equal(keys_read(got.text, got.length - 1, &back, &why), KEYS_LINE);
        assert_int_equal(back.n, line.n);
        assert_int_equal(back.side, line.side);
        assert_int_equal(back.event.party, line.event.party);
        assert_int_equal(back.event.posted_us, line.event.posted_us);
        assert_int_equal(back.event.point, line.event.point);
        assert_int_equal(back.pressed_us, line.pressed_us);
    }
}

static void test_keys_refuses_what_it_would_not_write(void **state)
{
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"hello", "six fields"},
        {"1 left judge 2009-09-06T15:32:45.610049Z - a b", "six fields"},
        {"1 left judge 2009-09-06T15:32:45.610049Z -", "six fields"},
        {"0 left judge 2009-09-06T15:32:45.610049Z - a", "n is"},
        {"01 left judge 2009-09-06T15:32:45.610049Z - a", "n is"},
        {"1 Left judge 2009-09-06T15:32:45.610049Z - a", "side"},
        {"1 left program 2009-09-06T15:32:45.610049Z - a", "party"},
        {"1 left judge 2009-02-29T15:32:45.610049Z - a", "posted"},
        {"1 left judge 2009-09-06T24:00:00.000000Z - a", "posted"},
        {"1 left judge 2009-09-06 15:32:45.610049Z - a", "posted"},
        {"1 left judge 2009-09-06T15:32:45.610049Z + a", "pressed"},
        {"1 left judge 2009-09-06T15:32:45.610049Z - return", "key"},
        {"1 left judge 2009-09-06T15:32:45.610049Z - U+0041", "key"},
        {"1 left judge 2009-09-06T15:32:45.610049Z - U+0008", "key"},
        {"1 left judge 2009-09-06T15:32:45.610049Z - U+00e9", "key"},
        {"1 left judge 2009-09-06T15:32:45.610049Z - U+D800", "key"},
        {"1 left judge 2009-09-06T15:32:45.610049Z - U+110000", "key"},
        {"1 left judge 2009-09-06T15:32:45.610049Z - \xc3\xa9", "key"},
        {"1 left judge 2009-09-06T15:32:45.610049Z - ", "key"},
    };
    struct keys_line line;
    const char *why;
    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(keys_read(bad[i].text, strlen(bad[i].text), &line, &why), KEYS_BAD);
        assert_non_null(strstr(why, bad[i].why));
    }
    assert_int_equal(keys_read("# 1 left", 8, &line, &why), KEYS_COMMENT);
    assert_int_equal(keys_read("", 0, &line, &why), KEYS_COMMENT);
    assert_int_equal(keys_read("1 left judge 2009-09-06T15:32:45.610049Z - a\r", 45, &line, &why),
                     KEYS_LINE);
}

static void test_times_are_those_of_the_c_library(void **state)
{
    struct dice dice = dice_make(dice_seed("times_are_those_of_the_c_library"));
    /* Its own end in 2038, where time_t has 32 bits. */
    const uint64_t end_us = sizeof(time_t) > 4 ? ISO_MAX_US : UINT64_C(1000000) * INT32_MAX;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint64_t us = i ? dice_below(&dice, end_us) : 951782400000000u; /* 29 February 2000 */
        char text[ISO_LENGTH + 1], expected[64];
        time_t seconds = (time_t)(us / 1000000);
        struct tm tm;
        uint64_t back;
        strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &tm));
        iso_write(us, text);
        assert_int_equal(strlen(text), ISO_LENGTH);
        assert_memory_equal(text, expected, 19);
        assert_true(iso_read(text, ISO_LENGTH, &back));
        assert_int_equal(back, us);
    }
}

static void test_asciicast_of_one_side(void **state)
{
    (void)state;
    begin(PARTY_JUDGE);
    t.style.columns = 20;
    put_mark(SIDE_LEFT, MARK_OPENED, 0, 0);
    type(SIDE_LEFT, PARTY_JUDGE, 250, "\"\xe4\xbd\xa0");
    type(SIDE_LEFT, PARTY_JUDGE, 450, "\b");
    type(SIDE_LEFT, PARTY_ENTITY, 1000450, "\\\r");
    assert_int_equal(transcript_asciicast(&t, &out), BL_OK);
    assert_string_equal(
        got.text,
        "{\"version\": 2, \"width\": 20, \"height\": 24, \"timestamp\": 1252251165, "
        "\"title\": \"s1\"}\n"
        "[0.000000, \"o\", \"\\u001b[2J\\u001b[1;1H\\u001b[7mEntity              \\u001b[m"
        "\\u001b[13;1H\\u001b[7mJudge               \\u001b[m\"]\n"
        "[0.000000, \"o\", \"\\u001b[1;1H\\u001b[7mEntity              \\u001b[m"
        "\\u001b[14;1H\"]\n"
        "[0.000000, \"m\", \"part 1 open\"]\n"
        "[0.250000, \"o\", \"\\u001b[14;1H\\\"\\u001b[14;2H\"]\n"
        "[0.350000, \"o\", \"\\u001b[14;2H\xe4\xbd\xa0\\u001b[14;4H\"]\n"
        "[0.450000, \"o\", \"\\u001b[14;2H  \\u001b[14;2H\"]\n"
        "[1000.450000, \"o\", \"\\u001b[2;1H\\\\\\u001b[2;2H\"]\n"
        "[1000.550000, \"o\", \"\\u001b[3;1H\"]\n");
}

/* Gives a terminal what the recording's events print. */
static void replay(VTerm *terminal)
{
    for (const char *line = strchr(got.text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        const char *data = strstr(line, ", \"o\", \"");
        if (!data || data > strchr(line, '\n'))
            continue;
        for (data += 8; *data != '"'; data++) {
            unsigned code = 0;
            char byte = *data;
            if (byte == '\\' && data[1] == 'u') {
                assert_int_equal(sscanf(data + 2, "%4x", &code), 1);
                byte = (char)code;
                data += 5;
            } else if (byte == '\\') {
                byte = *++data;
            }
            vterm_input_write(terminal, &byte, 1);
        }
    }
}

/* The text of a stretch of the terminal's row, with blanks at its end. */
static void screen_row(VTermScreen *screen, int row, int column, int columns, char *text)
{
    size_t length = vterm_screen_get_text(screen, text, 1024,
                                          (VTermRect){.start_row = row,
                                                      .end_row = row + 1,
                                                      .start_col = column,
                                                      .end_col = column + columns});
    while (length && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
}

static void page_row_text(const struct page *page, unsigned pane, unsigned row, char *text)
{
    struct page_row cells;
    size_t length = 0;
    page_row(page, pane, row, &cells);
    for (unsigned i = 0; i < cells.cells; i++)
        length += utf8_encode(cells.cell[i].point, (uint8_t *)text + length);
    while (length && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
}

/* Whatever was typed, a terminal that plays the recording shows the end of the pages. */
static void test_asciicast_shows_the_pages(void **state)
{
    static const char *const piece[] = {"the quick ", "\xe4\xbd\xa0\xe5\xa5\xbd",
                                        "\b\b\b\b\b", "\r",
                                        "\t",         "jumps\\\"over",
                                        "\xc3\xa9",   "x\b\b"};
    static const struct {
        unsigned rows, top; /* of the screen, from 0 */
    } panes[STYLE_FORMS][PANES] = {[STYLE_SPLIT] = {{11, 13}, {11, 1}},
                                   [STYLE_SCROLL] = {{0, 0}, {23, 1}},
                                   [STYLE_WEB] = {{6, 18}, {16, 1}}};
    struct dice dice = dice_make(dice_seed("asciicast_shows_the_pages"));
    (void)state;
    for (int round = 0; round < 30; round++) {
        VTerm *terminal = vterm_new(24, 43);
        VTermScreen *screen = vterm_obtain_screen(terminal);
        enum style_form form = (enum style_form)(round % STYLE_FORMS);
        begin(PARTY_JUDGE);
        style_begin(&t.style, form, 1);
        t.style.columns = 20;
        vterm_set_utf8(terminal, 1);
        vterm_screen_reset(screen, 1);
        type(SIDE_LEFT, PARTY_JUDGE, 0, "a");
        type(SIDE_RIGHT, PARTY_JUDGE, 0, "b");
        for (uint64_t i = dice_below(&dice, 200); i > 0; i--)
            type((enum side)dice_below(&dice, 2), (enum party)dice_below(&dice, 2),
                 (unsigned)(200 - i) * 30, piece[dice_below(&dice, 8)]);
        assert_int_equal(transcript_asciicast(&t, &out), BL_OK);
        replay(terminal);
        for (unsigned side = 0; side < SIDES; side++) {
            struct page *page = page_create(&t.style);
            for (uint64_t n = 0; n < t.side[side].count; n++)
                page_apply(page, &event[side][n]);
            for (unsigned pane = 0; pane < PANES; pane++) {
                const struct page_part part = page_part(page, pane, PARTY_JUDGE);
                unsigned rows = part.rows, height = panes[form][pane].rows;
                unsigned first = rows > height ? rows - height : 0;
                for (unsigned row = first; row < rows; row++) {
                    char shown[1025], wanted[1025];
                    screen_row(screen, (int)(panes[form][pane].top + row - first), side ? 23 : 0,
                               20, shown);
                    page_row_text(page, pane, part.first + row, wanted);
                    assert_string_equal(shown, wanted);
                }
            }
            page_destroy(page);
        }
        vterm_free(terminal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_of_one_side),
        cmocka_unit_test(test_text_where_both_type_at_once),
        cmocka_unit_test(test_text_of_lines),
        cmocka_unit_test(test_text_of_an_entity_without_returns),
        cmocka_unit_test(test_text_of_two_sides_and_of_damage),
        cmocka_unit_test(test_keys_of_two_sides),
        cmocka_unit_test(test_keys_round_trip),
        cmocka_unit_test(test_keys_refuses_what_it_would_not_write),
        cmocka_unit_test(test_times_are_those_of_the_c_library),
        cmocka_unit_test(test_asciicast_of_one_side),
        cmocka_unit_test(test_asciicast_shows_the_pages),
    };
    return cmocka_run_group_tests_name("transcript", tests, NULL, NULL);
}
