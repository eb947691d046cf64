/* A controller's reported state. Source: firmware/README.md. */
#ifndef CONTROLLER_STATE_H
#define CONTROLLER_STATE_H

#include "firmware/core/sentence.h"

/* A subset of the words of sentences, with the same numbers. */
enum controller_state {
    CONTROLLER_IDLE = SAY_IDLE,
    CONTROLLER_READY = SAY_READY,
    CONTROLLER_WAIT = SAY_WAIT,
    CONTROLLER_CONNECT = SAY_CONNECT,
    CONTROLLER_OPEN = SAY_OPEN,
    CONTROLLER_CLOSING = SAY_CLOSING,
    CONTROLLER_CUT = SAY_CUT,
    CONTROLLER_PAUSED = SAY_PAUSED,
    CONTROLLER_LOST = SAY_LOST,
    CONTROLLER_FAULT = SAY_FAULT,
    CONTROLLER_OVER = SAY_OVER,
    CONTROLLER_UNHEARD = SAY_COUNT, /* not reported yet */
};

/* Converts a word to a state. False, with *state unchanged: the word is not a state. */
bool controller_state_of(enum sentence_word word, enum controller_state *state);

/* The controller's word; "": CONTROLLER_UNHEARD. */
const char *controller_state_word(enum controller_state state);

/* The state for screens: "waits for the start". */
const char *controller_state_text(enum controller_state state);

/* True for the states of a session that runs or is paused. */
bool controller_state_begun(enum controller_state state);

#endif
