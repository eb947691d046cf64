/* A transcript of any year as one model: the keys in the order in which the file has them, the
 * session's fields at its head, and the unreadable lines. Readers fill it, writers and the player
 * read it. Pure.
 *
 * Bounded: HISTORY_KEYS keys, HISTORY_PARTS parts, HISTORY_FAULTS faults with a text (the rest is
 * counted), HISTORY_BYTES of a file; an excess is a fault, never a crash. */
#ifndef TRANSCRIPT_HISTORY_H
#define TRANSCRIPT_HISTORY_H

#include "base/status.h"
#include "session/event.h"

#define HISTORY_KEYS     (4u << 20)
#define HISTORY_PARTS    4096u
#define HISTORY_FAULTS   1000u
#define HISTORY_BYTES    (64u << 20)          /* of a file; no contest comes near */
#define HISTORY_WORD     40u                  /* bytes of a judge's, round's or human's number */
#define HISTORY_TEXT     200u                 /* of a title or a name */
#define HISTORY_TIME_MAX 99999999999999999ull /* 11 digits of seconds, then microseconds */

enum history_who { WHO_UNKNOWN, WHO_HUMAN, WHO_PROGRAM };
enum history_eol { EOL_UNKNOWN, EOL_LF, EOL_CRLF, EOL_CR };
enum history_encoding { ENCODING_UTF8, ENCODING_CP1252 };

/* The fields are UTF-8; a word has no blank, a text no control. "" is "not said". */
enum history_field {
    /* of a run: a file may have several, each with a header of its own */
    FIELD_TITLE,      /* the contest: first line of 2007 and 2012 */
    FIELD_NOTICE,     /* notice of ownership: first line of 1996 and 2002 */
    FIELD_CONTESTANT, /* second line of 1996, 2002 and 2004 */
    FIELD_HEADER2,    /* second and third line of 2007, where they are not ours */
    FIELD_HEADER3,
    /* of a part */
    FIELD_PROGRAM,
    FIELD_JUDGE, /* words from here on */
    FIELD_ROUND,
    FIELD_SUBROUND,
    FIELD_HUMAN,
    FIELDS
};
#define FIELD_FIRST_OF_PART FIELD_PROGRAM
#define FIELD_FIRST_WORD    FIELD_JUDGE

/* One judge with one pair, or with one entity. Parts of one run follow each other, and have the
 * same header. */
struct history_part {
    char title[HISTORY_TEXT + 1], notice[HISTORY_TEXT + 1], contestant[HISTORY_TEXT + 1],
        header2[HISTORY_TEXT + 1], header3[HISTORY_TEXT + 1];
    uint64_t start_us; /* of the 1996 header; 0: not said */
    char program[HISTORY_TEXT + 1];
    char judge[HISTORY_WORD + 1], round[HISTORY_WORD + 1], subround[HISTORY_WORD + 1],
        human[HISTORY_WORD + 1];
    uint8_t left;   /* enum history_who: who sits on the left */
    uint8_t other;  /* enum history_who: whom a subround of 2009 is with */
    bool restarted; /* the program was started again: a log of its own in 2013 */
};

struct history_key {
    uint64_t posted_us, pressed_us; /* 0: not known */
    uint32_t point;
    uint16_t part;
    uint8_t side, party;
    bool blank; /* a space that its record names by a blank instead of "space" */
};

enum history_fault_kind {
    /* damage: a key or more of the file is not in the model */
    FAULT_CUT,     /* the file ends within a record */
    FAULT_KEY,     /* a name that is no key's */
    FAULT_RECORD,  /* a line that is no record */
    FAULT_BYTE,    /* bytes that are no character of any encoding */
    FAULT_LONG,    /* a file that is too long */
    FAULT_MISSING, /* numbers say that keys are missing */
    FAULT_LOST,    /* its source was damaged, by its own word */
    /* everything is there, and something is odd */
    FAULT_BLANK,    /* a key's name is a blank: a space, as the page of 2012 had it */
    FAULT_EMPTY,    /* a key's name is empty: nothing came of it */
    FAULT_ORDER,    /* a time before the one above it */
    FAULT_HEADER,   /* a header line is missing */
    FAULT_FIELD,    /* a field is empty, or of wrong form */
    FAULT_WHO,      /* the record names another judge or program than its header */
    FAULT_END,      /* the last line does not end: its key may be cut */
    FAULT_EOL,      /* line ends of several kinds */
    FAULT_ENCODING, /* Windows-1252 between UTF-8, or UTF-16 */
};
#define FAULT_FIRST_ODD FAULT_BLANK

struct history_fault {
    uint64_t line; /* from 1; 0: of the whole file */
    enum history_fault_kind kind;
    char text[240]; /* the fault, and the text there; UTF-8, printable */
};

struct history {
    bool back_over_return; /* its page let a BackSpace take back one's own Return: 2009 to 2013 */
    enum history_eol eol;
    enum history_encoding encoding;
    struct history_part *part;
    size_t parts, parts_room;
    struct history_key *key;
    size_t keys, keys_room;
    struct history_fault *fault;
    size_t faults, faults_room;
    uint64_t damaged; /* faults of these kinds, all of them: */
    uint64_t odd;
};

/* Has no key a time, though there are keys? */
bool history_is_untimed(const struct history *history);

/* Does part number `part` begin a run? */
bool history_begins_run(const struct history *history, size_t part);

/* 2 if somebody typed on each side, else 1. */
unsigned history_sides(const struct history *history);

/* Zeroed is empty. */
void history_free(struct history *history);

/* Adds. BL_NOMEM; BL_FULL: beyond the bounds, which is for the caller to name as a fault. A part
 * begins empty, or like *like. A key must be one, of a part that is there, and not beyond
 * HISTORY_TIME_MAX: else BL_DATA. */
enum bl_status history_add_part(struct history *history, const struct history_part *like);
enum bl_status history_add_key(struct history *history, const struct history_key *key);

/* Names a fault; text and the piece of the file are made printable and cut. piece may be NULL.
 * BL_NOMEM. */
enum bl_status history_add_fault(struct history *history, uint64_t line,
                                 enum history_fault_kind kind, const char *text, const char *piece,
                                 size_t length);

/* True for a good value of the field: UTF-8, printable, not too long, one of the words if they are
 * fixed. */
bool history_field_good(enum history_field field, const char *text, size_t length);

const char *history_field_of(const struct history *history, size_t part, enum history_field field);
const char *history_field_name(enum history_field field); /* "judge" */

/* Sets it, if it is good; false: it is not, and keeps its value. history_set() sets that of the
 * last part. */
bool history_part_set(struct history_part *part, enum history_field field, const char *text,
                      size_t length);
bool history_set(struct history *history, enum history_field field, const char *text,
                 size_t length);

/* Sets it in every part; value is good. */
void history_set_all(struct history *history, enum history_field field, const char *value);

/* Keeps the keys of one side. */
void history_keep_side(struct history *history, enum side side);

const char *history_fault_name(enum history_fault_kind kind); /* "cut" */
const char *history_who_name(enum history_who who);           /* "human"; "" if not known */

#endif
