/* "boothlink validate VERB": what the files of its verbs share. */
#ifndef CLI_VALIDATE_H
#define CLI_VALIDATE_H

#include "cli/command.h"
#include "validate/validate.h"

struct validate_args {
    const struct command *command;
    struct validate_options options;
    const char *ruleset;   /* a name or a file; NULL: not given */
    struct ruleset rules;  /* valid after validate_prepare() */
    char folder[PATH_MAX]; /* the folder of the options, absolute */
    char again[VALIDATE_COMMAND_MAX];
    bool json, turn_end;
};

/* The ruleset and the folder, for the verbs that run programs. */
enum bl_status validate_prepare(struct validate_args *args, struct bl_diag *diag);

/* Runs the checks of args->options.kind and prints; what to exit with. */
int validate_go(struct validate_args *args);

int validate_entry(struct validate_args *args);
int validate_comms(struct validate_args *args);
int validate_list(struct validate_args *args);

#endif
