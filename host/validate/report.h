/* The report of a validation, as text lines and as JSON; report_html.h adds screens. */
#ifndef VALIDATE_REPORT_H
#define VALIDATE_REPORT_H

#include "validate/validate.h"

#include <jansson.h>

/* "PASS", "FAIL", "WARN", "SKIP". */
const char *verdict_word(enum verdict verdict);

/* Prints one finding as lines, each with a newline: its name; after a failure, the expected and the
 * actual result, the evidence, and the command that repeats this check. `again`: the command line
 * without --only and --seed. */
#define REPORT_LINES (FINDING_EVIDENCE + 8 * FINDING_TEXT + VALIDATE_COMMAND_MAX)
void report_finding(const struct finding *finding, const struct validate_options *options,
                    const char *again, char out[REPORT_LINES]);

/* The options behind `again` for this finding: its check, with those that the program had been
 * through, and the seed. */
#define REPORT_REPEAT (FINDING_HISTORY + 80)
void report_repeat(const struct finding *finding, const struct validate_options *options,
                   char out[REPORT_REPEAT]);

/* The finding to mend first: the failed check that blocks most others, else the first failed one,
 * else the first warning. A crash that another check repeats by itself is that check's. NULL:
 * none. */
const struct finding *report_first(const struct validate_report *report);

/* The bytes of a UTF-8 text minus its characters; printf pads columns by bytes. */
int report_wider(const char *text);

/* The verdict in one line: "It failed: 2 of 45 checks, 3 skipped." */
#define REPORT_HEADLINE 80
void report_headline(const struct validate_report *r, char out[REPORT_HEADLINE]);

/* The finding to mend first, the totals and the verdict, in up to five lines. */
#define REPORT_TOTALS 4000
void report_totals(const struct validate_report *report, char out[REPORT_TOTALS]);

/* Breaks lines at blanks, for a terminal of so many columns. */
void report_wrap(char *text, unsigned columns);

/* True, with the text in `out`, if the rules demand another kind of Entry. Known before any check.
 * False with `only`. */
bool report_wants(const struct validate_options *options, char out[REPORT_TOTALS]);

/* The ruleset's verdict in one line without a newline, or the conditions for a verdict. */
void report_says(const struct validate_report *report, char out[REPORT_TOTALS]);

/* The whole report; the caller owns the reference. */
json_t *report_json(const struct validate_report *report, const char *again);

/* One row of the list of checks, with its verdict under each of `count` rulesets. */
json_t *report_check_json(const struct check *check, const struct ruleset *ruleset, unsigned count);

#endif
