/* The judge's end of one line: every key of both parties gets its place there. Source: DESIGN.md,
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
    /* Somebody may listen on the line, and miss frames: keys then tell their number, and the
     * session is told again now and then. A key's record grows by a number. */
    bool listened;
};

struct judge_end;

/* The callbacks are copied. NULL: no memory. Nothing is allocated afterwards. */
struct judge_end *judge_end_create(const struct judge_end_config *config,
                                   const struct end_callbacks *callbacks, void *ctx);
void judge_end_destroy(struct judge_end *end);

/* The session's name, which is known when the journal is open: before the link comes up. */
void judge_end_name(struct judge_end *end, const char *session);

/* Gives the page the style of the journal taken up, in place of the end's own. Empties the page, so
 * to be called before the replay. */
void judge_end_dress(struct judge_end *end, const struct style *style);

/* A process's findings at the taking up of a record. */
struct judge_start {
    uint8_t secret[SEAL_SECRET]; /* random, for a record without one */
    uint8_t boot[BOOT_SIZE];     /* the kernel's boot id; zeros: not known */
    bool torn;                   /* the file ended within a record */
    uint32_t damaged;            /* stretches without a record */
};

/* To be called after the replay and judge_end_name(), before the link comes up. Writes a START
 * record, which has the secret of the seals. Else nothing is sealed, and no lost keys are asked
 * for.
 * */
void judge_end_start(struct judge_end *end, const struct judge_start *start, struct bl_time now);

/* The process ends in good order: recorded, so the next one knows of no loss. */
void judge_end_stop(struct judge_end *end, struct bl_time now);

/* Feeds one record of the end's own journal, in order, before anything else. Records of the other
 * side are passed over. */
void judge_end_replay(struct judge_end *end, const struct journal_record *record);

/* The link came up or went down. */
void judge_end_link(struct judge_end *end, bool up, struct bl_time now);

/* A record came. Not BL_OK: no acknowledgement may go. */
enum bl_status judge_end_record(struct judge_end *end, const uint8_t *record, size_t length,
                                struct bl_time now);

/* The link acknowledged or has room again. */
void judge_end_progress(struct judge_end *end, struct bl_time now);

/* The judge pressed a key. KEY_TAKEN also for a key in the typed-ahead queue; KEY_WAIT for a full
 * queue. Refusals are recorded. */
enum key_answer judge_end_key(struct judge_end *end, uint32_t point, struct bl_time now);

/* As judge_end_key, but never queued: KEY_WAIT if no place is free at once. For scripts. */
enum key_answer judge_end_place(struct judge_end *end, uint32_t point, struct bl_time now);

/* The plan's clock: this line's segment opens (a new one, or the same again after a restart),
 * closes in PLAN_NOTICE_US, is cut, or the plan is over. index and count are for the entity's
 * screen. */
void judge_end_open(struct judge_end *end, unsigned index, unsigned count, uint64_t remaining_us,
                    bool again, struct bl_time now);
void judge_end_closing(struct judge_end *end, struct bl_time now);
void judge_end_cut(struct judge_end *end, bool finished, struct bl_time now);

/* There is a plan, whose segment number `last` is the line's last: then the other end refuses keys.
 * Enforced: a controller counts the time and cuts the lines, so both screens say. To be called
 * before anything opens. */
void judge_end_plan(struct judge_end *end, unsigned last, bool enforced);

/* The open segment is interrupted with so much left: the judge's keys are refused, and the other
 * end is told of the standing clock. The entity's keys from before the cut are placed still.
 * judge_end_open(again) goes on. No effect unless a segment is open. */
void judge_end_pause(struct judge_end *end, uint64_t remaining_us, struct bl_time now);

/* Takes the rest of the open segment from the counting clock. The other end is told when its
 * knowledge is wrong by more than JUDGE_CLOCK_OFF_US. */
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

/* By an attendant's word the machine is a spare one, for one failed in mid-session: the other end's
 * record becomes the judge's end's, its times and all, and the takeover is recorded. Only for a
 * record begun by the present process, with nothing of the session; elsewhere no effect. */
void judge_end_take_over(struct judge_end *end, struct bl_time now);

/* Time has reached the view's due_us. */
void judge_end_tick(struct judge_end *end, struct bl_time now);

/* For screens and reports. */
struct judge_end_view {
    uint64_t filled; /* number of fillings */
    const struct page *page;
    const uint32_t *typed; /* keys typed ahead, without a place */
    size_t typed_count;
    enum sync_state sync;
    enum segment_state segment;
    uint32_t generation; /* segments opened on the line so far */
    unsigned index;      /* of the plan, as recorded last for the line */
    bool paused;
    bool may_type; /* a key would be taken, or only has to wait */
    bool settled;  /* nothing under way: the other end has all, and the last CLOSE is answered */
    bool told;     /* the other end has heard where the segment stands */
    bool ready;    /* the entity's end said so */
    bool steward_here;
    uint64_t n, confirmed;
    uint64_t by_judge, by_entity;
    uint64_t refused, differences;
    const char *differs_why;   /* while the records differ; "" */
    uint64_t fetched[PARTIES]; /* keys of the process's record given back by the other end, */
    uint64_t unproven_first, unproven_last; /* and which of them no seal covers; 0: none */
    enum close_outcome outcome;             /* of the last CLOSE */
    bool may_take;  /* the records differ because the judge's is empty: judge_end_take_over();
                       also while the line is down again */
    bool takes;     /* said, and the other end's record is still to come */
    bool taking;    /* under way: the other end is in the session, which has begun */
    unsigned taken; /* number of comings; then the segment stood so: */
    unsigned stood_index;
    enum segment_state stood;
    uint64_t stood_us; /* with so much left; UINT64_MAX without end */
    uint64_t other_us; /* monotonic, when the entity's last key was placed; 0 never */
    uint64_t due_us;   /* monotonic, when judge_end_tick() is to be called; BL_NEVER */
};
/* The state of the end. The pointer stays valid, and the state is true after each call that may
 * change the end; a callback in the midst of such a call asks again. */
const struct judge_end_view *judge_end_view(struct judge_end *end);

/* The order, for tests and reports. */
const struct sequence *judge_end_sequence(const struct judge_end *end);

#endif
