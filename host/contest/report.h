/* The report of a contest: one self-contained HTML page. Pure: a callback gets the page. Before the
 * whole contest is sealed the page is marked provisional, and sides are not told. */
#ifndef CONTEST_REPORT_H
#define CONTEST_REPORT_H

#include "contest/contest.h"
#include "base/html.h"
#include "rules/timetable.h"
#include "transcript/history.h"

/* An Entry's answer; C strings. */
struct report_answer {
    char *entry, *question, *text;
};

/* A judge's notes, a C string, by the number of the ballot's act. */
struct report_note {
    int64_t act;
    char *text;
};

struct report {
    const struct contest *contest;
    const char *rules_text;            /* the ruleset's text, whose lines cite their rules */
    const struct timetable *timetable; /* NULL: no times */
    /* The screening's answers. Answers to one question are shown side by side (2003 r38). */
    const struct report_answer *answer;
    size_t answers;
    const struct report_note *note;
    size_t notes;
    const char *made; /* time of making, for the reader; NULL: not said */
    /* The path of a session's transcript, relative to the page, which lives until the next call.
     * NULL: no transcript. Both numbers count from 0. The callback may be NULL. */
    const char *(*transcript)(void *ctx, unsigned round, unsigned judge);
    /* The keys of a meeting's session, for pictures of the typing, which live until the next call.
     * NULL: no record. The callback may be NULL. */
    const struct history *(*typed)(void *ctx, const struct meeting *meeting);
    void *ctx;
};

void report_write(const struct report *report, const struct html_out *out);

#endif
