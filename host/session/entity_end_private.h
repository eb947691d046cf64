/* Internal declarations of the entity's end, for its files. */
#ifndef SESSION_ENTITY_END_PRIVATE_H
#define SESSION_ENTITY_END_PRIVATE_H

#include "session/entity_end.h"
#include "session/pressed_queue.h"

enum entity_tell {
    TELL_RESUME = 1 << 0,
    TELL_DIFFERS = 1 << 1,
    TELL_STOOD = 1 << 2,
    TELL_TAIL = 1 << 3,
    TELL_TAIL_END = 1 << 4,
    TELL_READY = 1 << 5,
    TELL_CLOSE_ACK = 1 << 6,
    TELL_REPAIR = 1 << 7,
};

struct entity_end {
    struct end_look look;
    struct entity_end_view view;
    struct end_callbacks callbacks;
    void *ctx;
    bool held;
    struct typing_rules typing;
    uint64_t returned_us; /* monotonic, when the latest Return was heard of */

    char session[SESSION_ID_MAX + 1]; /* "" before one is known */
    enum starts starts;
    struct sequence sequence;
    struct page *page;
    uint32_t epoch;
    uint64_t sealed; /* the judge's end's latest seal covers the keys up to this one; 0: none */
    uint8_t seal[SEAL_SIZE];

    struct pressed_queue own;   /* keys without a position */
    struct end_written written; /* the keys written to the journal last */
    uint64_t pressed;           /* keys pressed here, placed or not: the number k of the last */
    size_t sent;                /* number of the queue's keys that were sent on this connection */
    size_t released;            /* number of the queue's keys that may be sent; at least `sent` */
    uint64_t skip;              /* own placed keys that come again and are not in the queue, */
    uint64_t skip_n;            /* all of them among the order's keys up to this number */
    uint64_t unplaced;

    /* This connection. */
    enum sync_state sync;
    unsigned to_tell;
    uint64_t sync_n;        /* number of the replay's last key */
    uint64_t placed_before; /* number of the entity's keys placed before the present generation */
    uint64_t mark_us;
    struct key_stream tail; /* the order's tail, to a judge's end that lost it, */
    uint64_t tail_end;      /* number of the tail's last key */
    bool tail_good;
    uint8_t repair;    /* steps asked for so far */
    bool asked;        /* all keys were asked for again: own keys wait until then */
    struct wire close; /* the CLOSE to be acknowledged */

    bool synced_once, ready, steward_here, steward_there;
    enum segment_state segment;
    uint32_t over_generation; /* generation of the segment that ended last, */
    uint64_t over_us;         /* and the time of its end, since 1970 */
    uint32_t generation, closed_generation;
    uint64_t closed_n;
    unsigned index, count;
    uint64_t cut_us;
    uint64_t stood_us; /* time left of the segment when the line failed, or by the journal: */
    uint64_t stood_wall_us, stood_left_us; /* time of the segment's record, and time left then */
    bool told;           /* the judge's end has told the segment on this connection */
    bool enforced, last; /* a controller cuts the line; no later segment of the plan is on it */
    bool heard_plan;     /* the process has heard the session's place in the plan */
    /* No segment is open and the judge's end is away. Until this time it is expected back;
     * afterwards an attendant may declare the session over. */
    uint64_t alone_us;
    bool alone;
    enum close_outcome outcome;
    uint64_t differences, other_us;
    bool replaying; /* the journal is being replayed: nothing is written to it */
    struct bl_time now;
};

/* entity_end_tell.c: sends the judge's end everything due that can be sent now, in order. */
void entity_end_tell(struct entity_end *end);

/* entity_end_close.c: segments, and their ends. */
void entity_end_on_segment(struct entity_end *end, const struct wire *wire);
enum bl_status entity_end_on_close(struct entity_end *end, const struct wire *wire);

/* Forgets the cut of the segment without a CLOSE: it was a pause, and the segment goes on. */
void entity_end_go_on(struct entity_end *end, uint32_t generation);

/* Notes the end of the present segment at wall_us, if over and not noted yet. If not over, forgets
 * its end. */
void entity_end_mark_over(struct entity_end *end, uint64_t wall_us);

/* The time at which entity_end_tick() is due: at the cut as far as known, or after the wait for the
 * judge's end; BL_NEVER. */
uint64_t entity_end_cut_due(const struct entity_end *end);

/* Starts the wait for the judge's end, between parts or before any. */
void entity_end_expect(struct entity_end *end);

/* True if only an attendant can tell whether the session is over. */
bool entity_end_may_conclude(const struct entity_end *end);

/* entity_end.c, for the other files. */
bool entity_end_may_go(const struct entity_end *end);
void entity_end_changed(struct entity_end *end);
enum bl_status entity_end_keep(struct entity_end *end, const struct journal_record *record);
void entity_end_note(struct entity_end *end, enum note_code code, uint32_t count, const char *text);

/* True if the line is silent for good. A cut without its CLOSE may have been a pause. */
bool entity_end_is_over(const struct entity_end *end);

/* Drops the waiting keys of the segments up to `generation`: they stay in the journal and on no
 * page. */
void entity_end_drop(struct entity_end *end, uint32_t generation);

/* The same for the segments before `generation`. */
void entity_end_drop_before(struct entity_end *end, uint32_t generation);

/* Takes a key of the order: tells the judge's key, drops an own key from the queue. */
void entity_end_on_key(void *ctx, const struct key_event *event);

/* Empties the order and the page: the order comes again from its first key, the keys up to number n
 * before any new ones. */
void entity_end_restart_order(struct entity_end *end, uint64_t n);

/* Checks whether our page equals the judge's. If not, the page is made anew from our keys; if that
 * does not help, the judge's end is asked, first to do the same, then to send all keys again. */
bool entity_end_page_equals(struct entity_end *end, const uint8_t digest[DIGEST_SIZE]);

#endif
