/* "boothlink help", and what is printed from the table of commands for people to read. */
#include "cli/command.h"

#include <string.h>
#include <sysexits.h>

enum { WIDTH = 80 };

/* Prints text in lines of at most WIDTH columns, each indented; the first stands at column at.
 * An empty line in text parts paragraphs. */
static void print_wrapped(FILE *out, const char *text, int indent, int at)
{
    while (*text) {
        size_t blank = strspn(text, " \n");
        size_t word = strcspn(text + blank, " \n");
        int breaks = 0;
        for (size_t i = 0; i < blank; i++)
            breaks += text[i] == '\n';
        text += blank;
        if (!word)
            break;
        if (breaks > 1) {
            fputs("\n\n", out);
            at = 0;
        } else if (at > indent && at + 1 + (int)word > WIDTH) {
            fputc('\n', out);
            at = 0;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        if (at < indent)
            at += fprintf(out, "%*s", indent - at, "");
        at += fprintf(out, "%.*s", (int)word, text);
        text += word;
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const struct command_option *option)
{
    const int column = 26;
    int at = fprintf(out, "  %s%s%s", option->name, option->value ? " " : "",
                     option->value ? option->value : "");
    if (at >= column) {
        fputc('\n', out);
        at = 0;
    }
    fprintf(out, "%*s", column - at, "");
    print_wrapped(out, option->help, column, column);
}

static void print_command(const struct command *command, FILE *out)
{
    static const struct command_option help = {.name = "--help", .help = "print this text"};
    fprintf(out, "boothlink %s: %s\n\n", command->name, command->help);
    fprintf(out, "Usage: boothlink %s %s\n\n", command->name, command->synopsis);
    print_wrapped(out, command->text, 0, 0);
    fputs("\nOptions:\n", out);
    for (const struct command_option *o = command->options; o && o->name; o++)
        if (o->help)
            print_option(out, o);
    print_option(out, &help);
    if (command->examples) {
        fputs("\nExamples:\n", out);
        for (const char *line = command->examples; *line;) {
            size_t length = strcspn(line, "\n");
            fprintf(out, "  %.*s\n", (int)length, line);
            line += length + (line[length] == '\n');
        }
    }
}

void command_print_help(const struct command *command, FILE *out)
{
    if (command) {
        print_command(command, out);
        return;
    }
    fputs("boothlink joins a judge and an entity over a line, key by key, on one page.\n\n"
          "Usage: boothlink COMMAND [OPTION...]\n\nCommands:\n",
          out);
    for (const struct command *const *c = commands; *c; c++)
        if (!(*c)->hidden)
            fprintf(out, "  %-11s %s\n", (*c)->name, (*c)->help);
    fputs("\n\"boothlink help COMMAND\" says more about one.\n", out);
}

static int help_run(const struct command *command, int argc, char **argv)
{
    struct command_walk walk = {.command = command, .argc = argc, .argv = argv};
    const struct command *about = NULL;
    const char *shell = NULL;
    const char *name;
    bool man = false;
    bool names = false;

    while ((name = command_next(&walk))) {
        if (walk.bare) {
            if (about)
                return command_fail(command, BL_USAGE, "one command at a time");
            about = command_find(name, NULL);
            if (!about)
                return command_unknown(name);
        } else if (strcmp(name, "--man") == 0) {
            man = true;
        } else if (strcmp(name, "--names") == 0) {
            names = true;
        } else {
            shell = walk.value;
        }
    }
    if (walk.status || walk.helped)
        return bl_status_exit(walk.status);
    if (shell) {
        if (strcmp(shell, "bash"))
            return command_fail(command, BL_USAGE, "--completion knows bash only");
        command_print_completion(stdout);
    } else if (names) {
        for (const struct command *const *c = commands; *c; c++)
            if (!(*c)->hidden)
                puts((*c)->name);
    } else if (man) {
        command_print_manual(about, stdout);
    } else {
        command_print_help(about, stdout);
    }
    return EX_OK;
}

static const struct command_option help_options[] = {
    {"--man", NULL, NULL},          /* for the makefile: the manual page in man(7) */
    {"--names", NULL, NULL},        /* for the makefile: the names alone */
    {"--completion", "bash", NULL}, /* for the makefile: the completion script */
    {0},
};

const struct command command_help = {
    .name = "help",
    .synopsis = "[COMMAND]",
    .help = "list the commands, or say more about one",
    .text = "Without an argument lists the commands. With the name of one it prints what that "
            "command does, its options and examples; \"boothlink COMMAND --help\" is the same.",
    .examples = "boothlink help judge",
    .options = help_options,
    .run = help_run,
};
