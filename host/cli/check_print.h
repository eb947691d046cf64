/* A line's report for people; with --json, for programs. */
#ifndef CLI_CHECK_PRINT_H
#define CLI_CHECK_PRINT_H

#include "link/check_report.h"

#include <jansson.h>

/* Prints the report, at most 80 columns wide. */
void check_print(const struct check_line *line, const struct check_report *report);

json_t *check_json(const struct check_line *line, const struct check_report *report);

#endif
