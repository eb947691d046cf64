/* Compares two rulesets line by line. Pure. */
#ifndef RULES_RULESET_LINES_H
#define RULES_RULESET_LINES_H

#include "base/built_text.h"
#include "base/status.h"

/* Finds a ruleset of the program by name. BL_NOINPUT lists all names; *found is static. */
enum bl_status ruleset_find(const struct built_text **found, const char *name,
                            struct bl_diag *diag);

/* Calls `tell` for each field that differs or that one of the texts lacks. The texts are valid for
 * ruleset_parse(); the names are for the lines. Comments and blanks are ignored. Returns the number
 * of differences. */
unsigned ruleset_differences(const char *text, const char *name, const char *other,
                             const char *other_name, void (*tell)(void *ctx, const char *line),
                             void *ctx);

#endif
