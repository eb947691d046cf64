/* A contest's result, and the finalists, for other programs. Pure. */
#ifndef CONTEST_RESULT_JSON_H
#define CONTEST_RESULT_JSON_H

#include "contest/contest.h"

#include <jansson.h>

/* The result. steps: a list of objects with "rule" and "text", owned by the caller. */
json_t *result_json(const struct contest *contest, const struct result *result, json_t *steps);
json_t *selection_json(const struct contest *contest, const struct selection *selection,
                       json_t *steps);

/* "reserve", "finalist". */
const char *selection_stage_name(enum selection_stage stage);

#endif
