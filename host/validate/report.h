/* The report of a validation, as lines of text and as JSON; with screens in report_html.h. */
#ifndef VALIDATE_REPORT_H
#define VALIDATE_REPORT_H

#include "validate/validate.h"

#include <jansson.h>

/* "PASS", "FAIL", "WARN", "SKIP". */
const char *verdict_word(enum verdict verdict);

/* The lines of one finding, each with a newline: its name, and if it has failed the expected and
 * the actual outcome, the evidence, and the command that repeats just this check. `again`: the
 * command line without --only and --seed. */
#define REPORT_LINES (FINDING_EVIDENCE + 8 * FINDING_TEXT + VALIDATE_COMMAND_MAX)
void report_finding(const struct finding *finding, const struct validate_options *options,
                    const char *again, char out[REPORT_LINES]);

/* The finding to mend first: the failed one in the way of most other checks, else the first failed
 * one, else the first warned of. NULL: nothing. */
const struct finding *report_first(const struct validate_report *report);

/* So many bytes of UTF-8 more than characters: printf pads a column by bytes. */
int report_wider(const char *text);

/* The verdict in one line: "It failed: 2 of 45 checks, 3 skipped." */
#define REPORT_HEADLINE 80
void report_headline(const struct validate_report *r, char out[REPORT_HEADLINE]);

/* The totals and their consequences, one or two lines. */
#define REPORT_TOTALS 4000
void report_totals(const struct validate_report *report, char out[REPORT_TOTALS]);

/* The ruleset's verdict in one line, without its newline, or the conditions of one. */
void report_says(const struct validate_report *report, char out[REPORT_TOTALS]);

/* The kind of Entry demanded by the rules, where the Entry is of another and only that kind's
 * checks could not look. NULL: not so. */
const struct entry_kind *report_demand(const struct validate_report *report);

/* The whole report. The caller's to decref. */
json_t *report_json(const struct validate_report *report, const char *again);

/* One row of the list of checks, with the verdicts of each of `count` rulesets. */
json_t *report_check_json(const struct check *check, const struct ruleset *ruleset, unsigned count);

#endif
