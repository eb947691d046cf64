/* Transcripts of a session, written from its ordered key events. Pure: no file, no clock; text goes
 * to a callback. Source: DESIGN.md, "Journal"; 2004 A11 for the header lines. */
#ifndef TRANSCRIPT_TRANSCRIPT_H
#define TRANSCRIPT_TRANSCRIPT_H

#include "session/style.h"
#include "transcript/out.h"

enum transcript_mark_kind {
    MARK_OPENED,       /* a segment */
    MARK_SEGMENT_OVER, /* likewise: later keys do not belong to it */
    MARK_CLOSE         /* the two ends' knowledge of each other at its end */
};

struct transcript_mark {
    enum transcript_mark_kind kind;
    uint64_t n; /* number of the line's keys before it */
    uint64_t at_us;
    unsigned part;              /* of the session's plan, from 1: as the screens call it */
    enum close_outcome outcome; /* of MARK_CLOSE */
};

/* One line of the session. */
struct transcript_side {
    const struct key_event *event;      /* number n is event[n - 1]; point 0: lost by damage */
    uint64_t count;                     /* 0 and no marks: the line is not shown */
    const uint64_t *pressed_us;         /* as event; 0 or no array: not known */
    const struct transcript_mark *mark; /* n does not fall */
    size_t marks;
};

/* Everything is the caller's. */
struct transcript {
    const char *session;
    enum party role; /* the record's end */
    struct style style;
    const char *const *header; /* lines that stand first */
    size_t headers;
    bool untimed; /* the times of its keys are their order alone */
    struct transcript_side side[SIDES];
    uint64_t damaged; /* places where the record is damaged */
};

/* The readable conversation, a line for each turn: the time of its first key in UTC, and its text
 * as its BackSpaces left it. A turn ends with its Return, with its segment, or when its party goes
 * on after the other one has said something. If the style's page has lines, they stand as on the
 * page: whole, in the order of their Returns, with the times of these. BL_NOMEM. */
enum bl_status transcript_text(const struct transcript *transcript, const struct out *out);

/* Every key on a line of its own; keys.h reads it. */
void transcript_keys(const struct transcript *transcript, const struct out *out);

/* asciicast, version 2 (docs.asciinema.org/manual/asciicast/v2): the pages of all lines side by
 * side as they grew, in true time. BL_NOMEM. */
enum bl_status transcript_asciicast(const struct transcript *transcript, const struct out *out);

/* The same with the keys themselves: each line of the keys format stands at the end as an event of
 * kind "k", which players pass over, so the recording can be read again. BL_NOMEM. */
enum bl_status transcript_recording(const struct transcript *transcript, const struct out *out);

#endif
