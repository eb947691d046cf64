/* A session's state for the manager's page, from the growing records of its judge's journal. Pure;
 * has no keys, only their numbers. */
#ifndef DESK_TILE_SESSION_H
#define DESK_TILE_SESSION_H

#include "rules/contest_id.h"
#include "session/event.h"

struct tile_side {
    bool present;            /* the journal has a record of this line */
    bool up, called;         /* the line is up; the steward is called */
    char line[NOTE_MAX + 1]; /* the fault of the line, in the terminal's words; "": none */
    uint64_t count, keys[PARTIES];
    uint64_t latest_us; /* time of the last key */
    unsigned part;      /* part of the plan, from 1; 0: none was opened */
    enum segment_state state;
    uint64_t clock_us,
        left_us; /* time of the last SEGMENT; time left at it, UINT64_MAX without a plan */
};

/* All zeros at the start. All times are of the machine's clock. */
struct tile_session {
    bool headed;
    char session[SESSION_ID_MAX + 1], contest[CONTEST_ID]; /* "": not in the journal */
    struct tile_side side[SIDES];
    char disk[NOTE_MAX + 1]; /* the last word about the machine's disk */
    uint64_t latest_us;      /* time of the latest record */
};

void tile_session_take(struct tile_session *tile, const struct journal_record *record);

/* _is_open: true if a line has begun and not finished. _is_over: true if all lines have
 * finished. */
bool tile_session_is_open(const struct tile_session *tile);
bool tile_session_is_over(const struct tile_session *tile);

#endif
