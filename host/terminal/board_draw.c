#include "terminal/board_draw.h"

#include "session/notice.h"
#include "terminal/draw.h"

#include <string.h>

#define WIDEST 66 /* most columns of a line of text */

/* Writes a text of one or more lines from `row` on. Returns the next free row; `cut`: a line had no
 * room. */
static unsigned draw_text(struct frame *frame, unsigned row, unsigned column, unsigned width,
                          const char *text, enum role role, bool *cut)
{
    const char *at = text;
    for (const char *next; at && row + 2 < frame->rows; at = next, row++) {
        size_t length = notice_line(at, width, &next);
        size_t line = strcspn(at, "\n");
        if (line <= length) {
            length = line;
            next = at[line] ? at + line + 1 : NULL;
        }
        frame_text(frame, row, column, width, at, length, role);
    }
    *cut = *cut || at;
    return row;
}

void board_draw(const struct board *board, unsigned rows, unsigned columns, struct frame *frame)
{
    frame_resize(frame, rows, columns);
    frame->cursor = false;
    unsigned width = frame->columns > WIDEST + 4 ? WIDEST : frame->columns - 4;
    unsigned column = (frame->columns - width) / 2, row = frame->rows / 4;
    struct hint hint[BOARD_HINTS];
    unsigned hints = 0;
    bool cut = false;
    if (frame->columns < 8 || frame->rows < 4)
        return;
    frame_string(frame, 0, 1, frame->columns - 2, board->title, ROLE_STRONG);
    row = draw_text(frame, row, column, width, board->strong,
                    board->alarm ? ROLE_ALARM : ROLE_STRONG, &cut);
    for (unsigned i = 0; i < BOARD_TEXTS; i++)
        if (board->text[i] && board->text[i][0])
            row = draw_text(frame, row + 1, column, width, board->text[i], ROLE_TEXT, &cut);
    for (unsigned i = 0; i < board->hints; i++)
        if (cut || !board->more || i != board->more)
            hint[hints++] = board->hint[i];
    draw_hints(frame, frame->rows - 1, hint, hints);
}
