/* Pages: the layout key by key, against a second one that lays out the whole text anew each time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/utf8.h"
#include "session/page.h"

#define WIDE  0x4E2Du
#define ACUTE 0x301u
#define GRAVE 0x300u
#define TILDE 0x303u

static struct page *page_wrapping(unsigned columns, bool over_return, bool words)
{
    struct style style;
    struct page *page;
    style_default(&style);
    style.columns = (uint8_t)columns;
    style.backspace_over_return = over_return;
    style.whole_words = words;
    page = page_create(&style);
    assert_non_null(page);
    return page;
}

static struct page *page_of(unsigned columns, bool over_return)
{
    return page_wrapping(columns, over_return, true);
}

static void type(struct page *page, enum party party, uint32_t point)
{
    page_apply(page, &(struct key_event){.point = point, .party = (uint8_t)party});
}

/* Types UTF-8, in which \n is Return, \b is BackSpace and \t is Tab. */
static void type_text(struct page *page, enum party party, const char *text)
{
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        uint32_t point;
        size_t taken = utf8_decode((const uint8_t *)text + at, length - at, &point);
        assert_int_not_equal(taken, 0);
        type(page, party, point == '\n' ? KEY_RETURN : point);
        at += taken;
    }
}

static void row_text(const struct page_row *row, char *text, size_t size)
{
    size_t length = 0;
    for (unsigned i = 0; i < row->cells; i++) {
        const struct page_cell *cell = &row->cell[i];
        assert_true(length + 3 * UTF8_MAX < size);
        length += utf8_encode(cell->point, (uint8_t *)text + length);
        for (unsigned m = 0; m < PAGE_MARKS && cell->mark[m]; m++)
            length += utf8_encode(cell->mark[m], (uint8_t *)text + length);
    }
    text[length] = '\0';
}

/* The rows of a pane, with | after each. */
static void assert_pane(const struct page *page, enum party party, const char *expected)
{
    char text[4096] = "";
    for (unsigned i = 0; i < page_rows(page, party); i++) {
        struct page_row row;
        page_row(page, party, i, &row);
        row_text(&row, text + strlen(text), sizeof text - strlen(text) - 1);
        strcat(text, "|");
    }
    assert_string_equal(text, expected);
}

static void empty_page_has_one_row(void **state)
{
    struct page *page = page_of(38, false);
    struct page_row row;
    (void)state;
    assert_int_equal(page_rows(page, PARTY_JUDGE), 1);
    assert_int_equal(page_rows(page, PARTY_ENTITY), 1);
    page_row(page, PARTY_JUDGE, 0, &row);
    assert_int_equal(row.cells, 0);
    assert_int_equal(row.columns, 0);
    page_row(page, PARTY_JUDGE, 7, &row);
    assert_int_equal(row.cells, 0);
    assert_int_equal(page_style(page)->columns, 38);
    page_destroy(page);
    page_destroy(NULL);
}

static void rows_wrap_when_the_next_key_comes(void **state)
{
    struct page *page = page_of(20, false);
    struct page_row row;
    (void)state;
    type_text(page, PARTY_JUDGE, "12345678901234567890");
    assert_int_equal(page_rows(page, PARTY_JUDGE), 1);
    page_row(page, PARTY_JUDGE, 0, &row);
    assert_int_equal(row.columns, 20);
    type_text(page, PARTY_JUDGE, "a");
    assert_pane(page, PARTY_JUDGE, "12345678901234567890|a|");
    /* A Return after a full row leaves no empty one behind. */
    type_text(page, PARTY_JUDGE, "\b\nb");
    assert_pane(page, PARTY_JUDGE, "12345678901234567890|b|");
    assert_pane(page, PARTY_ENTITY, "|");
    page_destroy(page);
}

static void a_word_moves_to_the_next_row_whole(void **state)
{
    struct page *page = page_of(20, false);
    struct page_row row;
    (void)state;
    type_text(page, PARTY_JUDGE, "Are you a true human");
    assert_pane(page, PARTY_JUDGE, "Are you a true human|");
    type_text(page, PARTY_JUDGE, "i");
    assert_pane(page, PARTY_JUDGE, "Are you a true |humani|");
    type_text(page, PARTY_JUDGE, "st\b\b");
    assert_pane(page, PARTY_JUDGE, "Are you a true |humani|");
    /* It goes back when it fits again. */
    type_text(page, PARTY_JUDGE, "\b");
    assert_pane(page, PARTY_JUDGE, "Are you a true human|");
    /* Blanks that follow a full row are not seen, and begin no row. */
    type_text(page, PARTY_JUDGE, "  ");
    page_row(page, PARTY_JUDGE, 0, &row);
    assert_int_equal(row.cells, 20);
    assert_int_equal(row.columns, 20);
    type_text(page, PARTY_JUDGE, "or");
    assert_pane(page, PARTY_JUDGE, "Are you a true human|or|");
    type_text(page, PARTY_JUDGE, "\b\b\b\b?");
    assert_pane(page, PARTY_JUDGE, "Are you a true |human?|");
    page_destroy(page);
}

static void what_is_longer_than_a_row_is_cut(void **state)
{
    struct page *page = page_of(20, false);
    (void)state;
    type_text(page, PARTY_ENTITY, "so 12345678901234567");
    assert_pane(page, PARTY_ENTITY, "so 12345678901234567|");
    type_text(page, PARTY_ENTITY, "8901");
    assert_pane(page, PARTY_ENTITY, "so |12345678901234567890|1|");
    type_text(page, PARTY_ENTITY, "\b\b\b");
    assert_pane(page, PARTY_ENTITY, "so |123456789012345678|");
    type_text(page, PARTY_ENTITY, "\b");
    assert_pane(page, PARTY_ENTITY, "so 12345678901234567|");
    page_destroy(page);
}

static void words_end_at_wide_ones_and_tabs(void **state)
{
    struct page *page = page_of(20, false);
    (void)state;
    type_text(page, PARTY_ENTITY,
              "12345678901234\xE4\xB8\xAD"
              "abcd");
    assert_pane(page, PARTY_ENTITY,
                "12345678901234\xE4\xB8\xAD"
                "abcd|");
    type_text(page, PARTY_ENTITY, "e");
    assert_pane(page, PARTY_ENTITY, "12345678901234\xE4\xB8\xAD|abcde|");
    type_text(page, PARTY_ENTITY, "\n1234567\tab 1234567890");
    assert_pane(page, PARTY_ENTITY, "12345678901234\xE4\xB8\xAD|abcde|1234567 ab |1234567890|");
    page_destroy(page);
}

/* As all pages did, and as those on record still do. */
static void a_style_may_cut_words(void **state)
{
    struct page *page = page_wrapping(20, false, false);
    (void)state;
    type_text(page, PARTY_JUDGE, "Are you a true humanist? Yes");
    assert_pane(page, PARTY_JUDGE, "Are you a true human|ist? Yes|");
    type_text(page, PARTY_JUDGE, "\b\b\b\b\b\b\b\b ");
    assert_pane(page, PARTY_JUDGE, "Are you a true human| |");
    page_destroy(page);
}

static void wide_ones_are_never_split(void **state)
{
    struct page *page = page_of(21, false);
    struct page_row row;
    (void)state;
    type_text(page, PARTY_ENTITY, "1234567890123456789");
    type(page, PARTY_ENTITY, WIDE);
    page_row(page, PARTY_ENTITY, 0, &row);
    assert_int_equal(row.cells, 20);
    assert_int_equal(row.columns, 21);
    type(page, PARTY_ENTITY, KEY_BACKSPACE);
    type(page, PARTY_ENTITY, 'x');
    type(page, PARTY_ENTITY, WIDE);
    assert_pane(page, PARTY_ENTITY, "1234567890123456789x|\xE4\xB8\xAD|");
    page_row(page, PARTY_ENTITY, 0, &row);
    assert_int_equal(row.columns, 20);
    page_row(page, PARTY_ENTITY, 1, &row);
    assert_int_equal(row.cell[0].width, 2);
    assert_int_equal(row.columns, 2);
    type_text(page, PARTY_ENTITY, "\by");
    assert_pane(page, PARTY_ENTITY, "1234567890123456789xy|");
    page_destroy(page);
}

static void tabs_stop_at_eights_and_at_the_end(void **state)
{
    struct page *page = page_of(20, false);
    struct page_row row;
    (void)state;
    type_text(page, PARTY_JUDGE, "a\tb\tc\td");
    assert_pane(page, PARTY_JUDGE, "a       b       c   |d|");
    type_text(page, PARTY_JUDGE, "\b\b");
    page_row(page, PARTY_JUDGE, 0, &row);
    assert_int_equal(row.columns, 17);
    type_text(page, PARTY_JUDGE, "\t\t");
    assert_pane(page, PARTY_JUDGE, "a       b       c   |        |");
    page_destroy(page);
}

static void marks_join_the_cell_before(void **state)
{
    struct page *page = page_of(20, false);
    struct page_row row;
    (void)state;
    type_text(page, PARTY_JUDGE, "1234567890123456789e");
    type(page, PARTY_JUDGE, ACUTE);
    type(page, PARTY_JUDGE, GRAVE);
    type(page, PARTY_JUDGE, TILDE);
    assert_int_equal(page_rows(page, PARTY_JUDGE), 1);
    page_row(page, PARTY_JUDGE, 0, &row);
    assert_int_equal(row.cells, 20);
    assert_int_equal(row.cell[19].mark[0], ACUTE);
    assert_int_equal(row.cell[19].mark[1], GRAVE);
    /* Each is a key of its own, the third too, although it does not show. */
    type_text(page, PARTY_JUDGE, "\b\b");
    page_row(page, PARTY_JUDGE, 0, &row);
    assert_int_equal(row.cell[19].mark[0], ACUTE);
    assert_int_equal(row.cell[19].mark[1], 0);
    type_text(page, PARTY_JUDGE, "\b\bE");
    assert_pane(page, PARTY_JUDGE, "1234567890123456789E|");
    page_destroy(page);
}

static void a_mark_alone_stands_on_a_circle(void **state)
{
    struct page *page = page_of(20, false);
    struct page_row row;
    (void)state;
    type_text(page, PARTY_JUDGE, "a\n");
    type(page, PARTY_JUDGE, ACUTE);
    type(page, PARTY_JUDGE, GRAVE);
    type(page, PARTY_JUDGE, 'b');
    page_row(page, PARTY_JUDGE, 1, &row);
    assert_int_equal(row.cells, 2);
    assert_int_equal(row.columns, 2);
    assert_int_equal(row.cell[0].point, PAGE_BASE);
    assert_int_equal(row.cell[0].mark[1], GRAVE);
    assert_int_equal(row.cell[1].point, 'b');
    type_text(page, PARTY_JUDGE, "\b\b\b");
    assert_pane(page, PARTY_JUDGE, "a||");
    page_destroy(page);
}

static void marks_cannot_grow_a_row_without_end(void **state)
{
    struct page *page = page_of(20, false);
    struct page_row row;
    (void)state;
    type(page, PARTY_ENTITY, 'a');
    for (unsigned i = 0; i < 200000; i++)
        type(page, PARTY_ENTITY, ACUTE);
    assert_in_range(page_rows(page, PARTY_ENTITY), 2, PAGE_ROWS);
    page_row(page, PARTY_ENTITY, page_rows(page, PARTY_ENTITY) - 1, &row);
    assert_int_equal(row.cells, 1);
    assert_int_equal(row.cell[0].point, PAGE_BASE);
    page_destroy(page);
}

static void backspace_takes_own_keys_of_its_line(void **state)
{
    struct page *page = page_of(20, false);
    (void)state;
    type_text(page, PARTY_ENTITY, "theirs");
    type_text(page, PARTY_JUDGE, "one\ntwo\b\b\b\b\b\b");
    assert_pane(page, PARTY_JUDGE, "one||");
    assert_pane(page, PARTY_ENTITY, "theirs|");
    type_text(page, PARTY_JUDGE, "x");
    assert_pane(page, PARTY_JUDGE, "one|x|");
    /* Over a soft wrap it goes on. */
    type_text(page, PARTY_ENTITY, "\n12345678901234567890ab\b\b\b\b");
    assert_pane(page, PARTY_ENTITY, "theirs|123456789012345678|");
    page_destroy(page);
}

static void backspace_over_return_if_the_style_says_so(void **state)
{
    struct page *page = page_of(20, true);
    (void)state;
    type_text(page, PARTY_JUDGE, "one\n\ntwo\b\b\b\b");
    assert_pane(page, PARTY_JUDGE, "one||");
    type_text(page, PARTY_JUDGE, "\b\bE");
    assert_pane(page, PARTY_JUDGE, "onE|");
    type_text(page, PARTY_JUDGE, "\b\b\b\b\b\b\bx");
    assert_pane(page, PARTY_JUDGE, "x|");
    page_destroy(page);
}

static void what_is_no_key_changes_nothing(void **state)
{
    static const uint32_t others[] = {0, 0x0A, 0x1B, 0x7F, 0xD800, 0x202E, 0xE000, UINT32_MAX};
    struct page *page = page_of(38, false);
    uint8_t before[DIGEST_SIZE], after[DIGEST_SIZE];
    (void)state;
    type_text(page, PARTY_JUDGE, "abc");
    page_digest(page, before);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        type(page, PARTY_JUDGE, others[i]);
    page_apply(page, &(struct key_event){.point = 'a', .party = PARTIES});
    page_digest(page, after);
    assert_memory_equal(before, after, DIGEST_SIZE);
    page_destroy(page);
}

static void oldest_rows_go_first(void **state)
{
    struct page *page = page_of(20, false);
    char line[16];
    struct page_row row;
    (void)state;
    for (unsigned i = 0; i < PAGE_ROWS + 10; i++) {
        snprintf(line, sizeof line, "%u\n", i);
        type_text(page, PARTY_JUDGE, line);
    }
    assert_int_equal(page_rows(page, PARTY_JUDGE), PAGE_ROWS);
    assert_int_equal(page_dropped(page, PARTY_JUDGE), 11);
    page_row(page, PARTY_JUDGE, 0, &row);
    row_text(&row, line, sizeof line);
    assert_string_equal(line, "11");
    assert_int_equal(page_dropped(page, PARTY_ENTITY), 0);

    /* By points: 20 in a row fill the pane before its rows do. */
    page_clear(page);
    for (unsigned i = 0; i < PAGE_POINTS + 1; i++)
        type(page, PARTY_JUDGE, 'a' + i % 26);
    assert_int_equal(page_dropped(page, PARTY_JUDGE), 1);
    assert_int_equal(page_rows(page, PARTY_JUDGE), PAGE_POINTS / 20);
    page_row(page, PARTY_JUDGE, 0, &row);
    assert_int_equal(row.cell[0].point, 'a' + 20);
    for (unsigned i = 0; i < PAGE_POINTS + 100; i++)
        type(page, PARTY_JUDGE, KEY_BACKSPACE);
    assert_pane(page, PARTY_JUDGE, "|");
    page_destroy(page);
}

static void digest_is_of_what_is_remembered(void **state)
{
    struct page *one = page_of(38, false), *other = page_of(38, false);
    uint8_t a[DIGEST_SIZE], b[DIGEST_SIZE];
    (void)state;
    page_digest(one, a);
    page_digest(other, b);
    assert_memory_equal(a, b, DIGEST_SIZE);
    type_text(one, PARTY_JUDGE, "ab");
    type_text(one, PARTY_ENTITY, "cd");
    /* The panes do not depend on how the parties' keys are mixed. */
    type_text(other, PARTY_ENTITY, "c");
    type_text(other, PARTY_JUDGE, "ax\bb");
    type_text(other, PARTY_ENTITY, "d");
    page_digest(one, a);
    page_digest(other, b);
    assert_memory_equal(a, b, DIGEST_SIZE);
    type_text(other, PARTY_ENTITY, "\be");
    page_digest(other, b);
    assert_memory_not_equal(a, b, DIGEST_SIZE);
    page_destroy(one);
    page_destroy(other);
}

static void digest_knows_pane_return_and_style(void **state)
{
    static const char *const texts[] = {"ab", "a", "ab\n", "a b", "ab ", "a\tb", "\nab", "a\nb"};
    enum { COUNT = sizeof texts / sizeof texts[0] };
    uint8_t seen[2 * COUNT + 2][DIGEST_SIZE];
    unsigned count = 0;
    (void)state;
    for (unsigned i = 0; i < 2 * COUNT + 2; i++) {
        struct page *page = page_of(i == 2 * COUNT ? 39 : 38, i == 2 * COUNT + 1);
        type_text(page, i < COUNT ? PARTY_JUDGE : PARTY_ENTITY, texts[i % COUNT]);
        page_digest(page, seen[count]);
        for (unsigned j = 0; j < count; j++)
            assert_memory_not_equal(seen[count], seen[j], DIGEST_SIZE);
        count++;
        page_destroy(page);
    }
}

static void widths_follow_our_table(void **state)
{
    static const struct {
        uint32_t point;
        unsigned width;
    } known[] = {{'a', 1},     {0xE9, 1},    {0x2FF, 1},  {0x300, 0},  {0x36F, 0},   {0x370, 1},
                 {0x2502, 1},  {0x2603, 1},  {0x1100, 2}, {0x1160, 0}, {0x11FF, 0},  {0x200B, 1},
                 {0x200C, 0},  {0x200D, 0},  {0x231A, 2}, {0x2764, 1}, {0xFE0F, 0},  {0x3000, 2},
                 {0x4E2D, 2},  {0xAC00, 2},  {0xFF21, 2}, {0xFF71, 1}, {0x1F600, 2}, {0x1F1E6, 1},
                 {0x20000, 2}, {0x10FFFF, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (point_width(known[i].point) != known[i].width)
            fail_msg("U+%04X takes %u columns", known[i].point, known[i].width);
}

/* The second layout: a list of keys that stand, laid out from its beginning each time. */
struct slow {
    uint32_t key[4096];
    unsigned keys;
    struct page_row row[1024];
    unsigned rows;
};

static void slow_type(struct slow *slow, uint32_t point, bool over_return)
{
    if (point != KEY_BACKSPACE)
        slow->key[slow->keys++] = point;
    else if (slow->keys && (over_return || slow->key[slow->keys - 1] != KEY_RETURN))
        slow->keys--;
}

static bool slow_is_blank(uint32_t key)
{
    return key == KEY_TAB || key == ' ';
}

static bool slow_is_letter(uint32_t key)
{
    return key != KEY_RETURN && !slow_is_blank(key) && point_width(key) < 2;
}

/* Whether the word that begins with this key, which ends before the next blank or wide one, fits.
 */
static bool slow_fits(const struct slow *slow, unsigned key, unsigned room, unsigned points)
{
    unsigned width = 0, count = 0;
    for (unsigned i = key; i < slow->keys && slow_is_letter(slow->key[i]); i++, count++)
        width += point_width(slow->key[i]);
    return width <= room && count <= points;
}

static void slow_layout(struct slow *slow, unsigned columns, bool words)
{
    struct page_row *row = &slow->row[0];
    unsigned points = 0, hung = 0;
    bool in_word = false;
    memset(slow->row, 0, sizeof slow->row[0] * (slow->rows + 1));
    slow->rows = 1;
    for (unsigned i = 0; i < slow->keys; i++) {
        uint32_t key = slow->key[i];
        unsigned width = key == KEY_TAB ? 1 : key == KEY_RETURN ? 0 : point_width(key);
        bool mark = key != KEY_RETURN && width == 0;
        bool hangs = words && key == ' ' && row->columns == columns && hung < 2;
        bool new_row = key == KEY_RETURN || (row->columns + width > columns && !hangs) ||
                       points == 4 * columns;
        if (words && slow_is_letter(key) && !mark && !in_word && points > 0)
            new_row = !slow_fits(slow, i, columns - row->columns, 4 * columns - points);
        if (new_row && slow->rows < 1024) {
            row = &slow->row[slow->rows++];
            memset(row, 0, sizeof *row);
            points = hung = 0;
        }
        in_word = slow_is_letter(key) && (!mark || points == 0 || in_word);
        if (key == KEY_RETURN)
            continue;
        if (points == 4 * columns)
            continue; /* no room in the test's rows */
        points++;
        if (hangs && !new_row)
            hung++;
        if (hung)
            continue; /* a blank that is not seen, or a mark on it */
        if (key == KEY_TAB) {
            do
                row->cell[row->cells++] = (struct page_cell){.point = ' ', .width = 1};
            while (++row->columns % 8 && row->columns < columns);
            continue;
        }
        if (mark && row->cells == 0) {
            row->cell[row->cells++] = (struct page_cell){.point = PAGE_BASE, .width = 1};
            row->columns++;
        }
        if (mark) {
            uint32_t *marks = row->cell[row->cells - 1].mark;
            if (!marks[0])
                marks[0] = key;
            else if (!marks[1])
                marks[1] = key;
            continue;
        }
        row->cell[row->cells++] = (struct page_cell){.point = key, .width = (uint8_t)width};
        row->columns += width;
    }
}

static bool rows_equal(const struct page_row *a, const struct page_row *b)
{
    bool equal = a->cells == b->cells && a->columns == b->columns;
    for (unsigned i = 0; equal && i < a->cells; i++)
        equal = a->cell[i].point == b->cell[i].point && a->cell[i].width == b->cell[i].width &&
                a->cell[i].mark[0] == b->cell[i].mark[0] &&
                a->cell[i].mark[1] == b->cell[i].mark[1];
    return equal;
}

static uint32_t random_key(void)
{
    switch (rand() % 18) {
    case 16:
    case 17:
        return ' ';
    case 0:
        return rand() % 3 ? KEY_TAB : KEY_RETURN;
    case 1:
    case 2:
    case 3:
        return KEY_BACKSPACE;
    case 4:
        return WIDE;
    case 5:
        return 0x1F600;
    case 6:
    case 7:
        return ACUTE + (uint32_t)(rand() % 3);
    default:
        return 'a' + (uint32_t)(rand() % 26);
    }
}

static unsigned seed_start(void)
{
    const char *text = getenv("SEED");
    unsigned seed = text ? (unsigned)strtoul(text, NULL, 0) : 20041129u;
    print_message("# SEED=%u\n", seed);
    return seed;
}

static void equals_the_slow_layout(void **state)
{
    struct slow *slow = calloc(PARTIES, sizeof *slow);
    unsigned seed = seed_start();
    (void)state;
    assert_non_null(slow);
    for (unsigned run = 0; run < 90; run++) {
        struct page *page;
        bool over_return = run % 2, words = run % 3;
        unsigned columns;
        srand(seed + run);
        columns = run == 0 ? STYLE_COLUMNS_MAX : 20 + (unsigned)rand() % 30;
        page = page_wrapping(columns, over_return, words);
        slow[0].keys = slow[1].keys = 0;
        for (unsigned i = 0; i < 400; i++) {
            enum party party = (enum party)(rand() % 2);
            uint32_t key = random_key();
            /* Runs of marks, of BackSpaces and of wide ones reach the corners. */
            for (int n = rand() % 12 == 0 ? rand() % 90 : 1; n > 0; n--) {
                type(page, party, key);
                slow_type(&slow[party], key, over_return);
            }
            slow_layout(&slow[party], columns, words);
            if (page_rows(page, party) != slow[party].rows)
                fail_msg("SEED=%u key %u: %u rows, not %u", seed + run, i, page_rows(page, party),
                         slow[party].rows);
            for (unsigned r = 0; r < slow[party].rows; r++) {
                struct page_row row;
                page_row(page, party, r, &row);
                if (!rows_equal(&row, &slow[party].row[r]))
                    fail_msg("SEED=%u key %u: row %u differs", seed + run, i, r);
            }
            if (slow[party].keys > 3900 || slow[party].rows > 900) {
                page_clear(page);
                slow[0].keys = slow[1].keys = 0;
            }
        }
        page_destroy(page);
    }
    free(slow);
}

/* A page with keys waiting shows what it shows when they are placed. */
static void preview_shows_what_will_be(void **state)
{
    unsigned seed = seed_start();
    (void)state;
    for (unsigned run = 0; run < 500; run++) {
        unsigned columns, rows, count = 0, last;
        struct page *now, *later;
        static uint32_t waiting[200];
        static struct page_row placed, row, out[200];
        srand(seed + run);
        columns = 20 + (unsigned)rand() % 5;
        now = page_wrapping(columns, run % 2, run % 3);
        later = page_wrapping(columns, run % 2, run % 3);
        for (int i = rand() % 60; i > 0; i--) {
            uint32_t key = random_key();
            type(now, PARTY_ENTITY, key);
            type(later, PARTY_ENTITY, key);
        }
        /* They begin with a blank or a wide one, so that they are not about what is placed; as many
         * BackSpaces as keys stand, at most. */
        for (int i = rand() % 200, back = 0; i > 0; i--) {
            uint32_t key = count ? random_key() : rand() % 2 ? ' ' : WIDE;
            back = key == KEY_BACKSPACE ? back - 1 : key == KEY_RETURN ? 0 : back + 1;
            if (back < 1 && key != KEY_RETURN)
                break;
            waiting[count++] = key;
            type(later, PARTY_ENTITY, key);
        }
        last = page_rows(now, PARTY_ENTITY) - 1;
        rows = page_preview(now, PARTY_ENTITY, waiting, count, 0, out, 200);
        if (last + rows != page_rows(later, PARTY_ENTITY))
            fail_msg("SEED=%u: %u + %u rows, not %u", seed + run, last, rows,
                     page_rows(later, PARTY_ENTITY));
        page_row(now, PARTY_ENTITY, last, &placed);
        for (unsigned i = 0; i < out[0].cells; i++)
            placed.cell[placed.cells++] = out[0].cell[i];
        placed.columns = out[0].columns;
        out[0] = placed;
        for (unsigned i = 0; i < rows; i++) {
            page_row(later, PARTY_ENTITY, last + i, &row);
            if (!rows_equal(&row, &out[i]))
                fail_msg("SEED=%u: row %u of the preview differs", seed + run, i);
        }
        /* Any window of it is the same. */
        if (rows > 2) {
            struct page_row window[2];
            page_preview(now, PARTY_ENTITY, waiting, count, rows - 2, window, 2);
            assert_true(rows_equal(&window[0], &out[rows - 2]));
            assert_true(rows_equal(&window[1], &out[rows - 1]));
        }
        page_destroy(now);
        page_destroy(later);
    }
}

static void preview_marks_what_will_be_taken_back(void **state)
{
    static const uint32_t waiting[] = {'x', KEY_BACKSPACE, KEY_BACKSPACE, KEY_BACKSPACE, 'y'};
    struct page *page = page_of(20, false);
    struct page_row row;
    uint32_t many[PAGE_PREVIEW + 100];
    (void)state;
    type_text(page, PARTY_ENTITY, "abc");
    assert_int_equal(page_preview(page, PARTY_ENTITY, waiting, 5, 0, &row, 1), 1);
    assert_int_equal(row.cells, 3);
    assert_int_equal(row.cell[0].point, PAGE_TAKES_BACK);
    assert_int_equal(row.cell[1].point, PAGE_TAKES_BACK);
    assert_int_equal(row.cell[2].point, 'y');
    assert_int_equal(row.columns, 6);
    assert_int_equal(page_preview(page, PARTY_ENTITY, NULL, 0, 0, &row, 1), 1);
    assert_int_equal(row.cells, 0);
    assert_int_equal(row.columns, 3);
    for (unsigned i = 0; i < PAGE_PREVIEW + 100; i++)
        many[i] = 'm';
    assert_int_equal(page_preview(page, PARTY_ENTITY, many, PAGE_PREVIEW + 100, 0, NULL, 0),
                     (PAGE_PREVIEW + 3 + 19) / 20);
    page_destroy(page);
}

static bool is_full(const struct page *page, const char *waiting, size_t most)
{
    uint32_t point[64];
    size_t count = strlen(waiting);
    for (size_t i = 0; i < count; i++)
        point[i] = waiting[i] == '\n' ? KEY_RETURN : (uint32_t)waiting[i];
    return page_message_is_full(page, PARTY_ENTITY, point, count, most);
}

static void assert_message(const struct page *page, const char *waiting, size_t length)
{
    assert_true(length == 0 || is_full(page, waiting, length));
    assert_false(is_full(page, waiting, length + 1));
    assert_false(is_full(page, waiting, 0));
}

/* Placed and waiting keys, by the rules of BackSpace. */
static void a_message_is_counted_to_its_return(void **state)
{
    (void)state;
    for (unsigned over = 0; over < 2; over++) {
        struct page *page = page_of(20, over);
        assert_message(page, "", 0);
        assert_message(page, "\b\bab", 2);
        type_text(page, PARTY_ENTITY, "first message, of two rows\nab");
        type_text(page, PARTY_JUDGE, "the judge's\n do not count");
        assert_message(page, "", 2);
        assert_message(page, "cd\b", 3);
        assert_message(page, "c\b\b\b", 0);
        assert_message(page, "cde\n", 0);
        assert_message(page, "cde\nfg", 2);
        assert_message(page, "c\nfg\b\b\b", over ? 3 : 0);
        assert_message(page, "\b\b\bxy", over ? 28 : 2);
        type_text(page, PARTY_ENTITY, "\b\b\b\bz");
        assert_message(page, "", over ? 26 : 1);
        page_destroy(page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_page_has_one_row),
        cmocka_unit_test(rows_wrap_when_the_next_key_comes),
        cmocka_unit_test(a_word_moves_to_the_next_row_whole),
        cmocka_unit_test(what_is_longer_than_a_row_is_cut),
        cmocka_unit_test(words_end_at_wide_ones_and_tabs),
        cmocka_unit_test(a_style_may_cut_words),
        cmocka_unit_test(wide_ones_are_never_split),
        cmocka_unit_test(tabs_stop_at_eights_and_at_the_end),
        cmocka_unit_test(marks_join_the_cell_before),
        cmocka_unit_test(a_mark_alone_stands_on_a_circle),
        cmocka_unit_test(marks_cannot_grow_a_row_without_end),
        cmocka_unit_test(backspace_takes_own_keys_of_its_line),
        cmocka_unit_test(backspace_over_return_if_the_style_says_so),
        cmocka_unit_test(what_is_no_key_changes_nothing),
        cmocka_unit_test(oldest_rows_go_first),
        cmocka_unit_test(digest_is_of_what_is_remembered),
        cmocka_unit_test(digest_knows_pane_return_and_style),
        cmocka_unit_test(widths_follow_our_table),
        cmocka_unit_test(equals_the_slow_layout),
        cmocka_unit_test(preview_shows_what_will_be),
        cmocka_unit_test(preview_marks_what_will_be_taken_back),
        cmocka_unit_test(a_message_is_counted_to_its_return),
    };
    return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
