/* The lines of a ruleset's text: which of them differ from another's. Pure. */
#ifndef RULES_RULESET_LINES_H
#define RULES_RULESET_LINES_H

#include "base/built_text.h"
#include "base/status.h"

/* One of the program's own. BL_NOINPUT lists them all; *found lives as long as the program. */
enum bl_status ruleset_find(const struct built_text **found, const char *name,
                            struct bl_diag *diag);

/* Tells a line for each field that differs, or that one of them lacks; the texts are such as
 * ruleset_parse() takes, the names are for the lines. Comments and blanks make no difference.
 * Returns how many. */
unsigned ruleset_differences(const char *text, const char *name, const char *other,
                             const char *other_name, void (*tell)(void *ctx, const char *line),
                             void *ctx);

#endif
