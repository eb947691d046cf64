/* The entity's end of one line. The end requests places for its keys and shows placed keys, so its
 * order is a prefix of the judge's. The end knows nothing about the kind of entity. Source:
 * DESIGN.md, "Session", "End of a segment" and "Blindness". */
#ifndef SESSION_ENTITY_END_H
#define SESSION_ENTITY_END_H

#include "session/end.h"

struct entity_end;

/* Copies the callbacks. held: each key waits for entity_end_release(), and again after a new
 * connection. Not held: a key goes as soon as the line may carry it. NULL: no memory. Nothing is
 * allocated later. */
struct entity_end *entity_end_create(const struct end_callbacks *callbacks, void *ctx, bool held);
void entity_end_destroy(struct entity_end *end);

/* Replaces the present session by the given one. Called before the replay of its journal, at the
 * start or from within callbacks.adopt. BL_DATA: a bad argument; nothing has changed. */
enum bl_status entity_end_begin(struct entity_end *end, const char *session, const char *style,
                                uint8_t starts);

/* Sets the rules of typing; at first there are none. */
void entity_end_rules(struct entity_end *end, const struct typing_rules *rules);

/* Replays one record of the end's own journal. The caller replays all records in order.
 * callbacks.judge_key is called for each key of the judge. */
void entity_end_replay(struct entity_end *end, const struct journal_record *record);

/* Ends the replay. The time left of an open or paused segment comes from the journal, until the
 * judge's end tells it. */
void entity_end_resume(struct entity_end *end, struct bl_time now);

void entity_end_link(struct entity_end *end, bool up, struct bl_time now);
enum bl_status entity_end_record(struct entity_end *end, const uint8_t *record, size_t length,
                                 struct bl_time now);
void entity_end_progress(struct entity_end *end, struct bl_time now);

/* Takes a key pressed here, or written by the Entry, at the given time. The key is recorded and
 * waits for its place. KEY_WAIT: the queue is full. KEY_REFUSED_APART: no session is known.
 * KEY_REFUSED_FULL: the key cannot be recorded. A key is also refused after the session's end, or
 * against the rules of typing. */
enum key_answer entity_end_key(struct entity_end *end, uint32_t point, struct bl_time pressed);

/* Drops the last `keys` held keys, which the typist erased before the judge saw them. */
void entity_end_erase(struct entity_end *end, size_t keys, struct bl_time now);

/* under_way: number of released keys without a place. The other fields: the held keys, in order.
 * entity_end_release() releases the first held key. */
struct entity_end_held {
    size_t under_way, count;
    const uint32_t *point;
    const struct pressed_key *key;
};
void entity_end_release(struct entity_end *end, struct bl_time now);

/* An attendant declares the session over, without the judge's end. No effect unless the view has
 * may_conclude. */
void entity_end_conclude(struct entity_end *end, struct bl_time now);

/* The steward is called to this end, or the call is taken back. The call is recorded if a session
 * is known, and shown here. The judge's end is not told, because a call would suggest a person. */
void entity_end_steward(struct entity_end *end, bool called, struct bl_time now);

/* The entity is ready. Tells the judge's end, now or when the ends meet. */
void entity_end_ready(struct entity_end *end);

/* The entity is no longer ready: the next session waits for entity_end_ready() again. */
void entity_end_unready(struct entity_end *end);

/* To be called at the view's due_us. */
void entity_end_tick(struct entity_end *end, struct bl_time now);

struct entity_end_view {
    uint64_t filled;         /* number of updates of the view */
    const struct page *page; /* an empty page before a session is known */
    const char *session;     /* "" before a session is known */
    const uint32_t *pending; /* the entity's keys without a place */
    size_t pending_count;
    enum sync_state sync;
    enum segment_state segment;
    unsigned index, count; /* index: the segment in the plan; count: the plan's number of segments;
                            * 0: no plan */
    uint64_t cut_us;       /* time of the segment's end, monotonic; BL_NEVER: none, or not known */
    bool enforced;         /* a controller counts the time, and cuts the line */
    bool paused;           /* the segment is paused: its clock stands */
    bool last;             /* the judge's end has told that no later part is on the line */
    bool may_type;         /* a key would be taken, or has to wait */
    bool early;            /* the line is open, but the judge has not begun and must */
    /* Only an attendant can tell whether the session is over, by entity_end_conclude(). */
    bool may_conclude;
    bool steward_here, steward_there;
    uint64_t n, by_judge, by_entity, pressed, unplaced;
    uint64_t differences;
    enum close_outcome outcome;
    uint64_t other_us; /* monotonic time at which the judge's last key was shown here; 0: never */
    uint64_t due_us;   /* monotonic time at which entity_end_tick() is due; BL_NEVER: not */
    /* True if the line carries the entity's keys now: the ends agree, a segment is open, and the
     * judge has begun if the rules want that. */
    bool may_go;
    struct entity_end_held held;
};
/* The state of the end. The pointer stays valid, and the state is current after each call that may
 * change the end; a callback from within such a call asks again. */
const struct entity_end_view *entity_end_view(struct entity_end *end);

/* The order; valid as long as the end. */
const struct sequence *entity_end_sequence(const struct entity_end *end);

#endif
