/* One table of subcommands serves dispatch, help, completion and manual. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/status.h"

struct command_option {
    const char *name;  /* "--left" */
    const char *value; /* "PORT", NULL for a flag */
    const char *help;  /* one line */
};

struct command {
    const char *name;
    const char *synopsis; /* after "boothlink NAME" */
    const char *help;     /* one line */
    const char *text;     /* a paragraph or two for --help and the manual */
    const struct command_option *options; /* ends with a NULL name */
    /* Runs it; argv[0] is the subcommand's name. Returns a sysexits code. */
    int (*run)(const struct command *command, int argc, char **argv);
};

/* All of them, ends with a NULL name. */
extern const struct command *const commands[];

/* Walks the options of a command line against the command's table. Returns the option's name from the
 * table and its value in *value; the bare argument itself with *value NULL and *bare true; NULL at the end or after an error. Errors
 * (unknown option, missing value) are printed with the nearest right one, and *status is BL_USAGE. --help
 * is answered and sets *status to BL_OK with *helped true. Both --name=VALUE and --name VALUE are taken. */
struct command_walk {
    const struct command *command;
    int argc;
    char **argv;
    int at;
    int rest; /* after "--" */
    const char *value;
    int bare;
    int helped;
    enum bl_status status;
};
const char *command_next(struct command_walk *walk);

/* Prints "boothlink NAME: text" to standard error and returns the status's exit code. */
int command_fail(const struct command *command, enum bl_status status, const char *text);

/* The whole help of one command, to standard output. */
void command_help(const struct command *command);

int boothlink_main(int argc, char **argv);

#endif
