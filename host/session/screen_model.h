/* The contents of a terminal's screen, for a console and for a page in a browser. Each change fills
 * the model once: screen_model.c the part of an end, its booth the rest. A screen has no other
 * source. */
#ifndef SESSION_SCREEN_MODEL_H
#define SESSION_SCREEN_MODEL_H

#include "session/entity_end.h"
#include "session/judge_end.h"

/* The ballot, the heads of a replay, and notes between sessions: drawn by their owners. */
struct form;
struct past;
struct board;

/* The state of a line towards the partner. Connecting is shown calmly until the partner was reached
 * once; afterwards as loudly as REACH_NO, since somebody is missing then. */
enum reach {
    REACH_NO,
    REACH_CONNECTING,
    REACH_CUT, /* the controller has cut the line, by the plan: no fault */
    REACH_YES
};

/* One side's whole picture. */
struct screen_side {
    const struct page *page;
    const char *title; /* "LEFT", "RIGHT"; at the entity's end the reader's own role */
    enum reach reach;
    bool insecure;           /* others may hear the line and send on it: shown all the time */
    const char *reason;      /* the reason in words, if the partner is out of reach */
    bool active;             /* keys typed now go here (judge), or may be typed (entity) */
    const char *state;       /* short: "open", "closed", "wait for the judge", ... */
    const uint32_t *pending; /* the end's own keys without a position */
    size_t pending_count;
    bool steward_here, steward_there; /* called at this end; at the judge's end */
};

struct screen_model {
    enum party role;
    struct screen_side side[SIDES];
    unsigned sides;        /* 1 or 2 */
    const char *segment;   /* "LEFT · part 1 of 2", or "" */
    uint64_t remaining_us; /* time left; UINT64_MAX: not known, without end, or over */
    bool enforced;         /* a controller cuts the line: told to an attendant alone */
    const char *standing;  /* a standing notice, "" or NULL for nothing */
    const char *message;   /* one line of advice or warning, "" for none */
    const char *entry;     /* entity's end with an Entry: its acts, lines separated by '\n', the
                              oldest first; else "" */
    bool may_begin;        /* F9 would begin; at an entity's end: start the Entry again */
    bool may_conclude;     /* F9 would declare the session over */
    bool may_switch;       /* F2 would change the side typed to */
    bool may_take;         /* F8 takes the session over from the other end's record */
    bool may_epoch;        /* the records differ: a steward may open a new epoch with F8 */

    const struct form *form; /* the ballot; NULL: there is none */
    const struct past *past; /* a replay; NULL: happening now */

    const struct board *board; /* no session is on, and nothing else is shown; NULL: one is on */
};

/* Fills in the end's part of a side and clears the rest. The caller then fills in the side's reach
 * and its state, and for a judge's side the title and whether it is active. */
void screen_side_judge(struct screen_side *side, const struct judge_end_view *view);
void screen_side_entity(struct screen_side *side, const struct entity_end_view *view);

/* The time left at the entity's end, as far as known there. */
uint64_t screen_remaining_us(const struct entity_end_view *view, uint64_t now_us);

/* The controller has cut the line, as announced: a missing partner is no fault. */
bool screen_is_cut(const struct entity_end_view *view);

#endif
