#include "command/command.h"

#include "base/nearest.h"
#include "base/utf8.h"
#include "base/version.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

const char *command_verb_name(const struct command *verb)
{
    const char *blank = strrchr(verb->name, ' ');
    return blank ? blank + 1 : verb->name;
}

const struct command *command_next_verb(const struct command *of, const struct command *last)
{
    const struct command *const *table = of->verbs;
    if (!table)
        return NULL;
    if (!last)
        return *table;
    if (last[1].name)
        return last + 1;
    for (; *table; table++)
        for (const struct command *verb = *table; verb->name; verb++)
            if (verb == last)
                return table[1];
    return NULL;
}

static const struct command *next_of(const struct command *of, size_t *at,
                                     const struct command *last)
{
    return of ? command_next_verb(of, last) : commands[(*at)++];
}

const struct command *command_find(const struct command *of, const char *name,
                                   const struct command **nearest)
{
    const struct command *near = NULL, *c = NULL;
    struct nearest best = nearest_start(name);
    size_t at = 0;
    while ((c = next_of(of, &at, c))) {
        const char *own = of ? command_verb_name(c) : c->name;
        if (strcmp(own, name) == 0)
            return c;
        if (nearest && !c->hidden && nearest_is(&best, own))
            near = c;
    }
    if (nearest)
        *nearest = near;
    return NULL;
}

int command_unknown(const struct command *of, const char *name)
{
    const struct command *nearest = NULL;
    char plain[100];
    const char *owner = of ? of->name : "", *blank = of ? " " : "";
    utf8_plain(plain, sizeof plain, name, strnlen(name, 60));
    command_find(of, name, &nearest);
    fprintf(stderr, "boothlink%s%s: there is no %s \"%s\"; ", blank, owner, of ? "verb" : "command",
            plain);
    if (nearest)
        fprintf(stderr, "did you mean \"%s\"?\n", command_verb_name(nearest));
    else
        fprintf(stderr, "\"boothlink help%s%s\" lists them\n", blank, owner);
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
    return bl_fail(diag, BL_USAGE, "%s %s: expected %s", option, value, all);
}

void command_write(void *file, const char *bytes, size_t length)
{
    fwrite(bytes, 1, length, file);
}

void command_progress(unsigned done, unsigned of)
{
    const unsigned many = 500, step = 50;
    if (of < many || (done % step && done < of) || !isatty(STDERR_FILENO))
        return;
    if (done < of)
        fprintf(stderr, "\r%u of %u files ...\033[K", done, of);
    else
        fprintf(stderr, "\r\033[K");
}

/* A control character that is not in the text; 0: none. */
static char unused_control(const char *text)
{
    for (char control = 1; control < ' '; control++)
        if (control != '\n' && !strchr(text, control))
            return control;
    return '\0';
}

/* Line ends may come from the format only. So the text is formatted twice, the second time with a
 * line end that no argument has. */
void command_print(const char *format, ...)
{
    char text[4096], ended[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char end[] = {unused_control(text), '\0'};
    snprintf(ended, sizeof ended, "%s", format);
    for (char *at = ended; end[0] && (at = strchr(at, '\n')); at++)
        *at = end[0];
    va_start(args, format);
    vsnprintf(text, sizeof text, ended, args);
    va_end(args);
    for (char *line = text; *line;) {
        char plain[sizeof text];
        size_t length = strcspn(line, end);
        utf8_plain(plain, sizeof plain, line, length);
        fputs(plain, stdout);
        line += length;
        if (*line) {
            putchar('\n');
            line++;
        }
    }
}

void command_json(json_t *json, size_t form)
{
    json_dumpf(json, stdout, JSON_PRESERVE_ORDER | form);
    putchar('\n');
    fflush(stdout);
    json_decref(json);
}

int command_fail(const struct command *command, enum bl_status status, const char *text)
{
    char line[1024];
    utf8_plain(line, sizeof line, text, strlen(text));
    fprintf(stderr, "boothlink %s: %s\n", command->name, line);
    return bl_status_exit(status);
}

enum bl_status command_told(enum bl_status status, struct bl_diag *diag)
{
    diag->text[0] = '\0';
    return status;
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
    command = command_find(NULL, argv[1], NULL);
    if (!command)
        return command_unknown(NULL, argv[1]);
    return command_run(command, argc - 1, argv + 1);
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
