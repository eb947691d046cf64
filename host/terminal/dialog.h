/* The boxes over a screen: help, and the confirmations in which a word must be typed. Pure. */
#ifndef TERMINAL_DIALOG_H
#define TERMINAL_DIALOG_H

#include "terminal/frame.h"
#include "session/input.h"

enum dialog_kind { DIALOG_NONE, DIALOG_HELP, DIALOG_LEAVE, DIALOG_EPOCH };

enum dialog_result {
    DIALOG_STAYS,
    DIALOG_RETURNS,  /* closed, nothing was chosen */
    DIALOG_STEWARD,  /* closed; the steward is to be called (F12, or F1 in the help) */
    DIALOG_CONFIRMED /* closed; the word was typed */
};

/* Zeroed is no dialog. */
struct dialog {
    enum dialog_kind kind;
    unsigned typed; /* letters of the word so far */
};

void dialog_open(struct dialog *dialog, enum dialog_kind kind);

/* Gives the open dialog a key. Closes it unless the answer is DIALOG_STAYS. */
enum dialog_result dialog_feed(struct dialog *dialog, enum input_what what, uint32_t point);

/* Draws the open dialog over the middle of the frame. */
void dialog_draw(const struct dialog *dialog, struct frame *frame);

#endif
