/* The plan of a session and the clock of its segments. With a controller in the line the clock
 * shows the controller's time; without one the host counts, announces and makes the cut. Pure: the
 * caller passes the time in. Source: DESIGN.md, "End of a segment"; 2009 §3a (5 + 5 + 10 + 5
 * minutes), 2004 B5. */
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
    bool open[SIDES];             /* lines with keys */
    char name[PLAN_NAME_MAX + 1]; /* left, right, both, review, change, or any word for a break */
};

struct plan {
    struct plan_segment segment[PLAN_SEGMENTS];
    unsigned count; /* 0: no plan, the lines are open from the start and without end */
};

/* "300 left,300 right,600 review,300 change": seconds and a name; left, right and both open lines,
 * any other word is a break. 5 s to 8 h each for lines, 1 s to 8 h for breaks. BL_USAGE names the
 * part. */
enum bl_status plan_parse(struct plan *plan, const char *text, struct bl_diag *diag);

/* A session's place in its plan. */
struct plan_clock {
    const struct plan *plan;
    unsigned index;
    enum segment_state state; /* WAITING before begin, then OPEN, CLOSING, FINISHED; CLOSED: held */
    uint64_t cut_us;          /* monotonic, of the present segment */
    uint64_t due_us;          /* monotonic, of the next step; UINT64_MAX: none is due */
    bool ended;               /* no part follows the present one */
    bool followed, held;      /* a controller counts; the controller's clock stands */
    uint64_t held_us;         /* time left while the clock stands */
};

void plan_clock_init(struct plan_clock *clock, const struct plan *plan);

/* The rest of a segment is recorded every PLAN_KEPT_EVERY_US, and a restart continues with
 * PLAN_LOSS_US less than the last record: never with more time than was really left. */
#define PLAN_KEPT_EVERY_US 1500000
#define PLAN_LOSS_US       2000000

/* Continues after a restart with the segment and the rest that were recorded last. */
void plan_clock_resume(struct plan_clock *clock, unsigned index, uint64_t remaining_us,
                       uint64_t now_us);

/* The first segment opens now. No effect unless waiting. */
void plan_clock_begin(struct plan_clock *clock, uint64_t now_us);

/* A controller counts, and reports its state. CLOSED: the clock stands, with the lines cut or the
 * keys refused (before a segment's clock starts, in a pause). A followed clock makes only one step
 * by itself, from OPEN to CLOSING, since the controller's notice may be lost. */
void plan_clock_follow(struct plan_clock *clock, unsigned index, enum segment_state state,
                       uint64_t remaining_us, uint64_t now_us);

/* Makes the next due step: true if there was one; then state and index are new, and the caller acts
 * on them and asks again. From CLOSING a step goes to the next segment's OPEN or to FINISHED: the
 * cut lies in between. */
bool plan_clock_step(struct plan_clock *clock, uint64_t now_us);

/* The session ends before its time: the next step closes the open segment, with its cut
 * PLAN_NOTICE_US later, and no other follows. False, and no effect: no segment is open, or a
 * controller counts. */
bool plan_clock_end(struct plan_clock *clock, uint64_t now_us);

/* The rest of the present segment; UINT64_MAX without a plan, the whole segment while waiting. */
uint64_t plan_clock_remaining(const struct plan_clock *clock, uint64_t now_us);

/* True if keys may be placed on the side now. */
bool plan_clock_open(const struct plan_clock *clock, enum side side);

/* The last segment with the side's line open; the plan's count if none does. */
unsigned plan_last_open(const struct plan *plan, enum side side);

#endif
