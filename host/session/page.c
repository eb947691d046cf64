#include "session/page.h"

#include "base/utf8.h"
#include "session/pane.h"
#include "session/messages.h"

#include <sodium/crypto_shorthash.h>
#include <stdlib.h>
#include <string.h>

struct turn {
    enum party party;
    bool answered;             /* the entity has ended a line of its turn */
    unsigned returns[PARTIES]; /* number of Returns at the end of the party's keys */
};

struct page {
    struct style style;
    struct pane pane[PARTIES]; /* split style: the panes; others: the parties' unended lines */
    struct pane done;          /* not in the split style: the ended lines */
    struct turn turn;
    struct key_event returned; /* the latest Return; point 0: none */
    uint64_t changes[PANES];
};

static bool is_split(const struct page *page)
{
    return page->style.form == STYLE_SPLIT;
}

static bool line_is_empty(const struct page *page, enum party party)
{
    return page->pane[party].end == page->pane[party].first;
}

static unsigned rows_of(const struct pane *pane)
{
    return (unsigned)(pane->row_end - pane->row_first);
}

/* True if the party's unended line has rows on the page. */
static bool line_is_shown(const struct page *page, enum party party)
{
    const struct turn *turn = &page->turn;
    if (page->style.form != STYLE_SCROLL || !line_is_empty(page, party))
        return true;
    if (party == PARTY_ENTITY)
        return turn->party == PARTY_ENTITY;
    return line_is_empty(page, PARTY_ENTITY) && (turn->party == PARTY_JUDGE || turn->answered);
}

static unsigned line_rows(const struct page *page, enum party party)
{
    return line_is_shown(page, party) ? rows_of(&page->pane[party]) : 0;
}

static void line_begin(struct page *page, enum party party)
{
    pane_clear(&page->pane[party]);
    pane_add_row(&page->pane[party], (unsigned)party | ROW_FIRST);
}

struct page *page_create(const struct style *style)
{
    struct page *page = malloc(sizeof *page);
    if (!page)
        return NULL;
    memset(page->changes, 0, sizeof page->changes);
    page_begin(page, style);
    return page;
}

void page_destroy(struct page *page)
{
    free(page);
}

void page_begin(struct page *page, const struct style *style)
{
    page->style = *style;
    page_clear(page);
}

void page_clear(struct page *page)
{
    for (enum party party = 0; party < PARTIES; party++)
        line_begin(page, party);
    for (unsigned pane = 0; pane < PANES; pane++)
        page->changes[pane] += 2;
    pane_clear(&page->done);
    page->turn = (struct turn){.party = PARTY_JUDGE};
    page->returned = (struct key_event){0};
}

static void apply_split(struct page *page, enum party party, uint32_t point)
{
    struct pane *pane = &page->pane[party];
    bool moved = false;
    if (point == KEY_BACKSPACE) {
        moved = pane_take_back(pane, &page->style);
    } else if (point == KEY_RETURN) {
        pane_add_point(pane, KEY_RETURN, 0);
        pane_add_row(pane, (unsigned)party);
    } else {
        moved = pane_type(pane, &page->style, point);
    }
    page->changes[party] += moved ? 2 : 1;
}

/* Ends a party's line, which moves up. In the scroll style an empty line also moves up, if it has a
 * prompt or ends no turn. */
static void line_end(struct page *page, enum party party)
{
    struct turn *turn = &page->turn;
    bool empty = line_is_empty(page, party);
    bool ends = ++turn->returns[party] == style_returns(&page->style);
    bool kept = page->style.form == STYLE_SCROLL && (!ends || page->style.prompt[party][0]);
    if (!empty || kept)
        pane_add_rows(&page->done, &page->pane[party]);
    line_begin(page, party);
    if (ends) {
        turn->returns[party] = 0;
        turn->party = party == PARTY_JUDGE ? PARTY_ENTITY : PARTY_JUDGE;
        turn->answered = false;
    } else if (party == PARTY_ENTITY) {
        turn->answered = true;
    }
}

/* True if a word moved from one row to another. */
static bool apply_lines(struct page *page, enum party party, uint32_t point)
{
    if (party == PARTY_JUDGE && point != KEY_BACKSPACE)
        page->turn.party = PARTY_JUDGE;
    if (point == KEY_RETURN) {
        line_end(page, party);
        return false;
    }
    page->turn.returns[party] = 0;
    return point == KEY_BACKSPACE ? pane_take_back(&page->pane[party], &page->style)
                                  : pane_type(&page->pane[party], &page->style, point);
}

/* last: the party's line is the last of its pane. shown: the parties whose unended lines have rows
 * on the page. */
struct sight {
    bool last, shown[PARTIES];
};

static struct sight sight_of(const struct page *page, enum party party)
{
    struct page_place place = page_place(page, party);
    return (struct sight){
        .last = place.shown && place.row + 1 == page_rows(page, place.pane),
        .shown = {line_is_shown(page, PARTY_JUDGE), line_is_shown(page, PARTY_ENTITY)},
    };
}

void page_apply(struct page *page, const struct key_event *event)
{
    enum party party = (enum party)event->party;
    struct sight before, after;
    bool moved, little;
    if (event->party >= PARTIES || !key_is_key(event->point))
        return;
    if (event->point == KEY_RETURN)
        page->returned = *event;
    if (is_split(page)) {
        apply_split(page, party, event->point);
        return;
    }
    before = sight_of(page, party);
    moved = apply_lines(page, party, event->point);
    after = sight_of(page, party);
    little = !moved && event->point != KEY_RETURN && before.last && after.last &&
             memcmp(before.shown, after.shown, sizeof before.shown) == 0;
    for (unsigned pane = 0; pane < PANES; pane++) {
        if (!little)
            page->changes[pane] += 2;
        else if (pane == page_place(page, party).pane)
            page->changes[pane]++;
    }
}

const struct style *page_style(const struct page *page)
{
    return &page->style;
}

bool page_has_style(const struct page *page, const char *line)
{
    struct style style;
    return style_read(&style, line, NULL) == BL_OK &&
           memcmp(&style, &page->style, sizeof style) == 0;
}

bool page_has(const struct page *page, unsigned pane)
{
    return pane == PANE_UPPER || (pane == PANE_LOWER && page->style.form != STYLE_SCROLL);
}

const char *page_head(const struct page *page, unsigned pane)
{
    if (is_split(page))
        return page->style.label[pane];
    return pane == PANE_UPPER ? "Conversation" : say_return_sends;
}

static unsigned open_rows(const struct page *page)
{
    return line_rows(page, PARTY_ENTITY) + line_rows(page, PARTY_JUDGE);
}

unsigned page_rows(const struct page *page, unsigned pane)
{
    unsigned done = rows_of(&page->done);
    if (is_split(page))
        return rows_of(&page->pane[pane]);
    if (page->style.form == STYLE_SCROLL)
        return pane == PANE_UPPER ? done + open_rows(page) : 0;
    if (pane == PANE_LOWER)
        return open_rows(page);
    return done ? done : 1;
}

struct page_part page_part(const struct page *page, unsigned pane, enum party viewer)
{
    struct page_part part = {.rows = page_rows(page, pane)};
    if (!page->style.own_field || pane != PANE_LOWER)
        return part;
    part.first = viewer == PARTY_JUDGE ? line_rows(page, PARTY_ENTITY) : 0;
    part.rows = line_rows(page, viewer);
    return part;
}

static unsigned rows_before(const struct page *page)
{
    return page->style.form == STYLE_SCROLL ? rows_of(&page->done) : 0;
}

struct page_place page_place(const struct page *page, enum party party)
{
    struct page_place place = {.pane = (enum page_pane)party, .shown = true};
    if (is_split(page)) {
        place.row = rows_of(&page->pane[party]) - 1;
        return place;
    }
    place.pane = page->style.form == STYLE_SCROLL ? PANE_UPPER : PANE_LOWER;
    place.shown = line_is_shown(page, party);
    place.row = rows_before(page) + (party == PARTY_JUDGE ? line_rows(page, PARTY_ENTITY) : 0);
    if (place.shown)
        place.row += line_rows(page, party) - 1;
    return place;
}

uint64_t page_dropped(const struct page *page, unsigned pane)
{
    if (is_split(page))
        return page->pane[pane].row_first;
    if (pane == PANE_UPPER && page->style.form == STYLE_WEB)
        return page->done.row_first;
    return page->done.row_first + page->pane[PARTY_JUDGE].row_first +
           page->pane[PARTY_ENTITY].row_first;
}

uint64_t page_changes(const struct page *page, unsigned pane)
{
    return page->changes[pane];
}

void page_extents(const struct page *page, struct page_extent extent[PANES])
{
    for (unsigned pane = 0; pane < PANES; pane++)
        extent[pane] = (struct page_extent){.rows = page_rows(page, pane),
                                            .dropped = page_dropped(page, pane),
                                            .changes = page_changes(page, pane)};
}

static void row_add_cell(struct page_row *row, uint32_t point, unsigned width)
{
    if (row->cells < STYLE_COLUMNS_MAX)
        row->cell[row->cells++] = (struct page_cell){.point = point, .width = (uint8_t)width};
}

static void row_add_mark(struct page_row *row, uint32_t point)
{
    struct page_cell *cell = &row->cell[row->cells - 1];
    for (unsigned i = 0; i < PAGE_MARKS; i++) {
        if (cell->mark[i] == 0) {
            cell->mark[i] = point;
            break;
        }
    }
}

/* Adds a point that takes the columns from `before` to `after`. Points beyond the page are not
 * shown. */
static void row_add(struct page_row *row, unsigned columns, uint32_t point, unsigned before,
                    unsigned after)
{
    row->columns = after < columns ? after : columns;
    if (after > columns)
        return;
    if (point == KEY_TAB) {
        for (unsigned column = before; column < after; column++)
            row_add_cell(row, ' ', 1);
    } else if (before == after) {
        /* A mark joins the cell before. In a preview that cell may be placed text; the mark is then
         * left out. */
        if (row->cells > 0)
            row_add_mark(row, point);
    } else if (point_width(point) == 0) {
        row_add_cell(row, PAGE_BASE, 1);
        row_add_mark(row, point);
    } else {
        row_add_cell(row, point, after - before);
    }
}

/* Begins a row with its lead, which is empty in the split style. */
static void row_begin(struct page_row *row, const struct style *style, unsigned mark)
{
    enum party party = (enum party)(mark & ROW_PARTY);
    unsigned lead = style_lead(style, party);
    char text[STYLE_LEAD_MAX + 1] = "";
    row->cells = 0;
    row->columns = 0;
    row->party = party;
    if (mark & ROW_FIRST)
        style_lead_text(style, party, text);
    for (size_t at = 0, length = strlen(text), taken; at < length; at += taken) {
        uint32_t point;
        taken = utf8_decode((const uint8_t *)text + at, length - at, &point);
        if (taken == 0)
            break;
        row_add(row, style->columns, point, row->columns, row->columns + point_width(point));
    }
    while (row->columns < lead)
        row_add(row, style->columns, ' ', row->columns, row->columns + 1);
}

static void row_of(const struct pane *pane, const struct style *style, uint64_t number,
                   struct page_row *out)
{
    uint64_t end = pane_row_start(pane, number + 1);
    unsigned before;
    row_begin(out, style, pane_row_mark(pane, number));
    before = out->columns;
    for (uint64_t at = pane_row_start(pane, number); at < end; at++) {
        uint32_t point = pane_point(pane, at);
        unsigned after = pane_column_after(pane, at);
        if (point == KEY_RETURN)
            break;
        row_add(out, style->columns, point, before, after);
        before = after;
    }
}

void page_row(const struct page *page, unsigned pane, unsigned row, struct page_row *out)
{
    static const enum party order[PARTIES] = {PARTY_ENTITY, PARTY_JUDGE};
    out->cells = 0;
    out->columns = 0;
    out->party = PARTY_JUDGE;
    if (is_split(page)) {
        if (row < rows_of(&page->pane[pane]))
            row_of(&page->pane[pane], &page->style, page->pane[pane].row_first + row, out);
        return;
    }
    if (pane == PANE_UPPER && row < rows_of(&page->done)) {
        row_of(&page->done, &page->style, page->done.row_first + row, out);
        return;
    }
    if (pane != page_place(page, PARTY_JUDGE).pane)
        return;
    row -= rows_before(page);
    for (unsigned i = 0; i < PARTIES; i++) {
        const struct pane *line = &page->pane[order[i]];
        if (row < line_rows(page, order[i])) {
            row_of(line, &page->style, line->row_first + row, out);
            return;
        }
        row -= line_rows(page, order[i]);
    }
}

/* A step of the chained hash. bytes[] has room for the digest so far, and after it the new
 * bytes. */
static void digest_step(uint8_t digest[DIGEST_SIZE], uint8_t *bytes, size_t length)
{
    static const uint8_t
        key[crypto_shorthash_KEYBYTES]; /* all zeros: it guards against faults, not forgery */
    memcpy(bytes, digest, DIGEST_SIZE);
    crypto_shorthash(digest, bytes, length, key);
}

static void digest_pane(uint8_t digest[DIGEST_SIZE], const struct pane *pane, bool marked)
{
    uint8_t bytes[DIGEST_SIZE + 4 * ROW_POINTS_MAX + 1];
    for (uint64_t row = pane->row_first; row < pane->row_end; row++) {
        uint64_t end = pane_row_start(pane, row + 1);
        unsigned mark = pane_row_mark(pane, row);
        size_t length = DIGEST_SIZE;
        for (uint64_t at = pane_row_start(pane, row); at < end; at++) {
            uint32_t point = pane_point(pane, at);
            bytes[length++] = (uint8_t)point;
            bytes[length++] = (uint8_t)(point >> 8);
            bytes[length++] = (uint8_t)(point >> 16);
            bytes[length++] = (uint8_t)(mark & ROW_PARTY);
        }
        if (marked)
            bytes[length++] = (uint8_t)mark;
        digest_step(digest, bytes, length);
    }
}

void page_digest(const struct page *page, uint8_t digest[DIGEST_SIZE])
{
    uint8_t bytes[DIGEST_SIZE + STYLE_MAX + 1];
    char style[STYLE_MAX + 1];
    memset(digest, 0, DIGEST_SIZE);
    style_format(&page->style, style);
    memcpy(bytes + DIGEST_SIZE, style, strlen(style));
    digest_step(digest, bytes, DIGEST_SIZE + strlen(style));
    for (enum party party = 0; party < PARTIES; party++)
        digest_pane(digest, &page->pane[party], !is_split(page));
    if (is_split(page))
        return;
    digest_pane(digest, &page->done, true);
    bytes[DIGEST_SIZE] =
        (uint8_t)(page->turn.party | page->turn.answered << 1 |
                  page->turn.returns[PARTY_JUDGE] << 2 | page->turn.returns[PARTY_ENTITY] << 4);
    digest_step(digest, bytes, DIGEST_SIZE + 1);
}

/* Writes a PAGE_TAKES_BACK for each BackSpace into placed text, then the waiting keys that no later
 * BackSpace takes back. Returns the number of points written. */
static size_t preview_text(const struct style *style, const uint32_t *points, size_t count,
                           uint32_t text[PAGE_PREVIEW])
{
    size_t back = 0, begin = PAGE_PREVIEW;
    for (size_t i = count; i-- > 0;) {
        if (points[i] == KEY_BACKSPACE) {
            back++;
        } else if (points[i] == KEY_RETURN && !style->backspace_over_return) {
            back = 0;
            text[--begin] = points[i];
        } else if (back > 0) {
            back--;
        } else if (key_is_key(points[i])) {
            text[--begin] = points[i];
        }
    }
    while (back-- > 0)
        text[--begin] = PAGE_TAKES_BACK;
    memmove(text, text + begin, (PAGE_PREVIEW - begin) * sizeof *text);
    return PAGE_PREVIEW - begin;
}

/* A layout under construction. Only rows in a range are written. */
struct preview {
    const struct style *style;
    enum party party;
    unsigned lead, column, row;
    uint64_t points;
    unsigned first, room;
    struct page_row *out;
};

static struct page_row *preview_wanted(struct preview *preview)
{
    bool wanted = preview->row >= preview->first && preview->row - preview->first < preview->room;
    return wanted ? &preview->out[preview->row - preview->first] : NULL;
}

static void preview_next_row(struct preview *preview, unsigned mark)
{
    struct page_row *row;
    preview->row++;
    preview->column = preview->lead;
    preview->points = 0;
    row = preview_wanted(preview);
    if (row)
        row_begin(row, preview->style, mark);
}

static void preview_add(struct preview *preview, uint32_t point)
{
    struct page_row *row;
    unsigned after;
    if (point == KEY_RETURN) {
        preview_next_row(preview, (unsigned)preview->party | ROW_FIRST);
        return;
    }
    after = pane_column_of(preview->style, preview->lead, preview->column, preview->points, point);
    if (after == 0) {
        preview_next_row(preview, (unsigned)preview->party);
        after = pane_column_of(preview->style, preview->lead, preview->lead, 0, point);
    }
    row = preview_wanted(preview);
    if (row)
        row_add(row, preview->style->columns, point, preview->column, after);
    preview->column = after;
    preview->points++;
}

static bool goes_on(uint32_t point)
{
    return point != KEY_RETURN && !pane_is_blank(point) && !pane_is_word(point);
}

/* True if the word that begins with points[0] fits in the row. */
static bool preview_word_fits(const struct preview *preview, const uint32_t *points, size_t count)
{
    unsigned column = preview->column;
    for (size_t i = 0; i < count && goes_on(points[i]); i++) {
        column =
            pane_column_of(preview->style, preview->lead, column, preview->points + i, points[i]);
        if (column == 0)
            return false;
    }
    return true;
}

/* Adds text. cut: the text continues a placed word that begins its row, and is cut at the end of
 * the row. Waiting keys never move a placed word. */
static void preview_add_text(struct preview *preview, const uint32_t *text, size_t count, bool cut)
{
    bool in_word = cut;
    for (size_t i = 0; i < count; i++) {
        bool letter = goes_on(text[i]) && point_width(text[i]) > 0;
        if (preview->style->whole_words && letter && !in_word && preview->points > 0 &&
            !preview_word_fits(preview, text + i, count - i))
            preview_next_row(preview, (unsigned)preview->party);
        /* A mark belongs to the point before it; at the beginning of a row it begins a word. */
        if (!goes_on(text[i]))
            in_word = false;
        else if (letter || preview->points == 0)
            in_word = true;
        preview_add(preview, text[i]);
    }
}

unsigned page_preview(const struct page *page, enum party party, const uint32_t *points,
                      size_t count, unsigned first, struct page_row *out, unsigned room)
{
    const struct pane *pane = &page->pane[party];
    uint32_t text[PAGE_PREVIEW];
    struct preview preview = {.style = &page->style,
                              .party = party,
                              .lead = style_lead(&page->style, party),
                              .column = pane_column(pane, &page->style),
                              .points = pane_points(pane),
                              .first = first,
                              .room = room,
                              .out = out};
    struct page_row *row = preview_wanted(&preview);
    count = preview_text(&page->style, points, count < PAGE_PREVIEW ? count : PAGE_PREVIEW, text);
    if (row && page_place(page, party).shown)
        *row = (struct page_row){
            .columns = preview.column < page->style.columns ? preview.column : page->style.columns,
            .party = party};
    else if (row)
        row_begin(row, &page->style, (unsigned)party | ROW_FIRST);
    preview_add_text(&preview, text, count,
                     count && pane_word(pane, text[0]) == pane_row_start(pane, pane->row_end - 1));
    return preview.row + 1;
}

/* A message's characters, counted from its end. length: the characters; backspaces: BackSpaces
 * whose character is still to come. */
struct count_back {
    size_t length, backspaces;
};

/* Counts the next key, backwards. False: the key belongs to the message before. */
static bool count_back(struct count_back *count, const struct style *style, uint32_t point)
{
    if (point == KEY_BACKSPACE)
        count->backspaces++;
    else if (point == KEY_RETURN && !(count->backspaces && style->backspace_over_return))
        return false;
    else if (count->backspaces)
        count->backspaces--;
    else
        count->length++;
    return true;
}

bool page_message_is_full(const struct page *page, enum party party, const uint32_t *waiting,
                          size_t count, size_t most)
{
    const struct pane *line = &page->pane[party];
    struct count_back back = {0};
    if (most == 0)
        return false;
    for (size_t i = count; i > 0; i--)
        if (!count_back(&back, &page->style, waiting[i - 1]))
            return back.length >= most;
    for (uint64_t at = line->end; at > line->first && back.length < most; at--)
        if (!count_back(&back, &page->style, pane_point(line, at - 1)))
            break;
    return back.length >= most;
}

bool page_returned(const struct page *page, enum party *party, uint64_t *posted_us)
{
    *party = (enum party)page->returned.party;
    *posted_us = page->returned.posted_us;
    return page->returned.point != 0;
}
