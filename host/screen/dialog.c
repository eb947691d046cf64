#include "screen/dialog.h"

#include "session/event.h"

#include <string.h>

const struct dialog_words *dialog_words(enum dialog_kind kind)
{
    static const char *const help[] = {
        "Letters, Return, BackSpace, Tab   typed on the page at once",
        "F12            call the steward, or take the call back",
        "F2             type to the other side",
        "F9             begin",
        "F3             your ballot, where there is one",
        "PgUp, PgDn     look back and forward",
        "Home, End      the first and the newest lines",
        "Left, Right    which side to look back on",
        "Ctrl-L         draw the screen anew",
        "F10            leave",
        "",
        "F12 calls the steward here, too; any other key returns.",
        NULL};
    static const char *const leave[] = {"This ends the conversation at this terminal.", "",
                                        "To leave, type the word  leave  and press Return.",
                                        "Any other key returns.", NULL};
    static const char *const epoch[] = {
        "The records of the two ends differ. A new epoch keeps both,",
        "and goes on from what is shown here. For the steward only.",
        "",
        "To open one, type the word  epoch  and press Return.",
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
