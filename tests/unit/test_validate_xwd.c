/* The picture in an X server's file: what one is, and that no other is taken for one. */
#include "tests/support/random.h"
#include "validate/xwd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Words of the header, as XWDFile.h has them. */
enum {
    HEADER_SIZE = 0,
    VERSION = 1,
    FORMAT = 2,
    WIDTH = 4,
    HEIGHT = 5,
    BYTE_ORDER_MSB = 7,
    BITS = 11,
    BYTES_PER_LINE = 12,
    COLOURS = 19,
    WORDS = 25
};

#define NAME_SIZE 12u /* behind the header, counted in its size */
#define COLOUR    12u
#define ROOM      4096u

/* Two rows of three pixels and one more of padding, behind a name and two colours. */
struct file {
    uint8_t bytes[ROOM];
    size_t length;
};

static void put(struct file *file, unsigned n, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        file->bytes[4 * n + i] = (uint8_t)(value >> (24 - 8 * i));
}

static size_t pixels_at(void)
{
    return 4 * WORDS + NAME_SIZE + 2 * COLOUR;
}

/* Pixel n of the file, with its padding: red n, green 0x40 + n, blue 0x80 + n. */
static void pixel_put(struct file *file, bool msb, unsigned n)
{
    uint8_t *to = file->bytes + pixels_at() + 4u * n;
    const uint8_t bgr[] = {(uint8_t)(0x80 + n), (uint8_t)(0x40 + n), (uint8_t)n, 0xFF};
    for (unsigned i = 0; i < 4; i++)
        to[i] = bgr[msb ? 3 - i : i];
}

static struct file make(bool msb)
{
    struct file file = {.length = pixels_at() + 2 * 16};
    memset(file.bytes, 0xEE, sizeof file.bytes);
    memset(file.bytes, 0, 4 * WORDS);
    put(&file, HEADER_SIZE, 4 * WORDS + NAME_SIZE);
    put(&file, VERSION, 7);
    put(&file, FORMAT, 2);
    put(&file, WIDTH, 3);
    put(&file, HEIGHT, 2);
    put(&file, BYTE_ORDER_MSB, msb);
    put(&file, BITS, 32);
    put(&file, BYTES_PER_LINE, 16);
    put(&file, COLOURS, 2);
    for (unsigned n = 0; n < 8; n++)
        pixel_put(&file, msb, n);
    return file;
}

/* Reads a copy of just that length, so that a sanitizer sees whoever reads beyond. */
static bool read_it(struct xwd *xwd, const struct file *file, size_t length)
{
    uint8_t *copy = malloc(length ? length : 1);
    bool good;
    assert_non_null(copy);
    memcpy(copy, file->bytes, length);
    *xwd = (struct xwd){0};
    good = xwd_read(xwd, copy, length);
    free(copy);
    return good;
}

static void either_byte_order_gives_the_same_picture(void **state)
{
    static const uint8_t wanted[] = {0, 0x40, 0x80, 1, 0x41, 0x81, 2, 0x42, 0x82,
                                     4, 0x44, 0x84, 5, 0x45, 0x85, 6, 0x46, 0x86};
    (void)state;
    for (int msb = 0; msb < 2; msb++) {
        struct file file = make(msb);
        struct xwd xwd;
        assert_true(read_it(&xwd, &file, file.length));
        assert_int_equal(xwd.width, 3);
        assert_int_equal(xwd.height, 2);
        assert_memory_equal(xwd.pixels, wanted, sizeof wanted);
        free(xwd.pixels);
    }
}

/* Of a file that is cut anywhere, and of one with more behind it. */
static void a_cut_file_is_no_picture(void **state)
{
    struct file file = make(false);
    struct xwd xwd;
    (void)state;
    for (size_t length = 0; length < file.length; length++) {
        assert_false(read_it(&xwd, &file, length));
        assert_null(xwd.pixels);
    }
    assert_true(read_it(&xwd, &file, file.length + 1));
    free(xwd.pixels);
}

static void other_formats_and_sizes_are_no_picture(void **state)
{
    static const struct {
        unsigned word;
        uint32_t value;
    } wrong[] = {
        {HEADER_SIZE, 4 * WORDS - 1},
        {HEADER_SIZE, 0},
        {HEADER_SIZE, UINT32_MAX},
        {VERSION, 6},
        {VERSION, 0x07000000},
        {FORMAT, 1},
        {BITS, 24},
        {BITS, 64},
        {WIDTH, 0},
        {HEIGHT, 0},
        {HEIGHT, 3},
        {WIDTH, 5}, /* a line has no room for it */
        {WIDTH, XWD_SIDE_MAX + 1},
        {HEIGHT, XWD_SIDE_MAX + 1},
        {WIDTH, 0x40000003}, /* four times that is 12 in 32 bits */
        {HEIGHT, UINT32_MAX},
        {BYTES_PER_LINE, 11},
        {BYTES_PER_LINE, 0},
        {BYTES_PER_LINE, UINT32_MAX},
        {BYTES_PER_LINE, 0x80000000}, /* two of them are none in 32 bits */
        {COLOURS, 3},
        {COLOURS, UINT32_MAX},
        {COLOURS, 0x15555556}, /* twelve times that is 8 in 32 bits */
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct file file = make(false);
        struct xwd xwd;
        put(&file, wrong[i].word, wrong[i].value);
        if (read_it(&xwd, &file, file.length))
            fail_msg("word %u of %#x is taken", wrong[i].word, wrong[i].value);
        assert_null(xwd.pixels);
    }
}

/* The widest that is taken, of one row. */
static void the_largest_side_is_taken(void **state)
{
    struct file file = make(false);
    size_t length = pixels_at() + 4u * XWD_SIDE_MAX;
    uint8_t *bytes = calloc(1, length);
    struct xwd xwd = {0};
    (void)state;
    assert_non_null(bytes);
    put(&file, WIDTH, XWD_SIDE_MAX);
    put(&file, HEIGHT, 1);
    put(&file, BYTES_PER_LINE, 4 * XWD_SIDE_MAX);
    memcpy(bytes, file.bytes, pixels_at());
    bytes[length - 2] = 0xAB; /* red of the last */
    assert_true(xwd_read(&xwd, bytes, length));
    assert_int_equal(xwd.width, XWD_SIDE_MAX);
    assert_int_equal(xwd.pixels[3 * XWD_SIDE_MAX - 3], 0xAB);
    free(xwd.pixels);
    assert_false(xwd_read(&xwd, bytes, length - 1));
    free(bytes);
}

/* Whatever a program has scribbled over the header. */
static void any_header_is_survived(void **state)
{
    struct dice dice = dice_make(dice_seed("header"));
    unsigned taken = 0;
    (void)state;
    for (unsigned turn = 0; turn < 20000; turn++) {
        struct file file = make(dice_below(&dice, 2));
        struct xwd xwd;
        for (unsigned n = 1 + dice_below(&dice, 3); n; n--)
            put(&file, dice_below(&dice, WORDS),
                (uint32_t)(dice_next(&dice) >> dice_below(&dice, 64)));
        if (!read_it(&xwd, &file, dice_below(&dice, ROOM)))
            continue;
        taken++;
        assert_in_range(xwd.width, 1, XWD_SIDE_MAX);
        assert_in_range(xwd.height, 1, XWD_SIDE_MAX);
        free(xwd.pixels);
    }
    assert_true(taken > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(either_byte_order_gives_the_same_picture),
        cmocka_unit_test(a_cut_file_is_no_picture),
        cmocka_unit_test(other_formats_and_sizes_are_no_picture),
        cmocka_unit_test(the_largest_side_is_taken),
        cmocka_unit_test(any_header_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
