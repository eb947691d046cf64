#include "terminal/dialog_draw.h"

#define BOX_COLUMNS 36
#define BOX_MARGIN  2

static void border(struct frame *frame, unsigned row, unsigned column, unsigned width,
                   uint32_t left, uint32_t right)
{
    frame_fill(frame, row, column, 1, left, ROLE_BOX);
    frame_fill(frame, row, column + 1, width - 2, 0x2500, ROLE_BOX);
    frame_fill(frame, row, column + width - 1, 1, right, ROLE_BOX);
}

void dialog_draw(const struct dialog *dialog, struct frame *frame)
{
    const struct dialog_words *text = dialog_words(dialog->kind);
    unsigned width = frame->columns < BOX_COLUMNS + 2 * BOX_MARGIN ? frame->columns
                                                                   : BOX_COLUMNS + 2 * BOX_MARGIN;
    unsigned lines = 0, rows, row, column, margin = width > BOX_COLUMNS ? BOX_MARGIN : 2;
    while (text->line[lines])
        lines++;
    rows = lines + 4 + (text->word ? 2 : 0);
    row = frame->rows > rows ? (frame->rows - rows) / 2 : 0;
    column = (frame->columns - width) / 2;

    for (unsigned i = 0; i < rows && column > 0;
         i++) /* a blank border separates the box from the text beside it */
        frame_fill(frame, row + i, column - 1, width + 2, ' ', ROLE_BOX);
    border(frame, row, column, width, 0x250C, 0x2510);
    frame_fill(frame, row, column + 2, frame_string_columns(text->title) + 2, ' ', ROLE_BOX);
    frame_string(frame, row, column + 3, width - 4, text->title, ROLE_STRONG);
    for (unsigned i = 1; i + 1 < rows; i++) {
        frame_fill(frame, row + i, column, width, ' ', ROLE_BOX);
        frame_fill(frame, row + i, column, 1, 0x2502, ROLE_BOX);
        frame_fill(frame, row + i, column + width - 1, 1, 0x2502, ROLE_BOX);
    }
    border(frame, row + rows - 1, column, width, 0x2514, 0x2518);

    for (unsigned i = 0; i < lines; i++)
        frame_string(frame, row + 2 + i, column + margin, width - margin - 1, text->line[i],
                     ROLE_BOX);
    if (text->word) {
        unsigned at = row + 3 + lines;
        frame_string(frame, at, column + margin, 2, "> ", ROLE_STRONG);
        frame_text(frame, at, column + margin + 2, dialog->typed, text->word, dialog->typed,
                   ROLE_STRONG);
        frame->cursor = at < frame->rows;
        frame->cursor_row = at;
        frame->cursor_column = column + margin + 2 + dialog->typed;
    } else {
        frame->cursor = false;
    }
}
