/* The codec of the sentences between host and controller. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "firmware/core/sentence.h"
#include "tests/support/random.h"

/* The last result that is not MORE. */
static enum sentence_result feed(struct sentence_reader *reader, const char *text)
{
    enum sentence_result last = SENTENCE_MORE;

    for (; *text; text++) {
        enum sentence_result result = sentence_feed(reader, *text);

        if (result != SENTENCE_MORE)
            last = result;
        if (result == SENTENCE_READY)
            break;
    }
    return last;
}

static void test_words(void **state)
{
    (void)state;
    assert_string_equal(sentence_text(SAY_HEL), "HEL");
    assert_string_equal(sentence_text(SAY_EVT), "EVT");
    assert_string_equal(sentence_text(SAY_IDLE), "IDLE");
    assert_string_equal(sentence_text(SAY_OVER), "OVER");
    assert_string_equal(sentence_text(SAY_BOOT), "BOOT");
    assert_string_equal(sentence_text(SAY_KEY), "KEY");
    assert_string_equal(sentence_text(SAY_NONE), "NONE");
    assert_string_equal(sentence_text(SAY_WATCHDOG), "WATCHDOG");
    assert_string_equal(sentence_text(SAY_COUNT), "");
}

static void test_write_and_read(void **state)
{
    struct sentence_writer writer;
    struct sentence_reader reader = {.length = 0};
    uint32_t value = 7;
    char name[8];

    (void)state;
    sentence_begin(&writer, SAY_STA, 0xBEEF);
    sentence_put_word(&writer, SAY_OPEN);
    sentence_put_number(&writer, 0);
    sentence_put_number(&writer, 28800000);
    sentence_put_number(&writer, 999999999);
    sentence_put_text(&writer, "Uno");
    sentence_end(&writer);
    assert_memory_equal(writer.text, "$BLSTA,BEEF,OPEN,0,28800000,999999999,Uno*07\r\n",
                        writer.length);
    assert_int_equal(writer.length, 46);
    writer.text[writer.length - 1] = '\0';
    assert_int_equal(feed(&reader, writer.text), SENTENCE_READY);
    assert_int_equal(reader.type, SAY_STA);
    assert_int_equal(reader.nonce, 0xBEEF);
    assert_int_equal(sentence_word(&reader), SAY_OPEN);
    assert_true(sentence_number(&reader, 0, &value) && value == 0);
    assert_false(sentence_number(&reader, 28799999, &value));
    assert_int_equal(value, 0);
    assert_true(sentence_number(&reader, 999999999, &value) && value == 999999999);
    assert_false(sentence_done(&reader));
    assert_true(sentence_name(&reader, name, sizeof(name)));
    assert_string_equal(name, "Uno");
    assert_true(sentence_done(&reader));
    assert_false(sentence_number(&reader, 9, &value));
    assert_int_equal(sentence_word(&reader), SAY_COUNT);
}

static void test_refused(void **state)
{
    static const char *const bad[] = {
        "$BLHEL,0001*63\r",
        "$BLHEL,0001*6\r",
        "$BLHEL,0001*62X\r",
        "$BLHEL0001*4E\r",
        "$\r",
        "$BLHEL,000a*32\r",
        "$BLHEL,0001 *42\r",
        "$GPHEL,0001*7B\r",
        "$BLHEL,001*52\r",
        "$BLHEL,0001\r",
        "$BLHEL,0001*62$\r",
    };
    char text[200];
    struct sentence_reader reader = {.length = 0};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(feed(&reader, bad[i]), SENTENCE_DAMAGED);
        assert_int_equal(feed(&reader, "noise\n$BLHEL,0001*62\r"), SENTENCE_READY);
    }
    memset(text, 'A', sizeof(text));
    text[0] = '$';
    strcpy(text + SENTENCE_MAX + 1, "\r\n");
    assert_int_equal(feed(&reader, text), SENTENCE_TOO_LONG);
    assert_int_equal(feed(&reader, "\r\nnothing\r\n\n"), SENTENCE_MORE);
    assert_int_equal(feed(&reader, "$BLXYZ,0001*78\n"), SENTENCE_READY);
    assert_int_equal(reader.type, SAY_COUNT);
    /* A sentence within another: the first is damaged, the second whole. */
    assert_int_equal(feed(&reader, "$BLBEA,$"), SENTENCE_DAMAGED);
    assert_int_equal(feed(&reader, "BLHEL,0001*62\r"), SENTENCE_READY);
}

/* Any numbers come back, in any split of other bytes; one flipped bit is never taken for them. */
static void test_random(void **state)
{
    struct dice dice = dice_make(dice_seed("sentences"));
    struct sentence_reader reader = {.length = 0};

    (void)state;
    for (int i = 0; i < 20000; i++) {
        uint32_t sent[4], value, count = (uint32_t)dice_below(&dice, 5);
        uint16_t nonce = (uint16_t)dice_next(&dice);
        struct sentence_writer writer;
        enum sentence_result result = SENTENCE_MORE;

        sentence_begin(&writer, (enum sentence_word)dice_below(&dice, SAY_IDLE), nonce);
        for (uint32_t f = 0; f < count; f++) {
            sent[f] = (uint32_t)dice_below(&dice, 1000000000 >> dice_below(&dice, 30));
            sentence_put_number(&writer, sent[f]);
        }
        sentence_end(&writer);
        for (int at = 0; at < writer.length - 1; at++)
            result = sentence_feed(&reader, writer.text[at]);
        assert_int_equal(result, SENTENCE_READY);
        assert_int_equal(reader.nonce, nonce);
        for (uint32_t f = 0; f < count; f++) {
            assert_true(sentence_number(&reader, 999999999, &value));
            assert_int_equal(value, sent[f]);
        }
        assert_true(sentence_done(&reader));

        writer.text[dice_below(&dice, (uint64_t)writer.length - 2)] ^=
            (char)(1 << dice_below(&dice, 7));
        for (int at = 0; at < writer.length; at++)
            assert_int_not_equal(sentence_feed(&reader, writer.text[at]), SENTENCE_READY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_write_and_read),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests_name("sentence", tests, NULL, NULL);
}
