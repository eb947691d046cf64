/* One model for transcripts of all years: keys in the file's order, the header's fields, and
 * unreadable lines. Readers fill it; writers and the player use it. Pure.
 *
 * * Bounded: HISTORY_KEYS keys, HISTORY_PARTS parts, HISTORY_FAULTS faults with a text (the rest is
 * counted), HISTORY_BYTES of a file. An excess is a fault. */
#ifndef TRANSCRIPT_HISTORY_H
#define TRANSCRIPT_HISTORY_H

#include "base/status.h"
#include "session/event.h"

#define HISTORY_KEYS     (4u << 20)
#define HISTORY_PARTS    4096u
#define HISTORY_FAULTS   1000u
#define HISTORY_BYTES    (64u << 20) /* most bytes of a file; far more than any contest's */
#define HISTORY_WORD     40u         /* bytes of a number of a judge, a round or a human */
#define HISTORY_TEXT     200u        /* bytes of a title or a name */
#define HISTORY_TIME_MAX 99999999999999999ull /* 11 digits of seconds, then microseconds */

enum history_who { WHO_UNKNOWN, WHO_HUMAN, WHO_PROGRAM };
enum history_eol { EOL_UNKNOWN, EOL_LF, EOL_CRLF, EOL_CR };
enum history_encoding { ENCODING_UTF8, ENCODING_CP1252 };

/* The fields are UTF-8. A word has no blanks, a text no controls. "" is unknown. */
enum history_field {
    /* fields of a run; a file may have several runs, each with a header */
    FIELD_TITLE,      /* the contest: first line of 2007 and 2012 */
    FIELD_NOTICE,     /* notice of ownership: first line of 1996 and 2002 */
    FIELD_CONTESTANT, /* second line of 1996, 2002 and 2004 */
    FIELD_HEADER2,    /* second and third line of 2007, unless they are ours */
    FIELD_HEADER3,
    /* fields of a part */
    FIELD_PROGRAM,
    FIELD_JUDGE, /* from here on single words */
    FIELD_ROUND,
    FIELD_SUBROUND,
    FIELD_HUMAN,
    FIELDS
};
#define FIELD_FIRST_OF_PART FIELD_PROGRAM
#define FIELD_FIRST_WORD    FIELD_JUDGE

/* A part: one judge with a pair or with one entity. The parts of a run are adjacent and have the
 * same header. */
struct history_part {
    char title[HISTORY_TEXT + 1], notice[HISTORY_TEXT + 1], contestant[HISTORY_TEXT + 1],
        header2[HISTORY_TEXT + 1], header3[HISTORY_TEXT + 1];
    uint64_t start_us; /* start in the 1996 header; 0: unknown */
    char program[HISTORY_TEXT + 1];
    char judge[HISTORY_WORD + 1], round[HISTORY_WORD + 1], subround[HISTORY_WORD + 1],
        human[HISTORY_WORD + 1];
    uint8_t left;   /* enum history_who: the entity on the left */
    uint8_t other;  /* enum history_who: the entity of a 2009 subround */
    bool restarted; /* the program was restarted; 2013 has a new log then */
};

struct history_key {
    uint64_t posted_us, pressed_us; /* 0: unknown */
    uint32_t point;
    uint16_t part;
    uint8_t side, party;
    bool blank; /* a space that the file names by a blank, not "space" */
};

enum history_fault_kind {
    /* damage: at least one key of the file is lost */
    FAULT_CUT,     /* the file ends within a record */
    FAULT_KEY,     /* an unknown key name */
    FAULT_RECORD,  /* a line that is not a record */
    FAULT_BYTE,    /* bytes that are invalid in every encoding */
    FAULT_LONG,    /* the file is too long */
    FAULT_MISSING, /* key numbers are missing */
    FAULT_LOST,    /* the file says that its source was damaged */
    /* oddities: all keys are there */
    FAULT_BLANK,    /* a blank as the name of a key, which means a space, as on the page of 2012 */
    FAULT_EMPTY,    /* an empty name of a key, which had no effect */
    FAULT_ORDER,    /* a time earlier than the one before */
    FAULT_HEADER,   /* a header line is missing */
    FAULT_FIELD,    /* a field is empty or malformed */
    FAULT_WHO,      /* a record and the header name different judges or programs */
    FAULT_END,      /* the last line has no end: its key may be truncated */
    FAULT_EOL,      /* different line ends */
    FAULT_ENCODING, /* Windows-1252 in UTF-8, or UTF-16 */
};
#define FAULT_FIRST_ODD FAULT_BLANK

struct history_fault {
    uint64_t line; /* number from 1; 0: the whole file */
    enum history_fault_kind kind;
    char text[240]; /* a description, and the text of the line; UTF-8, printable */
};

struct history {
    bool back_over_return; /* a BackSpace could remove the party's own Return: 2009 to 2013 */
    enum history_eol eol;
    enum history_encoding encoding;
    struct history_part *part;
    size_t parts, parts_room;
    struct history_key *key;
    size_t keys, keys_room;
    struct history_fault *fault;
    size_t faults, faults_room;
    uint64_t damaged; /* number of faults of damage; `odd`: of oddities */
    uint64_t odd;
};

/* True if there are keys, but no key has a time. */
bool history_is_untimed(const struct history *history);

/* True if part number `part` begins a run. */
bool history_begins_run(const struct history *history, size_t part);

/* The number of sides on which somebody typed, but at least 1. */
unsigned history_sides(const struct history *history);

/* A zeroed history is empty. */
void history_free(struct history *history);

/* Append a part or a key. BL_NOMEM; BL_FULL: beyond the bounds; the caller reports a fault. A new
 * part is empty, or a copy of *like. BL_DATA if the key is invalid, its part does not exist, or its
 * time exceeds HISTORY_TIME_MAX. */
enum bl_status history_add_part(struct history *history, const struct history_part *like);
enum bl_status history_add_key(struct history *history, const struct history_key *key);

/* Adds a fault. text and the piece of the file (may be NULL) are truncated and made printable.
 * BL_NOMEM. */
enum bl_status history_add_fault(struct history *history, uint64_t line,
                                 enum history_fault_kind kind, const char *text, const char *piece,
                                 size_t length);

/* True for a valid value of the field: UTF-8, printable, not too long, and without a blank in a
 * word. */
bool history_field_good(enum history_field field, const char *text, size_t length);

const char *history_field_of(const struct history *history, size_t part, enum history_field field);
const char *history_field_name(enum history_field field); /* "judge" */

/* Sets a part's field if the value is valid; otherwise returns false and keeps the old value.
 * history_set() sets the field of the last part. */
bool history_part_set(struct history_part *part, enum history_field field, const char *text,
                      size_t length);
bool history_set(struct history *history, enum history_field field, const char *text,
                 size_t length);

void history_set_all(struct history *history, enum history_field field, const char *value);

/* Removes the keys of the other sides. */
void history_keep_side(struct history *history, enum side side);

const char *history_fault_name(enum history_fault_kind kind); /* "cut" */
const char *history_who_name(enum history_who who); /* "human" or "program"; "" if unknown */

#endif
