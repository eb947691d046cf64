/* What a terminal sends, as keys: every split of the bytes, and no letters out of a sequence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "session/event.h"
#include "session/input.h"

/* What came out, as text: characters as they are, others in words. */
struct out {
    char text[4096];
};

static void on_out(void *ctx, enum input_what what, uint32_t point)
{
    static const char *const names[] = {
        [INPUT_F1] = "F1",         [INPUT_F2] = "F2",           [INPUT_F3] = "F3",
        [INPUT_UP] = "Up",         [INPUT_DOWN] = "Down",       [INPUT_F8] = "F8",
        [INPUT_F9] = "F9",         [INPUT_F10] = "F10",         [INPUT_F12] = "F12",
        [INPUT_PAGE_UP] = "PgUp",  [INPUT_PAGE_DOWN] = "PgDn",  [INPUT_HOME] = "Home",
        [INPUT_END] = "End",       [INPUT_LEFT] = "Left",       [INPUT_RIGHT] = "Right",
        [INPUT_REDRAW] = "Redraw", [INPUT_IGNORED] = "ignored", [INPUT_SILENT] = "silent",
        [INPUT_BROKEN] = "ignored"};
    struct out *out = ctx;
    size_t length = strlen(out->text);
    assert_in_range(what, INPUT_POINT, INPUT_SILENT);
    assert_true(length + 16 < sizeof out->text);
    if (what == INPUT_POINT)
        assert_true(key_is_key(point));
    if (what == INPUT_POINT && point > ' ' && point < 0x7F)
        sprintf(out->text + length, "%s%c", length ? " " : "", (char)point);
    else if (what == INPUT_POINT)
        sprintf(out->text + length, "%sU+%04X", length ? " " : "", point);
    else
        sprintf(out->text + length, "%s%s", length ? " " : "", names[what]);
}

/* Feeds the bytes, then a pause, which ends what is open. */
static void assert_input(const char *bytes, size_t length, const char *expected)
{
    struct input input = {0};
    struct out out = {""};
    for (size_t i = 0; i < length; i++)
        input_feed(&input, (uint8_t)bytes[i], on_out, &out);
    if (input_wait_ms(&input) > 0)
        input_timeout(&input, on_out, &out);
    if (input_wait_ms(&input) > 0) { /* after an Esc by itself, for a digit */
        assert_int_equal(input_wait_ms(&input), INPUT_PREFIX_MS);
        input_timeout(&input, on_out, &out);
    }
    assert_int_equal(input_wait_ms(&input), 0);
    if (strcmp(out.text, expected) != 0) {
        for (size_t i = 0; i < length; i++)
            print_error("%02X ", (uint8_t)bytes[i]);
        fail_msg("gives '%s', not '%s'", out.text, expected);
    }
}

static void known_and_unknown(void **state)
{
    static const struct {
        const char *bytes, *expected;
    } rows[] = {
        {"aZ ~", "a Z U+0020 ~"},
        {"\r\t\b\x7F", "U+000D U+0009 U+0008 U+0008"},
        {"\n", "U+000D"},
        {"a\r\nb\n\nc", "a U+000D silent b U+000D U+000D c"},
        {"\r\r\n\n", "U+000D U+000D silent U+000D"},
        {"\x01\x03\x04\x11\x13\x16\x1A\x1C\x1F", "ignored ignored ignored ignored ignored ignored "
                                                 "ignored ignored ignored"},
        {"\x0C", "Redraw"},
        {"\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x99\x82", "U+00E9 U+4E2D U+1F642"},
        {"\xC2\x9B\xC2\xAD\xE2\x80\xAE\xEE\x80\x80", "ignored ignored ignored ignored"},
        {"\xFF\xC0\x80\xC3\x41", "ignored ignored ignored ignored A"},
        {"\xE2\x82\x1B[A", "ignored Up"},
        {"\x1B[A\x1BOA\x1B[B\x1BOB", "Up Up Down Down"},
        {"\x1BOR\x1B[13~\x1B[[C", "F3 F3 F3"},
        /* Function keys as Linux, xterm and VT220 send them. */
        {"\033[[A\033[[B\033[19~\033[20~\033[21~\033[24~", "F1 F2 F8 F9 F10 F12"},
        {"\033OP\033OQ\033[11~\033[12~", "F1 F2 F1 F2"},
        {"\033[5~\033[6~\033[1~\033[4~\033[7~\033[8~", "PgUp PgDn Home End Home End"},
        {"\033[H\033[F\033OH\033OF\033[D\033[C\033OD\033OC",
         "Home End Home End Left Right Left Right"},
        {"\033Op\033Oy\033OM\033Om", "0 9 U+000D -"},
        /* What nobody asked for leaves no letters behind. */
        {"\033[2~\033[3~\033[15~\033[Z\033OS\033[[D",
         "ignored ignored ignored ignored ignored ignored"},
        {"\033[1;5C\033[24;2~\033[?1;2c\033[38;2;255;100;50;1;2;3;4;5m", "ignored ignored ignored "
                                                                         "ignored"},
        {"\033[ q\033[!p\033[>0;276;0cx", "ignored ignored ignored x"},
        {"\033[M !!a\033[<0;1;1Mb", "ignored a ignored b"},
        {"\033]11;rgb:0000/0000/0000\033\\a", "ignored a"},
        {"\033]0;title\007a\033P1$r0m\033\\b\033_x\033\\c", "ignored a ignored b ignored c"},
        {"\033[200~p\r\nq\033[201~", "silent p U+000D silent q silent"},
        /* Alt and a character are one ignored key, as many bytes as it has. */
        {"\033a\033\xC3\xA9z\033\r\033\033", "ignored ignored z ignored ignored ignored"},
        {"\033\xE2\x82z", "ignored z"},
        /* Where a terminal takes function keys for itself: Alt and a digit. */
        {"\0331\0332\0333\0334\0338\0339\0330\0335x", "F1 F2 F3 F12 F8 F9 F10 ignored x"},
        /* A sequence that is cut by something else, or by a pause. */
        {"\033[\rx", "ignored U+000D x"},
        {"\033[1\033[5~", "ignored PgUp"},
        {"\033O\xC3\xA9", "ignored U+00E9"},
        {"\033", "ignored"},
        {"\033[", "ignored"},
        {"\033[1;", "ignored"},
        {"\033]0;no end", "ignored"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_input(rows[i].bytes, strlen(rows[i].bytes), rows[i].expected);
    assert_input("\0a", 2, "ignored a");
}

static void a_pause_ends_a_sequence(void **state)
{
    struct input input = {0};
    struct out out = {""};
    (void)state;
    input_feed(&input, 033, on_out, &out);
    assert_int_equal(input_wait_ms(&input), INPUT_ESCAPE_MS);
    input_timeout(&input, on_out, &out);
    input_feed(&input, '[', on_out, &out);
    assert_int_equal(input_wait_ms(&input), 0);
    input_feed(&input, 033, on_out, &out);
    input_feed(&input, '[', on_out, &out);
    assert_int_equal(input_wait_ms(&input), INPUT_SEQUENCE_MS);
    input_timeout(&input, on_out, &out);
    input_feed(&input, 'A', on_out, &out);
    /* Half a character does not wait: the next byte tells. */
    input_feed(&input, 0xC3, on_out, &out);
    assert_int_equal(input_wait_ms(&input), 0);
    input_timeout(&input, on_out, &out);
    input_feed(&input, 0xA9, on_out, &out);
    assert_string_equal(out.text, "ignored [ ignored A U+00E9");
}

/* Esc, let go, and then a digit; any other key is what it ever was, and so is a digit later on. */
static void escape_and_a_digit(void **state)
{
    static const struct {
        const char *after, *expected;
    } rows[] = {{"1", "ignored F1"},
                {"0", "ignored F10"},
                {"4x", "ignored F12 x"},
                {"a1", "ignored a 1"},
                {"\033[A", "ignored Up"},
                {"\0339", "ignored F9"},
                {"\xC3\xA9"
                 "1",
                 "ignored U+00E9 1"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct input input = {0};
        struct out out = {""};
        input_feed(&input, 033, on_out, &out);
        input_timeout(&input, on_out, &out);
        assert_int_equal(input_wait_ms(&input), INPUT_PREFIX_MS);
        for (const char *at = rows[i].after; *at; at++)
            input_feed(&input, (uint8_t)*at, on_out, &out);
        assert_string_equal(out.text, rows[i].expected);
    }
    struct input input = {0};
    struct out out = {""};
    input_feed(&input, 033, on_out, &out);
    input_timeout(&input, on_out, &out);
    input_timeout(&input, on_out, &out);
    assert_int_equal(input_wait_ms(&input), 0);
    input_feed(&input, '1', on_out, &out);
    assert_string_equal(out.text, "ignored 1");
}

/* Whatever comes, what is written stays inside, and plain text after a pause is text again. */
static void garbage_does_no_harm(void **state)
{
    static const char interesting[] =
        "\033\033\033[[OMP]?;0123456789~ABC\r\n\x07\\\xC3\xA9\xE2\x9B";
    const char *text = getenv("SEED");
    unsigned seed = text ? (unsigned)strtoul(text, NULL, 0) : 1912u;
    (void)state;
    print_message("# SEED=%u\n", seed);
    srand(seed);
    for (unsigned run = 0; run < 20000; run++) {
        struct input input = {0};
        struct out out = {""};
        for (int n = rand() % 40; n > 0; n--) {
            uint8_t byte = rand() % 4
                               ? (uint8_t)interesting[(size_t)rand() % (sizeof interesting - 1)]
                               : (uint8_t)rand();
            input_feed(&input, byte, on_out, &out);
        }
        input_timeout(&input, on_out, &out);
        out.text[0] = '\0';
        input_feed(&input, '\r', on_out, &out); /* ends a character that was cut */
        out.text[0] = '\0';
        input_feed(&input, 'o', on_out, &out);
        input_feed(&input, 'k', on_out, &out);
        if (strcmp(out.text, "o k") != 0)
            fail_msg("SEED=%u run %u: '%s'", seed, run, out.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_and_unknown),
        cmocka_unit_test(a_pause_ends_a_sequence),
        cmocka_unit_test(escape_and_a_digit),
        cmocka_unit_test(garbage_does_no_harm),
    };
    return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
