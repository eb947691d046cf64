#include "screen/dialog.h"

#include "session/event.h"

#include <string.h>

const struct dialog_words *dialog_words(enum dialog_kind kind)
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
    static const struct dialog_words texts[] = {
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
    const char *word = dialog_words(dialog->kind)->word;
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
