/* One table of subcommands serves dispatch, help, completion and manual. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

struct command_option {
    const char *name;  /* "--left" */
    const char *value; /* "PORT", "judge|either", "[DIR]" if it may be left out; NULL for a flag */
    const char *help;  /* one line, without a full stop; NULL: taken, but in no help */
};

struct command {
    const char *name;
    const char *synopsis; /* after "boothlink NAME" */
    const char *help;     /* one line, without a full stop */
    const char *text; /* a paragraph or two for --help and the manual, parted by an empty line */
    const char *examples;                 /* command lines, each on a line of its own; or NULL */
    const struct command_option *options; /* ends with a NULL name; or NULL for none */
    bool hidden;                          /* can be run, but is in no help: for our own processes */
    /* Runs it; argv[0] is the subcommand's name. Returns a sysexits code. */
    int (*run)(const struct command *command, int argc, char **argv);
};

/* All of them, ends with NULL. */
extern const struct command *const commands[];

/* Walks the arguments of a command line against the command's table. Start with
 * {.command = command, .argc = argc, .argv = argv}; the arguments must outlive the walk.
 *
 * command_next returns the option's name out of the table, with its value in `value` (NULL for a
 * flag, or left out), or a bare argument itself with `bare` true. Both "--name VALUE" and
 * "--name=VALUE" are taken, and all is bare after "--". It returns NULL at the end with `status`
 * BL_OK, and after an error, which it has printed with the nearest right option, with `status`
 * BL_USAGE. "--help" is answered here: NULL, with `helped` true. */
struct command_walk {
    const struct command *command;
    int argc;
    char **argv;
    int at;         /* the argument looked at last */
    bool only_bare; /* after "--" */
    const char *value;
    bool bare;
    bool helped;
    enum bl_status status;
};
const char *command_next(struct command_walk *walk);

/* Which of words (ends with NULL) an option's value is: its index, 0 for no value (NULL). Anything
 * else: BL_USAGE, with the words in the diag. */
enum bl_status command_choose(const char *option, const char *value, const char *const *words,
                              unsigned *which, struct bl_diag *diag);

/* Prints "boothlink NAME: text" to standard error and returns the status's exit code. */
int command_fail(const struct command *command, enum bl_status status, const char *text);

/* The command of that name, hidden ones too. If there is none: NULL, and the nearest one that is
 * listed, or NULL if none is near, in *nearest (which may be NULL). */
const struct command *command_find(const char *name, const struct command **nearest);

/* Prints "there is no command NAME" with the nearest one to standard error; returns EX_USAGE. */
int command_unknown(const char *name);

/* What --help prints: of one command, or of all when command is NULL. */
void command_print_help(const struct command *command, FILE *out);

/* The page for man(1) in man(7): of one command, or of all when command is NULL. */
void command_print_manual(const struct command *command, FILE *out);

/* The completion script for bash, of all the commands. */
void command_print_completion(FILE *out);

/* The whole program, so that tests can link everything but main(). Returns what to exit with. */
int boothlink_main(int argc, char **argv);

#endif
