/* The records that the two ends of a line send each other over the link. Pure. Every decoder takes
 * hostile bytes: a record that does not fit exactly is refused as a whole. Source: DESIGN.md,
 * "Session", "End of a segment" and "Blindness" (nothing here distinguishes a human from a
 * program). */
#ifndef SESSION_WIRE_H
#define SESSION_WIRE_H

#include "base/status.h"
#include "session/style.h"

/* Version 4 added the seals to DIGEST and RESUME. Ends accept only their own version; listeners,
 * and readers of their records, accept the older one too. */
#define WIRE_VERSION     4
#define WIRE_VERSION_OLD 3
#define WIRE_TEXT_MAX    48 /* UTF-8 bytes of keys in one record: short, so a flood is pipelined */
#define WIRE_MAX         320

enum wire_kind {
    /* Keys with their positions, from the judge's end; in answer to FETCH also from the
     * entity's. */
    WIRE_JUDGE_KEYS = 1,
    WIRE_ENTITY_KEYS = 2,
    WIRE_MARK = 3, /* number and time from which the following keys count */
    /* Keys that request a position, from the entity's end. Without times: only the judge's end
     * gives times. */
    WIRE_NEW_KEYS = 4,
    /* Agreement between the ends, in this order. */
    WIRE_OFFER = 5,    /* judge: its session, and its number of keys */
    WIRE_RESUME = 6,   /* entity: its number of keys, and its latest seal */
    WIRE_FETCH = 7,    /* judge: send me your tail */
    WIRE_TAIL_END = 8, /* entity: the end of its tail */
    WIRE_SYNC = 9,     /* judge: we agree; from here on keys come with their positions */
    WIRE_DIFFERS = 10, /* either: the records differ, a steward must decide */
    /* A segment's course. */
    WIRE_SEGMENT = 11,
    WIRE_CLOSE = 12,
    WIRE_CLOSE_ACK = 13,
    /* The rest. */
    WIRE_DIGEST = 14, /* judge: of the page, and a seal on the order */
    WIRE_REPAIR = 15,
    WIRE_STEWARD = 16,
    WIRE_READY = 17,
    /* Judge, for listeners on the line, who may miss a frame: its record of a segment, keys in
     * their places with their number, and OFFER's contents once more. */
    WIRE_COURSE = 18,
    WIRE_JUDGE_KEYS_AT = 19,
    WIRE_ENTITY_KEYS_AT = 20,
    WIRE_SESSION = 21,
    /* TAKE comes only from a spare machine at the judge's end, and STOOD is its answer alone. */
    WIRE_TAKE = 22,  /* judge: I have no record of the session; send me all, and the state */
    WIRE_STOOD = 23, /* entity: its segment, as the line to the other machine failed */
};

/* In SEGMENT: a controller counts and cuts; no later segment of the plan is on the line. */
#define WIRE_SEGMENT_ENFORCED 1
#define WIRE_SEGMENT_LAST     2

struct wire {
    enum wire_kind kind;
    /* JUDGE_KEYS, ENTITY_KEYS: microseconds since the mark. */
    uint32_t dt_us;
    /* JUDGE_KEYS_AT, ENTITY_KEYS_AT: the low bits of the time. */
    uint32_t low_us;
    /* All kinds of keys: as UTF-8 in the caller's bytes and, after decoding, as code points. */
    const uint8_t *text;
    size_t length, keys;
    uint32_t point[WIRE_TEXT_MAX];
    /* Numbers; each kind uses the fields of its layout in wire.c. */
    uint32_t epoch;
    uint32_t generation;
    uint64_t n; /* JUDGE_KEYS_AT, ENTITY_KEYS_AT: number of the first key */
    uint64_t placed;
    uint64_t chain;
    uint64_t time_us; /* MARK, COURSE: since 1970. SEGMENT, STOOD: remaining, UINT64_MAX
                         without end */
    uint8_t digest[8];
    /* The last sealed key; in DIGEST it is n. 0: there is no seal. */
    uint64_t sealed;
    uint8_t seal[SEAL_SIZE];
    uint8_t version; /* OFFER, RESUME, SESSION; 0 is encoded as the present one */
    /* SYNC: start from an empty page. REPAIR: step. STEWARD: called. TAIL_END: the tail was there.
     * SEGMENT: WIRE_SEGMENT_... */
    uint8_t flag;
    uint8_t outcome; /* COURSE: enum close_outcome; CLOSE_NONE: a segment's state */
    uint8_t starts;  /* OFFER */
    uint8_t state;   /* SEGMENT, STOOD: enum segment_state */
    uint8_t index;   /* SEGMENT, STOOD: from 0 */
    uint8_t count;   /* SEGMENT: segments in the plan, 0 without */
    char session[SESSION_ID_MAX + 1]; /* OFFER, RESUME, SESSION */
    char style[STYLE_MAX + 1];        /* OFFER, SESSION */
};

/* True for keys with positions; returns their party. */
bool wire_places(const struct wire *wire, enum party *party);
/* True for keys that carry their number. */
bool wire_is_numbered(const struct wire *wire);
/* The time of the placing of keys, by the mark before them. */
uint64_t wire_posted_us(const struct wire *wire, uint64_t mark_us);

/* The keys of a decoded record; valid as long as the record and its bytes. */
struct key_run wire_keys(const struct wire *wire);

/* Encodes into out; returns the length, 0 without room (never for a valid record). */
size_t wire_encode(const struct wire *wire, uint8_t out[WIRE_MAX]);

/* Decodes; wire->text points into record. BL_DATA: not one of ours. BL_OTHER_VERSION: ours, but of
 * an unknown version; wire->kind and wire->version say which. The keys of a text are checked: whole
 * UTF-8, keys only (key_is_key). */
enum bl_status wire_decode(struct wire *wire, const uint8_t *record, size_t length);

#endif
