/* Shared by the files of the verbs of "boothlink validate". */
#ifndef CLI_VALIDATE_H
#define CLI_VALIDATE_H

#include "command/command.h"
#include "validate/validate.h"

struct validate_args {
    struct validate_options options;
    const char *ruleset;   /* a name or a file; NULL: not given */
    struct ruleset rules;  /* valid while the checks run */
    char folder[PATH_MAX]; /* the folder of the options, absolute */
    char again[VALIDATE_COMMAND_MAX];
    struct kind_texts text;
    struct entry entry;
    bool json;
    unsigned turn_end; /* enum turn_end plus 1; 0: not given */
};

/* Runs the checks of args->options.kind by the ruleset, in the folder, and prints the report. */
enum bl_status validate_go(struct validate_args *args, const struct command_call *call,
                           struct bl_diag *diag);

enum bl_status validate_comms(const struct command_call *call, struct bl_diag *diag);
enum bl_status validate_manifest(const struct command_call *call, struct bl_diag *diag);
enum bl_status validate_list(const struct command_call *call, struct bl_diag *diag);

#endif
