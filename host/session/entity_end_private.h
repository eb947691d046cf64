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
    uint64_t returned_us; /* monotonic time at which the latest Return came here */

    char session[SESSION_ID_MAX + 1]; /* "" before a session is known */
    enum starts starts;
    struct sequence sequence;
    struct page *page;
    uint32_t epoch;
    uint64_t sealed; /* number of the last key under the judge's end's latest seal; 0: none */
    uint8_t seal[SEAL_SIZE];

    struct pressed_queue own;   /* the entity's keys without a place */
    struct end_written written; /* the keys that were written to the journal last */
    uint64_t pressed;           /* number k of the last key pressed here */
    size_t sent;                /* number of `own` keys that were sent on this connection */
    size_t released;            /* number of `own` keys that may be sent; at least `sent` */
    uint64_t skip;              /* number of the entity's placed keys that are sent here again after
                                 * they have left `own` */
    uint64_t skip_n;            /* number in the order of the last such key */
    uint64_t unplaced;

    /* The state of this connection. */
    enum sync_state sync;
    unsigned to_tell;
    uint64_t sync_n;        /* number of the replay's last key */
    uint64_t placed_before; /* number of the entity's keys that were placed before this
                             * generation */
    uint64_t mark_us;
    struct key_stream tail; /* progress of the order's tail, for a judge's end that lost it */
    uint64_t tail_end;      /* number of the tail's last key */
    bool tail_good;
    uint8_t repair;    /* number of repair steps requested so far */
    bool asked;        /* all keys were requested again; own keys wait until they have come */
    struct wire close; /* the CLOSE that must be acknowledged */

    bool synced_once, ready, steward_here, steward_there;
    enum segment_state segment;
    uint32_t over_generation; /* generation of the segment that ended last */
    uint64_t over_us;         /* time of that segment's end, since 1970 */
    uint32_t generation, closed_generation;
    uint64_t closed_n;
    unsigned index, count;
    uint64_t cut_us;
    uint64_t stood_us; /* the segment's time left, when the line failed or by the journal */
    uint64_t stood_wall_us, stood_left_us; /* time of the journal's segment record, and the time
                                            * left in that record */
    bool told;           /* the judge's end has told its segment on this connection */
    bool enforced, last; /* enforced: a controller cuts the line; last: no later part of the plan is
                          * on the line */
    bool heard_plan;     /* this process has been told the session's place in the plan */
    /* alone_us: the time until which the judge's end is expected back, while no segment is open.
     * alone: that time is over, so an attendant may declare the session over. */
    uint64_t alone_us;
    bool alone;
    enum close_outcome outcome;
    uint64_t differences, other_us;
    bool replaying; /* a replay: nothing is written to the journal */
    struct bl_time now;
};

/* entity_end_tell.c: sends due messages to the judge's end, in order, as far as the link takes
 * them. */
void entity_end_tell(struct entity_end *end);

void entity_end_on_segment(struct entity_end *end, const struct wire *wire);
enum bl_status entity_end_on_close(struct entity_end *end, const struct wire *wire);

/* Forgets that the segment was cut without a CLOSE: the cut was a pause, and the segment goes
 * on. */
void entity_end_go_on(struct entity_end *end, uint32_t generation);

/* Notes wall_us as the end of the present segment, if the segment is over and has no end yet. If
 * the segment is not over, forgets its end. */
void entity_end_mark_over(struct entity_end *end, uint64_t wall_us);

/* The time at which entity_end_tick() is due: the known time of the cut, or the end of the wait for
 * the judge's end; BL_NEVER: neither. */
uint64_t entity_end_cut_due(const struct entity_end *end);

/* Starts the wait for the judge's end, between parts or before the first. */
void entity_end_expect(struct entity_end *end);

/* True if only an attendant can tell whether the session is over. */
bool entity_end_may_conclude(const struct entity_end *end);

/* entity_end.c, for the other files. */
bool entity_end_may_go(const struct entity_end *end);
void entity_end_changed(struct entity_end *end);
enum bl_status entity_end_keep(struct entity_end *end, const struct journal_record *record);
void entity_end_note(struct entity_end *end, enum note_code code, uint32_t count, const char *text);

/* True if no more keys will come on the line. A cut without its CLOSE may be a pause. */
bool entity_end_is_over(const struct entity_end *end);

/* Drops the waiting keys of segments up to `generation`. They stay in the journal without a
 * place. */
void entity_end_drop(struct entity_end *end, uint32_t generation);

/* The same for segments before `generation`. */
void entity_end_drop_before(struct entity_end *end, uint32_t generation);

/* Takes a placed key: reports a key of the judge to judge_key(), drops a key of the entity from the
 * queue. */
void entity_end_on_key(void *ctx, const struct key_event *event);

/* Empties the order and the page. The judge's end sends all keys again; n is the number of the last
 * old one. */
void entity_end_restart_order(struct entity_end *end, uint64_t n);

/* True if our page equals the judge's. Otherwise rebuilds the page from our order. If the pages
 * still differ, asks the judge's end to rebuild its page, and then to send all keys again. */
bool entity_end_page_equals(struct entity_end *end, const uint8_t digest[DIGEST_SIZE]);

#endif
