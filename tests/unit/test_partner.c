/* Whom a judge practises with: what it answers, and key by key. */
#include "entity/partner.h"

#include "base/time.h"
#include "session/event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct partner partner;
static uint64_t now_us;

/* What it answers to this line, without its Return; NULL: nothing, or not in time. */
static const char *answer_to(const char *line)
{
    static char said[512];
    size_t length = 0;
    for (; *line; line++)
        partner_hear(&partner, (uint8_t)*line, now_us);
    assert_int_equal(partner_key(&partner, now_us), 0); /* a key is never an answer */
    partner_hear(&partner, KEY_RETURN, now_us);
    while (partner.due_us != BL_NEVER && length + 1 < sizeof said) {
        assert_true(partner.due_us > now_us); /* no two keys at once */
        assert_int_equal(partner_key(&partner, partner.due_us - 1), 0);
        now_us = partner.due_us;
        said[length++] = (char)partner_key(&partner, now_us);
    }
    if (length == 0 || said[length - 1] != KEY_RETURN)
        return NULL;
    said[length - 1] = '\0';
    return said;
}

static void test_answers(void **state)
{
    static const char *const talk[][2] = {
        {"I am tired of my work.", "How long have you been tired of your work?"},
        {"You are a machine!", "What makes you think I am a machine?"},
        {"I feel that you hate me", "Do you often feel that I hate you?"},
        {"my cat, and others", "Tell me more about your cat."},
        {"Nonx\by", "Please go on."},
        {"", "What does that suggest to you?"},

    };
    (void)state;
    now_us = 1000;
    partner_begin(&partner);
    assert_int_equal(partner_key(&partner, UINT64_MAX - 1), 0);
    for (size_t i = 0; i < sizeof talk / sizeof talk[0]; i++)
        assert_string_equal(answer_to(talk[i][0]), talk[i][1]);
}

/* However long a line is, and of whatever keys. */
static void test_long_lines(void **state)
{
    (void)state;
    partner_begin(&partner);
    for (unsigned i = 0; i < 5000; i++)
        partner_hear(&partner, i % 7 ? (uint8_t) "i am my you"[i % 11] : 0x4E2Du, now_us);
    partner_hear(&partner, KEY_RETURN, now_us);
    for (unsigned i = 0; i < 5000 && partner.due_us != BL_NEVER; i++)
        assert_int_not_equal(partner_key(&partner, now_us = partner.due_us), 0);
    assert_true(partner.due_us == BL_NEVER);
    partner_begin(&partner);
    partner_hear(&partner, KEY_BACKSPACE, now_us);
    assert_non_null(answer_to("%s%n hello"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers),
                                       cmocka_unit_test(test_long_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
