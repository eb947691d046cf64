/* The walk over a command line, the nearest name, and what is printed from the table. */
#include "command/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>
#include <cmocka.h>

/* Catches what is written to a stream until captured() gives it back. */
struct capture {
    FILE *stream;
    FILE *file;
    int fd;
    char text[16384];
};

static void capture(struct capture *c, FILE *stream)
{
    fflush(stream);
    c->stream = stream;
    c->file = tmpfile();
    c->fd = dup(fileno(stream));
    assert_non_null(c->file);
    assert_true(c->fd >= 0);
    assert_true(dup2(fileno(c->file), fileno(stream)) >= 0);
}

static const char *captured(struct capture *c)
{
    size_t length;
    fflush(c->stream);
    dup2(c->fd, fileno(c->stream));
    close(c->fd);
    rewind(c->file);
    length = fread(c->text, 1, sizeof c->text - 1, c->file);
    c->text[length] = '\0';
    fclose(c->file);
    return c->text;
}

struct fields {
    const char *left, *right, *starts, *secret, *folder;
    struct option_list header;
    unsigned turn, ms;
    int count;
    int64_t wide;
    bool headless, folder_given;
};

static enum bl_status take_folder(void *at, const char *value, struct bl_diag *diag)
{
    struct fields *fields = at;
    if (value && strcmp(value, "bad") == 0)
        return bl_fail(diag, BL_USAGE, "--folder bad: expected another");
    fields->folder = value;
    fields->folder_given = true;
    return BL_OK;
}

static const struct command_option options[] = {
    OPTION_ROW("--left", "PORT", "the port of the left side", OPTION_TEXT, struct fields, left),
    OPTION_ROW("--right", "PORT", "the port of the right side", OPTION_TEXT, struct fields, right),
    OPTION_ROW("--starts", "judge|either", "who may begin", OPTION_WORD, struct fields, starts),
    OPTION_RANGE("--turn", "lf|cr|two-returns", "what a Return is", OPTION_CHOICE, struct fields,
                 turn, 1, 0),
    OPTION_RANGE("--pause", "SECONDS", "of silence", OPTION_SECONDS, struct fields, ms, 0.1, 3600),
    OPTION_RANGE("--count", "N", "how many", OPTION_NUMBER, struct fields, count, 1, 1 << 20),
    OPTION_RANGE("--wide", "N", NULL, OPTION_COUNT, struct fields, wide, 1, 1 << 20),
    OPTION_RANGE("--header", "LINE", "a line at the top", OPTION_LIST, struct fields, header, 0, 2),
    OPTION_TAKEN("--folder", "[DIR]", "where it is", take_folder),
    OPTION_ROW("--headless", NULL, "no screen", OPTION_FLAG, struct fields, headless),
    OPTION_ROW("--secret", "X", NULL, OPTION_TEXT, struct fields, secret),
    {0},
};

static struct fields last;
static char got[256];

static void add(const char *name, const char *value)
{
    size_t at = strlen(got);
    snprintf(got + at, sizeof got - at, "%s%s%s%s", at ? " " : "", name, value ? "=" : "",
             value ? value : "");
}

/* Keeps what it was given, the words in brackets. */
static enum bl_status sample_run(const struct command_call *call, struct bl_diag *diag)
{
    (void)diag;
    last = *(const struct fields *)call->options;
    if (last.left)
        add("--left", last.left);
    if (last.right)
        add("--right", last.right);
    if (last.starts)
        add("--starts", last.starts);
    if (last.secret)
        add("--secret", last.secret);
    if (last.headless)
        add("--headless", NULL);
    if (last.folder_given)
        add("--folder", last.folder);
    for (unsigned i = 0; i < last.header.count; i++)
        add("--header", last.header.value[i]);
    for (unsigned i = 0; i < call->words; i++) {
        char word[64];
        snprintf(word, sizeof word, "(%s)", call->word[i]);
        add(word, NULL);
    }
    assert_null(call->word[call->words]);
    return BL_OK;
}

static void sample_start(void *at)
{
    struct fields *fields = at;
    fields->count = -1;
}

static const struct command sample = {
    .name = "sample",
    .synopsis = "--left PORT [FILE...]",
    .help = "a sample",
    .text =
        ".A first paragraph with a back\\slash and a --dash, long enough that it must be broken "
        "into several lines.\n\nA second paragraph.",
    .examples = "boothlink sample --left serial:/dev/ttyS0\n.dot",
    .options = options,
    .size = sizeof(struct fields),
    .start = sample_start,
    .most = 4,
    .run = sample_run,
};

static enum bl_status fails_run(const struct command_call *call, struct bl_diag *diag)
{
    if (call->words == 2)
        return command_told(bl_fail(diag, BL_DATA, "not printed"), diag);
    return bl_fail(diag, BL_NOINPUT, "%s: it is not there", call->word[0]);
}

static const struct command verbs[] = {
    {.name = "group take",
     .synopsis = "[FILE]",
     .help = "take it",
     .text = "It is taken.",
     .options = options,
     .size = sizeof(struct fields),
     .most = 1,
     .run = sample_run},
    {0},
};
static const struct command more_verbs[] = {
    {.name = "group fail",
     .synopsis = "FILE [FILE]",
     .help = "fail at it",
     .text = "It fails.",
     .least = 1,
     .most = 2,
     .run = fails_run},
    {0},
};
static const struct command group = {
    .name = "group",
    .synopsis = "VERB",
    .help = "a group",
    .text = "It has verbs.",
    .verbs = (const struct command *const[]){verbs, more_verbs, NULL},
};

enum { ARGS_MAX = 12 };

/* Runs the command with the arguments; what it got is in `got` then. */
static int run_with(const struct command *command, const char *const args[])
{
    char *argv[ARGS_MAX] = {(char *)command->name};
    int argc = 1;
    for (; args[argc - 1]; argc++) {
        assert_true(argc < ARGS_MAX - 1);
        argv[argc] = (char *)args[argc - 1];
    }
    got[0] = '\0';
    memset(&last, 0, sizeof last);
    return command_run(command, argc, argv);
}

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void takes_options_and_arguments(void **state)
{
    (void)state;
    assert_int_equal(run_with(&sample, ARGS("--left", "a", "x", "--right=b=c", "--headless", "-")),
                     EX_OK);
    assert_string_equal(got, "--left=a --right=b=c --headless (x) (-)");
    assert_int_equal(last.count, -1);

    assert_int_equal(run_with(&sample, ARGS("--headless", "--", "--left", "--", "-h")), EX_OK);
    assert_string_equal(got, "--headless (--left) (--) (-h)");

    assert_int_equal(run_with(&sample, ARGS("--left", "--5")), EX_OK);
    assert_string_equal(got, "--left=--5");

    assert_int_equal(run_with(&sample, ARGS("--secret", "s")), EX_OK);
    assert_string_equal(got, "--secret=s");

    assert_int_equal(run_with(&sample, ARGS("--")), EX_OK);
    assert_string_equal(got, "");
}

static void reads_each_kind(void **state)
{
    (void)state;
    assert_int_equal(run_with(&sample, ARGS("--starts", "either", "--turn", "two-returns",
                                            "--pause", "2.5", "--count=1048576", "--wide", "7")),
                     EX_OK);
    assert_string_equal(got, "--starts=either");
    assert_int_equal(last.turn, 3);
    assert_int_equal(last.ms, 2500);
    assert_int_equal(last.count, 1 << 20);
    assert_true(last.wide == 7);

    assert_int_equal(run_with(&sample, ARGS("--header", "a", "--header=b", "x", "--folder")),
                     EX_OK);
    assert_string_equal(got, "--folder --header=a --header=b (x)");
    assert_int_equal(run_with(&sample, ARGS("--folder", "dir", "--folder=other")), EX_OK);
    assert_string_equal(got, "--folder=other");
    assert_int_equal(run_with(&sample, ARGS("--folder", "--headless")), EX_OK);
    assert_string_equal(got, "--headless --folder");
}

static void names_what_is_wrong(void **state)
{
    static const struct {
        const char *args[7];
        const char *text;
    } cases[] = {
        {{"--lfet"}, "unknown option --lfet; did you mean --left?"},
        {{"--lfet=x"}, "unknown option --lfet; did you mean --left?"},
        {{"--righ"}, "unknown option --righ; did you mean --right?"},
        {{"--sekret"}, "unknown option --sekret; \"boothlink help sample\" lists them"},
        {{"-x"}, "unknown option -x; \"boothlink help sample\" lists them"},
        {{"--left"}, "--left needs a value: --left PORT"},
        {{"--left="}, "--left needs a value: --left PORT"},
        {{"--left", ""}, "--left needs a value: --left PORT"},
        {{"--left", "--right"}, "--left needs a value: --left PORT"},
        {{"--left", "--right=b"}, "--left needs a value: --left PORT"},
        {{"--headless=1"}, "--headless takes no value"},
        {{"a", "b", "c", "d", "e"}, "'e' is too much; expected sample --left PORT [FILE...]"},
        {{"--starts", "judg"}, "--starts judg: expected judge or either"},
        {{"--turn=two"}, "--turn two: expected lf, cr or two-returns"},
        {{"--turn=lf|cr"}, "--turn lf|cr: expected lf, cr or two-returns"},
        {{"--pause", "0.05"}, "--pause 0.05: expected a number from 0.1 to 3600"},
        {{"--folder", "bad"}, "--folder bad: expected another"},
        {{"--header", "a", "--header", "b", "--header", "c"},
         "--header: expected at most 2 of them"},
    };
    static const char *const numbers[] = {"x",       "1x",  "0",   "-1",   "1.5",
                                          "1048577", "nan", "inf", "1e99", "--flag"};
    static struct capture err;
    char text[120];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        capture(&err, stderr);
        int code = run_with(&sample, cases[i].args);
        snprintf(text, sizeof text, "boothlink sample: %s\n", cases[i].text);
        assert_string_equal(captured(&err), text);
        assert_int_equal(code, EX_USAGE);
        assert_string_equal(got, "");
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        capture(&err, stderr);
        int code = run_with(&sample, ARGS("--count", numbers[i]));
        snprintf(text, sizeof text,
                 "boothlink sample: --count %s: expected a whole number from 1 to 1048576\n",
                 numbers[i]);
        assert_string_equal(captured(&err), text);
        assert_int_equal(code, EX_USAGE);
    }
}

static void finds_the_verb(void **state)
{
    static const struct {
        const char *args[5];
        int code;
        const char *got, *err;
    } cases[] = {
        {{"take", "f", "--left", "x"}, EX_OK, "--left=x (f)", ""},
        {{"--left", "take", "take", "f"}, EX_OK, "--left=take (f)", ""},
        {{"--left=x", "--headless", "take", "f"}, EX_OK, "--left=x --headless (f)", ""},
        {{"take", "f", "g"},
         EX_USAGE,
         "",
         "group take: 'g' is too much; expected group take [FILE]"},
        {{"take", "--lfet"},
         EX_USAGE,
         "",
         "group take: unknown option --lfet; did you mean --left?"},
        {{"fail", "f", "--left", "x"},
         EX_USAGE,
         "",
         "group fail: unknown option --left; \"boothlink help group fail\" lists them"},
        {{"fail"}, EX_USAGE, "", "group fail: expected group fail FILE [FILE]"},
        {{"fail", "f"}, EX_NOINPUT, "", "group fail: f: it is not there"},
        {{"fail", "f", "g"}, EX_DATAERR, "", ""},
        {{"tkae"}, EX_USAGE, "", "group: there is no verb \"tkae\"; did you mean \"take\"?"},
        {{"x\033y"},
         EX_USAGE,
         "",
         "group: there is no verb \"x?y\"; \"boothlink help group\" lists them"},
        {{"--left", "x"}, EX_USAGE, "", "group: missing a verb; did you mean \"group take\"?"},
        {{"--lfet"}, EX_USAGE, "", "group: missing a verb; \"boothlink help group\" lists them"},
        {{NULL}, EX_USAGE, "", "group: missing a verb; \"boothlink help group\" lists them"},
    };
    static struct capture err;
    char text[160];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        capture(&err, stderr);
        int code = run_with(&group, cases[i].args);
        snprintf(text, sizeof text, "boothlink %s\n", cases[i].err);
        assert_string_equal(captured(&err), cases[i].err[0] ? text : "");
        assert_int_equal(code, cases[i].code);
        assert_string_equal(got, cases[i].got);
    }
}

static void verbs_have_help_of_their_own(void **state)
{
    static struct capture out;
    (void)state;
    capture(&out, stdout);
    assert_int_equal(run_with(&group, ARGS("--help")), EX_OK);
    captured(&out);
    assert_non_null(strstr(out.text, "\n  take        take it\n  fail        fail at it\n"));
    capture(&out, stdout);
    assert_int_equal(run_with(&group, ARGS("take", "--help")), EX_OK);
    captured(&out);
    assert_non_null(strstr(out.text, "Usage: boothlink group take [FILE]\n"));
    assert_non_null(strstr(out.text, "--left PORT"));
    capture(&out, stdout);
    command_print_manual(&group, stdout);
    captured(&out);
    assert_non_null(strstr(out.text, ".SS group take\n"));
    assert_non_null(strstr(out.text, ".SS group fail\n"));
}

static void survives_a_long_word(void **state)
{
    static struct capture err;
    static char word[5000];
    (void)state;
    memset(word, '-', sizeof word - 1);
    capture(&err, stderr);
    assert_int_equal(run_with(&sample, ARGS(word)), EX_USAGE);
    assert_int_equal(command_unknown(NULL, word), EX_USAGE);
    captured(&err);
}

static void answers_help(void **state)
{
    static struct capture out;
    (void)state;
    capture(&out, stdout);
    assert_int_equal(run_with(&sample, ARGS("--help", "--nonsense")), EX_OK);
    captured(&out);
    assert_string_equal(got, "");
    assert_non_null(strstr(out.text, "Usage: boothlink sample --left PORT [FILE...]\n"));
    assert_non_null(strstr(out.text, "\n  --left PORT             the port of the left side\n"));
    assert_non_null(strstr(out.text, "\n\nA second paragraph.\n"));
    assert_non_null(strstr(out.text, "\n  boothlink sample --left serial:/dev/ttyS0\n"));
    assert_null(strstr(out.text, "--secret"));
    for (const char *line = out.text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        assert_true(strcspn(line, "\n") <= 80);
    }
}

static void manual_escapes_roff(void **state)
{
    static struct capture out;
    (void)state;
    capture(&out, stdout);
    command_print_manual(&sample, stdout);
    captured(&out);
    assert_non_null(strstr(out.text, ".SH DESCRIPTION\n\\&.A first"));
    assert_non_null(strstr(out.text, "back\\eslash"));
    assert_non_null(strstr(out.text, "\\-\\-dash"));
    assert_non_null(strstr(out.text, "lines.\n.PP\nA second paragraph.\n.SH OPTIONS\n"));
    assert_non_null(strstr(out.text, "ttyS0\n\\&.dot\n.fi\n"));
    assert_null(strstr(out.text, "secret"));
}

static void dispatch(void **state)
{
    static const struct {
        const char *args[5];
        int code;
        const char *out; /* part of standard output, or NULL when it must be empty */
        const char *err;
    } cases[] = {
        {{"boothlink"}, EX_USAGE, NULL, "Usage: boothlink COMMAND"},
        {{"boothlink", "--help"}, EX_OK, "Usage: boothlink COMMAND", NULL},
        {{"boothlink", "help"}, EX_OK, "Usage: boothlink COMMAND", NULL},
        {{"boothlink", "help", "version"}, EX_OK, "Usage: boothlink version", NULL},
        {{"boothlink", "version", "--help"}, EX_OK, "Usage: boothlink version", NULL},
        {{"boothlink", "version", "--json"}, EX_OK, "{\"boothlink\":\"", NULL},
        {{"boothlink", "version", "x"}, EX_USAGE, NULL, "takes no argument"},
        {{"boothlink", "version", "help"}, EX_OK, "Usage: boothlink version", NULL},
        {{"boothlink", "contest", "help"}, EX_OK, "Usage: boothlink contest VERB", NULL},
        {{"boothlink", "contest", "help", "ballot"},
         EX_OK,
         "Usage: boothlink contest ballot",
         NULL},
        {{"boothlink", "contest", "ballot", "help"},
         EX_OK,
         "Usage: boothlink contest ballot",
         NULL},
        {{"boothlink", "contest", "help", "balot"}, EX_USAGE, NULL, "did you mean \"ballot\"?"},
        {{"boothlink", "validate", "entry", "eliza.py"},
         EX_USAGE,
         NULL,
         "'eliza.py' has no option before it; did you mean --program 'eliza.py'? expected"},
        {{"boothlink", "entity", "eliza.py"},
         EX_USAGE,
         NULL,
         "did you mean --program 'eliza.py'? expected"},
        {{"boothlink", "entity", "/tmp"}, EX_USAGE, NULL, "did you mean --lpp-entry '/tmp'?"},
        {{"boothlink", "judge", "/dev/ttyUSB0"},
         EX_USAGE,
         NULL,
         "did you mean --left '/dev/ttyUSB0'?"},
        {{"boothlink", "check", "1.ticket"}, EX_USAGE, NULL, "did you mean --ticket '1.ticket'?"},
        {{"boothlink", "ports", "x"}, EX_USAGE, NULL, "'x': takes no argument; expected ports"},
        {{"boothlink", "--version"}, EX_OK, "boothlink ", NULL},
        {{"boothlink", "versoin"}, EX_USAGE, NULL, "did you mean \"version\"?"},
        {{"boothlink", "vers"}, EX_USAGE, NULL, "did you mean \"version\"?"},
        {{"boothlink", "help", "hepl"}, EX_USAGE, NULL, "did you mean \"help\"?"},
        {{"boothlink", "qqqqqqqqqqq"}, EX_USAGE, NULL, "\"boothlink help\" lists them"},
        {{"boothlink", ""}, EX_USAGE, NULL, "\"boothlink help\" lists them"},
        {{"boothlink", "help", "--completion", "zsh"}, EX_USAGE, NULL, "expected bash"},
        {{"boothlink", "help", "contest", "ballot"},
         EX_OK,
         "Usage: boothlink contest ballot",
         NULL},
        {{"boothlink", "contest", "ballot", "--help"},
         EX_OK,
         "Usage: boothlink contest ballot",
         NULL},
        {{"boothlink", "help", "contest", "balot"}, EX_USAGE, NULL, "did you mean \"ballot\"?"},
        {{"boothlink", "help", "judge", "ballot"}, EX_USAGE, NULL, "one command at a time"},
        {{"boothlink", "contest", "ballot", "c.db", "--why"},
         EX_USAGE,
         NULL,
         "contest ballot: unknown option --why"},
    };
    static struct capture out;
    static struct capture err;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *argv[6] = {0};
        int argc = 0;
        int code;
        for (; argc < 5 && cases[i].args[argc]; argc++)
            argv[argc] = (char *)cases[i].args[argc];
        capture(&out, stdout);
        capture(&err, stderr);
        code = boothlink_main(argc, argv);
        captured(&err);
        captured(&out);
        assert_int_equal(code, cases[i].code);
        if (cases[i].out)
            assert_non_null(strstr(out.text, cases[i].out));
        else
            assert_string_equal(out.text, "");
        if (cases[i].err)
            assert_non_null(strstr(err.text, cases[i].err));
        else
            assert_string_equal(err.text, "");
    }
}

/* A row that help, manual or completion would show badly. */
static void check_row(const struct command *command)
{
    assert_true((command->run != NULL) + (command->main != NULL) + (command->verbs != NULL) == 1);
    if (command->hidden)
        return;
    assert_non_null(command->synopsis);
    assert_true(command->help && *command->help);
    assert_non_null(command->text);
    assert_int_not_equal(command->help[strlen(command->help) - 1], '.');
    if (*command->text || !strchr(command->name, ' ')) /* a verb's help may say all */
        assert_int_equal(command->text[strlen(command->text) - 1], '.');
    assert_true(command->least <= command->most);
    for (const struct command_option *o = command->options; o && o->name; o++) {
        const bool number =
            o->kind == OPTION_NUMBER || o->kind == OPTION_COUNT || o->kind == OPTION_SECONDS;
        assert_memory_equal(o->name, "--", 2);
        if (o->help)
            assert_int_not_equal(o->help[strlen(o->help) - 1], '.');
        assert_int_equal(o->kind == OPTION_FLAG, o->value == NULL);
        assert_int_equal(o->kind == OPTION_OWN, o->take != NULL);
        assert_true(o->take || o->offset < command->size);
        assert_true(!number || o->least < o->most);
        assert_true(o->kind != OPTION_LIST || o->most >= 1);
        for (const struct command_option *p = command->options; p < o; p++)
            assert_string_not_equal(p->name, o->name);
    }
}

static void rows_are_whole(void **state)
{
    unsigned count = 0;
    (void)state;
    for (const struct command *const *c = commands; *c; c++) {
        const size_t length = strlen((*c)->name);
        check_row(*c);
        assert_ptr_equal(command_find(NULL, (*c)->name, NULL), *c);
        for (const struct command *v = NULL; (v = command_next_verb(*c, v)); count++) {
            check_row(v);
            assert_memory_equal(v->name, (*c)->name, length);
            assert_int_equal(v->name[length], ' ');
            assert_ptr_equal(command_find(*c, command_verb_name(v), NULL), v);
        }
    }
    assert_true(count > 50);
}

/* On a terminal of 80 by 24, with a line for the prompt. */
static void help_of_a_verb_fits_one_screen(void **state)
{
    static struct capture out;
    const struct command *contest = command_find(NULL, "contest", NULL);
    unsigned count = 0;
    (void)state;
    assert_non_null(contest);
    for (const struct command *v = NULL; (v = command_next_verb(contest, v)); count++) {
        unsigned lines = 0;
        capture(&out, stdout);
        command_print_help(v, stdout);
        captured(&out);
        for (const char *line = out.text; *line; lines++) {
            size_t length = strcspn(line, "\n");
            if (length > 80)
                fail_msg("%s: %.*s", v->name, (int)length, line);
            line += length + 1;
        }
        if (lines > 23)
            fail_msg("%s: %u lines", v->name, lines);
    }
    assert_true(count >= 39);
}

static void chooses_a_word(void **state)
{
    static const char *const words[] = {"lf", "cr", "two-returns", NULL};
    struct bl_diag diag = {""};
    unsigned which = 9;
    (void)state;
    assert_int_equal(command_choose("--turn-end", NULL, words, &which, &diag), BL_OK);
    assert_int_equal(which, 0);
    assert_int_equal(command_choose("--turn-end", "two-returns", words, &which, &diag), BL_OK);
    assert_int_equal(which, 2);
    assert_int_equal(command_choose("--turn-end", "two", words, &which, &diag), BL_USAGE);
    assert_string_equal(diag.text, "--turn-end two: expected lf, cr or two-returns");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_options_and_arguments),
        cmocka_unit_test(reads_each_kind),
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(finds_the_verb),
        cmocka_unit_test(verbs_have_help_of_their_own),
        cmocka_unit_test(survives_a_long_word),
        cmocka_unit_test(answers_help),
        cmocka_unit_test(manual_escapes_roff),
        cmocka_unit_test(dispatch),
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(help_of_a_verb_fits_one_screen),
        cmocka_unit_test(chooses_a_word),
    };
    return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
