/* The requests of a language model's record, from the words of its notes. */
#include "transcript/requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void notes(void **state)
{
    static const char *const rows[] = {
        "started, process 7",
        "warmed up: model mock-1b (listed: mock-1b)",
        "request 1: answered; 300 ms, first word after 20 ms, 5 tokens in, 3 out, finish stop",
        "request 2: status 503: request 9: answered, 1 ms, try 2; 4 ms, first word after -1 ms",
        "request 3: answered; 100 ms, first word after 9 ms, try 2, 7 tokens in, 2 out, finish "
        "length, try 3",
        "request 4: cancelled, the judge has said more",
        "request 5: an empty answer; 1 ms, first word after -1 ms",
        "request 6: the server says nothing; 1000 ms, first word after -1 ms, try 2",
        "no answer after 2 requests: the fallback is typed",
        "request 7: answered; 900 ms, first word after 1 ms, finish stop",
        "exited with code 1; its last error line: request 8: answered; 7 ms, first word after 1 ms",
        "request x: answered; 1 ms",
        "",
    };
    struct requests r = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(requests_take(&r, rows[i]), BL_OK);
    requests_end(&r);
    assert_string_equal(r.model, "mock-1b");
    assert_int_equal(r.count, 7);
    assert_int_equal(r.answered, 3);
    assert_int_equal(r.failed, 3);
    assert_int_equal(r.cancelled, 1);
    assert_int_equal(r.retries, 2);
    assert_int_equal(r.fallbacks, 1);
    assert_int_equal(r.median_ms, 300);
    assert_int_equal(r.most_ms, 900);
    assert_int_equal(r.tokens_in, 12);
    assert_int_equal(r.tokens_out, 5);
    assert_string_equal(r.reason[0].text, "stop");
    assert_int_equal(r.reason[0].count, 2);
    assert_string_equal(r.reason[1].text, "status 503");
    assert_string_equal(r.reason[2].text, "length, try 3");
    assert_string_equal(r.reason[3].text, "an empty answer");
    assert_string_equal(r.reason[4].text, "the server says nothing");
    requests_free(&r);
}

/* More answers than there was room for, more reasons than are named. */
static void many(void **state)
{
    struct requests r = {0};
    char note[100];
    (void)state;
    for (unsigned i = 1; i <= 1000; i++) {
        snprintf(note, sizeof note,
                 "request %u: answered; %u ms, first word after 1 ms, finish r%u", i, 1001 - i, i);
        assert_int_equal(requests_take(&r, note), BL_OK);
    }
    requests_end(&r);
    assert_int_equal(r.answered, 1000);
    assert_int_equal(r.median_ms, 500);
    assert_int_equal(r.most_ms, 1000);
    assert_string_equal(r.reason[REQUESTS_REASONS - 1].text, "r8");
    requests_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(notes), cmocka_unit_test(many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
