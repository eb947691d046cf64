/* Parses a command line by the command's table of options. */
#include "command/command.h"

#include "base/nearest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#define NEAR_VERBS 3u /* most verbs named if none is given */

struct walk {
    const struct command *command;
    int argc;
    char **argv;
    int at;         /* index of the current argument */
    bool only_bare; /* after "--" */
    void *options;
    unsigned words; /* arguments that are not options, moved to argv[1] and following */
};

static const struct command_option *find_option(const struct command *command, const char *word,
                                                size_t length)
{
    for (const struct command_option *o = command->options; o && o->name; o++)
        if (strlen(o->name) == length && strncmp(o->name, word, length) == 0)
            return o;
    return NULL;
}

static enum bl_status unknown_option(const struct command *command, const char *word, size_t length,
                                     struct bl_diag *diag)
{
    char name[41];
    const char *near = NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    struct nearest nearest = nearest_start(name);
    for (const struct command_option *o = command->options; o && o->name; o++)
        if (o->help && length < sizeof name && nearest_is(&nearest, o->name))
            near = o->name;
    if (near)
        return bl_fail(diag, BL_USAGE, "unknown option %s; did you mean %s?", name, near);
    return bl_fail(diag, BL_USAGE, "unknown option %s; \"boothlink help %s\" lists them", name,
                   command->name);
}

/* Finds the index of a value in the words "a|b|c", from 0. */
static enum bl_status find_word(const struct command_option *option, const char *value,
                                unsigned *which, struct bl_diag *diag)
{
    const size_t wanted = strlen(value);
    char all[120];
    size_t used = 0;
    *which = 0;
    for (const char *word = option->value; *word; ++*which) {
        size_t length = strcspn(word, "|");
        if (length == wanted && strncmp(word, value, length) == 0)
            return BL_OK;
        const char *next = word + length + (word[length] == '|');
        const char *between = *next == '\0' ? " or " : ", ";
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%.*s",
                                 word == option->value ? "" : between, (int)length, word);
        if (used >= sizeof all)
            used = sizeof all - 1;
        word = next;
    }
    return bl_fail(diag, BL_USAGE, "%s %.40s: expected %s", option->name, value, all);
}

static enum bl_status read_number(const struct command_option *option, const char *text,
                                  double *out, struct bl_diag *diag)
{
    const bool whole = option->kind != OPTION_SECONDS;
    char *rest;
    *out = strtod(text, &rest);
    if (rest == text || *rest || !(*out >= option->least) || !(*out <= option->most) ||
        (whole && *out != (unsigned)*out))
        return bl_fail(diag, BL_USAGE, "%s %.40s: expected a %snumber from %.10g to %.10g",
                       option->name, text, whole ? "whole " : "", option->least, option->most);
    return BL_OK;
}

static enum bl_status add_to_list(const struct command_option *option, struct option_list *list,
                                  const char *value, struct bl_diag *diag)
{
    if (list->count == OPTION_LIST_MAX || list->count >= (unsigned)option->most)
        return bl_fail(diag, BL_USAGE, "%s: expected at most %g of them", option->name,
                       option->most < OPTION_LIST_MAX ? option->most : OPTION_LIST_MAX);
    list->value[list->count++] = value;
    return BL_OK;
}

static enum bl_status take_value(const struct command_option *option, void *options,
                                 const char *value, struct bl_diag *diag)
{
    void *field = (char *)options + option->offset;
    enum bl_status status = BL_OK;
    unsigned which;
    double number;
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        break;
    case OPTION_WORD:
        status = find_word(option, value, &which, diag);
        *(const char **)field = value;
        break;
    case OPTION_TEXT:
        *(const char **)field = value;
        break;
    case OPTION_CHOICE:
        status = find_word(option, value, &which, diag);
        if (status == BL_OK)
            *(unsigned *)field = (unsigned)option->least + which;
        break;
    case OPTION_NUMBER:
    case OPTION_SECONDS:
        status = read_number(option, value, &number, diag);
        if (status == BL_OK)
            *(unsigned *)field =
                (unsigned)(option->kind == OPTION_SECONDS ? number * 1000 : number);
        break;
    case OPTION_COUNT:
        status = read_number(option, value, &number, diag);
        if (status == BL_OK)
            *(int64_t *)field = (int64_t)number;
        break;
    case OPTION_LIST:
        status = add_to_list(option, field, value, diag);
        break;
    case OPTION_OWN:
        status = option->take(options, value, diag);
        break;
    }
    return status;
}

/* Finds the value of an option: after "=", or in the next argument. */
static enum bl_status find_value(struct walk *walk, const struct command_option *option,
                                 const char *equals, const char **value, struct bl_diag *diag)
{
    const bool optional = option->value && option->value[0] == '[';
    *value = *equals == '=' ? equals + 1 : NULL;
    if (!option->value)
        return *value ? bl_fail(diag, BL_USAGE, "%s takes no value", option->name) : BL_OK;
    if (!*value && walk->at + 1 < walk->argc) {
        const char *next = walk->argv[walk->at + 1];
        /* If the next argument is another option, the value was forgotten. */
        if (!find_option(walk->command, next, strcspn(next, "=")) &&
            !(optional && next[0] == '-')) {
            *value = next;
            walk->at++;
        }
    }
    if ((*value && **value) || (optional && !*value))
        return BL_OK;
    return bl_fail(diag, BL_USAGE, "%s needs a value: %s %s", option->name, option->name,
                   option->value);
}

/* The option for which an argument without an option was meant: the synopsis's first option that
 * may have this value: a port, an existing folder, or any other text. */
static const struct command_option *option_meant(const struct command *command, const char *word)
{
    static const char *const ports[] = {"/dev/", "serial:", "ether:"};
    struct stat found;
    const char *value = stat(word, &found) == 0 && S_ISDIR(found.st_mode) ? "DIR" : "";
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++)
        value = strncmp(word, ports[i], strlen(ports[i])) == 0 ? "PORT" : value;
    for (const char *at = command->synopsis; (at = strstr(at, "--")); at += 2) {
        const struct command_option *option = find_option(command, at, strcspn(at, " ])|="));
        if (!option || !option->value)
            continue;
        if (strcmp(option->name, "--serial") == 0 && strncmp(word, "ether:", 6) == 0)
            continue;
        bool own = strcmp(option->value, "PORT") == 0 || strcmp(option->value, "DIR") == 0;
        if (strcmp(own ? option->value : "", value) == 0)
            return option;
    }
    return NULL;
}

static enum bl_status no_argument(const struct command *command, const char *word,
                                  struct bl_diag *diag)
{
    const struct command_option *meant = option_meant(command, word);
    if (meant)
        return bl_fail(diag, BL_USAGE,
                       "'%.60s' has no option before it; did you mean %s '%.60s'? expected %s %s",
                       word, meant->name, word, command->name, command->synopsis);
    return bl_fail(diag, BL_USAGE, "'%.40s': takes no argument; expected %s%s%s", word,
                   command->name, *command->synopsis ? " " : "", command->synopsis);
}

/* Takes one argument. BL_AGAIN: help is requested. */
static enum bl_status take_argument(struct walk *walk, struct bl_diag *diag)
{
    char *word = walk->argv[++walk->at];
    const size_t length = strcspn(word, "=");
    const struct command_option *option;
    const char *value;
    if (!walk->only_bare && strcmp(word, "--") == 0) {
        walk->only_bare = true;
        return BL_OK;
    }
    if (walk->only_bare || word[0] != '-' || !word[1]) {
        if (walk->command->most == 0)
            return no_argument(walk->command, word, diag);
        if (walk->words == walk->command->most)
            return bl_fail(diag, BL_USAGE, "'%.40s' is too much; expected %s %s", word,
                           walk->command->name, walk->command->synopsis);
        walk->argv[1 + walk->words++] = word;
        return BL_OK;
    }
    option = find_option(walk->command, word, length);
    if (!option) {
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
            return BL_AGAIN;
        return unknown_option(walk->command, word, length, diag);
    }
    enum bl_status status = find_value(walk, option, word + length, &value, diag);
    return status == BL_OK ? take_value(option, walk->options, value, diag) : status;
}

/* True for "boothlink ports help", which means "boothlink help ports" unless there is a file
 * `help`. */
static bool asks_help(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "help") == 0 && access(argv[1], F_OK) != 0;
}

static enum bl_status read_line(struct walk *walk, struct bl_diag *diag)
{
    const struct command *command = walk->command;
    enum bl_status status = asks_help(walk->argc, walk->argv) ? BL_AGAIN : BL_OK;
    while (status == BL_OK && walk->at + 1 < walk->argc)
        status = take_argument(walk, diag);
    if (status == BL_OK && walk->words < command->least)
        status = bl_fail(diag, BL_USAGE, "expected %s %s", command->name, command->synopsis);
    return status;
}

static int run_line(const struct command *command, void *options, int argc, char **argv)
{
    /* Parsing reorders the arguments. This is their original order. */
    char **as_given = calloc((size_t)argc + 1, sizeof *as_given);
    struct walk walk = {.command = command, .argc = argc, .argv = argv, .options = options};
    struct bl_diag diag = {""};
    enum bl_status status = BL_NOMEM;
    int code = EX_OK;
    if (as_given) {
        memcpy(as_given, argv, (size_t)argc * sizeof *argv);
        status = read_line(&walk, &diag);
    }
    if (status == BL_AGAIN) {
        command_print_help(command, stdout);
    } else if (status == BL_OK) {
        argv[1 + walk.words] = NULL;
        const struct command_call call = {.command = command,
                                          .options = options,
                                          .word = argv + 1,
                                          .words = walk.words,
                                          .argc = argc,
                                          .argv = as_given,
                                          .code = &code};
        status = command->run(&call, &diag);
        fflush(stdout);
        if (status != BL_OK)
            code = bl_status_exit(status);
        if (status != BL_OK && diag.text[0])
            code = command_fail(command, status, diag.text);
    } else {
        code = command_fail(command, status, diag.text);
    }
    free(as_given);
    return code;
}

/* The index of the verb: the first argument that is neither an option nor an option's value; 0:
 * none. */
static int find_verb(const struct command *command, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const size_t length = strcspn(argv[i], "=");
        const struct command_option *option = NULL;
        if (argv[i][0] != '-')
            return i;
        for (const struct command *verb = NULL;
             !option && (verb = command_next_verb(command, verb));)
            option = find_option(verb, argv[i], length);
        i += option && option->value && option->value[0] != '[' && !argv[i][length];
    }
    return 0;
}

static bool knows_options(const struct command *verb, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-' && !find_option(verb, argv[i], strcspn(argv[i], "=")))
            return false;
    return argc > 1;
}

/* Writes the fault of a missing verb. If few verbs have all given options, names these verbs. */
static void missing_verb(const struct command *command, int argc, char **argv, char *text,
                         size_t room)
{
    const struct command *near[NEAR_VERBS], *verb = NULL;
    size_t count = 0, used;
    while ((verb = command_next_verb(command, verb))) {
        if (verb->hidden || !knows_options(verb, argc, argv))
            continue;
        if (count < NEAR_VERBS)
            near[count] = verb;
        count++;
    }
    used = (size_t)snprintf(text, room, "missing a verb; ");
    if (count == 0 || count > NEAR_VERBS) {
        snprintf(text + used, room - used, "\"boothlink help %s\" lists them", command->name);
        return;
    }
    for (size_t i = 0; i < count && used < room; i++)
        used +=
            (size_t)snprintf(text + used, room - used, "%s\"%s %s\"%s",
                             i == 0           ? "did you mean "
                             : i == count - 1 ? " or "
                                              : ", ",
                             command->name, command_verb_name(near[i]), i == count - 1 ? "?" : "");
}

static int run_verb(const struct command *command, int argc, char **argv)
{
    const struct command *verb;
    int at = find_verb(command, argc, argv);
    if (!at && argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        command_print_help(command, stdout);
        return EX_OK;
    }
    if (!at) {
        char text[200];
        missing_verb(command, argc, argv, text, sizeof text);
        return command_fail(command, BL_USAGE, text);
    }
    verb = command_find(command, argv[at], NULL);
    if (!verb && strcmp(argv[at], "help") == 0) { /* of the command, or of a verb that follows */
        const struct command *about =
            at + 1 < argc ? command_find(command, argv[at + 1], NULL) : command;
        if (!about)
            return command_unknown(command, argv[at + 1]);
        command_print_help(about, stdout);
        return EX_OK;
    }
    if (!verb)
        return command_unknown(command, argv[at]);
    /* moves the verb before the options */
    char *name = argv[at];
    memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof *argv);
    argv[1] = name;
    return command_run(verb, argc - 1, argv + 1);
}

int command_run(const struct command *command, int argc, char **argv)
{
    void *options;
    int code;
    if (command->main)
        return command->main(argc, argv);
    if (command->verbs)
        return run_verb(command, argc, argv);
    options = calloc(1, command->size ? command->size : 1);
    if (!options)
        return command_fail(command, BL_NOMEM, bl_status_text(BL_NOMEM));
    if (command->start)
        command->start(options);
    code = run_line(command, options, argc, argv);
    free(options);
    return code;
}
