/* The common types of session, journal, link and transcript: sides, parties, key events, and a
 * journal's records. Source: DESIGN.md, "Terms", "Session" and "Journal". */
#ifndef SESSION_EVENT_H
#define SESSION_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sides of the judge. An entity's end writes SIDE_LEFT on both. */
enum side { SIDE_LEFT = 0, SIDE_RIGHT = 1, SIDES = 2 };

enum party { PARTY_JUDGE = 0, PARTY_ENTITY = 1, PARTIES = 2 };

/* Unprintable keys. Any other key is a Unicode scalar value >= 0x20. */
#define KEY_BACKSPACE 0x08u
#define KEY_TAB       0x09u
#define KEY_RETURN    0x0Du

/* One placed key, 16 bytes. Its number n is its index in the order, from 1. */
struct key_event {
    uint64_t posted_us; /* time at which it was placed, by the judge's clock, since 1970 */
    uint32_t point;     /* Unicode scalar value or KEY_... */
    uint8_t party;      /* enum party */
};

/* A key that was pressed at an entity's end and has no place yet. */
struct pressed_key {
    uint64_t k;          /* the key's number among all keys pressed there, from 1 */
    uint64_t pressed_us; /* time of the press by the end's clock, since 1970 */
    uint32_t generation; /* generation of the segment in which it may be placed */
};

/* True if the code point is a key: printable Unicode, Return, BackSpace, Tab. Controls, surrogates,
 * private-use and unassigned code points, and formatting characters (category Cf but ZWJ/ZWNJ) are
 * not. */
bool key_is_key(uint32_t point);

/* Keys in two forms: code points, and UTF-8 for line and disk (Return is 0x0D, BackSpace 0x08, Tab
 * 0x09). */
struct key_run {
    const uint32_t *point;
    size_t count;
    const uint8_t *text;
    size_t length; /* bytes */
};

/* Most bytes of keys in one record. A record's keys are of one party, and of one time. */
#define JOURNAL_TEXT_MAX 256
#define SESSION_ID_MAX   40 /* [A-Za-z0-9._-], without the NUL */
#define NOTE_MAX         240
#define STYLE_MAX        200

enum journal_kind {
    JOURNAL_HEADER = 1,    /* the first record of every file */
    JOURNAL_KEYS = 2,      /* keys placed in the order */
    JOURNAL_PRESSED = 3,   /* keys pressed at the entity's end and not placed yet */
    JOURNAL_UNPLACED = 4,  /* keys pressed at the entity's end that get no place, such as keys after
                           * the segment's close */
    JOURNAL_EPOCH = 5,     /* a new epoch, opened by a steward; the entity's order restarts at 0 */
    JOURNAL_SEGMENT = 6,   /* the state of the plan's clock */
    JOURNAL_CLOSE = 7,     /* a segment's close on one line */
    JOURNAL_NOTE = 8,      /* a change, a refusal or a fault, in words */
    JOURNAL_DELIVERED = 9, /* how far the Entry was given the judge's keys (entity's end only) */
    JOURNAL_START = 10,    /* a process began to write the side's records, or ended in good order
                            * (judge's end only) */
    JOURNAL_SEAL = 11      /* the judge's end's latest seal on the order (entity's end only) */
};

enum segment_state {
    SEGMENT_WAITING = 0, /* not begun */
    SEGMENT_OPEN = 1,
    SEGMENT_CLOSING = 2, /* the cut is announced */
    SEGMENT_CLOSED = 3,
    SEGMENT_FINISHED = 4 /* the plan is over */
};

enum close_outcome {
    CLOSE_NONE = 0,        /* the segment has not ended; stands in no record */
    CLOSE_AGREED = 1,      /* both ends have the same page */
    CLOSE_UNCONFIRMED = 2, /* judge's end: cut before the entity's end answered */
    CLOSE_PREFIX = 3,      /* entity's end: cut without a CLOSE; the keys are a prefix of the
                            * judge's */
    CLOSE_SETTLED = 4      /* the ends were made equal after the cut */
};

/* The subject of a note. The values stand in journals and are fixed. */
enum note_code {
    NOTE_LINE = 1,    /* the line went up or down, with its reason */
    NOTE_REFUSED = 2, /* keys refused: outside a segment, too early, no room */
    NOTE_IGNORED = 3,
    NOTE_STEWARD = 4, /* a steward was called, or the call taken back */
    NOTE_DIFFERENCE = 5,
    NOTE_REPAIR = 6,
    NOTE_ENTRY = 7,   /* entity's end only: the Entry's act (started, exited, flood, ...) */
    NOTE_DISK = 8,    /* the disk is full, or nearly full */
    NOTE_RESTART = 9, /* the end was started again */
    NOTE_SETTLED = 10,
    NOTE_CLOCK = 11,
    NOTE_OTHER = 12,
    NOTE_CONTROLLER = 13, /* the controller's act and its reason, or that there is no controller */
    NOTE_UNPROVEN = 14,   /* keys without a seal that came back from the other end */
    NOTE_TAKEN = 15,      /* a spare machine takes the session over from the other end's record */
    NOTE_CONTEST = 16     /* the id of the session's contest */
};

/* The state of the record of a judge's end. */
enum start_state {
    START_WHOLE = 0, /* the record has every placed key */
    START_LOST = 1,  /* only the other end may have its latest keys */
    START_CLOSED = 2 /* the process ended in good order with every placed key: a later power failure
                      * loses no key */
};

#define SEAL_SIZE   16 /* bytes of a seal on the order */
#define SEAL_SECRET 32
#define BOOT_SIZE   16

/* One record of a journal. The pointers are valid during the call only. */
struct journal_record {
    enum journal_kind kind;
    enum side side;
    uint64_t wall_us; /* time at which it was made, by the end's clock; JOURNAL_KEYS: posted_us */
    union {
        struct {
            const char *session; /* session id */
            enum party role;     /* the end's role */
            const char *style;   /* page style as one line, see session/style.h */
            uint8_t starts;      /* enum starts of session/end.h */
            const char
                *contest; /* id of its contest, in a note of its own (journal_open); NULL: none */
        } header;
        struct {
            uint32_t epoch;
            uint64_t first; /* number n of the first key, from 1 */
            enum party party;
            struct key_run run; /* 1 to JOURNAL_TEXT_MAX bytes; see journal_encode */
        } keys;
        struct {
            uint64_t first;   /* number k of the first key pressed here, from 1 */
            uint32_t segment; /* generation of the keys' segment */
            struct key_run run;
        } pressed; /* wall_us is the time at which the keys were pressed */
        struct {
            uint64_t first, last; /* numbers k */
        } unplaced;
        struct {
            uint32_t epoch;
            uint64_t base; /* number of keys that the judge's end had placed before */
        } epoch;
        struct {
            uint32_t generation; /* number of segments opened on the line, this one included */
            uint8_t index;       /* index in the plan, from 0 */
            enum segment_state state;
            uint64_t remaining_us; /* the segment's time left; UINT64_MAX: no plan */
        } segment;
        struct {
            uint32_t generation;
            uint64_t n;      /* number of keys placed when the segment ended */
            uint64_t placed; /* number of the entity's keys among these */
            uint8_t digest[8];
            enum close_outcome outcome;
        } close;
        struct {
            enum note_code code;
            uint32_t count;   /* number of keys or bytes concerned; 0: none */
            const char *text; /* one line, up to NOTE_MAX bytes */
        } note;
        struct {
            uint64_t n; /* the Entry was given the judge's keys up to this number of the order */
        } delivered;
        struct {
            enum start_state state;
            uint32_t damaged;            /* number of damaged stretches in the file */
            uint8_t boot[BOOT_SIZE];     /* the kernel's boot id */
            uint8_t secret[SEAL_SECRET]; /* secret of the side's seals */
        } start;
        struct {
            uint32_t epoch;
            uint64_t n; /* number of covered keys */
            uint8_t seal[SEAL_SIZE];
        } seal;
    } as;
};

#endif
