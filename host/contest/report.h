/* The report of a contest: one HTML page that needs nothing else. Pure: the contest as it is goes
 * in, the page comes out through a callback. Who sat on which side is said only once the whole
 * contest is sealed; before that the page says that it is provisional. */
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

/* A judge's notes, by the number of their ballot's act; a C string. */
struct report_note {
    int64_t act;
    char *text;
};

struct report {
    const struct contest *contest;
    const char *rules_text;            /* of the ruleset, whose lines cite their rules */
    const struct timetable *timetable; /* NULL: no times */
    /* Of the screening; those to the same question are laid side by side (2003 r38). */
    const struct report_answer *answer;
    size_t answers;
    const struct report_note *note;
    size_t notes;
    const char *made; /* time of making, for the reader; NULL: not said */
    /* The path of a session's transcript, relative to the page; NULL: there is none. Both numbers
     * are from 0. It lives until the next call. May be NULL itself. */
    const char *(*transcript)(void *ctx, unsigned round, unsigned judge);
    /* The keys of a meeting's session, for pictures of how all typed; NULL: there is no record of
     * it. They live until the next call. May be NULL itself. */
    const struct history *(*typed)(void *ctx, const struct meeting *meeting);
    void *ctx;
};

void report_write(const struct report *report, const struct html_out *out);

#endif
