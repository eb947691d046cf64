/* The inside of the judge's end, for its two files. */
#ifndef SESSION_JUDGE_END_PRIVATE_H
#define SESSION_JUDGE_END_PRIVATE_H

#include "session/judge_end.h"
#include "session/key_queue.h"

/* What is to be told to the other end, in the order in which it is told. */
enum judge_tell {
    TELL_OFFER = 1 << 0,
    TELL_FETCH = 1 << 1,
    TELL_DIFFERS = 1 << 2,
    TELL_SYNC = 1 << 3,
    TELL_STEWARD = 1 << 4,
    TELL_SEGMENT = 1 << 5,
    TELL_END = 1 << 6,
    TELL_DIGEST = 1 << 7,
    TELL_SESSION = 1 << 8,
};

#define COURSES_MAX 8

struct judge_end {
    struct judge_end_config config;
    char session[SESSION_ID_MAX + 1];
    struct end_ports ports;
    void *ctx;

    struct sequence sequence;
    struct page *page;
    struct key_queue typed;
    uint32_t epoch;
    uint64_t last_posted_us;

    /* This connection. */
    enum sync_state sync;
    unsigned to_tell;
    bool reset;    /* the other end starts from an empty page */
    bool fetching; /* its tail is coming */
    uint64_t fetch_n, fetch_chain;
    struct key_stream out;
    uint64_t fetch_mark_us; /* of the tail that is coming; 0: no mark yet */
    struct {
        uint64_t sent, n; /* record number, and the key that it ends with */
    } under_way[END_RECORDS_MAX];
    unsigned under_way_count;

    bool synced_once; /* since this end was started, or the records differed: before that it may
                         lack what the other end has */
    uint64_t confirmed;
    bool ready, steward_here, steward_there;

    /* The segment, and its END as long as the other end has not acknowledged it. */
    enum segment_state segment;
    uint32_t generation;
    uint64_t placed_before; /* entity keys placed before this generation */
    unsigned index, count;
    uint64_t cut_us, told_cut_us; /* monotonic */
    bool paused, enforced;
    unsigned last; /* segment of the plan that closes this line, with a controller */
    bool end_open;
    bool was_cut;
    uint32_t end_generation;
    uint8_t end_digest[DIGEST_SIZE];
    uint64_t end_due_us;
    enum end_outcome outcome;

    uint64_t digest_n, digest_due_us, session_due_us;

    /* What the record says of segments and the line does not yet: the latest ones, for nobody but
     * who listens. */
    struct entry course[COURSES_MAX];
    uint64_t course_n[COURSES_MAX]; /* keys in their places before it */
    unsigned courses;
    uint32_t course_generation;
    enum segment_state course_state;
    struct entry said[2]; /* the segment's state and the END that were told last, to tell again */
    uint64_t refused, differences, other_us;
};

/* Tells the other end whatever is to be told and can be sent now, in order. */
void judge_end_tell(struct judge_end *end, struct bl_time now);

/* When something is to be told without anything else happening; BL_NEVER. */
uint64_t judge_end_tell_due(const struct judge_end *end);

#endif
