/* The plan of a session, and the clock of its segments. The clock follows a controller's time;
 * without a controller the host counts by it. Pure: the caller passes the time in. Source:
 * DESIGN.md, "End of a segment"; 2009 §3a (5 + 5 + 10 + 5 minutes), 2004 B5. */
#ifndef SESSION_PLAN_H
#define SESSION_PLAN_H

#include "base/status.h"
#include "session/event.h"

#define PLAN_SEGMENTS    32
#define PLAN_NAME_MAX    12
#define PLAN_TEXT_MAX    400
#define PLAN_SECONDS_MAX 28800  /* 8 hours */
#define PLAN_NOTICE_US   500000 /* time between `closing` and the cut */

struct plan_segment {
    uint32_t seconds;
    bool open[SIDES];             /* the sides whose lines carry keys */
    char name[PLAN_NAME_MAX + 1]; /* left, right, both, review, change, or any word for a break */
};

struct plan {
    struct plan_segment segment[PLAN_SEGMENTS];
    unsigned count; /* 0: no plan; the lines are open from the start, without end */
};

/* Parses "300 left,300 right,600 review,300 change": seconds and names. left, right and both open
 * lines, for 5 s to 8 h; any other word is a break, of 1 s to 8 h. BL_USAGE names the bad part. */
enum bl_status plan_parse(struct plan *plan, const char *text, struct bl_diag *diag);

struct plan_clock {
    const struct plan *plan;
    unsigned index;
    enum segment_state state; /* WAITING, OPEN, CLOSING or FINISHED; CLOSED: the clock is held */
    uint64_t cut_us;          /* end of the present segment, monotonic */
    uint64_t due_us;          /* time of the next step, monotonic; UINT64_MAX: none */
    bool ended;               /* no part follows the present one */
    bool followed, held;      /* followed: a controller counts; held: the controller's clock
                               * stands */
    uint64_t held_us;         /* time left while the clock stands */
};

void plan_clock_init(struct plan_clock *clock, const struct plan *plan);

/* A segment's time left is recorded every PLAN_KEPT_EVERY_US. A restart continues with PLAN_LOSS_US
 * less than the record, so it lengthens no segment. */
#define PLAN_KEPT_EVERY_US 1500000
#define PLAN_LOSS_US       2000000

/* Continues after a restart with the segment and the time left that were recorded last. */
void plan_clock_resume(struct plan_clock *clock, unsigned index, uint64_t remaining_us,
                       uint64_t now_us);

/* Opens the first segment. No effect unless the state is SEGMENT_WAITING. */
void plan_clock_begin(struct plan_clock *clock, uint64_t now_us);

/* Takes a controller's state. SEGMENT_CLOSED: the controller's clock stands, before a segment's
 * start or in a pause. A followed clock makes one step by itself, from OPEN to CLOSING, because the
 * controller's notice may be lost. */
void plan_clock_follow(struct plan_clock *clock, unsigned index, enum segment_state state,
                       uint64_t remaining_us, uint64_t now_us);

/* Makes the next step if it is due. True: a step was made; the caller acts on the new state and
 * index, and calls again. CLOSING is followed by the next segment's OPEN, or by FINISHED, with the
 * cut between. */
bool plan_clock_step(struct plan_clock *clock, uint64_t now_us);

/* Ends the session early. The next step closes the open segment; the cut follows PLAN_NOTICE_US
 * later, and no other segment. False, without effect: no segment is open, or a controller
 * counts. */
bool plan_clock_end(struct plan_clock *clock, uint64_t now_us);

/* The present segment's time left: the whole segment while waiting, UINT64_MAX without a plan. */
uint64_t plan_clock_remaining(const struct plan_clock *clock, uint64_t now_us);

/* True if keys may be placed on the side now. */
bool plan_clock_open(const struct plan_clock *clock, enum side side);

/* Index of the last segment that opens the side's line; the plan's count: none does. */
unsigned plan_last_open(const struct plan *plan, enum side side);

#endif
