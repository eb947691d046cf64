/* One table of commands serves parsing, dispatch, help, completion and manual. A verb, such as
 * `ballot` of `contest`, is also a command, with its own options, help and manual section.
 *
 * * A new command is a file with a `const struct command command_X` and a line in table.c. A new
 * verb is a row in a table of verbs, in the file of the verb's function; the command's row names
 * its tables of verbs. */
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
    OPTION_TEXT,   /* const char *: the value itself; NULL for an omitted optional value */
    OPTION_WORD,   /* const char *: one of the words in the row's `value` */
    OPTION_CHOICE, /* an enum: `least` for the first of those words, `least` + 1 for the next ... */
    OPTION_NUMBER, /* unsigned, or an int without a sign: `least` to `most` */
    OPTION_COUNT,  /* int64_t: `least` to `most` */
    OPTION_SECONDS, /* unsigned, in milliseconds: `least` to `most` seconds, with decimals */
    OPTION_LIST,    /* struct option_list: all values in the given order, at most `most` */
    OPTION_OWN,     /* take() parses it, into any fields */
};

enum { OPTION_LIST_MAX = 32 };

struct option_list {
    const char *value[OPTION_LIST_MAX];
    unsigned count;
};

struct command_option {
    const char *name;  /* "--left" */
    const char *value; /* "PORT", "judge|either", "[DIR]" if optional; NULL for a flag */
    const char *help;  /* one line, without a full stop; NULL: accepted, but not in the help */
    enum option_kind kind;
    size_t offset; /* offset of the field in the command's struct of options */
    double least, most;
    /* OPTION_OWN: parses the value into the struct of options. */
    enum bl_status (*take)(void *options, const char *value, struct bl_diag *diag);
};

/* A parsed command line. */
struct command_call {
    const struct command *command;
    void *options;     /* the command's struct, filled by its table of options */
    char *const *word; /* the arguments that are not options; ends with NULL */
    unsigned words;
    int argc; /* the original command line, from the command's name on */
    char *const *argv;
    int *code; /* run() may set this exit status for success */
};

struct command {
    const char *name;     /* "judge"; for a verb "contest ballot" */
    const char *synopsis; /* after "boothlink NAME" */
    const char *help;     /* one line, without a full stop */
    const char *text;     /* paragraphs for --help and the manual; "" if a verb's `help` suffices */
    const char *examples; /* command lines, one per line; or NULL */
    const struct command_option *options; /* ends with a NULL name; NULL: none */
    size_t size;                          /* size of the struct of options; 0: none */
    void (*start)(void *options);         /* sets the defaults that are not zero; or NULL */
    unsigned least, most;                 /* number of arguments that are not options */
    const struct command *const *verbs;   /* tables of verbs, ends with NULL; NULL: no verbs */
    bool hidden;                          /* hidden from the help: for our own processes */
    /* Runs the command. After a failure the line in diag, if any, is printed, and the status
     * determines the exit status. NULL for a command with verbs. */
    enum bl_status (*run)(const struct command_call *call, struct bl_diag *diag);
    const struct contest_verb *act; /* act of a verb whose run() records one act: cli/contest.h */
    /* Replaces run() for a program that users do not start: takes all arguments unparsed and
     * returns the exit status. */
    int (*main)(int argc, char **argv);
};

struct message_room;
extern const struct message_room *const command_messages; /* the messages of the screens */
extern const char
    *const command_users[]; /* the audience of each of `commands`, the most frequent first */

#define COMMAND_WORDS_ANY UINT_MAX

/* Rows of a table of options: for a field of a struct, for a number with limits, and for a
 * function. */
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

/* All commands; ends with NULL. */
extern const struct command *const commands[];

/* Parses the command line by the command's table and runs the command or its verb. argv[0] is the
 * command's name; argv is reordered. Prints faults to standard error, an unknown option with the
 * most similar one. Handles --help. Returns the exit status. */
int command_run(const struct command *command, int argc, char **argv);

/* For a run() whose output has reported the fault: no further message is printed. */
enum bl_status command_told(enum bl_status status, struct bl_diag *diag);

/* The index of an option's value in words (ends with NULL); 0: no value (NULL). BL_USAGE, with the
 * words in diag: another value. */
enum bl_status command_choose(const char *option, const char *value, const char *const *words,
                              unsigned *which, struct bl_diag *diag);

/* Writes to a FILE; a callback for struct html_out. */
void command_write(void *file, const char *bytes, size_t length);

/* As printf(), for foreign text such as names of files and people: characters that control a
 * terminal or reverse the direction of writing become '?'. At most 4 KB. */
void command_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a JSON value on one line (JSON_COMPACT) or several (JSON_INDENT), and releases it. */
void command_json(json_t *json, size_t form);

/* Shows the progress of writing many files, if standard error is a terminal. */
void command_progress(unsigned done, unsigned of);

/* Prints "boothlink NAME: text" to standard error; returns the exit code of the status. */
int command_fail(const struct command *command, enum bl_status status, const char *text);

/* Finds a command by name, hidden ones included, or a verb of `of`. NULL: none; *nearest (may be
 * NULL) is then the most similar listed one, or NULL. */
const struct command *command_find(const struct command *of, const char *name,
                                   const struct command **nearest);

/* Iterates over the verbs of a command: the first after NULL, NULL after the last. */
const struct command *command_next_verb(const struct command *of, const struct command *last);

/* A verb's own name: "ballot" of "contest ballot". */
const char *command_verb_name(const struct command *verb);

/* Prints "there is no command NAME" with the most similar one to standard error. Returns
 * EX_USAGE. */
int command_unknown(const struct command *of, const char *name);

/* Prints the output of --help for a command, or for all if command is NULL. */
void command_print_help(const struct command *command, FILE *out);

/* Prints a manual page in man(7): of a command with its verbs, or of all if command is NULL. */
void command_print_manual(const struct command *command, FILE *out);

/* Prints the completion script for bash. */
void command_print_completion(FILE *out);

/* The whole program, without main(), for tests. Returns the exit status. */
int boothlink_main(int argc, char **argv);

#endif
