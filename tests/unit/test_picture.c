/* What a program draws, as a judge sees it, and how two screens differ. */
#include "tests/support/random.h"
#include "validate/emulator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROWS    6
#define COLUMNS 20

/* What an emulator told. */
struct told {
    char text[1024];
    size_t length;
};

static void on_put(void *ctx, uint32_t point, unsigned row, unsigned column)
{
    struct told *told = ctx;
    told->length += (size_t)snprintf(told->text + told->length, sizeof told->text - told->length,
                                     "%c@%u,%u ", (char)point, row, column);
}

static void on_gone(void *ctx, unsigned row, unsigned column)
{
    struct told *told = ctx;
    told->length += (size_t)snprintf(told->text + told->length, sizeof told->text - told->length,
                                     "-@%u,%u ", row, column);
}

static void on_scrolled(void *ctx)
{
    struct told *told = ctx;
    told->text[told->length++] = '^';
    told->text[told->length] = '\0';
}

static const struct emulator_callbacks events = {on_put, on_gone, on_scrolled};

static struct picture *drawn(const char *text)
{
    struct emulator *emulator = emulator_create(ROWS, COLUMNS, NULL, NULL);
    struct picture *picture;
    assert_non_null(emulator);
    emulator_feed(emulator, text, strlen(text));
    picture = picture_copy(emulator_picture(emulator));
    assert_non_null(picture);
    emulator_destroy(emulator);
    return picture;
}

static struct picture_difference differ(const char *one, const char *other,
                                        const struct picture_mask *mask)
{
    struct picture *a = drawn(one), *b = drawn(other);
    struct picture_difference difference;
    bool any = picture_compare(a, b, mask, &difference);
    assert_int_equal(any, difference.text || difference.colours || difference.cursor ||
                              difference.title || difference.bells);
    assert_int_equal(picture_same_text(a, b, mask), difference.text == 0);
    picture_destroy(a);
    picture_destroy(b);
    return difference;
}

#define assert_differ(one, other, text_, colours_, cursor_, title_, bells_)                        \
    do {                                                                                           \
        struct picture_difference d_ = differ(one, other, NULL);                                   \
        assert_int_equal(d_.text, text_);                                                          \
        assert_int_equal(d_.colours, colours_);                                                    \
        assert_int_equal(d_.cursor, cursor_);                                                      \
        assert_int_equal(d_.title, title_);                                                        \
        assert_int_equal(d_.bells, bells_);                                                        \
    } while (0)

static void each_difference_is_its_own(void **state)
{
    (void)state;
    assert_differ("Judge: hi", "Judge: hi", 0, 0, 0, 0, 0);
    assert_differ("Judge: hi", "Judge; hi", 1, 0, 0, 0, 0);
    assert_differ("\033[32mJudge\033[m: hi", "Judge: hi", 0, 5, 0, 0, 0);
    assert_differ("\033[1mJ\033[mudge", "Judge", 0, 1, 0, 0, 0);
    assert_differ("Judge: hi", "Judge: hi\033[D", 0, 0, 1, 0, 0);
    assert_differ("Judge: hi", "Judge: hi\033[?25l", 0, 0, 1, 0, 0);
    assert_differ("\033]2;A\007x", "\033]2;B\007x", 0, 0, 0, 1, 0);
    assert_differ("\033]0;A\033\\x", "\033]2;A\007x", 0, 0, 0, 0, 0);
    assert_differ("x\007", "x", 0, 0, 0, 0, 1);
    /* A difference of text is none of colours. */
    assert_differ("\033[31mA\033[m", "B", 1, 0, 0, 0, 0);
}

static void what_looks_the_same_is_the_same(void **state)
{
    (void)state;
    assert_differ("a  b", "a\033[3Gxx\033[2D  \033[4Gb", 0, 0, 0, 0, 0);
    assert_differ("a   \033[3D", "a\033[K", 0, 0, 0, 0, 0);
    assert_differ("\033[31;1ma b", "\033[31;1ma\033[32m \033[31mb", 0, 0, 0, 0, 0);
    assert_differ("\033[31;42;7mx", "\033[32;41mx", 0, 0, 0, 0, 0);
    assert_differ("\033[7mx", "x", 0, 1, 0, 0, 0);
    assert_differ("\033[7m ", " ", 0, 1, 0, 0, 0);
    assert_differ("\033[4m ", " ", 0, 1, 0, 0, 0);
    assert_differ("\033[38;2;255;0;0mx", "\033[38;5;196mx", 0, 0, 0, 0, 0);
    assert_differ("\033[?25l", "\033[?25lab\033[2D  ", 0, 0, 0, 0, 0);
    assert_differ("\033[?1049habc\033[?1049l", "", 0, 0, 0, 0, 0);
    assert_differ("\xE4\xB8\xAD!", "\xE4\xB8\xAD?", 1, 0, 0, 0, 0);
    assert_differ("e\xCC\x81", "e", 1, 0, 0, 0, 0);
}

static void any_split_gives_the_same_screen(void **state)
{
    static const char text[] = "\033]2;T\303\244tig\007one\r\n\033[1;31mtw\303\266\033[m \033[3;4H"
                               "\xE4\xB8\xAD\r\n\n\n\n\nlast\007\033[A\033[2K\033[?25l";
    struct picture *whole = drawn(text);
    struct dice dice = dice_make(dice_seed("split"));
    (void)state;
    for (unsigned turn = 0; turn < 50; turn++) {
        struct emulator *emulator = emulator_create(ROWS, COLUMNS, NULL, NULL);
        struct picture_difference difference;
        for (size_t at = 0; at < sizeof text - 1;) {
            size_t length = 1 + (turn ? dice_below(&dice, 6) : 0);
            if (length > sizeof text - 1 - at)
                length = sizeof text - 1 - at;
            emulator_feed(emulator, text + at, length);
            at += length;
        }
        assert_false(picture_compare(whole, emulator_picture(emulator), NULL, &difference));
        emulator_destroy(emulator);
    }
    assert_string_equal(whole->title, "T\303\244tig");
    picture_destroy(whole);
}

static void events_are_what_a_reader_notices(void **state)
{
    static const struct {
        const char *bytes, *told;
    } steps[] = {
        {"Hi", "H@0,0 i@0,1 "},
        {"\r\033[32mHi", ""}, /* drawn again, in a colour */
        {" ", " @0,2 "},
        {"\b\b \b", "-@0,1 "}, /* BackSpace */
        {"\033[2J", "-@0,0 "},
        {"\033[Hab\033[6;1Hlast", "a@0,0 b@0,1 l@5,0 a@5,1 s@5,2 t@5,3 "},
        {"\r\n", "^"},
        {"\033[5;1Hlast", ""}, /* where it has come to */
        {"!", "!@4,4 "},
        {"\033[5;2H\033[K", "-@4,4 -@4,3 -@4,2 -@4,1 "},    /* a line from its end */
        {"o it\b\033[K", "o@4,1  @4,2 i@4,3 t@4,4 -@4,4 "}, /* as BackSpace may be drawn */
        {"\033[2J", "-@4,3 -@4,1 -@4,0 "},
    };
    struct told told = {"", 0};
    struct emulator *emulator = emulator_create(ROWS, COLUMNS, &events, &told);
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        told = (struct told){"", 0};
        emulator_feed(emulator, steps[i].bytes, strlen(steps[i].bytes));
        emulator_rest(emulator);
        assert_string_equal(told.text, steps[i].told);
    }
    emulator_destroy(emulator);
}

/* A program that empties its screen and draws all of it again tells what is new, and in time. */
static void what_is_drawn_again_is_no_event(void **state)
{
    static const struct {
        const char *bytes, *told, *rest;
    } steps[] = {
        {"\033[2J\033[HHe: a b", "H@0,0 e@0,1 :@0,2  @0,3 a@0,4  @0,5 b@0,6 ", ""},
        {"\033[2J\033[HHe: a bc", "c@0,7 ", ""},
        {"\033[2J\033[HHe: a b", "", "-@0,7 "},
        {"\033[2J\033[HHe: a d", "-@0,6 d@0,6 ", ""},
        {"\033[2J\033[HHe: a d\r\nI: ", "I@1,0 :@1,1  @1,2 ", ""},
        {"\033[2J\033[HHe: a de\r\nI: ", "e@0,7 ", ""},
    };
    struct told told = {"", 0};
    struct emulator *emulator = emulator_create(ROWS, COLUMNS, &events, &told);
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        for (size_t at = 0; at < strlen(steps[i].bytes); at++)
            emulator_feed(emulator, steps[i].bytes + at, 1);
        assert_string_equal(told.text, steps[i].told);
        told = (struct told){"", 0};
        emulator_rest(emulator);
        assert_string_equal(told.text, steps[i].rest);
        told = (struct told){"", 0};
    }
    emulator_destroy(emulator);
}

static void questions_of_the_program_are_answered(void **state)
{
    char answer[32];
    struct emulator *emulator = emulator_create(ROWS, COLUMNS, NULL, NULL);
    size_t length;
    (void)state;
    emulator_feed(emulator, "ab\033[6n", 6);
    length = emulator_reply(emulator, answer, sizeof answer);
    assert_int_equal(length, 6);
    assert_memory_equal(answer, "\033[1;3R", 6);
    assert_int_equal(emulator_reply(emulator, answer, sizeof answer), 0);
    emulator_destroy(emulator);
}

static void masks(void **state)
{
    struct picture_mask mask = {0};
    struct bl_diag diag;
    struct picture_difference difference;
    static const char *const wrong[] = {"",        "1",     "0,1",  "1,0",      "2,1-1,1",
                                        "1,2-1,1", "a,b",   "1,1-", "1,1-2,2x", "501,1",
                                        "-1,1",    "1,1-2", " 1,1"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(picture_mask_add(&mask, wrong[i], &diag), BL_USAGE);
    assert_int_equal(mask.count, 0);
    assert_int_equal(picture_mask_add(&mask, "1,1-1,8", &diag), BL_OK);
    assert_int_equal(picture_mask_add(&mask, "3,2", &diag), BL_OK);
    difference = differ("12:34:56 x", "12:34:57 x", &mask);
    assert_int_equal(difference.text, 0);
    difference = differ("12:34:56 x", "12:34:57 y", &mask);
    assert_int_equal(difference.text, 1);
    assert_int_equal(difference.text_at[0].row, 0);
    assert_int_equal(difference.text_at[0].column, 9);
    difference = differ("\n\nab", "\n\na", &mask);
    assert_int_equal(difference.text, 0);
    while (mask.count < PICTURE_MASKS)
        assert_int_equal(picture_mask_add(&mask, "1,1", &diag), BL_OK);
    assert_int_equal(picture_mask_add(&mask, "1,1", &diag), BL_USAGE);
}

static void line_add(void *ctx, const char *text)
{
    char *all = ctx;
    strcat(all, text);
    strcat(all, "\n");
}

static void side_by_side(void **state)
{
    struct picture *a = drawn("Judge: hi\r\n\r\nsame"), *b = drawn("Judge; hi\r\n\r\nsame");
    char all[512] = "";
    (void)state;
    picture_beside(a, b, NULL, line_add, all);
    assert_string_equal(all, "Judge: hi            ! Judge; hi\n"
                             "                     | \n"
                             "same                 | same\n");
    picture_destroy(a);
    picture_destroy(b);
}

/* Whatever a program writes: nothing breaks, and every cell can be shown. */
static const char *const hostile[] = {
    "\344\270\255",
    "\314\201",
    "\302\233",
    "\303",
    "\360\237",
    "x",
    ";",
    "9",
    "H",
    "\t",
    "\b",
    "\n",
    "\033",
    "\033[",
    "\033]",
    "\033P",
    "\033\\",
    "\033(0",
    "\033N",
    "\033#6",
    "\033#5",
    "\033#8",
    "\033M",
    "\033c",
    "\016",
    "\017",
    "\030",
    "\033[?69h",
    "\033[3;7s",
    "\033[2;4r",
    "\033[4h",
    "\033[?7l",
    "\033[?7h",
    "\033[?6h",
    "\033[?1049h",
    "\033[?1049l",
    "\033[999b",
    "\033[99999999999999999999d",
    "\033[2147483647;2147483648H",
    "\033[2147483647C",
    "\033[2147483647@",
    "\033[2147483647P",
    "\033[2147483647L",
    "\033[2147483647S",
    "\033[2147483647T",
    "\033[2147483647Z",
    "\033[1;2;3;4;5;6;7;8;9;1;2;3;4;5;6;7;8;9;1;2m",
    "\033[38;5m",
    "\033[38m",
    "\033[2J",
    "\033[K",
};

static void garbage_is_survived(void **state)
{
    struct dice dice = dice_make(dice_seed("garbage"));
    struct emulator *emulator = emulator_create(ROWS, COLUMNS, NULL, NULL);
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t bytes[16];
        size_t length = 1 + dice_below(&dice, sizeof bytes);
        const char *text = hostile[dice_below(&dice, sizeof hostile / sizeof *hostile)];
        for (size_t n = 0; n < length; n++)
            bytes[n] = dice_below(&dice, 3) ? (uint8_t)dice_next(&dice)
                                            : (uint8_t) "\033[]0;1mHJK"[i % 11];
        if (i % 4)
            emulator_feed(emulator, text, strlen(text));
        else
            emulator_feed(emulator, bytes, length);
    }
    for (unsigned row = 0; row < ROWS; row++) {
        for (unsigned column = 0; column < COLUMNS; column++) {
            char text[4 * PICTURE_CHARS];
            size_t length =
                picture_cell_text(picture_at(emulator_picture(emulator), row, column), text);
            assert_in_range(length, 1, sizeof text);
        }
    }
    emulator_feed(emulator, "\033[", 2);
    for (unsigned i = 0; i < 20000; i++)
        emulator_feed(emulator, "?", 1);
    emulator_feed(emulator, "b", 1);
    emulator_destroy(emulator);
}

/* What libvterm 0.1.4 does not do, or not well. */
static void sequences_are_mended(void **state)
{
    static const struct {
        const char *bytes, *row;
    } rows[] = {
        {"ab\033[3bc", "abbbbc"},            /* REP */
        {"a\314\201\033[bc", "a\314\201ac"}, /* of what stands alone */
        {"\033[3bc", "c"},                   /* of nothing */
        {"\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;4Hc", "c"},
        {"\033[00000000000000003Gc", "  c"},
        {"a\302\233bc", "a\357\277\275bc"},
        {"a\033]0;x\033[3Cbc", "a   bc"}, /* a title that another sequence breaks off */
        {"a\033\033[3Cbc", "a   bc"},
        {"a\033[\b3Cbc", "a  bc"}, /* a control in between is obeyed */
        {"a\033[3\030Cbc", "aCbc"},
        {"a\033[3\303\251bc", "a\303\251bc"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct emulator *emulator = emulator_create(ROWS, COLUMNS, NULL, NULL);
        char text[16 * COLUMNS + 1] = "";
        size_t length = 0;
        emulator_feed(emulator, rows[i].bytes, strlen(rows[i].bytes));
        for (unsigned column = 0; column < COLUMNS; column++)
            length +=
                picture_cell_text(picture_at(emulator_picture(emulator), 0, column), text + length);
        while (length && text[length - 1] == ' ')
            length--;
        text[length] = '\0';
        assert_string_equal(text, rows[i].row);
        emulator_destroy(emulator);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_difference_is_its_own),
        cmocka_unit_test(what_looks_the_same_is_the_same),
        cmocka_unit_test(any_split_gives_the_same_screen),
        cmocka_unit_test(events_are_what_a_reader_notices),
        cmocka_unit_test(what_is_drawn_again_is_no_event),
        cmocka_unit_test(questions_of_the_program_are_answered),
        cmocka_unit_test(masks),
        cmocka_unit_test(side_by_side),
        cmocka_unit_test(sequences_are_mended),
        cmocka_unit_test(garbage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
