/* Dialog boxes: help, and confirmations by typing a word. Pure. */
#ifndef SCREEN_DIALOG_H
#define SCREEN_DIALOG_H

#include "session/input.h"

/* The dialogs. A judge's help depends on the number of lines, and on a ballot. */
enum dialog_kind {
    DIALOG_NONE,
    DIALOG_HELP,
    DIALOG_HELP_TALK,
    DIALOG_HELP_ONE,
    DIALOG_HELP_ONE_TALK,
    DIALOG_LEAVE,
    DIALOG_EPOCH,
    DIALOG_HELP_ENTITY,
    DIALOG_LEAVE_BALLOT,
    DIALOG_LEAVE_CHANGED
};

enum dialog_result {
    DIALOG_STAYS,
    DIALOG_RETURNS,  /* closed without a choice */
    DIALOG_STEWARD,  /* closed; call the steward (F12) */
    DIALOG_CONFIRMED /* closed; the word was typed */
};

/* All zeros: no dialog is open. */
struct dialog {
    enum dialog_kind kind;
    unsigned typed; /* the number of letters of the dialog's word that were typed so far */
};

void dialog_open(struct dialog *dialog, enum dialog_kind kind);

/* Gives the open dialog a key. Closes it unless the result is DIALOG_STAYS. */
enum dialog_result dialog_feed(struct dialog *dialog, enum input_what what, uint32_t point);

/* The texts of a dialog. DIALOG_NONE has none. */
struct dialog_words {
    const char *title;
    const char *word;        /* the word that confirms; NULL in a help */
    const char *const *line; /* the last is NULL */
};
const struct dialog_words *dialog_words(enum dialog_kind kind);

#endif
