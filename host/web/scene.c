#include "web/scene.h"

#include "rules/ballot_kind.h"
#include "screen/board.h"
#include "screen/form.h"
#include "screen/hints.h"
#include "session/notice.h"
#include "web/messages.h"

#include <sodium/crypto_shorthash.h>
#include <stdio.h>
#include <string.h>

/* Bits for the look of a run of cells. */
#define RUN_WIDE    1u /* the characters are two columns wide */
#define RUN_ODD     2u /* the character has one column, but another width in some fonts */
#define RUN_WAITING 4u /* the keys have no place in the order yet */
#define RUN_NONE    8u

#define ROW_BYTES (STYLE_COLUMNS_MAX * 40 + 64) /* most bytes of a row in JSON */

static void write_sides(const struct screen_model *model, const struct view *view,
                        struct json_text *out)
{
    json_name(out, "sides");
    json_put(out, "[");
    for (enum side side = 0; side < model->sides; side++) {
        const struct screen_side *shown = &model->side[side];
        enum reach reach = view_reach(view, model, side);
        json_comma(out);
        json_put(out, "{");
        json_field(out, "title", shown->title);
        json_field_number(out, "reach", reach);
        json_field(out, "word", hint_reach(shown->insecure, reach));
        json_field_number(out, "insecure", shown->insecure);
        json_field(out, "here", shown->active ? *hint_here(model->role) : "");
        json_field(out, "state", shown->state);
        json_field_number(out, "waiting", (int64_t)shown->pending_count);
        json_field(out, "upper", page_head(shown->page, PANE_UPPER));
        if (page_has(shown->page, PANE_LOWER))
            json_field(out, "lower", page_head(shown->page, PANE_LOWER));
        if (model->past)
            json_field(out, "who", model->past->who[side]);
        json_put(out, "}");
    }
    json_put(out, "]");
}

static void write_notices(const struct screen_model *model, const struct view *view,
                          struct json_text *out)
{
    struct notice notice[NOTICES];
    unsigned count = notice_list(model, view, notice);
    json_name(out, "notices");
    json_put(out, "[");
    for (unsigned i = 0; i < count; i++) {
        json_comma(out);
        json_put(out, "[");
        json_number(out, notice[i].grade);
        json_comma(out);
        json_string_of(out, notice[i].text);
        json_put(out, "]");
    }
    json_put(out, "]");
}

static void write_hint_list(const struct hint *hints, unsigned count, struct json_text *out)
{
    json_name(out, "hints");
    json_put(out, "[");
    for (unsigned i = 0; i < count; i++) {
        json_comma(out);
        json_put(out, "[");
        json_string_of(out, hints[i].key);
        json_comma(out);
        json_string_of(out, hints[i].does);
        json_put(out, "]");
    }
    json_put(out, "]");
}

static void write_hints(const struct screen_model *model, bool kiosk, struct json_text *out)
{
    struct hint hints[HINTS];
    unsigned count = model->past && !model->past->ballot ? hint_past(model->past, hints)
                                                         : hint_list(model, kiosk, false, hints);
    write_hint_list(hints, count, out);
}

static void write_dialog(const struct dialog *dialog, struct json_text *out)
{
    const struct dialog_words *words = dialog_words(dialog->kind);
    char typed[16];
    if (dialog->kind == DIALOG_NONE)
        return;
    json_name(out, "dialog");
    json_put(out, "{");
    json_field(out, "title", words->title);
    if (words->word) {
        snprintf(typed, sizeof typed, "%.*s", (int)dialog->typed, words->word);
        json_field(out, "typed", typed);
    }
    json_name(out, "lines");
    json_put(out, "[");
    for (unsigned i = 0; words->line[i]; i++) {
        json_comma(out);
        json_string_of(out, words->line[i]);
    }
    json_put(out, "]}");
}

static void write_board(const struct board *board, struct json_text *out)
{
    json_name(out, "board");
    json_put(out, "{");
    json_field(out, "title", board->title);
    json_field(out, "strong", board->strong);
    json_field_number(out, "alarm", board->alarm);
    json_name(out, "text");
    json_put(out, "[");
    for (unsigned i = 0; i < BOARD_TEXTS; i++) {
        if (!board->text[i] || !board->text[i][0])
            continue;
        json_comma(out);
        json_string_of(out, board->text[i]);
    }
    json_put(out, "]");
    write_hint_list(board->hint, board->hints, out);
    json_put(out, "}");
}

/* Writes the kind's own fields, [label, value], or its two choices, [key, words, 1 if chosen]. */
static void write_fields(const struct form *form, struct json_text *out)
{
    static const char *const sides[] = {"LEFT", "RIGHT"};
    const struct ballot_row *row = ballot_row(form->rules.kind);
    unsigned count = row->fields == FIELDS_CHOICE ? 2 : form_fields(form);
    json_name(out, row->fields == FIELDS_CHOICE ? "choices" : "fields");
    json_put(out, "[");
    for (unsigned i = 0; i < count; i++) {
        /* In the order of the sides; and human before machine. */
        unsigned at = row->fields == FIELDS_CHOICE && !row->pair ? 1 - i : i;
        char key[2] = {row->fields == FIELDS_CHOICE ? row->key[at] : '\0', '\0'};
        json_comma(out);
        json_put(out, "[");
        if (row->fields == FIELDS_CHOICE) {
            json_string_of(out, key);
            json_comma(out);
            json_string_of(out, row->said[at]);
            json_comma(out);
            json_number(out, form->choice == (int)at);
        } else {
            json_string_of(out, row->fields == FIELDS_SIDES  ? sides[i]
                                : row->fields == FIELDS_LIST ? form->label[i]
                                                             : say_your_rating);
            json_comma(out);
            json_string_of(out, form->number[i]);
        }
        json_put(out, "]");
    }
    json_put(out, "]");
}

/* Writes the rules' other fields: [label, value, true if it may need a second line]. */
static void write_asked(const struct form *form, struct json_text *out)
{
    json_name(out, "asked");
    json_put(out, "[");
    for (unsigned i = 0; i < form->rules.asked.count; i++) {
        char label[FORM_LABEL];
        form_label(form, i, label);
        json_comma(out);
        json_put(out, "[");
        json_string_of(out, label);
        json_comma(out);
        json_string_of(out, form->values.text[i]);
        json_comma(out);
        json_number(out, form->rules.asked.field[i].type == ASKS_TEXT);
        json_put(out, "]");
    }
    json_put(out, "]");
}

/* The unit of a field's number, if the label does not have it; otherwise "". */
static const char *unit_of(enum ballot_layout fields)
{
    return fields == FIELDS_SIDES ? "points" : fields == FIELDS_LIST ? "rank" : "";
}

static void write_form(const struct form *form, struct json_text *out)
{
    char words[FORM_WORDS], question[FORM_ABOUT];
    bool good;
    if (form->rules.kind == BALLOT_NONE || form->state == FORM_AWAY)
        return;
    form_standing_words(form, words, &good);
    form_question(form, question);
    json_name(out, "form");
    json_put(out, "{");
    json_field_number(out, "open", form->state == FORM_OPEN && form->standing != FORM_SEALED);
    json_field_number(out, "shown", form->state == FORM_SHOWN);
    json_field(out, "title",
               ballot_row(form->rules.kind)->fields == FIELDS_LIST ? say_your_ranks
               : form->rules.kind == BALLOT_SURVEY                 ? say_your_answers
                                                                   : say_your_ballot);
    json_field(out, "standing", words);
    json_field_number(out, "good", good);
    json_field(out, "question", question);
    json_field(out, "unit", unit_of(ballot_row(form->rules.kind)->fields));
    write_fields(form, out);
    write_asked(form, out);
    json_name(out, "anchors");
    json_put(out, "[");
    for (unsigned i = 0; form_anchor(form, i); i++) {
        json_comma(out);
        json_string_of(out, form_anchor(form, i));
    }
    json_put(out, "]");
    json_field_number(out, "field", form_in_notes(form) ? -1 : (int64_t)form->field);
    json_field(out, "notes", form->notes);
    json_field(out, "foot", form_foot(form));
    json_field_number(out, "hint", form->hint[0] != '\0');
    json_put(out, "}");
}

/* Writes the remaining minutes and seconds, rounded up to a second, and the words beside the
 * clock. */
static void write_clock(const struct screen_model *model, struct json_text *out)
{
    uint64_t seconds = model->remaining_us / 1000000 + (model->remaining_us % 1000000 > 0);
    char text[32] = "";
    if (model->remaining_us != UINT64_MAX)
        snprintf(text, sizeof text, "%02u:%02u", (unsigned)(seconds / 60 % 1000),
                 (unsigned)(seconds % 60));
    json_field(out, "clock", text);
    json_field(out, "aside", hint_time(model));
}

void scene_write(const struct screen_model *model, const struct screen_control *control,
                 struct json_text *out)
{
    json_put(out, "{");
    if (model->board) {
        write_board(model->board, out);
    } else {
        const struct style *style = page_style(model->side[SIDE_LEFT].page);
        const char *message = model->message && *model->message ? model->message : control->note;
        json_field(out, "role", model->role == PARTY_JUDGE ? "judge" : "entity");
        json_field(out, "style", style_name(style));
        json_field_number(out, "columns", style->columns);
        json_name(out, "ink");
        json_put(out, "[");
        json_number(out, style->colour[PARTY_JUDGE]);
        json_comma(out);
        json_number(out, style->colour[PARTY_ENTITY]);
        json_put(out, "]");
        json_field(out, "segment", model->segment);
        write_clock(model, out);
        write_sides(model, &control->view, out);
        write_notices(model, &control->view, out);
        json_field(out, "message", message);
        json_field(out, "entry", model->role == PARTY_ENTITY ? model->entry : "");
        write_hints(model, control_is_kiosk(control), out);
        if (model->form)
            write_form(model->form, out);
    }
    write_dialog(&control->dialog, out);
    json_put(out, "}");
}

static unsigned run_of(const struct page_cell *cell, bool waits)
{
    unsigned run = waits ? RUN_WAITING : 0;
    if (cell->width == 2)
        return run | RUN_WIDE;
    /* A Latin letter is one column wide in a monospaced font. */
    return run | (cell->point > 0x17F || cell->mark[0] ? RUN_ODD : 0);
}

/* Writes a row's cells as runs. *run has the bits of the run that is open before and after the
 * call. */
static void write_cells(struct json_text *out, const struct page_row *row, bool waits,
                        unsigned *run)
{
    for (unsigned i = 0; i < row->cells; i++) {
        const struct page_cell *cell = &row->cell[i];
        unsigned next = run_of(cell, waits);
        /* A character that needs a fixed position is a run of its own. */
        if (next != *run || (next & (RUN_WIDE | RUN_ODD))) {
            if (*run != RUN_NONE)
                json_put(out, *run ? "\"]" : "\"");
            json_put(out, ",");
            if (next) {
                json_put(out, "[");
                json_number(out, next);
                json_put(out, ",");
            }
            json_put(out, "\"");
            *run = next;
        }
        json_point(out, cell->point);
        for (unsigned m = 0; m < PAGE_MARKS && cell->mark[m]; m++)
            json_point(out, cell->mark[m]);
    }
}

struct shown_row {
    bool placed, waits;
    struct page_row row[2]; /* placed text, and waiting keys */
};

/* Collects row `at` of a pane. The rows of waiting keys count as rows of the pane. */
static void row_at(const struct screen_model *model, enum side side, unsigned pane,
                   const struct view_rows *rows, unsigned at, struct shown_row *out)
{
    const struct screen_side *shown = &model->side[side];
    out->waits = at >= rows->wait_row && at < rows->wait_row + rows->waits;
    out->placed = !out->waits || (at == rows->wait_row && rows->shared);
    if (out->placed)
        view_placed(model, side, pane, rows, at, &out->row[0]);
    if (out->waits)
        page_preview(shown->page, model->role, shown->pending, shown->pending_count,
                     at - rows->wait_row, &out->row[1], 1);
}

static enum party party_of(const struct shown_row *row, const struct screen_model *model)
{
    return row->placed ? row->row[0].party : model->role;
}

static uint64_t hash_of(const struct shown_row *row)
{
    static const unsigned char key[crypto_shorthash_KEYBYTES] = "boothlink page";
    struct {
        uint32_t head[4];
        struct page_cell cell[STYLE_COLUMNS_MAX];
    } seen;
    uint64_t hash[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++) {
        const struct page_row *cells = &row->row[i];
        if (!(i == 0 ? row->placed : row->waits))
            continue;
        memset(&seen, 0, sizeof seen);
        seen.head[0] = cells->party;
        seen.head[1] = cells->cells;
        for (unsigned c = 0; c < cells->cells; c++) {
            seen.cell[c].point = cells->cell[c].point;
            memcpy(seen.cell[c].mark, cells->cell[c].mark, sizeof seen.cell[c].mark);
            seen.cell[c].width = cells->cell[c].width;
        }
        crypto_shorthash((unsigned char *)&hash[i], (const unsigned char *)&seen,
                         sizeof seen.head + cells->cells * sizeof seen.cell[0], key);
    }
    return hash[0] ^ (hash[1] << 1 | hash[1] >> 63);
}

static void write_row(const struct shown_row *row, const struct screen_model *model,
                      struct json_text *out)
{
    unsigned run = RUN_NONE;
    json_comma(out);
    json_put(out, "[");
    json_number(out, party_of(row, model));
    if (row->placed)
        write_cells(out, &row->row[0], false, &run);
    if (row->waits)
        write_cells(out, &row->row[1], true, &run);
    if (run != RUN_NONE)
        json_put(out, run ? "\"]" : "\"");
    json_put(out, "]");
}

/* The first row that the browser lacks. */
static uint64_t first_lacking(const struct scene_pane *sent, const struct screen_model *model,
                              enum side side, unsigned pane, const struct view_rows *rows,
                              uint64_t base)
{
    uint64_t end = base + rows->rows, n = base;
    struct shown_row row;
    bool lone = sent->whole && sent->page == model->side[side].page && !rows->waits &&
                !sent->waited && sent->base == base && sent->end == end &&
                page_changes(sent->page, pane) - sent->changes <= 1;
    if (sent->base > base)
        return base;
    if (lone)
        n = page_changes(sent->page, pane) == sent->changes ? end : end - 1;
    for (; n < end && n < sent->end; n++) {
        row_at(model, side, pane, rows, (unsigned)(n - base), &row);
        if (n < sent->base || sent->hash[n % SCENE_ROWS] != hash_of(&row))
            return n;
    }
    return n;
}

bool scene_rows(struct scene_pane *sent, const struct screen_model *model, enum side side,
                unsigned pane, size_t spare, struct json_text *out)
{
    const struct page *page = model->side[side].page;
    struct view_rows rows = view_rows(model, side, pane);
    uint64_t base = page_dropped(page, pane), end = base + rows.rows, from, n;
    struct shown_row row;
    if (!page_has(page, pane))
        return true;
    from = first_lacking(sent, model, side, pane, &rows, base);
    if (from < end || sent->end != end || sent->base != base) {
        json_comma(out);
        json_put(out, "[");
        const int64_t head[] = {side, pane, (int64_t)from, (int64_t)base, (int64_t)end};
        for (unsigned i = 0; i < sizeof head / sizeof head[0]; i++) {
            json_comma(out);
            json_number(out, head[i]);
        }
        json_put(out, ",[");
        for (n = from; n < end && out->room - out->length > spare + ROW_BYTES; n++) {
            row_at(model, side, pane, &rows, (unsigned)(n - base), &row);
            write_row(&row, model, out);
            sent->hash[n % SCENE_ROWS] = hash_of(&row);
        }
        json_put(out, "]]");
        sent->base = base;
        sent->end = n;
    }
    sent->whole = sent->end == end;
    sent->page = page;
    sent->changes = page_changes(page, pane);
    sent->waited = rows.waits > 0;
    return sent->whole;
}

void scene_cursor(const struct screen_model *model, struct json_text *out)
{
    struct shown_row row;
    for (enum side side = 0; side < model->sides; side++) {
        const struct screen_side *shown = &model->side[side];
        if (!shown->active || (model->form && model->form->state == FORM_OPEN))
            continue;
        struct page_place place = view_place(model, side);
        struct view_rows rows = view_rows(model, side, place.pane);
        unsigned at = rows.waits ? rows.wait_row + rows.waits - 1 : place.row;
        if (!rows.waits && !place.shown)
            break;
        row_at(model, side, place.pane, &rows, at, &row);
        json_put(out, "[");
        const int64_t where[] = {side, place.pane,
                                 (int64_t)(page_dropped(shown->page, place.pane) + at),
                                 row.row[row.waits].columns};
        for (unsigned i = 0; i < sizeof where / sizeof where[0]; i++) {
            json_comma(out);
            json_number(out, where[i]);
        }
        json_put(out, "]");
        return;
    }
    json_put(out, "null");
}
