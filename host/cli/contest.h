/* "boothlink contest VERB": what the files of its verbs share. */
#ifndef CLI_CONTEST_H
#define CLI_CONTEST_H

#include "contest/ruleset.h"

#include <stdbool.h>

/* The options, and what stands after the verb. */
struct contest_args {
    const char *ruleset;                     /* a name or a file */
    const char *name;                        /* the argument after the verb */
    int size, judges, entries, confederates; /* -1: not given */
    bool optimal, json;
};

/* Reads the ruleset of that name or, when it has a slash or ends with .ini, of that file. Errors
 * name the rulesets that there are. */
enum bl_status contest_load_ruleset(struct ruleset *ruleset, const char *name,
                                    struct bl_diag *diag);

/* The verbs: each prints its answer. */
enum bl_status contest_rulesets(const struct contest_args *args, struct bl_diag *diag);
enum bl_status contest_schedule(const struct contest_args *args, struct bl_diag *diag);

#endif
