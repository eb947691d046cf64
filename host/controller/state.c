#include "controller/state.h"

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
    switch (state) {
    case CONTROLLER_IDLE:
        return "has no plan";
    case CONTROLLER_READY:
        return "waits for the start";
    case CONTROLLER_WAIT:
        return "waits for the steward's word";
    case CONTROLLER_CONNECT:
        return "connecting";
    case CONTROLLER_OPEN:
        return "running";
    case CONTROLLER_CLOSING:
        return "closing";
    case CONTROLLER_CUT:
        return "cut";
    case CONTROLLER_PAUSED:
        return "paused by the key switch";
    case CONTROLLER_LOST:
        return "interrupted: it heard no host";
    case CONTROLLER_FAULT:
        return "fault";
    case CONTROLLER_OVER:
        return "the plan is over";
    case CONTROLLER_UNHEARD:
        break;
    }
    return "not known";
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
