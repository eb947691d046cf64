/* "boothlink help", and the help texts, from the table of commands. */
#include "command/command.h"
#include "base/manual_page.h"
#include "base/message.h"

#include <string.h>

enum { WIDTH = 80, MESSAGE_TEXT = 512, MESSAGE_LEAST = 8 };

/* Prints text in indented lines of at most WIDTH columns; the first line begins at column `at`. An
 * empty line in text separates paragraphs. */
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

static void print_row(FILE *out, const char *name, const char *help)
{
    int at = fprintf(out, "  %-11s ", name);
    print_wrapped(out, help, 14, at);
}

static void print_command(const struct command *command, FILE *out)
{
    static const struct command_option help = {.name = "--help", .help = "print this text"};
    int at = fprintf(out, "boothlink %s:", command->name);
    print_wrapped(out, command->help, 4, at);
    at = fprintf(out, "\nUsage: boothlink %s", command->name);
    print_wrapped(out, command->synopsis, 4, at - 1);
    if (*command->text) {
        fputc('\n', out);
        print_wrapped(out, command->text, 0, 0);
    }
    if (command->verbs) {
        fputs("\nVerbs:\n", out);
        for (const struct command *v = NULL; (v = command_next_verb(command, v));)
            print_row(out, command_verb_name(v), v->help);
        fprintf(out, "\n\"boothlink help %s VERB\" says more about one.\n", command->name);
    } else {
        fputs("\nOptions:\n", out);
        for (const struct command_option *o = command->options; o && o->name; o++)
            if (o->help)
                print_option(out, o);
        print_option(out, &help);
    }
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
          "Usage: boothlink COMMAND [OPTION...]\n",
          out);
    for (unsigned i = 0; commands[i]; i++) {
        if (i == 0 || strcmp(command_users[i], command_users[i - 1]) != 0)
            fprintf(out, "\n%s:\n", command_users[i]);
        if (!commands[i]->hidden)
            print_row(out, commands[i]->name, commands[i]->help);
    }
    fputs("\nPages:\n", out);
    for (const struct built_text *page = manual_pages; page->name; page++) {
        char topic[MANUAL_LINE_MAX], title[MANUAL_LINE_MAX];
        manual_page_topic(page, topic);
        /* a page with the name of a command needs its section */
        if (command_find(NULL, topic, NULL))
            snprintf(topic, sizeof topic, "%s", page->name + strlen("boothlink-"));
        print_row(out, topic, manual_page_title(page, title));
    }
    fputs("\n\"boothlink help WORD\" says more about one of them, \"boothlink help messages\"\n"
          "what to do about each text of a screen.\n",
          out);
}

struct help_options {
    const char *completion;
    bool man, names;
};

static void print_names(void)
{
    for (const struct command *const *c = commands; *c; c++)
        if (!(*c)->hidden)
            puts((*c)->name);
}

static void print_message(const struct message *row)
{
    static const char *const readers[] = {"judge", "entity", "attendant", "caller"};
    const char *text = row->text + strspn(row->text, "\n");
    printf("  %.*s  [", (int)strcspn(text, "\n"), text);
    for (unsigned i = 0, said = 0; i < sizeof readers / sizeof readers[0]; i++)
        if (row->readers & 1u << i)
            printf("%s%s", said++ ? ", " : "", readers[i]);
    printf("]\n      %s\n", row->now[0] ? row->now : "(a part of another line)");
    if (row->called)
        printf("      once called: %s\n", row->called);
}

/* True if a message has the words. If it has gaps to be filled in: if the words have its longest
 * part between two gaps. "LEFT is being connected" matches "%s is being connected". */
static bool message_has(const char *text, const char *words)
{
    char piece[MESSAGE_TEXT], longest[MESSAGE_TEXT] = "";
    if (strcasestr(text, words))
        return true;
    if (!strchr(text, '%'))
        return false;
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "%\n");
        snprintf(piece, sizeof piece, "%.*s", (int)length, at);
        if (strlen(piece) > strlen(longest))
            strcpy(longest, piece);
        at += length;
        at += strspn(at, "%\n0123456789.-l*");         /* the gap ... */
        at += at[0] && strchr("sudcz", at[0]) ? 1 : 0; /* ... and its letter */
    }
    return strlen(longest) >= MESSAGE_LEAST && strcasestr(words, longest);
}

/* Prints the messages with these words, or all for NULL, by room, with their readers and the next
 * step. Returns their number. */
static unsigned print_messages(const char *words)
{
    unsigned count = 0;
    for (const struct message_room *room = command_messages; room->room; room++) {
        bool begun = false;
        for (const struct message *row = room->row; row->text; row++) {
            if (words && !message_has(row->text, words))
                continue;
            if (!begun)
                printf("%s%s\n", count ? "\n" : "", room->room);
            begun = true;
            count++;
            print_message(row);
        }
    }
    return count;
}

/* Prints the help of the command, verb or page named by the words. */
static enum bl_status explain(const struct command_call *call, struct bl_diag *diag)
{
    const struct help_options *options = call->options;
    const struct command *about = NULL;
    for (unsigned i = 0; i < call->words; i++) {
        const struct command *of = about;
        const struct built_text *page = call->words == 1 ? manual_page_find(call->word[0]) : NULL;
        if (!i && strcmp(call->word[0], "messages") == 0) {
            return print_messages(call->words > 1 ? call->word[1] : NULL)
                       ? BL_OK
                       : bl_fail(diag, BL_USAGE, "no message has '%s'", call->word[1]);
        }
        about = of && !of->verbs ? NULL : command_find(of, call->word[i], NULL);
        if (!about && page) {
            manual_page_print(page, stdout);
            return BL_OK;
        }
        if (!about && of && !of->verbs)
            return bl_fail(diag, BL_USAGE, "one command at a time");
        if (!about && manual_page_find(call->word[i]))
            return bl_fail(diag, BL_USAGE, "%s is a page, and stands alone: boothlink help %s",
                           call->word[i], call->word[i]);
        if (!about) {
            command_unknown(of, call->word[i]);
            return command_told(BL_USAGE, diag);
        }
    }
    if (options->man)
        command_print_manual(about, stdout);
    else
        command_print_help(about, stdout);
    return BL_OK;
}

static enum bl_status help_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct help_options *options = call->options;
    if (options->completion)
        command_print_completion(stdout);
    else if (options->names)
        print_names();
    else
        return explain(call, diag);
    return BL_OK;
}

static const struct command_option help_options[] = {
    /* For the Makefile: the manual page in man(7), the names, the completion script. */
    OPTION_ROW("--man", NULL, NULL, OPTION_FLAG, struct help_options, man),
    OPTION_ROW("--names", NULL, NULL, OPTION_FLAG, struct help_options, names),
    OPTION_ROW("--completion", "bash", NULL, OPTION_WORD, struct help_options, completion),
    {0},
};

const struct command command_help = {
    .name = "help",
    .synopsis = "[COMMAND [VERB] | PAGE | messages [WORDS]]",
    .help = "list the commands and pages, or say more about one",
    .text = "Without an argument lists the commands and the pages. With the name of a command it "
            "prints what that does, its options and examples; \"boothlink COMMAND --help\" is the "
            "same. With the name of a page, such as lpp, ticket or contest.5, it prints that page "
            "of the manual. \"messages\" lists what screens and their commands' errors say, who "
            "reads it and what "
            "he is to do; with WORDS those that have them.",
    .examples = "boothlink help judge\nboothlink help contest ballot\nboothlink help lpp\n"
                "boothlink help messages 'the stick is full'",
    .options = help_options,
    .size = sizeof(struct help_options),
    .most = 2,
    .run = help_run,
};
