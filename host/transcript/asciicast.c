#include "transcript/transcript.h"

#include "base/utf8.h"
#include "session/page.h"
#include "transcript/merge.h"
#include "transcript/words.h"

#include <stdlib.h>
#include <string.h>

/* The screen: for each side the upper pane below its head, and the lower pane if the style has
 * one. */
#define SCREEN_ROWS 24
#define PANE_ROWS   (SCREEN_ROWS - 1) /* rows of a single pane; each head takes a row */
#define FIELD_ROWS  6                 /* rows of the lower pane in the web style */
#define GAP         3                 /* columns between the two sides */

struct cast {
    const struct transcript *transcript;
    const struct out *out;
    struct out inside; /* writes inside the JSON string of an event */
    uint64_t start_us, at_us;
    bool begun; /* the line of an event has been begun */
    struct {
        struct page *page;
        unsigned column; /* column of the left edge, from 1 */
        bool changed;
        struct page_row shown[PANES][PANE_ROWS];
        struct drawn {
            uint64_t changes, dropped;
            unsigned rows;
        } drawn[PANES]; /* state of each pane when it was last drawn */
    } side[SIDES];
    unsigned rows[PANES];
    enum side last_side; /* the side of the last key, which has the cursor */
    enum party last_party;
};

static void write_json(void *ctx, const char *bytes, size_t length)
{
    out_json(((struct cast *)ctx)->out, bytes, length);
}

static void begin(struct cast *c, const char *code)
{
    if (c->begun)
        return;
    uint64_t since_us = c->at_us - c->start_us;
    out_text(c->out, "[");
    out_number(c->out, since_us / 1000000, 1);
    out_text(c->out, ".");
    out_number(c->out, since_us % 1000000, 6);
    out_texts(c->out, ", \"", code, "\", \"");
    c->begun = true;
}

static void end(struct cast *c)
{
    if (c->begun)
        out_text(c->out, "\"]\n");
    c->begun = false;
}

/* Moves the cursor (CUP of ECMA-48); rows and columns count from 1. */
static void move_to(struct cast *c, unsigned row, unsigned column)
{
    begin(c, "o");
    out_text(&c->inside, "\x1b[");
    out_number(&c->inside, row, 1);
    out_text(&c->inside, ";");
    out_number(&c->inside, column, 1);
    out_text(&c->inside, "H");
}

static void put_blanks(struct cast *c, unsigned count)
{
    while (count--)
        out_text(&c->inside, " ");
}

static void share_rows(struct cast *c)
{
    unsigned form = c->transcript->style.form;
    c->rows[PANE_LOWER] = form == STYLE_SPLIT    ? (SCREEN_ROWS - PANES) / 2
                          : form == STYLE_SCROLL ? 0
                                                 : FIELD_ROWS;
    c->rows[PANE_UPPER] = SCREEN_ROWS - 1 - c->rows[PANE_LOWER] - (c->rows[PANE_LOWER] > 0);
}

static unsigned pane_top(const struct cast *c, unsigned pane)
{
    return pane == PANE_UPPER ? 2 : 2 + c->rows[PANE_UPPER] + 1;
}

static unsigned text_columns(const char *text)
{
    unsigned columns = 0;
    size_t left = strlen(text), taken;
    uint32_t point;
    for (; (taken = utf8_decode((const uint8_t *)text, left, &point)); left -= taken, text += taken)
        columns += point_width(point);
    return columns;
}

/* Writes the head of a pane: its label; for the upper pane also the side and the segment's
 * state. */
static void put_head(struct cast *c, enum side side, unsigned pane, const char *state)
{
    const struct style *style = &c->transcript->style;
    const char *label = page_head(c->side[side].page, pane);
    unsigned used = text_columns(label);
    unsigned right = (unsigned)strlen(words_side(side)) + 2 + (unsigned)strlen(state);
    bool named = pane == PANE_UPPER && merge_sides(c->transcript) > 1;
    move_to(c, pane_top(c, pane) - 1, c->side[side].column);
    out_text(&c->inside, "\x1b[7m");
    out_line(&c->inside, label);
    if (named && used + right + 1 <= style->columns) {
        put_blanks(c, style->columns - used - right);
        out_texts(&c->inside, words_side(side), ", ", state);
    } else if (used < style->columns) {
        put_blanks(c, style->columns - used);
    }
    out_text(&c->inside, "\x1b[m");
}

static void put_cell(struct cast *c, const struct page_cell *cell)
{
    out_point(&c->inside, cell->point);
    for (unsigned i = 0; i < PAGE_MARKS && cell->mark[i]; i++)
        out_point(&c->inside, cell->mark[i]);
}

static bool cells_equal(const struct page_cell *a, const struct page_cell *b)
{
    return a->point == b->point && a->width == b->width &&
           memcmp(a->mark, b->mark, sizeof a->mark) == 0;
}

/* Draws the changed part of a row. */
static void put_row(struct cast *c, enum side side, unsigned row, struct page_row *shown,
                    const struct page_row *now)
{
    unsigned same = 0, column = 0;
    while (same < shown->cells && same < now->cells &&
           cells_equal(&shown->cell[same], &now->cell[same]))
        column += now->cell[same++].width;
    if (same == shown->cells && same == now->cells)
        return;
    move_to(c, row, c->side[side].column + column);
    for (unsigned i = same; i < now->cells; i++)
        put_cell(c, &now->cell[i]);
    if (shown->columns > now->columns)
        put_blanks(c, shown->columns - now->columns);
    *shown = *now;
}

/* The first row of a pane that fits the screen. */
static unsigned first_row(const struct cast *c, enum side side, unsigned pane)
{
    unsigned rows = page_part(c->side[side].page, pane, PARTY_JUDGE).rows;
    return rows > c->rows[pane] ? rows - c->rows[pane] : 0;
}

static void put_pane(struct cast *c, enum side side, unsigned pane)
{
    const struct page *page = c->side[side].page;
    const struct page_part part = page_part(page, pane, PARTY_JUDGE);
    unsigned rows = part.rows, first = first_row(c, side, pane), from = 0;
    struct drawn *drawn = &c->side[side].drawn[pane];
    const struct drawn now_drawn = {page_changes(page, pane), page_dropped(page, pane), rows};
    if (now_drawn.changes == drawn->changes)
        return;
    /* A single change is in the last row, see page_changes(). */
    if (now_drawn.changes == drawn->changes + 1 && rows == drawn->rows &&
        now_drawn.dropped == drawn->dropped && rows > first)
        from = rows - first - 1;
    *drawn = now_drawn;
    for (unsigned i = from; i < c->rows[pane]; i++) {
        struct page_row now;
        now.cells = now.columns = 0;
        if (first + i < rows)
            page_row(page, pane, part.first + first + i, &now);
        put_row(c, side, pane_top(c, pane) + i, &c->side[side].shown[pane][i], &now);
    }
}

/* Moves the cursor to the place of the last key's party. If that party's line has no visible row,
 * moves it to the other party's place. */
static void put_cursor(struct cast *c)
{
    const struct page *page = c->side[c->last_side].page;
    struct page_place place = page_place(page, c->last_party);
    const struct page_part part = page_part(page, place.pane, PARTY_JUDGE);
    unsigned first;
    struct page_row row;
    if (!place.shown || place.row < part.first)
        place = page_place(page, c->last_party == PARTY_JUDGE ? PARTY_ENTITY : PARTY_JUDGE);
    first = first_row(c, c->last_side, place.pane);
    if (place.row - part.first < first)
        return;
    page_row(page, place.pane, place.row, &row);
    move_to(c, pane_top(c, place.pane) + place.row - part.first - first,
            c->side[c->last_side].column + row.columns);
}

/* Writes all changes of one moment as one event. */
static void flush(struct cast *c)
{
    bool changed = c->begun;
    for (unsigned side = 0; side < SIDES; side++) {
        if (!c->side[side].changed)
            continue;
        changed = true;
        c->side[side].changed = false;
        for (unsigned pane = 0; pane < PANES; pane++)
            put_pane(c, (enum side)side, pane);
    }
    if (changed)
        put_cursor(c);
    end(c);
}

static void put_mark(struct cast *c, const struct merge_item *item)
{
    const char *state = item->mark->kind == MARK_OPENED         ? "open"
                        : item->mark->kind == MARK_SEGMENT_OVER ? "closed"
                                                                : NULL;
    if (!state)
        return;
    put_head(c, item->side, PANE_UPPER, state);
    flush(c);
    /* Writes a marker, a place to jump to. */
    begin(c, "m");
    if (merge_sides(c->transcript) > 1)
        out_texts(&c->inside, words_side(item->side), ": ");
    out_text(&c->inside, "part ");
    out_number(&c->inside, item->mark->part, 1);
    out_texts(&c->inside, " ", state);
    end(c);
}

static void put_header(struct cast *c)
{
    const unsigned sides = merge_sides(c->transcript);
    const unsigned columns = c->transcript->style.columns;
    out_text(c->out, "{\"version\": 2, \"width\": ");
    out_number(c->out, sides > 1 ? 2 * columns + GAP : columns, 1);
    out_text(c->out, ", \"height\": ");
    out_number(c->out, SCREEN_ROWS, 1);
    out_text(c->out, ", \"timestamp\": ");
    out_number(c->out, c->start_us / 1000000, 1);
    out_text(c->out, ", \"title\": \"");
    for (size_t i = 0; i < c->transcript->headers; i++) {
        out_line(&c->inside, c->transcript->header[i]);
        out_text(&c->inside, " - ");
    }
    out_texts(&c->inside, c->transcript->session);
    out_text(c->out, "\"}\n");
}

static void put_frame(struct cast *c)
{
    begin(c, "o");
    out_text(&c->inside, "\x1b[2J");
    for (unsigned side = 0; side < SIDES; side++) {
        if (!c->side[side].page)
            continue;
        put_head(c, (enum side)side, PANE_UPPER, "waiting");
        if (c->rows[PANE_LOWER])
            put_head(c, (enum side)side, PANE_LOWER, "");
    }
    for (unsigned row = 1; row <= SCREEN_ROWS && merge_sides(c->transcript) > 1; row++) {
        move_to(c, row, c->transcript->style.columns + 2);
        out_text(&c->inside, "\xe2\x94\x82");
    }
    end(c);
}

static void play(struct cast *c)
{
    struct merge merge = {.transcript = c->transcript};
    struct merge_item item;
    bool first = true;
    while (merge_next(&merge, &item)) {
        if (first) {
            c->start_us = c->at_us = item.at_us;
            put_header(c);
            put_frame(c);
            first = false;
        }
        if (item.mark || item.at_us != c->at_us)
            flush(c);
        c->at_us = item.at_us;
        if (item.mark) {
            put_mark(c, &item);
        } else if (item.key->point) {
            page_apply(c->side[item.side].page, item.key);
            c->side[item.side].changed = true;
            c->last_side = item.side;
            c->last_party = (enum party)item.key->party;
        }
    }
    flush(c);
    if (first)
        put_header(c);
}

enum bl_status transcript_asciicast(const struct transcript *transcript, const struct out *out)
{
    struct cast *c = calloc(1, sizeof *c);
    enum bl_status status = c ? BL_OK : BL_NOMEM;
    unsigned column = 1;
    for (unsigned side = 0; side < SIDES && status == BL_OK; side++) {
        if (!merge_has(transcript, (enum side)side))
            continue;
        c->side[side].page = page_create(&transcript->style);
        c->side[side].column = column;
        c->last_side = (enum side)side;
        column += transcript->style.columns + GAP;
        if (!c->side[side].page)
            status = BL_NOMEM;
    }
    if (status == BL_OK) {
        c->transcript = transcript;
        c->out = out;
        c->inside = (struct out){.write = write_json, .ctx = c};
        share_rows(c);
        play(c);
    }
    for (unsigned side = 0; c && side < SIDES; side++)
        page_destroy(c->side[side].page);
    free(c);
    return status;
}
