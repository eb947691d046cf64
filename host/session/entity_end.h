/* The entity's end of one line. It requests positions for its keys and shows the placed keys, so
 * its page is always a prefix of the judge's page. It knows nothing about the kind of entity.
 * Source: DESIGN.md, "Session", "End of a segment" and "Blindness". */
#ifndef SESSION_ENTITY_END_H
#define SESSION_ENTITY_END_H

#include "session/end.h"

struct entity_end;

/* Copies the callbacks. held: each key waits for entity_end_release(), and again after each new
 * connection; else all keys go as soon as the line may carry them. NULL: no memory. Nothing is
 * allocated later. */
struct entity_end *entity_end_create(const struct end_callbacks *callbacks, void *ctx, bool held);
void entity_end_destroy(struct entity_end *end);

/* Replaces the present session by the given one, before the replay of its journal: at the start,
 * and from within callbacks.adopt. BL_DATA: a bad argument, and nothing is changed. */
enum bl_status entity_end_begin(struct entity_end *end, const char *session, const char *style,
                                uint8_t starts);

/* The rules of typing from now on; at first there are none. */
void entity_end_rules(struct entity_end *end, const struct typing_rules *rules);

/* Feeds one record of the end's own journal, in order. callbacks.judge_key is called for each key
 * of the judge. */
void entity_end_replay(struct entity_end *end, const struct journal_record *record);

/* Ends the replay. An open or paused segment has the time left by the journal, until the judge's
 * end tells its time. */
void entity_end_resume(struct entity_end *end, struct bl_time now);

void entity_end_link(struct entity_end *end, bool up, struct bl_time now);
enum bl_status entity_end_record(struct entity_end *end, const uint8_t *record, size_t length,
                                 struct bl_time now);
void entity_end_progress(struct entity_end *end, struct bl_time now);

/* A key was pressed here (or written by the Entry) at the given time: it is recorded and waits for
 * the line. KEY_WAIT: the queue is full, nothing happened. Refused: before a session is known
 * (KEY_REFUSED_APART), after its end, against the rules of typing, and if it cannot be recorded
 * (KEY_REFUSED_FULL). */
enum key_answer entity_end_key(struct entity_end *end, uint32_t point, struct bl_time pressed);

/* Takes back the last held keys, which were erased before anyone saw them. */
void entity_end_erase(struct entity_end *end, size_t keys, struct bl_time now);

/* under_way: released keys without a position. The other fields: the held keys, in order.
 * entity_end_release() releases the first held key. */
struct entity_end_held {
    size_t under_way, count;
    const uint32_t *point;
    const struct pressed_key *key;
};
void entity_end_release(struct entity_end *end, struct bl_time now);

/* An attendant declares the session over, without a word of the judge's end. No effect unless the
 * view says may_conclude. */
void entity_end_conclude(struct entity_end *end, struct bl_time now);

/* The steward is called to this end, or the call is taken back: recorded if a session is known, and
 * shown here. The judge's end is not told, since the caller is likely a person. */
void entity_end_steward(struct entity_end *end, bool called, struct bl_time now);

/* The end is ready: the judge's end is told, now or when the ends meet. */
void entity_end_ready(struct entity_end *end);

/* No longer ready: the judge's end of the next session waits for entity_end_ready() again. */
void entity_end_unready(struct entity_end *end);

/* To be called once time has reached the view's due_us. */
void entity_end_tick(struct entity_end *end, struct bl_time now);

struct entity_end_view {
    uint64_t filled;         /* number of fillings */
    const struct page *page; /* empty before a session is known */
    const char *session;     /* "" before it is known */
    const uint32_t *pending; /* own keys without a position */
    size_t pending_count;
    enum sync_state sync;
    enum segment_state segment;
    unsigned index, count; /* segment of the plan, and number of segments; count 0: no plan */
    uint64_t cut_us;       /* monotonic; BL_NEVER: without end, or not known */
    bool enforced;         /* a controller counts, and cuts the line */
    bool paused;           /* the clock stands in the middle of the segment */
    bool last;             /* the judge's end says that no later part is on the line */
    bool may_type;         /* a key would be taken, or only has to wait */
    bool early;            /* the line is open, but the judge has to begin */
    /* The session may be over, and only an attendant can tell: entity_end_conclude(). */
    bool may_conclude;
    bool steward_here, steward_there;
    uint64_t n, by_judge, by_entity, pressed, unplaced;
    uint64_t differences;
    enum close_outcome outcome;
    uint64_t other_us; /* monotonic time at which the judge's last key was shown here; 0: never */
    uint64_t due_us;   /* monotonic time at which entity_end_tick() is due; BL_NEVER */
    /* True if the line carries the entity's keys now: the ends agree, a segment is open, and the
     * judge has begun where the rules want that. */
    bool may_go;
    struct entity_end_held held;
};
/* The state of the end. The pointer stays valid, and the state is current after each call that may
 * change the end; a callback from within such a call asks again. */
const struct entity_end_view *entity_end_view(struct entity_end *end);

/* The order, as long as the end lives. */
const struct sequence *entity_end_sequence(const struct entity_end *end);

#endif
