/* What an Entry writes becomes keys: UTF-8, line ends, escape sequences, echo, prompts. */
#include "entity/filter.h"

#include "session/event.h"

#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* A filter with its state, and the keys that came out of it as UTF-8: Return as '\n'. */
struct rig {
    struct filter filter;
    struct filter_state state;
    struct given given;
    struct prompt prompt;
    char out[4096];
    size_t length;
};

static struct rig rig;

static void rig_start(const char *prompt, bool echo)
{
    struct bl_diag diag = {{0}};
    prompt_free(&rig.prompt);
    memset(&rig, 0, sizeof rig);
    rig.filter = (struct filter){.strip_echo = echo, .returns = 1, .given = &rig.given};
    if (prompt) {
        if (prompt_parse(&rig.prompt, prompt, &diag))
            fail_msg("%s", diag.text);
        rig.filter.prompt = &rig.prompt;
    }
    filter_start(&rig.filter, &rig.state);
}

static void rig_drain(void)
{
    while (filter_waiting(&rig.state)) {
        uint32_t point = filter_next(&rig.state).point;
        uint8_t utf8[UTF8_MAX];
        size_t n = utf8_encode(point == KEY_RETURN ? '\n' : point, utf8);
        filter_pop(&rig.state);
        assert_true(rig.length + n < sizeof rig.out);
        memcpy(rig.out + rig.length, utf8, n);
        rig.length += n;
        rig.out[rig.length] = '\0';
    }
}

static void rig_feed(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        filter_feed(&rig.filter, &rig.state, (uint8_t)bytes[i]);
        assert_true(filter_sound(&rig.state)); /* or a keeper's page would be refused */
        rig_drain();
    }
}

static void rig_text(const char *text)
{
    rig_feed(text, strlen(text));
}

static void rig_quiet(void)
{
    filter_release(&rig.filter, &rig.state);
    rig_drain();
    assert_false(filter_holding(&rig.state));
}

/* The judge types, all that the program wrote so far having been read. */
static void rig_judge(const char *keys)
{
    for (; *keys; keys++) {
        uint64_t n = rig.given.count + 1;
        rig.given.key[n % GIVEN_ROOM] = *keys == '\n' ? KEY_RETURN : (unsigned char)*keys;
        rig.given.after[n % GIVEN_ROOM] = rig.state.position;
        if (*keys == '\n')
            rig.given.turn = rig.state.position + 1;
        rig.given.count = n;
    }
}

#define expect(text)                                                                               \
    do {                                                                                           \
        assert_string_equal(rig.out, text);                                                        \
        rig.out[rig.length = 0] = '\0';                                                            \
    } while (0)

static void controls(void **state)
{
    static const struct {
        const char *bytes, *keys;
        unsigned ignored, bad;
    } rows[] = {
        {"Hello\n", "Hello\n", 0, 0},
        {"a\r\nb\rc\n\nd\r\r\n", "a\nb\nc\n\nd\n\n", 0, 0},
        {"a\b\x7F\tb", "a\b\b\tb", 0, 0},
        {"\a\v\f\x0E", "", 4, 0},
        {"h\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "h\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", 0,
         0},
        {"\x1B[31mred\x1B[0m", "red", 2, 0},
        {"\x1B[?25l\x1B[2J\x1B[1;1Hx", "x", 3, 0},
        {"\x1B]0;title\x07x\x1B]0;title\x1B\\y", "xy", 2, 0},
        {"\x1BPq#0\x1B\\x", "x", 1, 0},
        {"\x1B(B\x1B"
         "7x\x1B"
         "8",
         "x", 3, 0},
        {"\xC2\x9B"
         "31mred\xC2\x85",
         "red", 2, 0},
        {"\x1B[31\nx", "\nx", 1, 0},
        {"\x1B\nx", "x", 1, 0},
        {"\x1B\x1B[1mx", "x", 2, 0},
        {"\x1B]oops\nx", "\nx", 1, 0},
        {"\x1B\xC3\xA9", "", 1, 0},
        {"\xEF\xBF\xBD", "", 1, 0},
        {"a\xFF"
         "b\xC3(\xE2\x82",
         "ab(", 0, 2},
        {"\xED\xA0\x80", "", 0, 3},
        {"\xF0\x9F\x98\xE2\x82\xAC", "\xE2\x82\xAC", 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int quiet = 0; quiet < 2; quiet++) {
            rig_start(NULL, false);
            for (const char *p = rows[i].bytes; *p; p++) {
                rig_feed(p, 1);
                if (quiet)
                    rig_quiet(); /* a pause anywhere changes nothing where no prompt is stripped */
            }
            assert_int_equal(rig.state.ignored, rows[i].ignored);
            assert_int_equal(rig.state.bad, rows[i].bad);
            expect(rows[i].keys);
        }
    }
    rig_start(NULL, false);
    rig_feed("a\0b", 3);
    expect("ab");
    assert_int_equal(rig.state.ignored, 1);
    rig_text("c\xE2\x82");
    filter_end(&rig.filter, &rig.state);
    rig_drain();
    expect("c");
    assert_int_equal(rig.state.bad, 1);
}

/* A string that is never closed does not swallow the Entry's words for ever. */
static void endless_string(void **state)
{
    (void)state;
    rig_start(NULL, false);
    rig_text("\x1B]");
    for (unsigned i = 0; i < 2000; i++)
        rig_text("x");
    assert_true(rig.length > 900);
}

static void prompts(void **state)
{
    (void)state;
    rig_start("> ", false);
    rig_text("> ");
    expect("");
    rig_text("Hi > there\n> > ok\n>no\n");
    expect("Hi > there\nok\n>no\n");
    rig_text(">");
    expect("");
    assert_true(filter_holding(&rig.state));
    rig_quiet();
    expect(">");
    rig_text(" x\n"); /* what was let go is text, and its line has no prompt any more */
    expect(" x\n");

    rig_start("(you|Eliza):\t", false);
    rig_text("Eliza:\tHow do you do?\nyou:\tEliza:\tyou said yes\nyouth: no\n");
    expect("How do you do?\nyou said yes\nyouth: no\n");

    /* The longest match: the blank may still come. */
    rig_start("You: ?", false);
    rig_text("You:");
    expect("");
    rig_quiet();
    expect("");
    rig_text("Hi\nYou: Hi\nYou:Hi\nYou:");
    expect("Hi\nHi\nHi\n");
    rig_text("\n");
    expect("\n");

    /* A prompt within what was held for a longer one that did not come. */
    rig_start("ab(cd)*", false);
    rig_text("abcdcx\nabcdc\nab");
    expect("cx\nc\n");
    rig_quiet();
    expect("");

    /* Text that could be a prompt for ever is let go at the latest when the store is full. */
    rig_start(".*#", false);
    for (unsigned i = 0; i < 300; i++)
        rig_text("x");
    assert_int_equal(rig.length, 300);
    rig_start("[0-9]*", false);
    for (unsigned i = 0; i < 300; i++)
        rig_text("7");
    rig_quiet();
    expect("");
}

/* The judge's Return moves the cursor of a terminal to a line's start. */
static void prompt_after_a_turn(void **state)
{
    (void)state;
    rig_start("> ", false);
    rig_text("What? ");
    rig_judge("that\n");
    rig_text("> so\n");
    expect("What? so\n");
    rig_text("one ");
    rig_judge("x");
    rig_text("> two\n");
    expect("one > two\n");
}

static void prompt_resumes(void **state)
{
    static const char text[] = "you: yo\nyou: you:x you: \nyyou:\nyou: end";
    char whole[256];
    (void)state;
    rig_start("you: ", false);
    rig_text(text);
    strcpy(whole, rig.out);
    for (size_t stop = 0; stop <= strlen(text); stop++) {
        rig_start("you: ", false);
        rig_feed(text, stop);
        filter_resume(&rig.filter, &rig.state);
        rig_text(text + stop);
        assert_string_equal(rig.out, whole);
    }
    /* Started again without a prompt, or with another one. */
    rig_start("you: ", false);
    rig_text("yo");
    rig.filter.prompt = NULL;
    filter_resume(&rig.filter, &rig.state);
    rig_drain();
    rig_text("u: ");
    expect("you: ");
    rig_start("you: ", false);
    rig_text("yo");
    prompt_free(&rig.prompt);
    assert_int_equal(prompt_parse(&rig.prompt, "yo", NULL), BL_OK);
    filter_resume(&rig.filter, &rig.state);
    rig_text("u");
    expect("u");
}

static void echoes(void **state)
{
    (void)state;
    rig_start(NULL, true);
    rig_text("Hi, hello. "); /* written before the judge typed: no echo, though it looks like one */
    rig_judge("h");
    rig_text("h");
    rig_judge("ello\n");
    rig_text("ello\r\n");
    expect("Hi, hello. ");
    rig_text("hello yourself\r\n");
    expect("hello yourself\n");
    /* As a terminal does it: BackSpace as "\b \b", or as "\b". */
    rig_judge("a\bb\b\bc\n");
    rig_text("a\b \bb\b \bc\r\n");
    expect("");
    rig_judge("a\bc\n");
    rig_text("a\bc\nA b\n");
    expect("A b\n");
    /* A BackSpace at the line's start has no echo; a Tab may have one. */
    rig_judge("\b\tx\n");
    rig_text("\tx\n");
    rig_judge("\b\ty\n");
    rig_text("y\nz");
    expect("z");
    /* A blank that follows "\b" and is no part of an erasure. */
    rig_judge("\n\b");
    rig_text("\n\b x");
    expect(" x");
    rig_judge("\b");
    rig_text("\b ");
    expect("");
    rig_quiet();
    expect(" ");
}

static void echo_between(void **state)
{
    (void)state;
    rig_start(NULL, true);
    rig_judge("x");
    rig_text("Wait");
    rig_text("x");
    rig_judge("y\n");
    rig_text(" a y\nmoment\n");
    expect("Wait a moment\n");
}

/* Two Returns for one, and an Entry that echoes only one of them. */
static void echo_of_two_returns(void **state)
{
    (void)state;
    rig_start(NULL, true);
    rig.filter.returns = 2;
    rig_judge("a\nb\n");
    rig_text("a\r\n\r\nb\r\nOk\r\n");
    expect("Ok\n");
}

/* A line that was answered without an echo is not waited for, so that later ones are stripped. */
static void echo_that_never_comes(void **state)
{
    (void)state;
    for (int prompt = 0; prompt < 2; prompt++) {
        rig_start(prompt ? "> " : NULL, true);
        rig_judge("#2\n");
        rig_text("Now\n");
        expect("Now\n");
        rig_text(prompt ? "> " : "");
        rig_judge("hello\n");
        rig_text("hello\nthere\n");
        expect("there\n");
        rig_judge("bye\n");
        rig_text("bye\nAdieu\n");
        expect("Adieu\n");
    }
}

/* More keys than the ring holds without an echo: nothing is read that was overwritten. */
static void echo_ring(void **state)
{
    (void)state;
    rig_start(NULL, true);
    for (unsigned i = 0; i < GIVEN_ROOM + 10; i++)
        rig_judge("q");
    rig_text("no q\n");
    expect("no \n");
    assert_int_equal(rig.state.echoed, 11);
}

static void echo_and_prompt(void **state)
{
    (void)state;
    rig_start("(Eliza|you):\t", true);
    rig_text("Eliza:\tHow are you?\nyou:\t");
    rig_judge("well\n");
    rig_text("well\nEliza:\tGood.\nyou:\t");
    rig_judge("you: Eliza\n");
    rig_text("you: Eliza\nEliza:\tYes\n");
    expect("How are you?\nGood.\nYes\n");
}

static void bad_expressions(void **state)
{
    static const char *const bad[] = {
        "",
        "(",
        ")",
        "a)",
        "(a",
        "[",
        "[a",
        "[]",
        "[b-a]",
        "*a",
        "a|*",
        "+",
        "?",
        "{2}",
        "a{3,2}",
        "a$",
        "$",
        "a^",
        "\\",
        "\\1",
        "(a)\\1",
        "(^a)",
        "[$[:alpha:]^]$",
        "[[:foo:]]",
        "[[.a.]]",
        "\xFF",
        "a\xC3",
        "((a{99}){99}){99}",
        "((){255}){255}{255}{255}",
    };
    struct prompt prompt;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bl_diag diag = {{0}};
        assert_int_equal(prompt_parse(&prompt, bad[i], &diag), BL_USAGE);
        assert_int_equal(strncmp(diag.text, "strip-prompt \"", 14), 0);
    }
}

/* Key by key, as an Entry writes them. */
static size_t prompt_longest(const struct prompt *prompt, const char *text)
{
    uint32_t keys[64];
    size_t longest = 0;
    bool open = true;
    for (unsigned i = 0; text[i] && open; i++) {
        keys[i] = (unsigned char)text[i];
        unsigned found = prompt_find(prompt, keys, i + 1, &open);
        if (found > i)
            longest = found;
    }
    return longest;
}

static void random_expression(char *out, unsigned depth)
{
    static const char *const atoms[] = {"a", "b", "c", ".", "[ab]", "[^a]", "[[:alpha:]]", "\\."};
    static const char *const repeats[] = {"", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}"};
    unsigned pieces = 1 + (unsigned)random() % 3;
    for (unsigned i = 0; i < pieces; i++) {
        if (depth && random() % 3 == 0) {
            strcat(out, "(");
            random_expression(out, depth - 1);
            if (random() % 2) {
                strcat(out, "|");
                random_expression(out, depth - 1);
            }
            strcat(out, ")");
        } else {
            strcat(out, atoms[(size_t)random() % (sizeof atoms / sizeof *atoms)]);
        }
        strcat(out, repeats[(size_t)random() % (sizeof repeats / sizeof *repeats)]);
    }
}

/* The C library's matcher is the oracle: same longest match for random expressions and texts. */
static void same_as_regexec(void **state)
{
    const char *given = getenv("SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    unsigned compared = 0;
    (void)state;
    printf("# SEED=%u\n", seed);
    srandom(seed);
    for (unsigned round = 0; round < 300; round++) {
        char expression[1024] = "", anchored[1100];
        struct prompt prompt;
        struct bl_diag diag = {{0}};
        regex_t regex;
        random_expression(expression, 2);
        if (prompt_parse(&prompt, expression, &diag)) {
            assert_non_null(strstr(diag.text, "too l")); /* long, large */
            continue;
        }
        snprintf(anchored, sizeof anchored, "^(%s)", expression);
        assert_int_equal(regcomp(&regex, anchored, REG_EXTENDED), 0);
        for (unsigned i = 0; i < 20; i++) {
            char text[12] = "";
            regmatch_t match;
            size_t length = (size_t)random() % (sizeof text - 1), longest = 0;
            for (size_t k = 0; k < length; k++)
                text[k] = "aabbc."[random() % 6];
            if (regexec(&regex, text, 1, &match, 0) == 0)
                longest = (size_t)match.rm_eo;
            if (prompt_longest(&prompt, text) != longest)
                fail_msg("\"%s\" in \"%s\": %zu, not %zu", expression, text,
                         prompt_longest(&prompt, text), longest);
            compared++;
        }
        regfree(&regex);
        prompt_free(&prompt);
    }
    assert_true(compared > 1000);
}

/* Any bytes, pauses and judge's keys at random: bounded, and what comes out are keys, never more of
 * them than bytes went in. */
static void any_bytes(void **state)
{
    const char *given = getenv("SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    (void)state;
    printf("# SEED=%u\n", seed);
    srandom(seed);
    for (unsigned round = 0; round < 40; round++) {
        uint64_t keys = 0;
        rig_start(round & 1 ? "(> |you|[a-z]*:)" : NULL, round & 2);
        rig.filter.returns = round & 4 ? 2 : 1;
        for (unsigned i = 0; i < 3000; i++) {
            static const char likely[] = "\x1B[]>you: \b\r\n\xC3\xA9\xFF\x07m;";
            uint8_t byte = random() % 3 ? (uint8_t)likely[(size_t)random() % (sizeof likely - 1)]
                                        : (uint8_t)random();
            if (random() % 8 == 0)
                rig_judge((const char *[]){"y", "\b", "\n", "> ", "\t"}[random() % 5]);
            if (random() % 50 == 0)
                filter_release(&rig.filter, &rig.state);
            else
                filter_feed(&rig.filter, &rig.state, byte);
            while (filter_waiting(&rig.state)) {
                assert_true(key_is_key(filter_next(&rig.state).point));
                filter_pop(&rig.state);
                keys++;
            }
            assert_true(keys + rig.state.held_count <= rig.state.position);
        }
        filter_end(&rig.filter, &rig.state);
        assert_false(filter_holding(&rig.state));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(controls),
        cmocka_unit_test(endless_string),
        cmocka_unit_test(prompts),
        cmocka_unit_test(prompt_after_a_turn),
        cmocka_unit_test(prompt_resumes),
        cmocka_unit_test(echoes),
        cmocka_unit_test(echo_between),
        cmocka_unit_test(echo_of_two_returns),
        cmocka_unit_test(echo_that_never_comes),
        cmocka_unit_test(echo_ring),
        cmocka_unit_test(echo_and_prompt),
        cmocka_unit_test(bad_expressions),
        cmocka_unit_test(same_as_regexec),
        cmocka_unit_test(any_bytes),
    };
    return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
