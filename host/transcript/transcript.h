/* Writes transcripts of a session from its ordered key events. Pure: no file, no clock; text goes
 * to a callback. Source: DESIGN.md, "Journal"; 2004 A11 for the header lines. */
#ifndef TRANSCRIPT_TRANSCRIPT_H
#define TRANSCRIPT_TRANSCRIPT_H

#include "session/style.h"
#include "transcript/out.h"

enum transcript_mark_kind {
    MARK_OPENED,       /* a segment */
    MARK_SEGMENT_OVER, /* the segment's end: later keys do not belong to it */
    MARK_CLOSE         /* the close of a segment, with its outcome */
};

struct transcript_mark {
    enum transcript_mark_kind kind;
    uint64_t n; /* number of the line's keys before the mark */
    uint64_t at_us;
    unsigned part;              /* part of the session's plan, from 1, as on the screens */
    enum close_outcome outcome; /* outcome of a MARK_CLOSE */
};

/* One line of the session. */
struct transcript_side {
    const struct key_event *event;      /* key n is event[n - 1]; point 0: lost by damage */
    uint64_t count;                     /* 0 keys and no marks: the line is not shown */
    const uint64_t *pressed_us;         /* time of each key's press; 0 or no array: unknown */
    const struct transcript_mark *mark; /* marks in the order of n */
    size_t marks;
};

/* The caller owns all members. */
struct transcript {
    const char *session;
    enum party role; /* the party whose end recorded it */
    struct style style;
    const char *const *header; /* the first lines of the output */
    size_t headers;
    bool untimed; /* the keys' times only give their order */
    struct transcript_side side[SIDES];
    uint64_t damaged; /* damaged places in the record */
};

/* Writes the readable conversation, a line for each turn: the UTC time of its first key, and its
 * final text. A turn ends with a Return, with its segment, or when its party continues after a word
 * of the other party. If the style's page has lines, each line is written whole, in the order and
 * with the time of its Return. BL_NOMEM. */
enum bl_status transcript_text(const struct transcript *transcript, const struct out *out);

/* Writes every key on its own line, in the format of keys.h. */
void transcript_keys(const struct transcript *transcript, const struct out *out);

/* Writes an asciicast, version 2 (docs.asciinema.org/manual/asciicast/v2): the growing pages of all
 * lines side by side, in real time. BL_NOMEM. */
enum bl_status transcript_asciicast(const struct transcript *transcript, const struct out *out);

/* Writes transcript_asciicast(), then the keys: each line of the keys format is an event of kind
 * "k", for readers; players ignore it. BL_NOMEM. */
enum bl_status transcript_recording(const struct transcript *transcript, const struct out *out);

#endif
