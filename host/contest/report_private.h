#ifndef CONTEST_REPORT_PRIVATE_H
#define CONTEST_REPORT_PRIVATE_H

#include "contest/rates.h"
#include "contest/report.h"

struct bar {
    char label[64], text[64];    /* the texts before and after the bar */
    double part;                 /* share of the scale, 0 to 1 */
    struct rate_interval likely; /* interval of the share; high 0: not drawn */
    bool is_human;               /* drawn in another colour */
};

/* Writes "E2 Name", with the name cut to `most` characters. Candidates: Entries, then
 * confederates. */
void report_label(const struct contest *contest, unsigned candidate, unsigned most, char out[64]);

/* Puts charts of the scores, and of each judge's Entries taken for the human. */
void report_charts(const struct html_out *out, const struct contest *contest,
                   const struct result *result);

/* report_ballots(): puts ballots and ranks, a row for each judge. report_notes(): the judges'
 * notes. */
void report_ballots(const struct html_out *out, const struct contest *contest);
void report_notes(const struct html_out *out, const struct report *report);

/* Puts the exceptions from the plan, with their reasons. */
void report_exceptions(const struct html_out *out, const struct contest *contest);

/* Puts answers of different Entries to the same question, with their likeness in per cent. */
void report_answers(const struct html_out *out, const struct ruleset *rules,
                    const struct report_answer *answer, size_t count);

/* Puts pictures of all typing in each session with a record, with the people's names. */
void report_typing(const struct html_out *out, const struct report *report);

#define REPORT_RATING 16
/* Thousandths as a decimal without trailing zeros. */
void report_rating(int64_t numerator, int64_t denominator, char out[REPORT_RATING]);

#endif
