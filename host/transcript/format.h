/* The formats of transcripts, and the losses of each. Sources: 1996 rules, "2. Data file format";
 * 2004 rules, A11; for the others the files of their judge programs. The format of the 2003 rules
 * (their reference 4) is lost; by 2004 A11 the format of 2004 is similar. Pure. */
#ifndef TRANSCRIPT_FORMAT_H
#define TRANSCRIPT_FORMAT_H

#include "transcript/history.h"
#include "transcript/out.h"

enum format {
    FORMAT_1996,
    FORMAT_2002,
    FORMAT_2004,
    FORMAT_2007,
    FORMAT_2009,
    FORMAT_2012,
    FORMAT_2013,
    FORMAT_KEYS,
    FORMAT_ASCIICAST,
    FORMAT_TEXT,    /* for people: only written */
    FORMAT_HTML,    /* as FORMAT_TEXT, as a page with a player */
    FORMAT_2016,    /* messages without keys */
    FORMAT_2003,    /* only written: a reader cannot tell it from 1996 */
    FORMAT_PRINTED, /* only written: 1996 without the lines that the rules' example omits */
    FORMATS
};

/* The losses by writing, one bit each: the information that a file lacks, or a change. */
enum loss {
    LOSS_SIDE,       /* left or right */
    LOSS_KEY_TIMES,  /* time of each key: a line has one time in seconds */
    LOSS_TIMES,      /* times of all keys */
    LOSS_UNTIMED,    /* the absence of times: all times become midnight */
    LOSS_ORDER,      /* order of both parties' keys */
    LOSS_BACKSPACE,  /* keys removed by BackSpaces, and the BackSpaces */
    LOSS_UNFINISHED, /* a last line without Return gets one */
    LOSS_PRESSED,    /* times of key presses */
    LOSS_TITLE,      /* the contest's line */
    LOSS_NOTICE,     /* the copyright line */
    LOSS_HEADERS,    /* more header lines of 2007 */
    LOSS_START,      /* the start, unless it is the second of the first key */
    LOSS_CONTESTANT, /* the contestant's name */
    LOSS_ROUND,      /* the round's number */
    LOSS_SUBROUND,   /* subrounds */
    LOSS_HUMAN,      /* the confederate's number */
    LOSS_LEFT,       /* the candidate on the left side */
    LOSS_PROGRAMS,   /* the names of all programs but the first */
    LOSS_RESTARTED,  /* the restart of a program */
    LOSS_BLANK,      /* the naming of a space by a blank */
    LOSS_BACK,       /* a BackSpace that removed a Return */
    LOSS_WORDS,      /* blanks and brackets in names, which are replaced */
    LOSS_EMPTY,      /* the judge of a part that has no keys */
    LOSS_JUDGE,      /* the judge's number, if a typed @@nn differs */
    LOSS_CHARACTERS, /* typed characters missing in Windows-1252, which become '?' */
    LOSS_NAMES,      /* characters of names and titles missing in Windows-1252 */
    LOSS_TURNS,      /* the judge's empty lines, and lines with the judge's number */
    LOSS_EVERYTHING, /* everything: the format is only for people */
    LOSSES
};
const char *loss_text(enum loss loss);

struct format_row {
    const char *name;  /* "2012" */
    const char *years; /* "2012" */
    const char *about;
    bool reads;
    uint32_t cannot; /* set of enum loss: the format cannot keep these */
};
const struct format_row *format_row(enum format format);

/* Finds a format by name; false if there is none. */
bool format_find(const char *name, enum format *format);

/* Detects the format from the start of a file. False: unknown. */
bool format_detect(const uint8_t *bytes, size_t length, enum format *format);

/* Reads a whole file into an empty history. Each unreadable line becomes a fault with its number;
 * the rest is kept. BL_NOMEM; BL_USAGE if this format cannot be read. */
enum bl_status format_read(enum format format, const uint8_t *bytes, size_t length,
                           struct history *history);

/* Writes a history, with the line ends of history->eol; if unknown, CR LF. Our own formats are
 * UTF-8 with LF. BL_NOMEM. */
enum bl_status format_write(enum format format, const struct history *history,
                            const struct out *out);

/* Converts the keys of a session's record to a history of one part; missing keys become faults.
 * BL_NOMEM. */
struct transcript;
enum bl_status history_take(struct history *history, const struct transcript *transcript);

/* The losses of this history in the format: a set of enum loss. */
uint32_t format_losses(enum format format, const struct history *history);

/* The number of keys that a loss removes or changes; 0: the loss is not about single keys, or no
 * memory. */
uint64_t format_lost_keys(enum loss loss, const struct history *history);

#endif
