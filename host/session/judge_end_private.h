/* Internal declarations of the judge's end, for its files. */
#ifndef SESSION_JUDGE_END_PRIVATE_H
#define SESSION_JUDGE_END_PRIVATE_H

#include "base/limit.h"
#include "session/judge_end.h"
#include "session/key_queue.h"
#include "session/seal.h"

/* News for the other end. judge_end_tell() has their order. */
enum judge_tell {
    TELL_OFFER = 1 << 0,
    TELL_FETCH = 1 << 1,
    TELL_DIFFERS = 1 << 2,
    TELL_SYNC = 1 << 3,
    TELL_STEWARD = 1 << 4,
    TELL_SEGMENT = 1 << 5,
    TELL_CLOSE = 1 << 6,
    TELL_DIGEST = 1 << 7,
    TELL_SESSION = 1 << 8,
    TELL_TAKE = 1 << 9,
};

#define COURSES_MAX 8

/* The tail that is coming. Its keys wait in the sequence's array, behind the placed ones, until the
 * tail is complete. */
struct tail {
    uint64_t n, chain; /* the other end's number of keys, and its hash over them */
    uint64_t sealed;   /* the last key under a seal; 0: none */
    uint8_t seal[SEAL_SIZE];
    uint64_t count;   /* keys here, the order's among them */
    uint64_t mark_us; /* 0: no mark yet */
    uint64_t last_us; /* time of the latest key */
    uint64_t due_us;  /* time by which the tail must be complete */
};

struct judge_end {
    struct end_look look;
    struct judge_end_view view;
    struct judge_end_config config;
    char session[SESSION_ID_MAX + 1];
    struct end_callbacks callbacks;
    void *ctx;

    struct sequence sequence;
    struct page *page;
    struct key_queue typed;
    uint32_t epoch, epoch_there; /* our epoch, and the last one that the other end counted */
    uint64_t last_posted_us;

    /* This connection. */
    enum sync_state sync;
    unsigned to_tell;
    bool reset;    /* the other end starts from an empty page */
    bool fetching; /* its tail is coming */
    struct tail tail;
    struct key_stream out;
    struct end_written written;
    struct {
        uint64_t sent, n; /* record number, and the record's last key */
    } under_way[END_RECORDS_MAX];
    unsigned under_way_count;

    /* The ends agreed since the start, and since the last difference of records. Before that this
     * end may lack keys that the other end has. */
    bool synced_once;
    const char *differs_why; /* the last difference of records in words; "" once the ends agree */
    uint64_t confirmed;
    bool ready, steward_here;

    /* The other end's request for a repair, and the earliest time of the next repair:
     * judge_end_calls.c. */
    bool repair_asked, repair_all;
    uint64_t repair_due_us;
    struct limit heard; /* limits the notes on differences */

    /* The segment, and its CLOSE until the other end's acknowledgement. */
    enum segment_state segment;
    uint32_t generation;
    uint64_t placed_before; /* entity keys placed before this generation */
    unsigned index, count;
    unsigned part; /* segment of the plan as the line's opened; the plan may be in a later one */
    uint64_t cut_us, told_cut_us; /* monotonic */
    uint64_t told_sent;           /* number of the link's record that told the segment */
    uint64_t told_us;             /* monotonic time of that record */
    bool heard_it;                /* that record was acknowledged */
    uint64_t slow_us; /* an acknowledgement after this has the segment told again; then doubled */
    bool paused, enforced;
    unsigned last; /* the plan's last segment on the line; UINT_MAX: not known */
    bool close_open;
    bool was_cut;
    uint32_t close_generation;
    uint8_t close_digest[DIGEST_SIZE];
    uint64_t close_due_us;
    enum close_outcome outcome;

    uint64_t digest_n, digest_due_us, digest_asked_us, session_due_us;
    bool met_anew; /* no digest has gone since the ends met */

    /* Records of segments that were not sent yet: the latest ones, only for a listener. */
    struct journal_record course[COURSES_MAX];
    uint64_t course_n[COURSES_MAX]; /* keys with positions before it */
    unsigned courses;
    uint32_t course_generation;
    enum segment_state course_state;
    /* Earlier processes as the record has them, and the state of the present one:
     * judge_end_tail.c. */
    bool has_secret; /* the side's seals can be made */
    bool lost;      /* the journal may lack its latest keys: the other end may be asked for them, */
    bool asked;     /* the ends have met in this process: nothing is asked for any more */
    bool was_open;  /* by the record, the segment was not over when keys may have been lost */
    bool lost_open; /* the segment was not over at the first START_LOST */
    uint64_t closing_us; /* time of the segment's closing, on the wall clock */
    bool holed;          /* the file has keys behind damage: their numbers do not follow the last */
    enum start_state started;
    uint32_t damaged;
    uint8_t boot[BOOT_SIZE];
    uint8_t secret[SEAL_SECRET];
    struct seal seal; /* the seal on the order, up to the latest digest */
    uint32_t seal_epoch;
    bool fresh;        /* the process began the record */
    bool takes_over;   /* a spare machine's end: the other end's record has not come yet */
    unsigned taken;    /* number of takeovers */
    struct wire stood; /* the state of the other end's segment by its own words */
    uint64_t fetched[PARTIES], unproven_first, unproven_last;

    struct journal_record said[2]; /* the segment's state and the CLOSE told last, to tell again */
    uint64_t refused, differences, other_us;
};

/* judge_end_tell.c */

/* Sends the other end everything due that can be sent now, in order. */
void judge_end_tell(struct judge_end *end, struct bl_time now);
/* The time at which judge_end_tick() is due; BL_NEVER. */
uint64_t judge_end_due(const struct judge_end *end);
/* True if the other end has acknowledged the segment's state. */
bool judge_end_told(const struct judge_end *end);
/* Looks for the acknowledgement, and tells the state again if the told time left is out of date. */
void judge_end_hear_told(struct judge_end *end, struct bl_time now);
/* For a new connection: drops all news but the segment's, which is told again if not
 * acknowledged. */
void judge_end_tell_anew(struct judge_end *end);

/* judge_end.c, for the other files. */

/* Puts keys of one party in the order: journal first, then page. */
enum bl_status judge_end_put(struct judge_end *end, enum party party, const struct key_run *run,
                             uint64_t posted_us);

/* The records of the two ends differ, and why: a steward must decide. */
void judge_end_differs(struct judge_end *end, const char *why, struct bl_time now);

/* Begins the CLOSE of the present generation: from here on no key is placed until the
 * acknowledgement. */
void judge_end_begin_close(struct judge_end *end);

/* The other end has all keys of the CLOSE: recorded as agreed, or as settled after the cut. */
void judge_end_settle(struct judge_end *end, struct bl_time now);

/* Queues the record of a segment or of its CLOSE for the line. No effect if the clock alone was
 * recorded. */
void judge_end_tell_course(struct judge_end *end, const struct journal_record *record);

/* Records the segment's state and time left, and tells the state on the line. */
void judge_end_keep_segment(struct judge_end *end, uint64_t remaining_us, struct bl_time now);

/* Both ends agree up to key n: sends the later keys from now on. */
void judge_end_live(struct judge_end *end, uint64_t n, struct bl_time now);

/* judge_end_calls.c */

/* Records an event that the other end caused, unless too many came. */
void judge_end_heard(struct judge_end *end, enum note_code code, const char *text,
                     struct bl_time now);
void judge_end_asked_repair(struct judge_end *end, bool all, struct bl_time now);
void judge_end_calls_tick(struct judge_end *end, struct bl_time now);
uint64_t judge_end_calls_due(const struct judge_end *end);

/* judge_end_tail.c */

/* The ends have met: records that no keys are lost, and asks for none any more. */
void judge_end_whole(struct judge_end *end, struct bl_time now);
/* Adds the seal on the whole order, if there can be one. */
void judge_end_seal(struct judge_end *end, struct wire *wire);
/* Takes over the other end's higher count of segments, if this end may have lost records. */
void judge_end_generation(struct judge_end *end, uint32_t generation);
/* Awaits the other end's further keys, which the caller asks for. Not NULL: the reason against
 * it. */
const char *judge_end_fetch(struct judge_end *end, const struct wire *wire, struct bl_time now);
enum bl_status judge_end_tail_mark(struct judge_end *end, const struct wire *wire);
enum bl_status judge_end_tail_keys(struct judge_end *end, const struct wire *wire);
/* Takes the tail into the order. Not NULL: the reason why the ends differ now. */
const char *judge_end_tail_end(struct judge_end *end, const struct wire *wire, struct bl_time now);
void judge_end_tail_tick(struct judge_end *end, struct bl_time now);
/* Begins the tail: the other end's keys up to wire->n. */
void judge_end_tail_begin(struct judge_end *end, const struct wire *wire, struct bl_time now);
/* Places the tail's keys up to number n; false: the record is full. */
bool judge_end_tail_place(struct judge_end *end, uint64_t n);
void judge_end_tail_count(const struct judge_end *end, uint64_t from, uint64_t to,
                          uint64_t by[PARTIES]);

/* judge_end_take.c */

/* True if the end may take the session over: its record is new and empty, and the ends have not met
 * yet. */
bool judge_end_may_take(const struct judge_end *end);
/* The reason to wait for an attendant's declaration of a spare machine: the other end has begun the
 * session, without a record here. NULL: there is none. */
const char *judge_end_take_ask(const struct judge_end *end, const struct wire *wire);
/* The machine is a spare one: asks for the record of the other end. Not NULL: the reason against
 * it. */
const char *judge_end_take_begin(struct judge_end *end, const struct wire *wire,
                                 struct bl_time now);
enum bl_status judge_end_take_stood(struct judge_end *end, const struct wire *wire);
/* Takes over the other end's record, which has come. Not NULL: the reason against it. */
const char *judge_end_take_end(struct judge_end *end, struct bl_time now);

#endif
