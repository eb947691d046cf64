/* Prints the manual pages, in man(7), and the completion script from the table of commands. */
#include "base/version.h"
#include "command/command.h"
#include "base/manual_page.h"
#include "rules/rulesets.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Prints a line of text in roff's syntax, without requests and escapes, and with minus signs
 * instead of hyphens. */
static void print_roff(FILE *out, const char *text, size_t length)
{
    if (length && (text[0] == '.' || text[0] == '\''))
        fputs("\\&", out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            fputs("\\e", out);
        else if (text[i] == '-')
            fputs("\\-", out);
        else
            fputc(text[i], out);
    }
}

static void print_roff_line(FILE *out, const char *text)
{
    print_roff(out, text, strlen(text));
    fputc('\n', out);
}

/* Prints paragraphs, separated by empty lines, in short lines. */
static void print_paragraphs(FILE *out, const char *text)
{
    size_t at = 0;
    for (;;) {
        size_t blank = strspn(text, " \n");
        size_t word = strcspn(text + blank, " \n");
        bool parted = strstr(text, "\n\n") && strstr(text, "\n\n") < text + blank;
        text += blank;
        if (!word)
            break;
        if (parted)
            fputs("\n.PP\n", out);
        else if (at)
            fputc(at + word > 70 ? '\n' : ' ', out);
        at = parted || at + word > 70 ? word : at + 1 + word;
        print_roff(out, text, word);
        text += word;
    }
    fputc('\n', out);
}

static void print_title(FILE *out, const char *name, const char *help)
{
    fputs(".TH ", out);
    for (const char *c = name; *c; c++)
        fputc(toupper((unsigned char)*c), out);
    fprintf(out, " 1 %s \"boothlink %s\"\n.SH NAME\n", BL_VERSION_DATE, BL_VERSION);
    print_roff(out, name, strlen(name));
    fputs(" \\- ", out);
    print_roff_line(out, help);
}

static void print_sentence(const char *help, FILE *out)
{
    fprintf(out, "%c", toupper((unsigned char)help[0]));
    print_roff(out, help + 1, strlen(help + 1));
    fputs(".\n", out);
}

static void print_option(FILE *out, const char *name, const char *value, const char *help)
{
    fputs(".TP\n\\fB", out);
    print_roff(out, name, strlen(name));
    fputs("\\fR", out);
    if (value) {
        fputs(" \\fI", out);
        print_roff(out, value, strlen(value));
        fputs("\\fR", out);
    }
    fputc('\n', out);
    print_sentence(help, out);
}

static void print_synopsis(const struct command *command, FILE *out)
{
    fputs("\\fBboothlink ", out);
    print_roff(out, command->name, strlen(command->name));
    fputs("\\fR ", out);
    print_roff_line(out, command->synopsis);
}

static void print_options(const struct command *command, FILE *out)
{
    for (const struct command_option *o = command->options; o && o->name; o++)
        if (o->help)
            print_option(out, o->name, o->value, o->help);
}

static void print_examples(const struct command *command, FILE *out)
{
    fputs(".nf\n", out);
    for (const char *line = command->examples; *line;) {
        size_t length = strcspn(line, "\n");
        print_roff(out, line, length);
        fputc('\n', out);
        line += length + (line[length] == '\n');
    }
    fputs(".fi\n", out);
}

static void print_verb(const struct command *verb, FILE *out)
{
    fputs(".SS ", out);
    print_roff_line(out, verb->name);
    print_synopsis(verb, out);
    fputs(".PP\n", out);
    if (*verb->text)
        print_paragraphs(out, verb->text);
    else
        print_sentence(verb->help, out);
    print_options(verb, out);
    if (verb->examples) {
        fputs(".PP\n", out);
        print_examples(verb, out);
    }
}

static void print_command(const struct command *command, FILE *out)
{
    char name[64];
    snprintf(name, sizeof name, "boothlink-%s", command->name);
    print_title(out, name, command->help);
    fputs(".SH SYNOPSIS\n", out);
    print_synopsis(command, out);
    fputs(".SH DESCRIPTION\n", out);
    print_paragraphs(out, command->text);
    if (command->verbs)
        fputs(".SH VERBS\n", out);
    for (const struct command *v = NULL; (v = command_next_verb(command, v));)
        print_verb(v, out);
    fputs(".SH OPTIONS\n", out);
    print_options(command, out);
    print_option(out, "--help", NULL,
                 command->verbs ? "print a short form of this page; after a verb, its section"
                                : "print a short form of this page");
    if (command->examples) {
        fputs(".SH EXAMPLES\n", out);
        print_examples(command, out);
    }
    fputs(".SH SEE ALSO\n.BR boothlink (1)\n", out);
}

/* Prints each exit code once, with the texts of all statuses that map to it. */
static void print_exit_codes(FILE *out)
{
    for (int code = 0; code < 128; code++) {
        bool found = false;
        for (int s = BL_OK; s <= BL_SOFTWARE; s++) {
            if (bl_status_exit((enum bl_status)s) != code)
                continue;
            if (found)
                fputs("; ", out);
            else
                fprintf(out, ".TP\n%d\n", code);
            fputs(bl_status_text((enum bl_status)s), out);
            found = true;
        }
        if (found)
            fputc('\n', out);
    }
}

void command_print_manual(const struct command *command, FILE *out)
{
    if (command) {
        print_command(command, out);
        return;
    }
    print_title(out, "boothlink", "a judge and an entity on one page, key by key");
    fputs(".SH SYNOPSIS\n\\fBboothlink\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n"
          ".SH DESCRIPTION\n"
          "Relays a conversation over a null-modem cable, each key as it is typed,\n"
          "so that the judge of a contest and the entity being judged, a person or a\n"
          "program, have the same page before them.\n"
          ".SH COMMANDS\n",
          out);
    for (const struct command *const *c = commands; *c; c++) {
        if (!(*c)->hidden)
            fprintf(out, ".TP\n.BR boothlink\\-%s (1)\n%c%s.\n", (*c)->name,
                    toupper((unsigned char)(*c)->help[0]), (*c)->help + 1);
    }
    fputs(".SH PAGES\n", out);
    for (const struct built_text *page = manual_pages; page->name; page++) {
        char title[MANUAL_LINE_MAX];
        const char *dot = strrchr(page->name, '.');
        fputs(".TP\n.BR ", out);
        print_roff(out, page->name, (size_t)(dot - page->name));
        fprintf(out, " (%s)\n", dot + 1);
        manual_page_title(page, title);
        fputc(toupper((unsigned char)title[0]), out);
        print_roff(out, title + 1, strlen(title + 1));
        fputs(".\n", out);
    }
    fputs(".PP\n\\(lqboothlink help PAGE\\(rq prints one, also where none is installed.\n", out);
    fputs(".SH PORTS\n"
          "A port is written serial:\\fIDEVICE\\fR[@\\fIBAUD\\fR], for example\n"
          "serial:/dev/ttyUSB0 or serial:/dev/ttyS0@9600.\n"
          "The rate is 115200 where none is given.\n"
          "On Ethernet it is written ether:\\fIINTERFACE\\fR[/\\fILINE\\fR], for example\n"
          "ether:eth0/left. LINE tells the lines on one hub apart, and is the same at both ends;\n"
          "no IP address is needed.\n"
          ".SH EXIT STATUS\n"
          "The codes are those of sysexits.\n",
          out);
    print_exit_codes(out);
}

static bool names_file(const char *value)
{
    return strstr(value, "FILE") || strstr(value, "DIR") || strstr(value, "PATH") ||
           strcmp(value, "CMD") == 0 || strcmp(value, "SOCKET") == 0;
}

/* Prints the alternatives in small letters: "console web" of "console|web[:PORT]". */
static void print_alternatives(FILE *out, const char *value)
{
    static const char big[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (const char *c = value; *c; c += strcspn(c, "|"), c += *c == '|') {
        size_t length = strcspn(c, "|[");
        if (strcspn(c, big) >= length)
            fprintf(out, "%.*s ", (int)length, c);
    }
}

static void print_ruleset_names(FILE *out)
{
    for (const struct built_text *rules = ruleset_texts; rules->name; rules++)
        fprintf(out, "%s ", rules->name);
}

/* Prints the completions of an option's value: its words, rulesets, ports, or files. */
static void print_value_completion(FILE *out, const struct command *command,
                                   const struct command_option *option)
{
    const bool rules = strcmp(option->name, "--ruleset") == 0;
    fprintf(out, "    '%s %s')%s words='", command->name, option->name,
            rules                       ? " _boothlink_files='*.ini'"
            : names_file(option->value) ? " _boothlink_files='*'"
                                        : "");
    if (strcmp(option->value, "ID,...") == 0)
        fputs("'$(boothlink validate list 2>/dev/null | sed 's/ .*//')'", out);
    else if (strcmp(option->value, "PORT") == 0)
        fputs("serial: ether:", out);
    else if (rules)
        print_ruleset_names(out);
    else
        print_alternatives(out, option->value);
    fputs("' ;;\n", out);
}

static void print_value_completions(FILE *out, const struct command *command)
{
    for (const struct command_option *o = command->options; o && o->name; o++)
        if (o->value && o->help)
            print_value_completion(out, command, o);
}

/* Prints the options of a command, or its verbs; for operands, files and names of rulesets. */
static void print_words_completion(FILE *out, const struct command *command)
{
    fprintf(out, "        '%s')", command->name);
    if (!command->verbs && command->most > 0 && command->synopsis[0] != '-') {
        fputs(" operands=' ", out);
        if (strstr(command->synopsis, "NAME|FILE.ini"))
            print_ruleset_names(out);
        fputs("'", out);
    }
    fputs(" words='", out);
    for (const struct command *v = NULL; (v = command_next_verb(command, v));)
        fprintf(out, "%s ", command_verb_name(v));
    for (const struct command_option *o = command->options; o && o->name; o++)
        if (o->help)
            fprintf(out, "%s ", o->name);
    fputs("--help' ;;\n", out);
}

static void print_command_names(FILE *out)
{
    for (const struct command *const *c = commands; *c; c++)
        if (!(*c)->hidden)
            fprintf(out, "%s ", (*c)->name);
}

static void print_commands_completion(FILE *out)
{
    fputs("        '') words='", out);
    print_command_names(out);
    fputs("--help' ;;\n        help) words='", out);
    print_command_names(out);
    for (const struct built_text *page = manual_pages; page->name; page++) {
        char topic[MANUAL_LINE_MAX];
        manual_page_topic(page, topic);
        fprintf(out, "%s%s ", topic,
                command_find(NULL, topic, NULL) ? strrchr(page->name, '.') : "");
    }
    fputs("messages --help' ;;\n", out);
    for (const struct command *const *c = commands; *c; c++) {
        if ((*c)->hidden || strcmp((*c)->name, "help") == 0)
            continue;
        print_words_completion(out, *c);
        for (const struct command *v = NULL; (v = command_next_verb(*c, v));)
            print_words_completion(out, v);
    }
}

void command_print_completion(FILE *out)
{
    fputs("# Completion for bash, made from the table of commands.\n"
          "_boothlink()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command=${COMP_WORDS[1]} words='' operands='' more=''\n"
          "    COMPREPLY=() _boothlink_files=''\n"
          "    if [[ $prev == : || $cur == : ]]; then\n"
          "        cur=${cur#:}\n"
          "        compopt -o filenames\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"${cur:-/dev/tty}\")\n"
          "        return\n"
          "    fi\n"
          "    ((COMP_CWORD > 1)) || command=''\n"
          "    # The help of a command is asked for by the command's own words.\n"
          "    if ((COMP_CWORD > 2)); then\n"
          "        [[ $command != help ]] || command=${COMP_WORDS[2]} more=help\n"
          "        case $command in\n        ",
          out);
    for (const struct command *const *c = commands; *c; c++)
        if ((*c)->verbs)
            fprintf(out, "%s | ", (*c)->name);
    fputs("'')\n"
          "            [[ $more ]] || command+=\" ${COMP_WORDS[2]}\" ;;\n"
          "        esac\n"
          "    fi\n"
          "    case \"$command $prev\" in\n",
          out);
    for (const struct command *const *c = commands; *c; c++) {
        if ((*c)->hidden)
            continue;
        print_value_completions(out, *c);
        for (const struct command *v = NULL; (v = command_next_verb(*c, v));)
            print_value_completions(out, v);
    }
    fputs("    *) case $command in\n", out);
    print_commands_completion(out);
    fputs("        esac ;;\n"
          "    esac\n"
          "    if [[ $operands && ! $more && $cur != -* ]]; then\n"
          "        _boothlink_files='*' words=$operands\n"
          "    fi\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\"\n"
          "        [[ ! $_boothlink_files ]] || compgen -f -X \"!$_boothlink_files\" -- \"$cur\"\n"
          "        [[ $_boothlink_files != '*.ini' ]] || compgen -d -- \"$cur\"\n"
          "        [[ $words != 'serial: '* || $cur != *:* ]] ||\n"
          "            compgen -P \"${cur%%:*}:\" -f -- \"${cur#*:}\")\n"
          "    [[ ! $_boothlink_files ]] || compopt -o filenames 2>/dev/null\n"
          "}\n"
          "complete -o bashdefault -F _boothlink boothlink\n",
          out);
}
