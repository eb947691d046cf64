/* The contents of a terminal's screen, for a console and for a page in a browser. screen_model.c
 * fills in an end's part of the model, and the booth the rest. */
#ifndef SESSION_SCREEN_MODEL_H
#define SESSION_SCREEN_MODEL_H

#include "session/entity_end.h"
#include "session/judge_end.h"

struct form;
struct past;
struct board;

/* The state of the line to the partner. Before the partner is first reached, REACH_CONNECTING is
 * shown calmly; afterwards like REACH_NO. */
enum reach {
    REACH_NO,
    REACH_CONNECTING,
    REACH_CUT, /* the line is cut, or the other end is gone, as planned: no fault */
    REACH_YES
};

struct screen_side {
    const struct page *page;
    const char *title; /* "LEFT", "RIGHT"; at the entity's end the reader's own role */
    enum reach reach;
    bool insecure;           /* other parties may hear the line and send on it */
    const char *reason;      /* the reason in words if the partner is not reached */
    bool active;             /* judge: keys go to this side; entity: keys may be typed */
    const char *state;       /* a few words: "open", "closed", "wait for the judge", ... */
    const uint32_t *pending; /* the typist's keys without a place */
    size_t pending_count;
    bool steward_here, steward_there; /* the steward is called at this end; at the other end */
};

struct screen_model {
    enum party role;
    struct screen_side side[SIDES];
    unsigned sides;        /* 1 or 2 */
    const char *segment;   /* "LEFT · part 1 of 2", or "" */
    uint64_t remaining_us; /* time left; UINT64_MAX: none is shown */
    bool enforced;         /* a controller cuts the line; shown to attendants only */
    const char *standing;  /* a standing notice; "" or NULL: none */
    const char *message;   /* one line of advice or warning; "": none */
    const char *entry;     /* the Entry's latest acts, the oldest first, separated by '\n'; "":
                            * none */
    bool may_begin;        /* F9 would begin; at an entity's end F9 would start the Entry again */
    bool may_conclude;     /* F9 would declare the session over */
    bool may_switch;       /* F2 would turn the judge to the other side */
    bool may_take;         /* F8 would take the session over from the other end's record */
    bool may_epoch;        /* the records differ: a steward may open a new epoch with F8 */

    const struct form *form; /* the ballot; NULL: there is none */
    const struct past *past; /* a replay; NULL: none */

    const struct board *board; /* the board, shown alone between sessions; NULL: none */
};

/* Fill in the end's part of a side, and clear the rest. The caller adds reach, reason and state;
 * for a judge's side also title and active. */
void screen_side_judge(struct screen_side *side, const struct judge_end_view *view);
void screen_side_entity(struct screen_side *side, const struct entity_end_view *view);

/* The time left by the entity's end; UINT64_MAX: not known. */
uint64_t screen_remaining_us(const struct entity_end_view *view, uint64_t now_us);

/* True if the controller has cut the line as announced. A missing partner is then no fault. */
bool screen_is_cut(const struct entity_end_view *view);

#endif
