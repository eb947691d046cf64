/* The pages that know of lines and turns: scroll, as 1996 spec 1 shows it, and web. Against a
 * second layout that goes through all the keys anew each time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/utf8.h"
#include "session/page.h"
#include "tests/support/random.h"

static struct dice dice;

static struct page *page_of(const char *line)
{
    struct style style;
    struct page *page;
    assert_int_equal(style_parse(&style, line, 1, NULL), BL_OK);
    page = page_create(&style);
    assert_non_null(page);
    return page;
}

static void type(struct page *page, enum party party, uint32_t point)
{
    page_apply(page, &(struct key_event){.point = point, .party = (uint8_t)party});
}

/* ASCII, in which \n is Return and \b is BackSpace. */
static void say(struct page *page, enum party party, const char *text)
{
    for (; *text; text++)
        type(page, party, *text == '\n' ? KEY_RETURN : (uint32_t)*text);
}

static void row_text(const struct page_row *row, char *text)
{
    size_t length = 0;
    for (unsigned i = 0; i < row->cells; i++) {
        length += utf8_encode(row->cell[i].point, (uint8_t *)text + length);
        for (unsigned m = 0; m < PAGE_MARKS && row->cell[i].mark[m]; m++)
            length += utf8_encode(row->cell[i].mark[m], (uint8_t *)text + length);
    }
    text[length] = '\0';
}

/* The rows of a pane, with | after each. */
static void assert_pane(const struct page *page, unsigned pane, const char *expected)
{
    char text[4096] = "";
    for (unsigned i = 0; i < page_rows(page, pane); i++) {
        struct page_row row;
        page_row(page, pane, i, &row);
        row_text(&row, text + strlen(text));
        strcat(text, "|");
    }
    assert_string_equal(text, expected);
}

static void assert_place(const struct page *page, enum party party, unsigned row, bool shown)
{
    struct page_place place = page_place(page, party);
    assert_int_equal(place.row, row);
    assert_int_equal(place.shown, shown);
}

/* The example of 1996 spec 1, key by key. */
static void the_1996_example(void **state)
{
    struct page *page = page_of("scroll");
    (void)state;
    assert_false(page_has(page, PANE_LOWER));
    assert_int_equal(page_rows(page, PANE_LOWER), 0);
    assert_pane(page, PANE_UPPER, ">|");
    say(page, PARTY_JUDGE, "@@04\n");
    assert_pane(page, PANE_UPPER, ">@@04|>|");
    say(page, PARTY_JUDGE, "\n"); /* the turn is the entity's: no prompt, and a row for it */
    assert_pane(page, PANE_UPPER, ">@@04|>||");
    assert_place(page, PARTY_ENTITY, 2, true);
    assert_place(page, PARTY_JUDGE, 3, false);
    say(page, PARTY_ENTITY, "Welcome judge 4");
    assert_pane(page, PANE_UPPER, ">@@04|>|Welcome judge 4|");
    say(page, PARTY_ENTITY, "\n\n"); /* two Returns: the judge is prompted, and no row is wasted */
    assert_pane(page, PANE_UPPER, ">@@04|>|Welcome judge 4|>|");
    assert_place(page, PARTY_JUDGE, 3, true);
    say(page, PARTY_JUDGE, "Do you think that the\nin winning the White House?\n\n");
    say(page, PARTY_ENTITY, "Only if Newt succeeds in\n");
    /* After one Return more may come, yet the judge need not wait for ever. */
    assert_pane(page, PANE_UPPER,
                ">@@04|>|Welcome judge 4|>Do you think that the|>in winning the White House?|>|"
                "Only if Newt succeeds in||>|");
    say(page, PARTY_ENTITY, "developing");
    assert_pane(page, PANE_UPPER,
                ">@@04|>|Welcome judge 4|>Do you think that the|>in winning the White House?|>|"
                "Only if Newt succeeds in|developing|");
    page_destroy(page);
}

static void lines_that_overlap_stay_whole(void **state)
{
    struct page *page = page_of("scroll");
    (void)state;
    say(page, PARTY_JUDGE, "How are");
    say(page, PARTY_ENTITY, "Wait");
    assert_pane(page, PANE_UPPER, "Wait|>How are|");
    say(page, PARTY_ENTITY, " a bit\n");
    assert_pane(page, PANE_UPPER, "Wait a bit|>How are|");
    say(page, PARTY_JUDGE, " you?\n");
    assert_pane(page, PANE_UPPER, "Wait a bit|>How are you?|>|");
    page_destroy(page);
}

static void backspace_stays_in_its_line(void **state)
{
    static const char *const styles[] = {"scroll", "web"};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct page *page = page_of(styles[i]);
        say(page, PARTY_JUDGE, "ab\ncx\b\b\b\bd");
        say(page, PARTY_ENTITY, "\b\be");
        if (i == 0)
            assert_pane(page, PANE_UPPER, ">ab|e|>d|");
        else
            assert_pane(page, PANE_LOWER, "Partner: e|Judge:   d|");
        page_destroy(page);
    }
}

static void a_web_page_has_a_document_and_two_fields(void **state)
{
    struct page *page = page_of("web columns=20");
    (void)state;
    assert_true(page_has(page, PANE_LOWER));
    assert_pane(page, PANE_UPPER, "|");
    assert_pane(page, PANE_LOWER, "Partner: |Judge:   |");
    assert_place(page, PARTY_JUDGE, 1, true);
    say(page, PARTY_JUDGE, "\n\nHello, partner\n\n");
    assert_pane(page, PANE_UPPER, "Judge:   Hello, |         partner|");
    say(page, PARTY_ENTITY, "Hi");
    assert_pane(page, PANE_UPPER, "Judge:   Hello, |         partner|");
    assert_pane(page, PANE_LOWER, "Partner: Hi|Judge:   |");
    say(page, PARTY_ENTITY, "\n");
    assert_pane(page, PANE_UPPER, "Judge:   Hello, |         partner|Partner: Hi|");
    assert_pane(page, PANE_LOWER, "Partner: |Judge:   |");
    page_destroy(page);
}

static void assert_part(const struct page *page, unsigned pane, enum party viewer, unsigned first,
                        unsigned rows)
{
    struct page_part part = page_part(page, pane, viewer);
    assert_int_equal(part.first, first);
    assert_int_equal(part.rows, rows);
}

/* r29: what is not sent yet is on its writer's screen alone, unless a record says that it was not.
 */
static void a_field_is_its_writers_own(void **state)
{
    struct page *page = page_of("web columns=20"), *both = page_of("web columns=20 fields=both");
    (void)state;
    assert_part(page, PANE_LOWER, PARTY_ENTITY, 0, 1);
    assert_part(page, PANE_LOWER, PARTY_JUDGE, 1, 1);
    say(page, PARTY_ENTITY, "more than a row");
    say(both, PARTY_ENTITY, "more than a row");
    assert_part(page, PANE_LOWER, PARTY_ENTITY, 0, 2);
    assert_part(page, PANE_LOWER, PARTY_JUDGE, 2, 1);
    assert_part(page, PANE_UPPER, PARTY_JUDGE, 0, 1);
    assert_part(both, PANE_LOWER, PARTY_ENTITY, 0, 3);
    assert_part(both, PANE_LOWER, PARTY_JUDGE, 0, 3);
    say(page, PARTY_ENTITY, "\n");
    assert_part(page, PANE_UPPER, PARTY_JUDGE, 0, 2);
    assert_part(page, PANE_LOWER, PARTY_JUDGE, 1, 1);
    page_destroy(page);
    page_destroy(both);
}

static void wide_ones_marks_and_tabs_follow_the_prompt(void **state)
{
    struct page *page = page_of("scroll columns=20 prompt.judge=\"> \"");
    struct page_row row;
    (void)state;
    type(page, PARTY_JUDGE, 0x301);
    type(page, PARTY_JUDGE, KEY_TAB);
    type(page, PARTY_JUDGE, 'x');
    page_row(page, PANE_UPPER, 0, &row);
    assert_int_equal(row.cell[2].point, PAGE_BASE);
    assert_int_equal(row.cell[2].mark[0], 0x301);
    assert_int_equal(row.cell[10].point, 'x'); /* eight columns after the prompt */
    for (unsigned i = 0; i < 5; i++)
        type(page, PARTY_JUDGE, 0x4E2D);
    assert_int_equal(page_rows(page, PANE_UPPER), 2);
    page_row(page, PANE_UPPER, 1, &row);
    assert_int_equal(row.cell[0].point, ' ');
    assert_int_equal(row.cell[2].point, 0x4E2D);
    assert_int_equal(row.columns, 4);
    page_destroy(page);
}

static void digest_knows_whose_turn_it_is(void **state)
{
    struct page *one = page_of("scroll"), *other = page_of("scroll prompt.judge=\"\"");
    uint8_t a[DIGEST_SIZE], b[DIGEST_SIZE];
    (void)state;
    page_digest(one, a);
    page_digest(other, b);
    assert_memory_not_equal(a, b, DIGEST_SIZE);
    page_destroy(other);
    other = page_of("scroll");
    /* The same lines, said by the judge's turn and by the entity's. */
    say(one, PARTY_JUDGE, "a\n\n");
    say(other, PARTY_JUDGE, "a\nb\b\n");
    assert_int_equal(page_rows(one, PANE_UPPER), page_rows(other, PANE_UPPER));
    page_digest(one, a);
    page_digest(other, b);
    assert_memory_not_equal(a, b, DIGEST_SIZE);
    page_destroy(one);
    page_destroy(other);
}

static void a_flood_is_bounded(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct page *page = page_of(i ? "web" : "scroll");
        struct page_row row;
        for (unsigned n = 0; n < 3 * PAGE_POINTS; n++)
            type(page, PARTY_ENTITY, 'a' + n % 26);
        assert_in_range(page_rows(page, page_place(page, PARTY_ENTITY).pane), 100, PAGE_ROWS + 2);
        type(page, PARTY_ENTITY, KEY_RETURN);
        for (unsigned n = 0; n < 3 * PAGE_ROWS; n++)
            say(page, PARTY_JUDGE, "x\n");
        assert_in_range(page_rows(page, PANE_UPPER), PAGE_ROWS, PAGE_ROWS + 2);
        assert_true(page_dropped(page, PANE_UPPER) > 2 * PAGE_ROWS);
        page_row(page, PANE_UPPER, 0, &row);
        assert_int_equal(row.party, PARTY_JUDGE);
        assert_int_equal(row.cell[row.cells - 1].point, 'x');
        page_destroy(page);
    }
}

/* The second layout. All keys, from which rows of text are made anew. */
#define KEYS      400
#define ROWS      1600
#define WIDE_TEXT 400

struct slow {
    struct key_event key[KEYS];
    unsigned keys;
    char row[PANES][ROWS][WIDE_TEXT];
    unsigned rows[PANES];
};

/* Whether a word goes on with this key, where rows wrap at words. */
static bool slow_goes_on(uint32_t key)
{
    return key != KEY_TAB && key != ' ' && point_width(key) < 2;
}

/* Columns and points of the word that begins with this key. */
static unsigned slow_word(const uint32_t *key, unsigned keys, unsigned *points)
{
    unsigned columns = 0;
    for (*points = 0; *points < keys && slow_goes_on(key[*points]); ++*points)
        columns += point_width(key[*points]);
    return columns;
}

static void slow_put(struct slow *slow, unsigned pane, const struct style *style, enum party party,
                     const uint32_t *key, unsigned keys)
{
    char lead[2 * STYLE_LEAD_MAX + 1] = "";
    unsigned column, points = 0, width = style_lead(style, party), hung = 0;
    bool in_word = false;
    char *out = slow->row[pane][slow->rows[pane]++];
    if (style->form == STYLE_SCROLL)
        strcat(lead, style->prompt[party]);
    else
        sprintf(lead, "%s:", style->label[party]);
    while (strlen(lead) < width)
        strcat(lead, " ");
    out += sprintf(out, "%s", lead);
    column = width;
    for (unsigned i = 0; i < keys; i++) {
        unsigned takes = key[i] == KEY_TAB ? 1 : point_width(key[i]);
        unsigned word, most = 4u * style->columns, need = column + takes;
        bool hangs = style->whole_words && key[i] == ' ' && column == style->columns && hung < 2;
        bool wraps = (need > style->columns && !hangs) || points == most;
        if (style->whole_words && slow_goes_on(key[i]) && takes && !in_word && points > 0)
            wraps = column + slow_word(key + i, keys - i, &word) > style->columns ||
                    points + word > most;
        if (wraps) {
            hung = 0;
            out = slow->row[pane][slow->rows[pane]++];
            out += sprintf(out, "%*s", (int)width, "");
            column = width;
            points = 0;
        }
        in_word = slow_goes_on(key[i]) && (takes || points == 0 || in_word);
        hung += hangs && !wraps;
        if (hung > 0) {
            points++;
            continue; /* a blank that is not seen, or a mark on it */
        }
        if (points++ == 0 && takes == 0) {
            out += utf8_encode(PAGE_BASE, (uint8_t *)out);
            column++;
        }
        if (key[i] == KEY_TAB) {
            do
                *out++ = ' ';
            while ((++column - width) % 8 && column < style->columns);
        } else {
            out += utf8_encode(key[i], (uint8_t *)out);
            column += takes;
        }
        *out = '\0';
    }
}

static void slow_layout(struct slow *slow, const struct style *style)
{
    uint32_t line[PARTIES][KEYS];
    unsigned length[PARTIES] = {0}, run[PARTIES] = {0};
    enum party speaks = PARTY_JUDGE;
    bool scroll = style->form == STYLE_SCROLL, heard = false, judge, entity;
    slow->rows[0] = slow->rows[1] = 0;
    for (unsigned i = 0; i < slow->keys; i++) {
        const struct key_event *key = &slow->key[i];
        enum party party = (enum party)key->party;
        if (party == PARTY_JUDGE && key->point != KEY_BACKSPACE)
            speaks = PARTY_JUDGE;
        if (key->point == KEY_BACKSPACE) {
            length[party] -= length[party] > 0;
        } else if (key->point != KEY_RETURN) {
            line[party][length[party]++] = key->point;
        } else {
            bool second = run[party] == 1 && scroll;
            run[party] = second ? 0 : 1;
            if (length[party] || (scroll && !(second && style->prompt[party][0] == '\0')))
                slow_put(slow, PANE_UPPER, style, party, line[party], length[party]);
            length[party] = 0;
            if (second)
                speaks = (enum party)(1 - party);
            heard = !second && (party == PARTY_ENTITY || heard);
            continue;
        }
        run[party] = 0;
    }
    entity = !scroll || length[PARTY_ENTITY] || speaks == PARTY_ENTITY;
    judge = !scroll || length[PARTY_JUDGE] ||
            (length[PARTY_ENTITY] == 0 && (speaks == PARTY_JUDGE || heard));
    if (entity)
        slow_put(slow, scroll ? PANE_UPPER : PANE_LOWER, style, PARTY_ENTITY, line[PARTY_ENTITY],
                 length[PARTY_ENTITY]);
    if (judge)
        slow_put(slow, scroll ? PANE_UPPER : PANE_LOWER, style, PARTY_JUDGE, line[PARTY_JUDGE],
                 length[PARTY_JUDGE]);
    if (slow->rows[PANE_UPPER] == 0)
        slow->row[PANE_UPPER][slow->rows[PANE_UPPER]++][0] = '\0';
}

static uint32_t any_key(void)
{
    static const uint32_t points[] = {KEY_RETURN, KEY_RETURN, KEY_RETURN,    KEY_BACKSPACE,
                                      KEY_TAB,    ' ',        KEY_BACKSPACE, 0x4E2D,
                                      0x1F600,    0x301,      0x302};
    uint64_t pick = dice_below(&dice, 26);
    return pick < sizeof points / sizeof points[0] ? points[pick] : 'a' + (uint32_t)pick;
}

static void any_style(struct style *style)
{
    static const char *const lines[] = {"scroll",
                                        "web",
                                        "scroll prompt.judge=\"J> \" prompt.entity=E>",
                                        "scroll prompt.judge=\"\"",
                                        "web label.judge=\"A judge\" label.entity=B",
                                        "scroll prompt.judge=\xe4\xb8\xad"};
    assert_int_equal(
        style_parse(style, lines[dice_below(&dice, sizeof lines / sizeof lines[0])], 1, NULL),
        BL_OK);
    style->whole_words = dice_below(&dice, 4) > 0;
    style->columns = (uint8_t)(20 + dice_below(&dice, dice_below(&dice, 2) ? 6 : 60));
}

static void assert_same_page(const struct page *a, const struct page *b)
{
    uint8_t one[DIGEST_SIZE], other[DIGEST_SIZE];
    page_digest(a, one);
    page_digest(b, other);
    assert_memory_equal(one, other, DIGEST_SIZE);
}

static void equals_the_slow_layout(void **state)
{
    static struct slow slow;
    static const char *const mark = "\xcc\x81\xcc\x82"; /* both that any_key types */
    (void)state;
    for (unsigned run = 0; run < 60; run++) {
        struct style style;
        struct page *page, *again;
        any_style(&style);
        page = page_create(&style);
        again = page_create(&style);
        slow.keys = 0;
        for (unsigned i = 0; i < KEYS; i++) {
            struct key_event event = {.point = any_key(), .party = dice_below(&dice, 2)};
            /* Turns rather than a muddle, most of the time. */
            if (i && dice_below(&dice, 4))
                event.party = slow.key[i - 1].party;
            slow.key[slow.keys++] = event;
            page_apply(page, &event);
            if (dice_below(&dice, 8) && i + 1 < KEYS)
                continue;
            slow_layout(&slow, &style);
            for (unsigned pane = 0; pane < PANES; pane++) {
                assert_int_equal(page_rows(page, pane), slow.rows[pane]);
                for (unsigned r = 0; r < slow.rows[pane]; r++) {
                    char text[WIDE_TEXT];
                    struct page_row row;
                    page_row(page, pane, r, &row);
                    row_text(&row, text);
                    /* A cell shows two marks at most. */
                    if (!strpbrk(slow.row[pane][r], mark))
                        assert_string_equal(text, slow.row[pane][r]);
                }
            }
            /* From the record the same. */
            page_clear(again);
            for (unsigned n = 0; n < slow.keys; n++)
                page_apply(again, &slow.key[n]);
            assert_same_page(page, again);
        }
        page_destroy(page);
        page_destroy(again);
    }
}

/* Keys that wait stand where they will when they are placed. */
static void preview_shows_what_will_be(void **state)
{
    (void)state;
    for (unsigned run = 0; run < 400; run++) {
        enum party party = (enum party)dice_below(&dice, 2);
        unsigned count = 1 + (unsigned)dice_below(&dice, 60), rows, first;
        static struct page_row out[64], row;
        struct page_place place, later;
        struct page *page;
        uint32_t waiting[64];
        struct style style;
        any_style(&style);
        page = page_create(&style);
        for (uint64_t i = dice_below(&dice, 80); i > 0; i--)
            type(page, (enum party)dice_below(&dice, 2), any_key());
        place = page_place(page, party);
        page_row(page, place.pane, place.row, &row);
        for (unsigned i = 0; i < count; i++)
            waiting[i] = i == 0 ? ' ' : 'a' + i % 26;
        rows = page_preview(page, party, waiting, count, 0, out, 64);
        for (unsigned i = 0; i < count; i++)
            type(page, party, waiting[i]);
        later = page_place(page, party);
        /* The judge's line moves up where the entity's has had the turn without a word. */
        first = later.row + 1 - rows;
        if (place.shown && party == PARTY_ENTITY)
            assert_int_equal(first, place.row);
        for (unsigned i = 0; i < rows; i++) {
            char was[WIDE_TEXT] = "", is[WIDE_TEXT];
            struct page_row now;
            if (i == 0 && place.shown)
                row_text(&row, was);
            row_text(&out[i], was + strlen(was));
            page_row(page, later.pane, first + i, &now);
            row_text(&now, is);
            assert_string_equal(was, is);
            assert_int_equal(out[i].columns, now.columns);
        }
        page_destroy(page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_1996_example),
        cmocka_unit_test(lines_that_overlap_stay_whole),
        cmocka_unit_test(backspace_stays_in_its_line),
        cmocka_unit_test(a_web_page_has_a_document_and_two_fields),
        cmocka_unit_test(a_field_is_its_writers_own),
        cmocka_unit_test(wide_ones_marks_and_tabs_follow_the_prompt),
        cmocka_unit_test(digest_knows_whose_turn_it_is),
        cmocka_unit_test(a_flood_is_bounded),
        cmocka_unit_test(equals_the_slow_layout),
        cmocka_unit_test(preview_shows_what_will_be),
    };
    dice = dice_make(dice_seed("page_lines"));
    return cmocka_run_group_tests_name("page_lines", tests, NULL, NULL);
}
