/* The records of a line: every kind comes back as it went, and hostile bytes are refused whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "session/style.h"
#include "session/wire.h"
#include "tests/support/random.h"

static struct wire any_wire(struct dice *dice, enum wire_kind kind)
{
    static const char text[] = "a\r\t\x08 z\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80";
    struct wire w = {.kind = kind,
                     .dt_us = (uint32_t)dice_next(dice),
                     .low_us = (uint32_t)dice_next(dice),
                     .text = (const uint8_t *)text,
                     .length = sizeof text - 1,
                     .epoch = (uint32_t)dice_next(dice),
                     .generation = (uint32_t)dice_next(dice),
                     .n = dice_next(dice),
                     .placed = dice_next(dice),
                     .chain = dice_next(dice),
                     .time_us = dice_next(dice),
                     .flag = (uint8_t)dice_next(dice),
                     .starts = (uint8_t)dice_next(dice),
                     .state = (uint8_t)dice_below(dice, 5),
                     .index = (uint8_t)dice_next(dice),
                     .count = (uint8_t)dice_next(dice)};
    memset(w.session, 'a' + (int)dice_below(dice, 26), 1 + dice_below(dice, SESSION_ID_MAX));
    memset(w.style, 'b', dice_below(dice, STYLE_MAX + 1));
    for (unsigned i = 0; i < sizeof w.digest; i++)
        w.digest[i] = (uint8_t)dice_next(dice);
    return w;
}

/* What is decoded is encoded to the same bytes; a byte more or less is refused, but a text's. */
static void test_round_trip(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("wire round trip"));
    for (unsigned i = 0; i < 2000; i++) {
        for (unsigned kind = WIRE_JUDGE_KEYS; kind <= WIRE_SESSION; kind++) {
            struct wire w = any_wire(&dice, (enum wire_kind)kind), back;
            uint8_t bytes[WIRE_MAX + 1] = {0}, again[WIRE_MAX];
            size_t length = wire_encode(&w, bytes);
            enum party party;
            bool text = wire_places(&w, &party) || kind == WIRE_NEW_KEYS;
            assert_in_range(length, 1, WIRE_MAX);
            assert_int_equal(wire_decode(&back, bytes, length), BL_OK);
            assert_int_equal(back.kind, kind);
            assert_int_equal(wire_encode(&back, again), length);
            assert_memory_equal(again, bytes, length);
            assert_int_equal(wire_decode(&back, bytes, length - 1), BL_DATA);
            assert_int_equal(wire_decode(&back, bytes, length + 1), BL_DATA);
            if (text)
                assert_int_equal(bytes[length], 0); /* and NUL is no key */
        }
    }
}

static void expect_text(const char *text, size_t length, enum bl_status status)
{
    uint8_t record[1 + 64] = {WIRE_NEW_KEYS};
    struct wire w;
    memcpy(record + 1, text, length);
    assert_int_equal(wire_decode(&w, record, 1 + length), status);
}

static void test_texts_are_keys(void **state)
{
    (void)state;
    static const char *const bad[] = {"\x1B[2J",
                                      "\n",
                                      "a\x7F",
                                      "\x80",
                                      "\xC3",
                                      "\xC0\x80",
                                      "\xED\xA0\x80",
                                      "\xF4\x90\x80\x80",
                                      "\xE2\x80\xAE" /* bidi */,
                                      "\xC2\x9B",
                                      "\xEE\x80\x80"};
    char full[64];
    memset(full, 'a', sizeof full);
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_text(bad[i], strlen(bad[i]), BL_DATA);
    expect_text("", 0, BL_DATA);
    expect_text("\r", 1, BL_OK);
    expect_text(full, WIRE_TEXT_MAX, BL_OK);
    expect_text(full, WIRE_TEXT_MAX + 1, BL_DATA);
}

/* A session names a file. */
static void test_session_names(void **state)
{
    (void)state;
    static const char *const bad[] = {"",     ".",    "..",  ".hidden", "a/b",  "/etc/passwd",
                                      "a\nb", "\x80", "a b", "a;b",     "$(a)", "~"};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct wire w = {.kind = WIRE_RESUME}, back;
        uint8_t bytes[WIRE_MAX];
        strcpy(w.session, bad[i]);
        assert_int_equal(wire_decode(&back, bytes, wire_encode(&w, bytes)), BL_DATA);
    }
}

/* Each label that a ticket may have reaches the other end, and its record as it is. */
static void test_labels_arrive(void **state)
{
    unsigned taken = 0;
    (void)state;
    for (uint32_t point = 1; point <= 0x10FFFF; point++) {
        struct wire w = {.kind = WIRE_OFFER, .version = WIRE_VERSION, .session = "r1"}, back;
        char line[64] = "split label.judge=", plain[STYLE_MAX + 1];
        uint8_t bytes[WIRE_MAX];
        struct bl_diag diag;
        struct style style;
        utf8_encode(point, (uint8_t *)line + strlen(line));
        if (style_parse(&style, line, 2, &diag))
            continue;
        style_format(&style, w.style);
        if (wire_decode(&back, bytes, wire_encode(&w, bytes)) || strcmp(back.style, w.style) != 0)
            fail_msg("U+%04X does not arrive", (unsigned)point);
        utf8_plain(plain, sizeof plain, w.style, strlen(w.style));
        assert_string_equal(plain, w.style);
        taken++;
    }
    assert_true(taken > 100000);
    struct wire w = {.kind = WIRE_OFFER, .version = WIRE_VERSION, .session = "r1"}, back;
    uint8_t bytes[WIRE_MAX];
    static const char *const bad[] = {"split\n", "\x1B[2J", "\xFF", "\xC2\x9B", "\xE2\x80\xAE"};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        strcpy(w.style, bad[i]);
        assert_int_equal(wire_decode(&back, bytes, wire_encode(&w, bytes)), BL_DATA);
    }
}

/* Whatever is taken is within its bounds, and is the only way to write it. */
static void test_hostile_bytes(void **state)
{
    (void)state;
    struct dice dice = dice_make(dice_seed("hostile wire"));
    unsigned taken = 0;
    for (unsigned i = 0; i < 200000; i++) {
        uint8_t bytes[WIRE_MAX], again[WIRE_MAX];
        struct wire w = any_wire(&dice, (enum wire_kind)(1 + dice_below(&dice, WIRE_SESSION)));
        size_t length = wire_encode(&w, bytes);
        for (uint64_t k = dice_below(&dice, 4); k; k--)
            bytes[dice_below(&dice, length)] = (uint8_t)dice_next(&dice);
        if (dice_below(&dice, 4) == 0)
            length = dice_below(&dice, length + 1);
        if (wire_decode(&w, bytes, length))
            continue;
        taken++;
        assert_true(w.state <= SEGMENT_FINISHED && w.length <= WIRE_TEXT_MAX);
        assert_true(strlen(w.session) <= SESSION_ID_MAX && strlen(w.style) <= STYLE_MAX);
        assert_int_equal(wire_encode(&w, again), length);
        assert_memory_equal(again, bytes, length);
    }
    assert_true(taken > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_texts_are_keys),
        cmocka_unit_test(test_session_names), cmocka_unit_test(test_labels_arrive),
        cmocka_unit_test(test_hostile_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
