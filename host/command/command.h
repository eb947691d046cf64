/* One table of commands serves parsing, dispatch, help, completion and manual. A verb, as `ballot`
 * of `contest`, is a command too: it has options, help and a manual section of its own.
 *
 * A new command is a file with a `const struct command command_X` and a line in table.c. A new verb
 * is a row in a table of verbs, which stands in the file of the verb's function; a new table of
 * verbs is named in its command's row. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include "base/status.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum option_kind {
    OPTION_FLAG,   /* bool: true */
    OPTION_TEXT,   /* const char *: the value itself, NULL where it may be left out and was */
    OPTION_WORD,   /* const char *: the value, which is one of the words in the row's `value` */
    OPTION_CHOICE, /* an enum: `least` for the first of those words, `least` + 1 for the next ... */
    OPTION_NUMBER, /* unsigned, or an int that needs no sign: `least` to `most` */
    OPTION_COUNT,  /* int64_t: the same */
    OPTION_SECONDS, /* unsigned, in milliseconds; `least` to `most` seconds, with decimals */
    OPTION_LIST,    /* struct option_list: every value, in the order given, `most` at most */
    OPTION_OWN,     /* take() reads it, into any fields */
};

enum { OPTION_LIST_MAX = 32 };

struct option_list {
    const char *value[OPTION_LIST_MAX];
    unsigned count;
};

struct command_option {
    const char *name;  /* "--left" */
    const char *value; /* "PORT", "judge|either", "[DIR]" if it may be left out; NULL for a flag */
    const char *help;  /* one line, without a full stop; NULL: taken, but in no help */
    enum option_kind kind;
    size_t offset; /* of its field in the command's struct of options */
    double least, most;
    /* OPTION_OWN: reads the value into the struct of options. */
    enum bl_status (*take)(void *options, const char *value, struct bl_diag *diag);
};

/* The values of a command line. */
struct command_call {
    const struct command *command;
    void *options;     /* the command's struct, filled by the table */
    char *const *word; /* the arguments that are no options, ends with NULL */
    unsigned words;
    int argc; /* the command line as it was, from the command's name on */
    char *const *argv;
    int *code; /* run() may set it: the exit status if all went well */
};

struct command {
    const char *name;     /* "judge"; a verb's with its command's: "contest ballot" */
    const char *synopsis; /* after "boothlink NAME" */
    const char *help;     /* one line, without a full stop */
    const char *text; /* a paragraph or two for --help and the manual, separated by an empty line; a
                         verb whose help says all has "" */
    const char *examples;                 /* command lines, each on a line of its own; or NULL */
    const struct command_option *options; /* ends with a NULL name; or NULL for none */
    size_t size;                          /* of the struct that the options fill; 0 for none */
    void (*start)(void *options);         /* sets options that are not zero at first; or NULL */
    unsigned least, most;                 /* number of words beside the options */
    const struct command *const *verbs; /* tables of verbs; ends with NULL; or NULL for no verbs */
    bool hidden;                        /* can be run, but is in no help: for our own processes */
    /* Runs the command. If it fails, the line in diag is printed, if there is one, and the status
     * gives the exit status. NULL for a command with verbs. */
    enum bl_status (*run)(const struct command_call *call, struct bl_diag *diag);
    const struct contest_verb *act; /* for the run() of verbs that are one act: cli/contest.h */
    /* Or, for a program that is no person's command line: all arguments as they are; returns the
     * exit status. */
    int (*main)(int argc, char **argv);
};

struct message_room;
extern const struct message_room *const command_messages; /* the screens' messages */
extern const char *const command_users[]; /* the users of each of `commands`; those used most
                                             first */

#define COMMAND_WORDS_ANY UINT_MAX

/* Rows of a table of options: into a field of a struct, with limits, and by a function. */
#define OPTION_RANGE(name, value, help, kind, type, field, least, most)                            \
    {                                                                                              \
        name, value, help, kind, offsetof(type, field), least, most, NULL                          \
    }
#define OPTION_ROW(name, value, help, kind, type, field)                                           \
    OPTION_RANGE(name, value, help, kind, type, field, 0, 0)
#define OPTION_TAKEN(name, value, help, take)                                                      \
    {                                                                                              \
        name, value, help, OPTION_OWN, 0, 0, 0, take                                               \
    }
#define OPTION_JSON(type, help) OPTION_ROW("--json", NULL, help, OPTION_FLAG, type, json)

/* All of them, ends with NULL. */
extern const struct command *const commands[];

/* Reads the command line by the command's table and runs it, or the verb named in it. argv[0] is
 * the command's name; argv is reordered. Faults are printed to standard error, an unknown option
 * with the nearest right one. "--help" is answered here. Returns the exit status. */
int command_run(const struct command *command, int argc, char **argv);

/* For a run(): its output has named the fault, nothing more is to be printed. */
enum bl_status command_told(enum bl_status status, struct bl_diag *diag);

/* The index of an option's value in words (ends with NULL), 0 for no value (NULL). Anything else:
 * BL_USAGE, with the words in the diag. */
enum bl_status command_choose(const char *option, const char *value, const char *const *words,
                              unsigned *which, struct bl_diag *diag);

/* Writes to a FILE, as struct html_out wants it. */
void command_write(void *file, const char *bytes, size_t length);

/* As printf, for text somebody else made, names of files and people: points a terminal obeys, or
 * that turn a line around, become '?'. At most 4 KB. */
void command_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a JSON value as a whole, on one line (JSON_COMPACT) or many (JSON_INDENT), and gives it
 * back. */
void command_json(json_t *json, size_t form);

/* Prints "boothlink NAME: text" to standard error and returns the status's exit code. */
int command_fail(const struct command *command, enum bl_status status, const char *text);

/* The command of that name, hidden ones too; or with `of`, its verb of that name. If there is none:
 * NULL, and the nearest one that is listed, or NULL if none is near, in *nearest (which may be
 * NULL). */
const struct command *command_find(const struct command *of, const char *name,
                                   const struct command **nearest);

/* Walks over the verbs of a command: the first after NULL, NULL after the last. */
const struct command *command_next_verb(const struct command *of, const struct command *last);

/* A verb's own name: "ballot" of "contest ballot". */
const char *command_verb_name(const struct command *verb);

/* Prints "there is no command NAME" with the nearest one to standard error; returns EX_USAGE. */
int command_unknown(const struct command *of, const char *name);

/* The output of --help: of one command, or of all when command is NULL. */
void command_print_help(const struct command *command, FILE *out);

/* The page for man(1) in man(7): of one command with its verbs, or of all when command is NULL. */
void command_print_manual(const struct command *command, FILE *out);

/* The completion script for bash, of all the commands. */
void command_print_completion(FILE *out);

/* The whole program, so tests can link everything but main(). Returns the exit status. */
int boothlink_main(int argc, char **argv);

#endif
