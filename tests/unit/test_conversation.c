/* The conversation as a model is given it, in room of a fixed size. */
#include "adapter/conversation.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* "u:one|a:two" */
static const char *shown(const struct conversation *c)
{
    static char out[4000];
    const char *text;
    enum talker talker;
    out[0] = '\0';
    for (size_t at = 0; (text = conversation_next(c, &at, &talker));)
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s%c:%s", out[0] ? "|" : "",
                 talker == TALKER_USER ? 'u' : 'a', text);
    return out;
}

static void test_joined(void **state)
{
    char room[100];
    struct conversation c = {.text = room, .room = sizeof room};
    (void)state;
    assert_string_equal(shown(&c), "");
    conversation_say(&c, TALKER_USER, "one");
    conversation_say(&c, TALKER_USER, "");
    assert_false(c.answered);
    conversation_say(&c, TALKER_ASSISTANT, "two");
    conversation_say(&c, TALKER_ASSISTANT, "three");
    assert_true(c.answered);
    assert_string_equal(shown(&c), "u:one|a:two\nthree");
    conversation_clear(&c);
    conversation_say(&c, TALKER_ASSISTANT, "four");
    assert_string_equal(shown(&c), "a:four");
    assert_int_equal(c.lost, 0);
}

/* Whatever is said, the last of it is there, in order, and no byte is written beyond the room. */
static void test_full(void **state)
{
    char room[64 + 8], text[200];
    struct conversation c = {.text = room, .room = 64};
    (void)state;
    memset(room, '#', sizeof room);
    for (unsigned i = 0; i < 2000; i++) {
        enum talker talker = i * 7 % 3 ? TALKER_USER : TALKER_ASSISTANT;
        size_t length = (size_t)snprintf(text, sizeof text, "%u%.*s", i, (int)(i * 31 % 80),
                                         "....................................................."
                                         "...........................");
        conversation_say(&c, talker, text);
        const char *all = shown(&c);
        size_t kept = length < 62 ? length : 62;
        assert_string_equal(all + strlen(all) - kept, text + length - kept);
        assert_memory_equal(room + 64, "########", 8);
    }
    assert_true(c.lost > 1000);
    conversation_clear(&c);
    conversation_say(&c, TALKER_USER, "a");
    conversation_say(&c, TALKER_ASSISTANT, "b");
    unsigned before = c.lost;
    memset(text, 'x', 58);
    text[58] = '\0';
    conversation_say(&c, TALKER_USER, text); /* the first one goes, and no more */
    assert_int_equal(c.lost, before + 1);
    assert_memory_equal(shown(&c), "a:b|u:x", 7);
    conversation_clear(&c);
    before = c.lost;
    memset(text, 'x', 30);
    text[30] = '\0';
    conversation_say(&c, TALKER_USER, text);
    conversation_say(&c, TALKER_USER, "second");
    text[29] = '\0';
    conversation_say(&c, TALKER_USER, text); /* of the only message the first line goes */
    assert_int_equal(c.lost, before + 1);
    assert_memory_equal(shown(&c), "u:second\nxxx", 12);
    memset(text, 'x', 40);
    strcpy(text + 40, "\xE2\x80\x94yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
    conversation_say(&c, TALKER_USER, text); /* its end is kept, of whole characters */
    assert_string_equal(shown(&c),
                        "u:yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joined),
        cmocka_unit_test(test_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
