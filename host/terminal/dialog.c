#include "terminal/dialog.h"

#include <string.h>

#define BOX_COLUMNS 36
#define BOX_MARGIN  2

struct dialog_text {
    const char *title;
    const char *word; /* to be typed, NULL in the help */
    const char *const *line;
};

static const struct dialog_text *dialog_text(enum dialog_kind kind)
{
    /* 36 columns, for a window of 40. */
    static const char *const help[] = {"What you type shows at once.",
                                       "",
                                       "F1  Alt-1   this help",
                                       "F2  Alt-2   type to the other side",
                                       "F3  Alt-3   your ballot",
                                       "F12 Alt-4   call the steward, or not",
                                       "F9  Alt-9   begin",
                                       "F10 Alt-0   leave",
                                       "PgUp PgDn   look back and forward",
                                       "Home End    the first, the newest",
                                       "Left Right  which side to look at",
                                       "Ctrl-L      draw the screen anew",
                                       "",
                                       "Esc, then a digit, is Alt and it.",
                                       "F12 works here; others return.",
                                       NULL};
    static const char *const leave[] = {"This ends the conversation here.", "",
                                        "To leave, type  leave  and Return.",
                                        "Any other key returns.", NULL};
    static const char *const epoch[] = {"The two records differ. A new epoch",
                                        "keeps both and goes on from what is",
                                        "shown here. For the steward only.",
                                        "",
                                        "To open, type  epoch  and Return.",
                                        "Any other key returns.",
                                        NULL};
    static const struct dialog_text texts[] = {
        [DIALOG_HELP] = {"Keys", NULL, help},
        [DIALOG_LEAVE] = {"Leave?", "leave", leave},
        [DIALOG_EPOCH] = {"Open a new epoch?", "epoch", epoch},
    };
    return &texts[kind];
}

void dialog_open(struct dialog *dialog, enum dialog_kind kind)
{
    dialog->kind = kind;
    dialog->typed = 0;
}

enum dialog_result dialog_feed(struct dialog *dialog, enum input_what what, uint32_t point)
{
    const char *word = dialog_text(dialog->kind)->word;
    enum dialog_result result = DIALOG_RETURNS;
    if (what == INPUT_SILENT || what == INPUT_REDRAW)
        return DIALOG_STAYS;
    if (what == INPUT_F12) {
        result = DIALOG_STEWARD;
    } else if (word && what == INPUT_POINT) {
        bool whole = dialog->typed == strlen(word);
        if (point >= 'A' && point <= 'Z')
            point += 'a' - 'A'; /* Caps Lock */
        if (!whole && point == (uint32_t)word[dialog->typed]) {
            dialog->typed++;
            return DIALOG_STAYS;
        }
        if (whole && point == KEY_RETURN)
            result = DIALOG_CONFIRMED;
    }
    dialog->kind = DIALOG_NONE;
    return result;
}

static void border(struct frame *frame, unsigned row, unsigned column, unsigned width,
                   uint32_t left, uint32_t right)
{
    frame_fill(frame, row, column, 1, left, ROLE_BOX);
    frame_fill(frame, row, column + 1, width - 2, 0x2500, ROLE_BOX);
    frame_fill(frame, row, column + width - 1, 1, right, ROLE_BOX);
}

void dialog_draw(const struct dialog *dialog, struct frame *frame)
{
    const struct dialog_text *text = dialog_text(dialog->kind);
    unsigned width = frame->columns < BOX_COLUMNS + 2 * BOX_MARGIN ? frame->columns
                                                                   : BOX_COLUMNS + 2 * BOX_MARGIN;
    unsigned lines = 0, rows, row, column, margin = width > BOX_COLUMNS ? BOX_MARGIN : 2;
    while (text->line[lines])
        lines++;
    rows = lines + 4 + (text->word ? 2 : 0);
    row = frame->rows > rows ? (frame->rows - rows) / 2 : 0;
    column = (frame->columns - width) / 2;

    for (unsigned i = 0; i < rows && column > 0; i++) /* a blank edge sets it off */
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
