/* The walk over a command line, the nearest name, and what is printed from the table. */
#include "cli/command.h"

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

static const struct command_option options[] = {
    {"--left", "PORT", "the port of the left side"},
    {"--right", "PORT", "the port of the right side"},
    {"--starts", "judge|either", "who may begin"},
    {"--headless", NULL, "no screen"},
    {"--secret", "X", NULL},
    {0},
};

static const struct command sample = {
    .name = "sample",
    .synopsis = "--left PORT [FILE...]",
    .help = "a sample",
    .text =
        ".A first paragraph with a back\\slash and a --dash, long enough that it must be broken "
        "into several lines.\n\nA second paragraph.",
    .examples = "boothlink sample --left serial:/dev/ttyS0\n.dot",
    .options = options,
};

enum { ARGS_MAX = 12 };

/* Walks the arguments and writes what came as one line: "--left=x file --headless". */
static struct command_walk walk_all(char *got, size_t size, const char *const args[])
{
    char *argv[ARGS_MAX] = {(char *)"sample"};
    int argc = 1;
    const char *name;
    for (; args[argc - 1]; argc++) {
        assert_true(argc < ARGS_MAX);
        argv[argc] = (char *)args[argc - 1];
    }
    struct command_walk walk = {.command = &sample, .argc = argc, .argv = argv};
    got[0] = '\0';
    while ((name = command_next(&walk))) {
        size_t at = strlen(got);
        snprintf(got + at, size - at, "%s%s%s%s%s", at ? " " : "", walk.bare ? "(" : "", name,
                 walk.value  ? "="
                 : walk.bare ? ")"
                             : "",
                 walk.value ? walk.value : "");
    }
    assert_null(command_next(&walk)); /* once over it stays over */
    return walk;
}

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void takes_options_and_arguments(void **state)
{
    char got[256];
    struct command_walk walk;
    (void)state;
    walk = walk_all(got, sizeof got, ARGS("--left", "a", "x", "--right=b=c", "--headless", "-"));
    assert_string_equal(got, "--left=a (x) --right=b=c --headless (-)");
    assert_int_equal(walk.status, BL_OK);
    assert_false(walk.helped);

    walk = walk_all(got, sizeof got, ARGS("--headless", "--", "--left", "--", "-h"));
    assert_string_equal(got, "--headless (--left) (--) (-h)");

    walk = walk_all(got, sizeof got, ARGS("--left", "--5"));
    assert_string_equal(got, "--left=--5");

    walk = walk_all(got, sizeof got, ARGS("--secret", "s"));
    assert_string_equal(got, "--secret=s");

    walk = walk_all(got, sizeof got, ARGS("--"));
    assert_string_equal(got, "");
    assert_int_equal(walk.status, BL_OK);
}

static void names_what_is_wrong(void **state)
{
    static const struct {
        const char *args[3];
        const char *text;
    } cases[] = {
        {{"--lfet"}, "boothlink sample: unknown option --lfet; did you mean --left?\n"},
        {{"--lfet=x"}, "boothlink sample: unknown option --lfet; did you mean --left?\n"},
        {{"--righ"}, "boothlink sample: unknown option --righ; did you mean --right?\n"},
        {{"--sekret"},
         "boothlink sample: unknown option --sekret; \"boothlink help sample\" lists "
         "them\n"},
        {{"-x"}, "boothlink sample: unknown option -x; \"boothlink help sample\" lists them\n"},
        {{"--left"}, "boothlink sample: --left needs a value: --left PORT\n"},
        {{"--left="}, "boothlink sample: --left needs a value: --left PORT\n"},
        {{"--left", ""}, "boothlink sample: --left needs a value: --left PORT\n"},
        {{"--left", "--right"}, "boothlink sample: --left needs a value: --left PORT\n"},
        {{"--left", "--right=b"}, "boothlink sample: --left needs a value: --left PORT\n"},
        {{"--headless=1"}, "boothlink sample: --headless takes no value\n"},
    };
    static struct capture err;
    char got[256];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        capture(&err, stderr);
        struct command_walk walk = walk_all(got, sizeof got, cases[i].args);
        assert_string_equal(captured(&err), cases[i].text);
        assert_int_equal(walk.status, BL_USAGE);
        assert_string_equal(got, "");
    }
}

static void survives_a_long_word(void **state)
{
    static struct capture err;
    static char word[5000];
    char got[16];
    (void)state;
    memset(word, '-', sizeof word - 1);
    capture(&err, stderr);
    assert_int_equal(walk_all(got, sizeof got, ARGS(word)).status, BL_USAGE);
    assert_int_equal(command_unknown(word), EX_USAGE);
    captured(&err);
}

static void answers_help(void **state)
{
    static struct capture out;
    char got[64];
    (void)state;
    capture(&out, stdout);
    struct command_walk walk = walk_all(got, sizeof got, ARGS("--help", "--nonsense"));
    captured(&out);
    assert_true(walk.helped);
    assert_int_equal(walk.status, BL_OK);
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
        const char *args[4];
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
        {{"boothlink", "--version"}, EX_OK, "boothlink ", NULL},
        {{"boothlink", "versoin"}, EX_USAGE, NULL, "did you mean \"version\"?"},
        {{"boothlink", "vers"}, EX_USAGE, NULL, "did you mean \"version\"?"},
        {{"boothlink", "help", "hepl"}, EX_USAGE, NULL, "did you mean \"help\"?"},
        {{"boothlink", "qqqqqqqqqqq"}, EX_USAGE, NULL, "\"boothlink help\" lists them"},
        {{"boothlink", ""}, EX_USAGE, NULL, "\"boothlink help\" lists them"},
        {{"boothlink", "help", "--completion", "zsh"}, EX_USAGE, NULL, "bash only"},
    };
    static struct capture out;
    static struct capture err;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *argv[5] = {0};
        int argc = 0;
        int code;
        for (; argc < 4 && cases[i].args[argc]; argc++)
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
static void rows_are_whole(void **state)
{
    (void)state;
    for (const struct command *const *c = commands; *c; c++) {
        const struct command *command = *c;
        assert_non_null(command->name);
        assert_non_null(command->run);
        assert_ptr_equal(command_find(command->name, NULL), command);
        if (command->hidden)
            continue;
        assert_non_null(command->synopsis);
        assert_true(command->help && *command->help);
        assert_true(command->text && *command->text);
        assert_int_not_equal(command->help[strlen(command->help) - 1], '.');
        assert_int_equal(command->text[strlen(command->text) - 1], '.');
        for (const struct command_option *o = command->options; o && o->name; o++) {
            assert_memory_equal(o->name, "--", 2);
            if (o->help)
                assert_int_not_equal(o->help[strlen(o->help) - 1], '.');
        }
    }
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
    assert_string_equal(diag.text, "--turn-end two: lf, cr or two-returns is wanted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_options_and_arguments),
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(survives_a_long_word),
        cmocka_unit_test(answers_help),
        cmocka_unit_test(manual_escapes_roff),
        cmocka_unit_test(dispatch),
        cmocka_unit_test(rows_are_whole),
        cmocka_unit_test(chooses_a_word),
    };
    return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
