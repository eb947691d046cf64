#include "cli/command.h"
#include "base/utf8.h"
#include "base/version.h"

#include <errno.h>
#include <string.h>
#include <sysexits.h>

enum {
    NAME_MAX_LENGTH = 40, /* longer words are like nothing that we have */
    NEAR = 3,             /* more differences than this are another word */
};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Letters to add, drop, change or swap with their neighbour to make b of a; a word that is only
 * begun is near to the whole. (Optimal string alignment.) */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[3][NAME_MAX_LENGTH + 1];
    size_t m = strlen(a);
    size_t n = strlen(b);
    if (m > NAME_MAX_LENGTH || n > NAME_MAX_LENGTH)
        return NAME_MAX_LENGTH;
    if (m > 2 && strncmp(a, b, m) == 0)
        return 1;
    for (size_t j = 0; j <= n; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned *now = row[i % 3];
        const unsigned *last = row[(i + 2) % 3];
        const unsigned *before = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            now[j] = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(now[j], least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[m % 3][n];
}

/* Whether a candidate is near to word, and nearer than the best so far. */
static bool is_nearer(const char *word, const char *candidate, unsigned *best)
{
    unsigned d = distance(word, candidate);
    if (d > NEAR || d >= strlen(candidate) || d >= *best)
        return false;
    *best = d;
    return true;
}

const struct command *command_find(const char *name, const struct command **nearest)
{
    const struct command *near = NULL;
    unsigned best = NAME_MAX_LENGTH;
    for (const struct command *const *c = commands; *c; c++) {
        if (strcmp((*c)->name, name) == 0)
            return *c;
        if (!(*c)->hidden && is_nearer(name, (*c)->name, &best))
            near = *c;
    }
    if (nearest)
        *nearest = near;
    return NULL;
}

int command_unknown(const char *name)
{
    const struct command *nearest = NULL;
    command_find(name, &nearest);
    if (nearest)
        fprintf(stderr, "boothlink: there is no command \"%s\"; did you mean \"%s\"?\n", name,
                nearest->name);
    else
        fprintf(stderr, "boothlink: there is no command \"%s\"; \"boothlink help\" lists them\n",
                name);
    return EX_USAGE;
}

enum bl_status command_choose(const char *option, const char *value, const char *const *words,
                              unsigned *which, struct bl_diag *diag)
{
    char all[80] = "";
    size_t used = 0;
    *which = 0;
    if (!value)
        return BL_OK;
    for (unsigned i = 0; words[i]; i++) {
        if (strcmp(value, words[i]) == 0) {
            *which = i;
            return BL_OK;
        }
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                 i == 0         ? ""
                                 : words[i + 1] ? ", "
                                                : " or ",
                                 words[i]);
        if (used >= sizeof all)
            used = sizeof all - 1;
    }
    return bl_fail(diag, BL_USAGE, "%s %s: %s is wanted", option, value, all);
}

int command_fail(const struct command *command, enum bl_status status, const char *text)
{
    char line[1024];
    utf8_plain(line, sizeof line, text, strlen(text));
    fprintf(stderr, "boothlink %s: %s\n", command->name, line);
    return bl_status_exit(status);
}

static const struct command_option *find_option(const struct command *command, const char *word,
                                                size_t length)
{
    for (const struct command_option *o = command->options; o && o->name; o++)
        if (strlen(o->name) == length && strncmp(o->name, word, length) == 0)
            return o;
    return NULL;
}

static const char *wrong(struct command_walk *walk, const char *text)
{
    command_fail(walk->command, BL_USAGE, text);
    walk->status = BL_USAGE;
    return NULL;
}

static const char *unknown_option(struct command_walk *walk, const char *word, size_t length)
{
    char text[200];
    char name[NAME_MAX_LENGTH + 1];
    const char *nearest = NULL;
    unsigned best = NAME_MAX_LENGTH;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    for (const struct command_option *o = walk->command->options; o && o->name; o++)
        if (o->help && length <= NAME_MAX_LENGTH && is_nearer(name, o->name, &best))
            nearest = o->name;
    if (nearest)
        snprintf(text, sizeof text, "unknown option %s; did you mean %s?", name, nearest);
    else
        snprintf(text, sizeof text, "unknown option %s; \"boothlink help %s\" lists them", name,
                 walk->command->name);
    return wrong(walk, text);
}

const char *command_next(struct command_walk *walk)
{
    char text[200];
    const struct command_option *option;
    const char *word;
    size_t length;

    walk->value = NULL;
    walk->bare = false;
    if (walk->status || walk->helped || walk->at + 1 >= walk->argc)
        return NULL;
    word = walk->argv[++walk->at];
    if (!walk->only_bare && strcmp(word, "--") == 0) {
        walk->only_bare = true;
        return command_next(walk);
    }
    if (walk->only_bare || word[0] != '-' || !word[1]) {
        walk->bare = true;
        return word;
    }
    length = strcspn(word, "=");
    option = find_option(walk->command, word, length);
    if (!option) {
        if (strcmp(word, "--help") && strcmp(word, "-h"))
            return unknown_option(walk, word, length);
        command_print_help(walk->command, stdout);
        walk->helped = true;
        return NULL;
    }
    if (word[length] == '=')
        walk->value = word + length + 1;
    if (!option->value) {
        if (!walk->value)
            return option->name;
        snprintf(text, sizeof text, "%s takes no value", option->name);
        return wrong(walk, text);
    }
    bool optional = option->value[0] == '[';
    if (!walk->value && walk->at + 1 < walk->argc) {
        const char *next = walk->argv[walk->at + 1];
        /* The name of another option is a value forgotten, not a value. */
        if (!find_option(walk->command, next, strcspn(next, "=")) &&
            !(optional && next[0] == '-')) {
            walk->value = next;
            walk->at++;
        }
    }
    if ((walk->value && *walk->value) || (optional && !walk->value))
        return option->name;
    snprintf(text, sizeof text, "%s needs a value: %s %s", option->name, option->name,
             option->value);
    return wrong(walk, text);
}

static int run(int argc, char **argv)
{
    const struct command *command;
    if (argc < 2) {
        command_print_help(NULL, stderr);
        return EX_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        command_print_help(NULL, stdout);
        return EX_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("boothlink %s\n", BL_VERSION);
        return EX_OK;
    }
    command = command_find(argv[1], NULL);
    if (!command)
        return command_unknown(argv[1]);
    return command->run(command, argc - 1, argv + 1);
}

int boothlink_main(int argc, char **argv)
{
    int code = run(argc, argv);
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "boothlink: cannot write to standard output: %s\n", strerror(errno));
        return code == EX_OK ? EX_IOERR : code;
    }
    return code;
}
