#ifndef SESSION_JUDGE_END_PRIVATE_H
#define SESSION_JUDGE_END_PRIVATE_H

#include "base/limit.h"
#include "session/judge_end.h"
#include "session/key_queue.h"
#include "session/seal.h"

/* Bits of the messages due to the other end. */
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

/* The tail: keys that this end lost and the other end sends back. They wait in the sequence's
 * array, behind the placed keys, until the tail is complete. */
struct tail {
    uint64_t n, chain; /* the other end's number of keys, and its hash over these keys */
    uint64_t sealed;   /* number of the last key under the seal; 0: no seal */
    uint8_t seal[SEAL_SIZE];
    uint64_t count;   /* number of keys here, those of the order included */
    uint64_t mark_us; /* time of the last MARK; 0: none yet */
    uint64_t last_us; /* time of the tail's latest key */
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
    uint32_t epoch, epoch_there; /* our epoch; the other end's last told epoch */
    uint64_t last_posted_us;

    /* The state of this connection. */
    enum sync_state sync;
    unsigned to_tell;
    bool reset;    /* the next SYNC makes the other end start from an empty page */
    bool fetching; /* the tail is coming */
    struct tail tail;
    struct key_stream out;
    struct end_written written;
    struct {
        uint64_t sent, n; /* the record's number on the link; number of its last key */
    } under_way[END_RECORDS_MAX];
    unsigned under_way_count;

    /* True if the ends have agreed since the process's start and since the last difference. Before,
     * this end may lack keys. */
    bool synced_once;
    const char *differs_why; /* the last difference of the records in words; "" once the ends
                              * agree */
    uint64_t confirmed;
    bool ready, steward_here;

    /* The other end's request for a repair, and the earliest time of a repair:
     * judge_end_calls.c. */
    bool repair_asked, repair_all;
    uint64_t repair_due_us;
    struct limit heard; /* limits the notes on differences */

    /* The segment, and its CLOSE until the other end acknowledges the CLOSE. */
    enum segment_state segment;
    uint32_t generation;
    uint64_t placed_before; /* number of the entity's keys that were placed before this
                             * generation */
    unsigned index, count;
    unsigned part;                /* index of the line's segment that opened last */
    uint64_t cut_us, told_cut_us; /* monotonic */
    uint64_t told_sent;           /* number of the link's record that last told the segment */
    uint64_t told_us;             /* monotonic time of that record */
    bool heard_it;                /* that record was acknowledged */
    uint64_t slow_us; /* an acknowledgement later than this causes a repetition of the segment; the
                       * value then doubles */
    bool paused, enforced;
    unsigned last; /* index of the plan's last segment on the line; UINT_MAX: not known */
    bool close_open;
    bool was_cut;
    uint32_t close_generation;
    uint8_t close_digest[DIGEST_SIZE];
    uint64_t close_due_us;
    enum close_outcome outcome;

    uint64_t digest_n, digest_due_us, digest_asked_us, session_due_us;
    bool met_anew; /* no digest was sent since the ends last met */

    /* For a listener: the latest records of segments that were not sent yet. */
    struct journal_record course[COURSES_MAX];
    uint64_t course_n[COURSES_MAX]; /* number of keys placed before each */
    unsigned courses;
    uint32_t course_generation;
    enum segment_state course_state;
    bool has_secret;     /* `secret` is set, so seals can be made */
    bool lost;           /* the journal may lack its latest keys */
    bool asked;          /* the ends have met in this process: lost keys are no longer requested */
    bool was_open;       /* by the record, the segment was not over when keys may have been lost */
    bool lost_open;      /* the segment was not over at the first START_LOST */
    uint64_t closing_us; /* wall time of the segment's closing */
    bool holed;          /* the file has keys after a damaged stretch: numbers are missing */
    enum start_state started;
    uint32_t damaged;
    uint8_t boot[BOOT_SIZE];
    uint8_t secret[SEAL_SECRET];
    struct seal seal; /* the seal over the order, up to the latest digest */
    uint32_t seal_epoch;
    bool fresh;
    bool takes_over;   /* this is a spare machine, and the other end's record has not come yet */
    unsigned taken;    /* number of takeovers */
    struct wire stood; /* the segment's state that the other end told */
    uint64_t fetched[PARTIES], unproven_first, unproven_last;

    struct journal_record said[2]; /* the segment's state and the close told last, for repetition to
                                    * a listener */
    uint64_t refused, differences, other_us;
};

/* judge_end_tell.c */

/* Sends due messages to the other end, in order, as far as the link takes them. */
void judge_end_tell(struct judge_end *end, struct bl_time now);
/* The time at which judge_end_tick() is due; BL_NEVER. */
uint64_t judge_end_due(const struct judge_end *end);
bool judge_end_told(const struct judge_end *end);
/* Looks for the acknowledgement of the segment's state. If the acknowledgement is late, tells the
 * state again. */
void judge_end_hear_told(struct judge_end *end, struct bl_time now);
/* For a new connection: drops all due messages but the segment's state, which is told again if it
 * was not acknowledged. */
void judge_end_tell_anew(struct judge_end *end);

/* judge_end.c, for the other files. */

/* Puts keys of one party in the order. Journals first, then applies to the page. */
enum bl_status judge_end_put(struct judge_end *end, enum party party, const struct key_run *run,
                             uint64_t posted_us);

/* The records of the two ends differ: a steward must decide. why: the reason. */
void judge_end_differs(struct judge_end *end, const char *why, struct bl_time now);

/* Begins the CLOSE of the present generation: no key is placed until it is acknowledged. */
void judge_end_begin_close(struct judge_end *end);

/* The other end has all keys of the CLOSE. Records the CLOSE as agreed; after the cut, as
 * settled. */
void judge_end_settle(struct judge_end *end, struct bl_time now);

/* Queues a record of a segment or of its close, for a listener. No effect if only the time left has
 * changed. */
void judge_end_tell_course(struct judge_end *end, const struct journal_record *record);

/* Records the segment's state and time left, and tells the state on the line. */
void judge_end_keep_segment(struct judge_end *end, uint64_t remaining_us, struct bl_time now);

/* The ends agree up to key n: begins to send the later keys. */
void judge_end_live(struct judge_end *end, uint64_t n, struct bl_time now);

/* judge_end_calls.c */

/* Records a note that the other end has caused, unless too many came. */
void judge_end_heard(struct judge_end *end, enum note_code code, const char *text,
                     struct bl_time now);
void judge_end_asked_repair(struct judge_end *end, bool all, struct bl_time now);
void judge_end_calls_tick(struct judge_end *end, struct bl_time now);
uint64_t judge_end_calls_due(const struct judge_end *end);

/* judge_end_tail.c */

/* The ends have met. Records that no keys are lost, and stops requests for lost keys. */
void judge_end_whole(struct judge_end *end, struct bl_time now);
/* Adds the seal over the whole order to the record, if there is a secret. */
void judge_end_seal(struct judge_end *end, struct wire *wire);
/* Takes the other end's higher generation, if this end may have lost records. */
void judge_end_generation(struct judge_end *end, uint32_t generation);
/* Prepares for the tail; the caller requests it. Not NULL: the reason against it. */
const char *judge_end_fetch(struct judge_end *end, const struct wire *wire, struct bl_time now);
enum bl_status judge_end_tail_mark(struct judge_end *end, const struct wire *wire);
enum bl_status judge_end_tail_keys(struct judge_end *end, const struct wire *wire);
/* The tail is complete: takes its keys into the order. Not NULL: the reason why the ends differ. */
const char *judge_end_tail_end(struct judge_end *end, const struct wire *wire, struct bl_time now);
void judge_end_tail_tick(struct judge_end *end, struct bl_time now);
/* Begins a tail: the other end's keys up to number wire->n. */
void judge_end_tail_begin(struct judge_end *end, const struct wire *wire, struct bl_time now);
/* Places the tail's keys up to number n. False: the record is full. */
bool judge_end_tail_place(struct judge_end *end, uint64_t n);
void judge_end_tail_count(const struct judge_end *end, uint64_t from, uint64_t to,
                          uint64_t by[PARTIES]);

/* judge_end_take.c */

/* True if the end may take the session over: this process began the record, no key is in it, and
 * the ends have not met. */
bool judge_end_may_take(const struct judge_end *end);
/* The reason to wait for an attendant: the other end has begun the session, of which this end has
 * no record. NULL: no reason. */
const char *judge_end_take_ask(const struct judge_end *end, const struct wire *wire);
/* For a spare machine: asks for the other end's record. Not NULL: the reason against it. */
const char *judge_end_take_begin(struct judge_end *end, const struct wire *wire,
                                 struct bl_time now);
enum bl_status judge_end_take_stood(struct judge_end *end, const struct wire *wire);
/* The other end's record has come: takes it over. Not NULL: the reason against it. */
const char *judge_end_take_end(struct judge_end *end, struct bl_time now);

#endif
