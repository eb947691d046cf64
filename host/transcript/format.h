/* The formats of transcripts, and the losses of each. Sources: 1996 rules, "2. Data file format";
 * 2004 rules, A11; for the others the files of their judge programs. The format the 2003 rules
 * refer to (their reference 4) is lost; by 2004 A11 that of 2004 is similar. Pure. */
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
    FORMAT_TEXT,    /* for people: written, not read */
    FORMAT_HTML,    /* the same, a page with a player */
    FORMAT_2016,    /* messages, of which no key is known */
    FORMAT_2003,    /* written, not read: it looks like one of 1996 */
    FORMAT_PRINTED, /* the same: 1996, without the lines the example of its rules leaves out */
    FORMATS
};

/* The losses by writing, one bit each. */
enum loss {
    LOSS_SIDE,       /* left or right */
    LOSS_KEY_TIMES,  /* time of each key: a line has one time, in seconds */
    LOSS_TIMES,      /* all times */
    LOSS_UNTIMED,    /* that there are no times: midnight stands for all of them */
    LOSS_ORDER,      /* order of both parties' keys */
    LOSS_BACKSPACE,  /* keys that were taken back, and the BackSpaces */
    LOSS_UNFINISHED, /* a last line without its Return gets one */
    LOSS_PRESSED,    /* times of pressing */
    LOSS_TITLE,      /* the contest's line */
    LOSS_NOTICE,     /* the copyright line */
    LOSS_HEADERS,    /* further header lines of 2007 */
    LOSS_START,      /* the start, if it is not the first key's second */
    LOSS_CONTESTANT, /* the contestant's name */
    LOSS_ROUND,      /* the round's number */
    LOSS_SUBROUND,   /* subrounds */
    LOSS_HUMAN,      /* the confederate's number */
    LOSS_LEFT,       /* the candidate on the left */
    LOSS_PROGRAMS,   /* the programs' names but the first */
    LOSS_RESTARTED,  /* that a program was started again */
    LOSS_BLANK,      /* that a space was named by a blank */
    LOSS_BACK,       /* that a BackSpace took back a Return */
    LOSS_WORDS,      /* blanks and brackets in names: others stand for them */
    LOSS_EMPTY,      /* the judge of a part without keys */
    LOSS_JUDGE,      /* the judge's number, where a typed @@nn says another */
    LOSS_CHARACTERS, /* typed characters that Windows-1252 lacks: '?' stands for them */
    LOSS_NAMES,      /* such in names and titles */
    LOSS_TURNS,      /* the judge's empty lines, and those by which he names himself */
    LOSS_EVERYTHING, /* for people alone: it cannot be read back */
    LOSSES
};
const char *loss_text(enum loss loss);

struct format_row {
    const char *name;  /* "2012" */
    const char *years; /* "2012" */
    const char *about;
    bool reads;
    uint32_t cannot; /* bits of enum loss: those of any transcript */
};
const struct format_row *format_row(enum format format);

/* By its name; false if there is none. */
bool format_find(const char *name, enum format *format);

/* The likely format of these bytes, the beginning of a file or all of it. false: none. */
bool format_detect(const uint8_t *bytes, size_t length, enum format *format);

/* Reads a whole file into an empty history. An unreadable line is a fault of the history, with its
 * number; the rest is kept. BL_NOMEM; BL_USAGE: this format is not read. */
enum bl_status format_read(enum format format, const uint8_t *bytes, size_t length,
                           struct history *history);

/* Writes it. Lines end as history->eol says (not known: CRLF in the formats up to 2012, of whose
 * files real ones do), except in our own formats, which are UTF-8 with LF. BL_NOMEM. */
enum bl_status format_write(enum format format, const struct history *history,
                            const struct out *out);

/* The keys of a session's record, as one part; the keys it lacks are faults. BL_NOMEM. */
struct transcript;
enum bl_status history_take(struct history *history, const struct transcript *transcript);

/* The losses of this history in the format: bits of enum loss. */
uint32_t format_losses(enum format format, const struct history *history);

/* The number of keys a loss takes or changes; 0 for losses that do not concern single keys. */
uint64_t format_lost_keys(enum loss loss, const struct history *history);

#endif
