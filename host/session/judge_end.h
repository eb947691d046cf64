/* The judge's end of one line: here every key of both parties gets its position. Source: DESIGN.md,
 * "Session" and "End of a segment". */
#ifndef SESSION_JUDGE_END_H
#define SESSION_JUDGE_END_H

#include "session/end.h"

#define JUDGE_TYPED_MAX 4096 /* keys typed ahead, for a paste */

struct judge_end_config {
    enum side side;
    struct style style;
    enum starts starts;
    struct typing_rules typing;
    /* A listener may be on the line, and may miss frames: keys then carry their number, and the
     * session is announced again at intervals. A key's record grows by a number. */
    bool listened;
};

struct judge_end;

/* The callbacks are copied. NULL: no memory. Nothing is allocated afterwards. */
struct judge_end *judge_end_create(const struct judge_end_config *config,
                                   const struct end_callbacks *callbacks, void *ctx);
void judge_end_destroy(struct judge_end *end);

/* The session's name, which is known once the journal is open, and before the link comes up. */
void judge_end_name(struct judge_end *end, const char *session);

/* Gives the page the style of the resumed journal, in place of the end's own. Empties the page, so
 * it is called before the replay. */
void judge_end_dress(struct judge_end *end, const struct style *style);

/* The facts about a record when a process resumes it. */
struct judge_start {
    uint8_t secret[SEAL_SECRET]; /* random, for a record without one */
    uint8_t boot[BOOT_SIZE];     /* the kernel's boot id; zeros: not known */
    bool torn;                   /* the file ended within a record */
    uint32_t damaged;            /* stretches without a record */
};

/* Called after the replay and judge_end_name(), before the link comes up. Writes a START record,
 * which has the secret of the seals. Without this call nothing is sealed, and lost keys are not
 * asked for. */
void judge_end_start(struct judge_end *end, const struct judge_start *start, struct bl_time now);

/* Records an orderly end of the process, unless keys may be lost: the next process asks for
 * none. */
void judge_end_stop(struct judge_end *end, struct bl_time now);

/* Feeds one record of the end's own journal, in order, before anything else. Records of the other
 * side are passed over. */
void judge_end_replay(struct judge_end *end, const struct journal_record *record);

/* The link came up or went down. */
void judge_end_link(struct judge_end *end, bool up, struct bl_time now);

/* Takes a record. Any status but BL_OK: no acknowledgement may go. */
enum bl_status judge_end_record(struct judge_end *end, const uint8_t *record, size_t length,
                                struct bl_time now);

/* The link has acknowledged records, or has room again. */
void judge_end_progress(struct judge_end *end, struct bl_time now);

/* The judge pressed a key. KEY_TAKEN also for a key in the typed-ahead queue; KEY_WAIT for a full
 * queue. Refusals are recorded. */
enum key_answer judge_end_key(struct judge_end *end, uint32_t point, struct bl_time now);

/* The same as judge_end_key, but never queued: KEY_WAIT if no position is free at once. For
 * scripts. */
enum key_answer judge_end_place(struct judge_end *end, uint32_t point, struct bl_time now);

/* The plan's clock: this line's segment opens (a new one, or with `again` the same after a restart
 * or a pause), closes in PLAN_NOTICE_US, is cut, or the plan is over. index and count are for the
 * entity's screen. */
void judge_end_open(struct judge_end *end, unsigned index, unsigned count, uint64_t remaining_us,
                    bool again, struct bl_time now);
void judge_end_closing(struct judge_end *end, struct bl_time now);
void judge_end_cut(struct judge_end *end, bool finished, struct bl_time now);

/* There is a plan, and its segment `last` is the line's last, after which the other end refuses
 * keys. Enforced: a controller counts the time and cuts the lines, as both screens tell. Called
 * before anything opens. */
void judge_end_plan(struct judge_end *end, unsigned last, bool enforced);

/* The open segment pauses with this much left: the judge's keys are refused, and the other end is
 * told that the clock stands. The entity's keys from before the pause are still placed.
 * judge_end_open(again) goes on. No effect unless a segment is open. */
void judge_end_pause(struct judge_end *end, uint64_t remaining_us, struct bl_time now);

/* Takes the rest of the open segment from the clock that counts. The other end is told when its
 * value is wrong by more than JUDGE_CLOCK_OFF_US. */
#define JUDGE_CLOCK_OFF_US 200000
void judge_end_follow(struct judge_end *end, uint64_t remaining_us, struct bl_time now);

/* Records the rest of the plan's segment number index, for a restart. */
void judge_end_clock(struct judge_end *end, unsigned index, uint64_t remaining_us,
                     struct bl_time now);

/* The steward is called, or the call is taken back; told to the other end and recorded. */
void judge_end_steward(struct judge_end *end, bool called, struct bl_time now);

/* A steward opens a new epoch: the judge's record counts, and the other end's page is built anew
 * from there. Only in SYNC_DIFFERS; elsewhere no effect. */
void judge_end_new_epoch(struct judge_end *end, struct bl_time now);

/* An attendant has declared this machine the spare of one that failed during a session: the other
 * end's record, with its times, becomes the judge's record, and the takeover is recorded. Only for
 * a record that the present process began and that has nothing of the session; else no effect. */
void judge_end_take_over(struct judge_end *end, struct bl_time now);

/* To be called once time has reached the view's due_us. */
void judge_end_tick(struct judge_end *end, struct bl_time now);

/* For screens and reports. */
struct judge_end_view {
    uint64_t filled; /* number of fillings */
    const struct page *page;
    const uint32_t *typed; /* keys typed ahead, without a position */
    size_t typed_count;
    enum sync_state sync;
    enum segment_state segment;
    uint32_t generation; /* segments opened on the line so far */
    unsigned index;      /* segment of the plan, as recorded last for the line */
    bool paused;
    bool may_type; /* a key would be taken, or only has to wait */
    bool settled;  /* nothing is under way: the other end has everything, and the last CLOSE is
                  * answered */
    bool told;     /* the other end has been told the state of the segment */
    bool ready;    /* the entity's end said so */
    bool steward_here;
    uint64_t n, confirmed;
    uint64_t by_judge, by_entity;
    uint64_t refused, differences;
    const char *differs_why;                /* the reason, while the records differ; else "" */
    uint64_t fetched[PARTIES];              /* keys that the other end gave back to this process, */
    uint64_t unproven_first, unproven_last; /* and the first and last without a seal; 0: none */
    enum close_outcome outcome;             /* outcome of the last CLOSE */
    /* The records differ because the judge's is empty, so judge_end_take_over() helps; also while
     * the line is down again. */
    bool may_take;
    bool takes;     /* declared a spare, and the other end's record is still to come */
    bool taking;    /* the other end's record is coming */
    unsigned taken; /* number of takeovers; the state of the segment at the last: */
    unsigned stood_index;
    enum segment_state stood;
    uint64_t stood_us; /* time left; UINT64_MAX without end */
    uint64_t other_us; /* monotonic time at which the entity's last key was placed; 0: never */
    uint64_t due_us;   /* monotonic time at which judge_end_tick() is due; BL_NEVER */
};
/* The state of the end. The pointer stays valid, and the state is current after each call that may
 * change the end; a callback from within such a call asks again. */
const struct judge_end_view *judge_end_view(struct judge_end *end);

/* The order, for tests and reports. */
const struct sequence *judge_end_sequence(const struct judge_end *end);

#endif
