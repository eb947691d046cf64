/* The referee's listener among strangers who have as many names and addresses as they like: it says
 * little of them, and has room for a line in earnest all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sodium.h>

#include "booth/tap_book.h"
#include "tests/support/random.h"

#define SECOND          1000000u
#define FRAMES_A_SECOND 148800u

static struct bl_time at(uint64_t us)
{
    return (struct bl_time){.mono_us = us, .wall_us = 1795000000000000u + us};
}

static void put(struct tap_book *book, uint64_t us, const char *line, uint32_t number,
                const uint8_t from[6], const uint8_t *payload, size_t length)
{
    uint8_t bytes[ETHER_FRAME_MAX];
    struct ether_frame frame = {.kind = ETHER_DATA,
                                .role = LINK_JUDGE,
                                .instance = 1 + number,
                                .number = number,
                                .payload = payload,
                                .length = length};
    memcpy(&frame.from, from, 6);
    memset(&frame.to, 0xFF, 6);
    snprintf(frame.line, sizeof frame.line, "%s", line);
    tap_book_ether(book, at(us), bytes, ether_frame_write(&frame, bytes));
}

/* What the book prints while it is fed; freed by the caller. */
static char *printed(void (*feed)(struct tap_book *book), struct tap_book *book)
{
    FILE *file = tmpfile();
    int out = dup(STDOUT_FILENO);
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    feed(book);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    long length = ftell(file) < 0 ? 0 : lseek(fileno(file), 0, SEEK_END);
    char *text = calloc(1, (size_t)length + 1);
    assert_int_equal(pread(fileno(file), text, (size_t)length, 0), length);
    fclose(file);
    return text;
}

static uint64_t seed;

static void feed_strangers(struct tap_book *book)
{
    struct dice dice = dice_make(seed);
    for (uint64_t i = 0; i < 2 * FRAMES_A_SECOND; i++) {
        uint64_t us = SECOND + i * SECOND / FRAMES_A_SECOND, random = dice_next(&dice);
        uint8_t from[6] = {2}, knock[34] = {0x41, 1};
        char line[ETHER_LINE_MAX + 1];
        memcpy(from + 1, &random, 5);
        snprintf(line, sizeof line, i % 2 ? "x%08x" : "x", (unsigned)dice_next(&dice));
        put(book, us, line, (uint32_t)i, from, knock, sizeof knock);
        if (us >= tap_book_deadline(book))
            tap_book_tick(book, at(us));
    }
}

static void feed_line(struct tap_book *book)
{
    static const uint8_t from[6] = {2, 0, 0, 0, 0, 9}, knock[34] = {0x42, 1};
    tap_book_tick(book, at(60 * SECOND)); /* the strangers have been gone for a while */
    for (uint32_t i = 0; i < 20; i++)
        put(book, 60 * SECOND + i * 100000, "booth3", i, from, knock, sizeof knock);
}

static void test_strangers(void **state)
{
    struct tap_listener listener = {.side = SIDE_LEFT};
    struct tap_book *book = tap_book_create(NULL, &listener);
    (void)state;
    seed = dice_seed("strangers at the listener");
    char *text = printed(feed_strangers, book);
    printf("# %u frames in 2 s of simulated time made %zu bytes of words\n", 2 * FRAMES_A_SECOND,
           strlen(text));
    assert_true(strlen(text) > 0 && strlen(text) < 8192);
    free(text);
    text = printed(feed_line, book);
    assert_non_null(strstr(text, "lines more of this kind were left out"));
    assert_non_null(strstr(text, "booth3: the judge's end is at 02:00:00:00:00:09"));
    free(text);
    tap_book_finish(book);
    tap_book_destroy(book);
}

int main(void)
{
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strangers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
