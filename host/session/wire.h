/* The records that the two ends of a line send each other over the link. Pure. The decoder takes
 * hostile bytes. It refuses a record as a whole unless each byte fits. Source: DESIGN.md,
 * "Session", "End of a segment" and "Blindness" (a record does not distinguish a human from a
 * program). */
#ifndef SESSION_WIRE_H
#define SESSION_WIRE_H

#include "base/status.h"
#include "session/style.h"

/* Version 4 added seals to DIGEST and RESUME. Ends accept their own version only; listeners also
 * accept version 3. */
#define WIRE_VERSION     4
#define WIRE_VERSION_OLD 3
#define WIRE_TEXT_MAX    48 /* most bytes of keys in one record, so a flood is pipelined */
#define WIRE_MAX         320

enum wire_kind {
    /* Placed keys, from the judge's end; as a tail also from the entity's end. */
    WIRE_JUDGE_KEYS = 1,
    WIRE_ENTITY_KEYS = 2,
    WIRE_MARK = 3, /* epoch, number and time from which the following keys count */
    /* Keys that request a place, from the entity's end, without times. */
    WIRE_NEW_KEYS = 4,
    WIRE_OFFER = 5,    /* judge: the session, and the number of keys here */
    WIRE_RESUME = 6,   /* entity: the number of keys here, and the latest seal */
    WIRE_FETCH = 7,    /* judge: requests the lost tail */
    WIRE_TAIL_END = 8, /* entity: the tail ends */
    WIRE_SYNC = 9,     /* judge: the ends agree; keys follow */
    WIRE_DIFFERS = 10, /* either: the records differ, and a steward must decide */
    WIRE_SEGMENT = 11,
    WIRE_CLOSE = 12,
    WIRE_CLOSE_ACK = 13,
    WIRE_DIGEST = 14, /* judge: the page's digest, and a seal over the order */
    WIRE_REPAIR = 15,
    WIRE_STEWARD = 16,
    WIRE_READY = 17,
    /* Sent by the judge's end for a listener, who may miss frames. COURSE: a segment's record.
     * JUDGE_KEYS_AT, ENTITY_KEYS_AT: keys with their number. SESSION: the contents of OFFER
     * again. */
    WIRE_COURSE = 18,
    WIRE_JUDGE_KEYS_AT = 19,
    WIRE_ENTITY_KEYS_AT = 20,
    WIRE_SESSION = 21,
    /* A spare machine at the judge's end sends TAKE. STOOD is part of the answer. */
    WIRE_TAKE = 22,  /* judge: has no record of the session, and asks for all keys and the segment's
                      * state */
    WIRE_STOOD = 23, /* entity: the segment's state when the line to the failed machine was lost */
};

/* Flags of SEGMENT. ENFORCED: a controller counts the time and cuts the line. LAST: no later
 * segment of the plan is on the line. */
#define WIRE_SEGMENT_ENFORCED 1
#define WIRE_SEGMENT_LAST     2

struct wire {
    enum wire_kind kind;
    /* JUDGE_KEYS, ENTITY_KEYS: microseconds since the mark. */
    uint32_t dt_us;
    /* JUDGE_KEYS_AT, ENTITY_KEYS_AT: the low bits of the time. */
    uint32_t low_us;
    /* All kinds of keys: UTF-8 in the caller's bytes. Decoding fills in the code points, too. */
    const uint8_t *text;
    size_t length, keys;
    uint32_t point[WIRE_TEXT_MAX];
    /* Numbers; each kind uses the fields of its layout in wire.c. */
    uint32_t epoch;
    uint32_t generation;
    uint64_t n; /* JUDGE_KEYS_AT, ENTITY_KEYS_AT: number of the first key */
    uint64_t placed;
    uint64_t chain;
    uint64_t time_us; /* MARK, COURSE: time since 1970. SEGMENT, STOOD: time left; UINT64_MAX:
                       * without end */
    uint8_t digest[8];
    /* Number of the last sealed key; in DIGEST that is n. 0: no seal. */
    uint64_t sealed;
    uint8_t seal[SEAL_SIZE];
    uint8_t version; /* OFFER, RESUME, SESSION; 0 is encoded as WIRE_VERSION */
    /* SYNC: the entity's end starts from an empty page. REPAIR: the step. STEWARD: 1: called.
     * TAIL_END: 1: the tail is complete. SEGMENT: WIRE_SEGMENT_... */
    uint8_t flag;
    uint8_t outcome; /* COURSE: enum close_outcome; CLOSE_NONE: it has a segment's state */
    uint8_t starts;  /* OFFER */
    uint8_t state;   /* SEGMENT, STOOD, COURSE: enum segment_state */
    uint8_t index;   /* SEGMENT, STOOD, COURSE: index in the plan, from 0 */
    uint8_t count;   /* SEGMENT: number of segments in the plan; 0: no plan */
    char session[SESSION_ID_MAX + 1]; /* OFFER, RESUME, SESSION */
    char style[STYLE_MAX + 1];        /* OFFER, SESSION */
};

/* True for placed keys. Writes their party to *party. */
bool wire_places(const struct wire *wire, enum party *party);
/* True for keys that carry their number. */
bool wire_is_numbered(const struct wire *wire);
/* The time at which keys were placed: the time since the mark, added to mark_us. */
uint64_t wire_posted_us(const struct wire *wire, uint64_t mark_us);

/* The keys of a decoded record; valid as long as `wire` and the record's bytes. */
struct key_run wire_keys(const struct wire *wire);

/* Encodes a record. Returns its length; 0: no room, which no valid record causes. */
size_t wire_encode(const struct wire *wire, uint8_t out[WIRE_MAX]);

/* Decodes a record; wire->text points into it. BL_DATA: not a record of ours, or a text that is not
 * whole UTF-8 of keys (key_is_key). BL_OTHER_VERSION: a record of an unknown version; wire->kind
 * and wire->version are set. */
enum bl_status wire_decode(struct wire *wire, const uint8_t *record, size_t length);

#endif
