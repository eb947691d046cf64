/* The common words of session, journal, link and transcript: sides, parties, key events, and the
 * records a journal keeps. Values only; nothing here does anything. Source: DESIGN.md, "Terms",
 * "Session" and "Journal". */
#ifndef SESSION_EVENT_H
#define SESSION_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the judge's view. An entity's end has one line and always writes SIDE_LEFT: its side of the
 * judge is not known there. */
enum side { SIDE_LEFT = 0, SIDE_RIGHT = 1, SIDES = 2 };

enum party { PARTY_JUDGE = 0, PARTY_ENTITY = 1, PARTIES = 2 };

/* Unprintable keys. Every other key is a Unicode scalar value >= 0x20. */
#define KEY_BACKSPACE 0x08u
#define KEY_TAB       0x09u
#define KEY_RETURN    0x0Du

/* One placed key, 16 bytes. Its number n is its index in the order, from 1. */
struct key_event {
    uint64_t posted_us; /* time of its placing by the judge's clock, since 1970 */
    uint32_t point;     /* Unicode scalar value or KEY_... */
    uint8_t party;      /* enum party */
};

/* A key pressed at an entity's end, without a position so far. */
struct pressed_key {
    uint64_t k;          /* its number among all keys pressed there, from 1 */
    uint64_t pressed_us; /* the end's clock, since 1970 */
    uint32_t generation; /* generation of the segment in which it may be placed */
};

/* True if the code point is a key: printable Unicode, Return, BackSpace, Tab. Controls, surrogates,
 * private-use and unassigned code points, and formatting characters (category Cf but ZWJ/ZWNJ) are
 * not. */
bool key_is_key(uint32_t point);

/* Some keys in both forms: as code points for the program, and as UTF-8 (Return is 0x0D, BackSpace
 * 0x08, Tab 0x09) for line and disk. A conversion passes both forms on, so the keys are not
 * converted again. */
struct key_run {
    const uint32_t *point;
    size_t count;
    const uint8_t *text;
    size_t length; /* bytes */
};

/* Most bytes of keys in one record: all of one party, placed at one instant. */
#define JOURNAL_TEXT_MAX 256
#define SESSION_ID_MAX   40 /* [A-Za-z0-9._-], without the NUL */
#define NOTE_MAX         240
#define STYLE_MAX        200

enum journal_kind {
    JOURNAL_HEADER = 1,   /* the first of every file */
    JOURNAL_KEYS = 2,     /* keys placed in the order */
    JOURNAL_PRESSED = 3,  /* keys pressed at the end, not placed yet (entity's end only) */
    JOURNAL_UNPLACED = 4, /* keys pressed here that the close of their segment left on no page */
    JOURNAL_EPOCH =
        5, /* a steward opened a new epoch; at the entity's end the order restarts at 0 */
    JOURNAL_SEGMENT = 6,   /* the state of the plan's clock */
    JOURNAL_CLOSE = 7,     /* a segment's close on one line */
    JOURNAL_NOTE = 8,      /* a state change, a refusal, a fault, in words */
    JOURNAL_DELIVERED = 9, /* the judge's keys given to the Entry so far (entity's end only) */
    JOURNAL_START = 10,    /* a process has taken the record's side up (judge's end only) */
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
    CLOSE_NONE = 0,        /* not ended; in no record */
    CLOSE_AGREED = 1,      /* both ends have the same page and know it */
    CLOSE_UNCONFIRMED = 2, /* judge's end: cut before the other end answered */
    CLOSE_PREFIX = 3,      /* entity's end: cut without CLOSE; its keys are a prefix */
    CLOSE_SETTLED = 4      /* made equal afterwards */
};

/* The subject of a note; the number is on disk, so values never change. */
enum note_code {
    NOTE_LINE = 1,       /* the line went up or down, with its reason */
    NOTE_REFUSED = 2,    /* keys refused: outside a segment, too early, no room */
    NOTE_IGNORED = 3,    /* input without a key */
    NOTE_STEWARD = 4,    /* steward called, or the call taken back */
    NOTE_DIFFERENCE = 5, /* the pages differed */
    NOTE_REPAIR = 6,     /* the pages were made equal again */
    NOTE_ENTRY = 7,      /* entity's end only: the Entry's act (started, exited, flood, ...) */
    NOTE_DISK = 8,       /* the disk is full or nearly */
    NOTE_RESTART = 9,    /* the end was started again */
    NOTE_SETTLED = 10,
    NOTE_CLOCK = 11, /* the machine's clock is not set, or was stepped */
    NOTE_OTHER = 12,
    NOTE_CONTROLLER = 13, /* the controller's act, and the reason; or none */
    NOTE_UNPROVEN = 14,   /* keys back from the other end without a seal */
    NOTE_TAKEN = 15,      /* a spare machine takes the session over from the other end's record */
    NOTE_CONTEST = 16     /* the id of the session's contest */
};

/* The state of a judge's end's record, when a process takes it up or ends. */
enum start_state {
    START_WHOLE = 0, /* the record has every placed key */
    START_LOST = 1,  /* its latest keys may be at the other end alone */
    START_CLOSED = 2 /* whole, its process ended in good order: nothing is lost by a power cut */
};

#define SEAL_SIZE   16 /* bytes of a seal on the order: see session/seal.h */
#define SEAL_SECRET 32
#define BOOT_SIZE   16

/* One record of a journal. The pointers belong to the caller and are valid during the call only. */
struct journal_record {
    enum journal_kind kind;
    enum side side;
    uint64_t wall_us; /* time of its making, by the end's clock; for KEYS: posted_us */
    union {
        struct {
            const char *session; /* session id */
            enum party role;     /* the end's role */
            const char *style;   /* page style as one line, see session/style.h */
            uint8_t starts;      /* enum starts of session/end.h */
            const char
                *contest; /* id of its contest, in a note of its own (journal_open); or NULL */
        } header;
        struct {
            uint32_t epoch;
            uint64_t first; /* number n of the first key, from 1 */
            enum party party;
            struct key_run run; /* 1 to JOURNAL_TEXT_MAX bytes; see journal_encode */
        } keys;
        struct {
            uint64_t first;   /* number k of the first key pressed here, from 1 */
            uint32_t segment; /* generation of its segment */
            struct key_run run;
        } pressed; /* wall_us is the time at which the keys were pressed */
        struct {
            uint64_t first, last; /* numbers k */
        } unplaced;
        struct {
            uint32_t epoch;
            uint64_t base; /* keys placed before, at the judge's end */
        } epoch;
        struct {
            uint32_t generation; /* counts segments opened on the line, from 1 */
            uint8_t index;       /* index in the plan, from 0 */
            enum segment_state state;
            uint64_t remaining_us; /* time left of the segment; UINT64_MAX without a plan */
        } segment;
        struct {
            uint32_t generation;
            uint64_t n;      /* keys placed at the end */
            uint64_t placed; /* number of these that are the entity's */
            uint8_t digest[8];
            enum close_outcome outcome;
        } close;
        struct {
            enum note_code code;
            uint32_t count;   /* keys or bytes concerned, 0 if none */
            const char *text; /* one line, up to NOTE_MAX bytes */
        } note;
        struct {
            uint64_t n; /* the judge's keys up to here were written to the Entry */
        } delivered;
        struct {
            enum start_state state;
            uint32_t damaged;            /* damaged stretches of the file */
            uint8_t boot[BOOT_SIZE];     /* the machine's present run, by the kernel's boot id */
            uint8_t secret[SEAL_SECRET]; /* the key of the side's seals */
        } start;
        struct {
            uint32_t epoch;
            uint64_t n; /* covered keys */
            uint8_t seal[SEAL_SIZE];
        } seal;
    } as;
};

#endif
