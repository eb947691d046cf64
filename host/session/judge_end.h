/* The judge's end of one line. It places every key of both parties. Source: DESIGN.md, "Session"
 * and "End of a segment". */
#ifndef SESSION_JUDGE_END_H
#define SESSION_JUDGE_END_H

#include "session/end.h"

#define JUDGE_TYPED_MAX 4096 /* most keys typed ahead, as by a paste */

struct judge_end_config {
    enum side side;
    struct style style;
    enum starts starts;
    struct typing_rules typing;
    /* A listener may be on the line, and may miss frames. So keys carry their number, and the
     * session is announced again at intervals. */
    bool listened;
};

struct judge_end;

/* The callbacks are copied. NULL: no memory. Nothing is allocated afterwards. */
struct judge_end *judge_end_create(const struct judge_end_config *config,
                                   const struct end_callbacks *callbacks, void *ctx);
void judge_end_destroy(struct judge_end *end);

/* Sets the session's name. Called after the journal is open, before the link comes up. */
void judge_end_name(struct judge_end *end, const char *session);

/* Sets the page's style to that of a resumed journal. Empties the page. Called before the
 * replay. */
void judge_end_dress(struct judge_end *end, const struct style *style);

struct judge_start {
    uint8_t secret[SEAL_SECRET]; /* random; used if the record has no secret */
    uint8_t boot[BOOT_SIZE];     /* the kernel's boot id; all zeros: not known */
    bool torn;                   /* the file ended within a record */
    uint32_t damaged;            /* number of damaged stretches in the file */
};

/* Called after the replay and judge_end_name(), before the link comes up. Writes a START record
 * with the secret of the seals. Without this call no key is sealed, and lost keys are not
 * requested. */
void judge_end_start(struct judge_end *end, const struct judge_start *start, struct bl_time now);

/* Records an orderly end of the process, unless keys may be lost. */
void judge_end_stop(struct judge_end *end, struct bl_time now);

/* Replays one record of the end's own journal. The caller replays all records in order, before any
 * other call. Records of the other side have no effect. */
void judge_end_replay(struct judge_end *end, const struct journal_record *record);

void judge_end_link(struct judge_end *end, bool up, struct bl_time now);

/* Takes a record of the other end. Any status but BL_OK: the link must not acknowledge the
 * record. */
enum bl_status judge_end_record(struct judge_end *end, const uint8_t *record, size_t length,
                                struct bl_time now);

void judge_end_progress(struct judge_end *end, struct bl_time now);

/* Takes a key of the judge. KEY_TAKEN: placed, or in the queue of keys typed ahead. KEY_WAIT: that
 * queue is full. Refusals are recorded. */
enum key_answer judge_end_key(struct judge_end *end, uint32_t point, struct bl_time now);

/* Like judge_end_key(), but never queues: KEY_WAIT if the key cannot be placed now. For scripts. */
enum key_answer judge_end_place(struct judge_end *end, uint32_t point, struct bl_time now);

/* Steps of the plan's clock for this line. judge_end_open(): a segment opens; `again`: the same
 * segment after a restart or a pause. judge_end_closing(): the cut follows in PLAN_NOTICE_US.
 * judge_end_cut(): the segment is cut; finished: the plan is over. index and count are for the
 * entity's screen. */
void judge_end_open(struct judge_end *end, unsigned index, unsigned count, uint64_t remaining_us,
                    bool again, struct bl_time now);
void judge_end_closing(struct judge_end *end, struct bl_time now);
void judge_end_cut(struct judge_end *end, bool finished, struct bl_time now);

/* There is a plan. last: index of the line's last segment; the other end refuses keys after it.
 * enforced: a controller counts the time and cuts the lines. Called before a segment opens. */
void judge_end_plan(struct judge_end *end, unsigned last, bool enforced);

/* Pauses the open segment with this time left. The judge's keys are refused, and the other end is
 * told. The entity's keys are still placed. judge_end_open(again) ends the pause. No effect unless
 * a segment is open. */
void judge_end_pause(struct judge_end *end, uint64_t remaining_us, struct bl_time now);

/* Takes the open segment's time left from the plan's clock. The other end is told if its time left
 * differs by more than JUDGE_CLOCK_OFF_US. */
#define JUDGE_CLOCK_OFF_US 200000
void judge_end_follow(struct judge_end *end, uint64_t remaining_us, struct bl_time now);

/* Records the time left of the plan's segment `index`, for a restart. */
void judge_end_clock(struct judge_end *end, unsigned index, uint64_t remaining_us,
                     struct bl_time now);

/* The steward is called, or the call is taken back. Records the call, and tells the other end. */
void judge_end_steward(struct judge_end *end, bool called, struct bl_time now);

/* A steward opens a new epoch. The judge's record counts, and the other end's page is built from
 * it. No effect except in SYNC_DIFFERS. */
void judge_end_new_epoch(struct judge_end *end, struct bl_time now);

/* An attendant declares this machine the spare of a machine that failed during a session. The other
 * end's record, with its times, becomes the judge's. The takeover is recorded. No effect unless
 * judge_end_may_take(). */
void judge_end_take_over(struct judge_end *end, struct bl_time now);

/* To be called at the view's due_us. */
void judge_end_tick(struct judge_end *end, struct bl_time now);

struct judge_end_view {
    uint64_t filled; /* number of updates of the view */
    const struct page *page;
    const uint32_t *typed; /* keys typed ahead, without a place */
    size_t typed_count;
    enum sync_state sync;
    enum segment_state segment;
    uint32_t generation; /* number of segments opened on the line */
    unsigned index;      /* index in the plan of the line's latest recorded segment */
    bool paused;
    bool may_type; /* a key would be taken, or has to wait */
    bool settled;  /* the other end has acknowledged every record, and the last CLOSE is answered */
    bool told;     /* the other end has acknowledged the segment's state */
    bool ready;    /* the entity's end has said that its entity is ready */
    bool steward_here;
    uint64_t n, confirmed;
    uint64_t by_judge, by_entity;
    uint64_t refused, differences;
    const char *differs_why;                /* the reason, while the records differ; "" otherwise */
    uint64_t fetched[PARTIES];              /* numbers of keys that this process got back from the
                                             * other end */
    uint64_t unproven_first, unproven_last; /* numbers of the first and last of those without a
                                             * seal; 0: none */
    enum close_outcome outcome;             /* outcome of the last CLOSE */
    /* The records differ because the judge's is empty: judge_end_take_over() is possible. Unchanged
     * while the line is down. */
    bool may_take;
    bool takes;     /* this machine was declared a spare and waits for the other end's record */
    bool taking;    /* the other end's record is coming */
    unsigned taken; /* number of takeovers. The next three: the segment's state at the last
                     * takeover */
    unsigned stood_index;
    enum segment_state stood;
    uint64_t stood_us; /* the segment's time left; UINT64_MAX: without end */
    uint64_t other_us; /* monotonic time at which the entity's last key was placed; 0: never */
    uint64_t due_us;   /* monotonic time at which judge_end_tick() is due; BL_NEVER: not */
};
/* The state of the end. The pointer stays valid, and the state is current after each call that may
 * change the end; a callback from within such a call asks again. */
const struct judge_end_view *judge_end_view(struct judge_end *end);

/* The order. */
const struct sequence *judge_end_sequence(const struct judge_end *end);

#endif
