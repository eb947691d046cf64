#include "rules/ballot_kind.h"
#include "session/notice.h"
#include "terminal/form_draw.h"
#include "terminal/messages.h"

#include <stdio.h>
#include <string.h>

#define RULE         0x2500
#define MARGIN       2
#define NOTES_COLUMN 9
#define NOTES_ROWS   2

/* A root sign: console fonts have no check mark. */
#define TICK "\xE2\x88\x9A"

#define ANCHOR_ROWS  3
#define ANCHOR_WIDTH 38

static bool has_anchors(const struct form *form)
{
    return form_anchor(form, 0) != NULL;
}

/* The rows of the kind's own fields, below the question. */
static unsigned body_rows(const struct form *form)
{
    if (ballot_row(form->rules.kind)->fields == FIELDS_LIST)
        return form->rules.ranks;
    return has_anchors(form) ? 1 + ANCHOR_ROWS : 1;
}

static unsigned field_rows(const struct ballot_field *field)
{
    return field->type == ASKS_TEXT ? NOTES_ROWS : 1;
}

static unsigned asked_rows(const struct form *form)
{
    unsigned rows = 0;
    for (unsigned i = 0; i < form->rules.asked.count; i++)
        rows += field_rows(&form->rules.asked.field[i]);
    return rows;
}

unsigned form_rows(const struct form *form)
{
    if (form->rules.kind == BALLOT_NONE || form->state == FORM_AWAY)
        return 0;
    return 2 + body_rows(form) + asked_rows(form) + NOTES_ROWS + 1;
}

struct form_canvas {
    const struct form *form;
    struct frame *frame;
    unsigned end; /* the first row after the form's rows */
};

static void text_at(const struct form_canvas *c, unsigned row, unsigned column, const char *text,
                    enum role role)
{
    if (row < c->end && column < c->frame->columns)
        frame_string(c->frame, row, column, c->frame->columns - column, text, role);
}

static void cursor_at(const struct form_canvas *c, unsigned row, unsigned column)
{
    if (c->form->state != FORM_OPEN || c->form->standing == FORM_SEALED)
        return;
    c->frame->cursor = row < c->end && column < c->frame->columns;
    c->frame->cursor_row = row;
    c->frame->cursor_column = column;
}

static void draw_head(const struct form_canvas *c, unsigned row)
{
    const struct form *form = c->form;
    char given[FORM_WORDS], words[FORM_WORDS + 2];
    bool good;
    enum role role;
    unsigned columns;
    form_standing_words(form, given, &good);
    snprintf(words, sizeof words, " %s ", given);
    role = good ? ROLE_TIME : ROLE_BAD;
    frame_fill(c->frame, row, 0, c->frame->columns, RULE, ROLE_RULE);
    text_at(c, row, MARGIN,
            ballot_row(form->rules.kind)->fields == FIELDS_LIST ? say_your_ranks
            : form->rules.kind == BALLOT_SURVEY                 ? say_your_answers
                                                                : say_your_ballot,
            ROLE_STRONG);
    columns = frame_string_columns(words);
    if (columns + 20 < c->frame->columns)
        text_at(c, row, c->frame->columns - columns - MARGIN, words, role);
}

/* Draws a label and a number, such as "LEFT [ 60]". Returns the column after the bracket. */
static unsigned draw_number(const struct form_canvas *c, unsigned row, unsigned column,
                            const char *label, unsigned field, unsigned width)
{
    const char *number = c->form->number[field];
    unsigned length = frame_string_columns(number);
    bool here = c->form->field == field && c->form->state == FORM_OPEN;
    enum role role = here ? ROLE_TIME : ROLE_STRONG;
    text_at(c, row, column, label, here ? ROLE_STRONG : ROLE_TEXT);
    column += frame_string_columns(label) + 1;
    if (row < c->end)
        frame_fill(c->frame, row, column, width + 2, ' ', role);
    text_at(c, row, column, "[", role);
    text_at(c, row, column + 1 + width - (length < width ? length : width), number, role);
    text_at(c, row, column + 1 + width, "]", role);
    if (here)
        cursor_at(c, row, column + width);
    return column + width + 2;
}

static void draw_choice(const struct form_canvas *c, unsigned row)
{
    const struct ballot_row *kind = ballot_row(c->form->rules.kind);
    bool sides = kind->pair;
    bool here = c->form->field == 0 && c->form->state == FORM_OPEN;
    unsigned half = c->frame->columns / 2;
    for (int i = 0; i < 2; i++) {
        /* Two sides are drawn in their order, and human before machine. */
        unsigned column = MARGIN + 3 + (sides == (i == 1) ? half : 0);
        bool chosen = c->form->choice == i;
        char box[8];
        snprintf(box, sizeof box, "[%c]", kind->key[i]);
        text_at(c, row, column - 2, chosen ? TICK : " ", ROLE_STRONG);
        text_at(c, row, column, box, chosen ? ROLE_TIME : ROLE_STRONG);
        text_at(c, row, column + 4, kind->said[i], chosen ? ROLE_TIME : ROLE_TEXT);
        if (here && (chosen || (c->form->choice < 0 && sides == (i == 0))))
            cursor_at(c, row, column + 1);
    }
}

static void draw_body(const struct form_canvas *c, unsigned row)
{
    const struct form *form = c->form;
    switch (ballot_row(form->rules.kind)->fields) {
    case FIELDS_SIDES:
        draw_number(c, row, MARGIN + 12, say_left, 0, 3);
        draw_number(c, row, c->frame->columns / 2 + MARGIN + 12, say_right, 1, 3);
        break;
    case FIELDS_ONE:
        draw_number(c, row, MARGIN + 3, say_your_rating, 0, 6);
        for (unsigned i = 0; form_anchor(form, i); i++)
            text_at(c, row + 1 + i % ANCHOR_ROWS, MARGIN + 3 + (i / ANCHOR_ROWS) * ANCHOR_WIDTH,
                    form_anchor(form, i), ROLE_TEXT);
        break;
    case FIELDS_LIST:
        for (unsigned i = 0; i < form->rules.ranks; i++) {
            bool here = form->field == i && form->state == FORM_OPEN;
            text_at(c, row + i, MARGIN, here ? "\xC2\xBB" : " ", ROLE_STRONG);
            draw_number(c, row + i, MARGIN + 3, say_rank, i, 2);
            text_at(c, row + i, MARGIN + 16, form->label[i], here ? ROLE_STRONG : ROLE_TEXT);
        }
        break;
    case FIELDS_CHOICE:
        draw_choice(c, row);
        break;
    case FIELDS_NONE:
        break;
    }
}

/* Draws a text after its label. Of a long text the last `rows` rows are drawn. */
static void draw_text(const struct form_canvas *c, unsigned row, const char *label,
                      const char *text, unsigned rows, bool typed)
{
    bool here = c->form->state == FORM_OPEN && typed;
    unsigned margin = MARGIN + frame_string_columns(label) + 2;
    unsigned begin = margin > NOTES_COLUMN ? margin : NOTES_COLUMN;
    unsigned columns =
        c->frame->columns > begin + MARGIN + 1 ? c->frame->columns - begin - MARGIN : 1;
    struct {
        const char *text;
        size_t length;
    } line[NOTES_ROWS] = {{"", 0}};
    unsigned count = 0, used;
    for (const char *at = text, *next; at; at = next, count++) {
        size_t length = notice_line(at, columns, &next);
        if (count >= rows)
            memmove(line, line + 1, (rows - 1) * sizeof line[0]);
        line[count < rows ? count : rows - 1].text = at;
        line[count < rows ? count : rows - 1].length = length;
    }
    text_at(c, row, MARGIN, label, here ? ROLE_STRONG : ROLE_TEXT);
    for (unsigned i = 0; i < count && i < rows && row + i < c->end; i++) {
        used = frame_text(c->frame, row + i, begin, columns, line[i].text, line[i].length,
                          ROLE_STRONG);
        if (here && (i + 1 == count || i + 1 == rows))
            cursor_at(c, row + i, begin + used);
    }
}

/* Draws the rules' other fields, one below another. Returns the next free row. */
static unsigned draw_asked(const struct form_canvas *c, unsigned row)
{
    const struct form *form = c->form;
    for (unsigned i = 0; i < form->rules.asked.count; i++) {
        unsigned rows = field_rows(&form->rules.asked.field[i]);
        char label[FORM_LABEL];
        form_label(form, i, label);
        draw_text(c, row, label, form->values.text[i], rows, form_is_asked(form, i));
        row += rows;
    }
    return row;
}

void form_draw(const struct form *form, struct frame *frame, unsigned row, unsigned rows)
{
    const struct form_canvas c = {form, frame, row + rows};
    char words[FORM_ABOUT];
    if (form_rows(form) == 0 || rows == 0)
        return;
    frame->cursor = false;
    draw_head(&c, row++);
    form_question(form, words);
    text_at(&c, row++, MARGIN, words, ROLE_TEXT);
    draw_body(&c, row);
    row = draw_asked(&c, row + body_rows(form));
    draw_text(&c, row, say_notes, form->notes, NOTES_ROWS, form_in_notes(form));
    row += NOTES_ROWS;
    if (form->state == FORM_SHOWN) {
        snprintf(words, sizeof words, " %s ", form_foot(form));
        text_at(&c, row, MARGIN, words, ROLE_CALL);
    } else {
        text_at(&c, row, MARGIN, form_foot(form), form->hint[0] ? ROLE_BAD : ROLE_TEXT);
    }
}
