#include "controller/state.h"

#include "base/word.h"

bool controller_state_of(enum sentence_word word, enum controller_state *state)
{
    if (word < SAY_IDLE || word > SAY_OVER)
        return false;
    *state = (enum controller_state)word;
    return true;
}

const char *controller_state_word(enum controller_state state)
{
    return sentence_text((enum sentence_word)state);
}

const char *controller_state_text(enum controller_state state)
{
    static const char *const words[] = {
        [CONTROLLER_IDLE] = "has no plan",
        [CONTROLLER_READY] = "waits for the start",
        [CONTROLLER_WAIT] = "waits for the steward's word",
        [CONTROLLER_CONNECT] = "connecting",
        [CONTROLLER_OPEN] = "running",
        [CONTROLLER_CLOSING] = "closing",
        [CONTROLLER_CUT] = "cut",
        [CONTROLLER_PAUSED] = "paused by the key switch",
        [CONTROLLER_LOST] = "interrupted: it heard no host",
        [CONTROLLER_FAULT] = "fault",
        [CONTROLLER_OVER] = "the plan is over",
    };
    return WORD_OF(words, state, "not known");
}

bool controller_state_begun(enum controller_state state)
{
    switch (state) {
    case CONTROLLER_WAIT:
    case CONTROLLER_CONNECT:
    case CONTROLLER_OPEN:
    case CONTROLLER_CLOSING:
    case CONTROLLER_CUT:
    case CONTROLLER_PAUSED:
    case CONTROLLER_LOST:
    case CONTROLLER_FAULT:
        return true;
    case CONTROLLER_IDLE:
    case CONTROLLER_READY:
    case CONTROLLER_OVER:
    case CONTROLLER_UNHEARD:
        break;
    }
    return false;
}
