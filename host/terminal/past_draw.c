#include "terminal/past_draw.h"

#include "screen/hints.h"

#define TITLE_COLUMNS 8 /* "RIGHT" and the blanks before and after it */

static void draw_who(const struct layout *layout, enum side side, const char *who,
                     struct frame *frame)
{
    unsigned end = layout->side[side].column + layout->side[side].width;
    unsigned columns = frame_string_columns(who);
    unsigned room = layout->side[side].width - TITLE_COLUMNS;
    unsigned from = end - room;
    frame_fill(frame, layout->head_row, from, room, ' ', ROLE_TEXT);
    columns = columns < room - 1 ? columns : room - 1;
    frame_string(frame, layout->head_row, end - 1 - columns, columns, who, ROLE_STRONG);
}

static void draw_keys(const struct past *past, const struct layout *layout, struct frame *frame)
{
    struct hint hints[HINTS];
    unsigned count = hint_past(past, hints);
    unsigned row = layout->keys_row, column = 1;
    frame_fill(frame, row, 0, layout->columns, ' ', ROLE_TEXT);
    for (unsigned i = 0; i < count; i++) {
        unsigned key_columns = frame_string_columns(hints[i].key);
        unsigned does_columns = frame_string_columns(hints[i].does);
        if (column + key_columns + 1 + does_columns >= layout->columns)
            return;
        frame_string(frame, row, column, key_columns, hints[i].key, ROLE_STRONG);
        column += key_columns + 1;
        frame_string(frame, row, column, does_columns, hints[i].does, ROLE_TEXT);
        column += does_columns + 2;
    }
}

void past_draw(const struct past *past, const struct layout *layout, struct frame *frame)
{
    if (layout->fit == LAYOUT_NOTHING)
        return;
    for (enum side side = 0; side < SIDES; side++)
        if (layout->side[side].shown)
            draw_who(layout, side, past->who[side], frame);
    if (!past->ballot)
        draw_keys(past, layout, frame);
}
