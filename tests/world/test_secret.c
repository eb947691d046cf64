/* Encrypted lines: what is said where the two ends have not the same key, and what the lengths of
 * frames tell of a talk, which is nothing. */
#include "tests/world/oracles.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>

#define TRACE "trace"

static struct scene *begin(void)
{
    return scene_begin(&(struct scene_setup){.seed = 10,
                                             .plan = "30 left",
                                             .starts = STARTS_EITHER,
                                             .begin_by_key = true,
                                             .secret = true});
}

/* The entity's end is started again with that key file. */
static void restart(struct scene *s, const char *key)
{
    s->entity[SIDE_LEFT].booth.key_file = key;
    scene_kill(s, LEFT, SECOND);
    scene_pass(s, 2 * SECOND);
}

static void test_others(void **state)
{
    (void)state;
    struct scene *s = begin();
    scene_key("other.key", 2);
    restart(s, "other.key");
    assert_true(scene_will_read(s, JUDGE, "the other terminal has another secret"));
    assert_true(scene_will_read(s, LEFT, "the other terminal has another secret"));
    restart(s, NULL);
    assert_true(scene_will_read(s, JUDGE, "the other one has none: give it --key FILE"));
    assert_true(scene_will_read(s, LEFT, "has a secret for this line and this one has none"));
    restart(s, SCENE_KEY);
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, LEFT, "plainplainplain");
    assert_true(scene_wait(s, scene_is_quiet));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "plainplainplain");
    assert_string_equal(scene_end(s), "");
}

/* Keys, their places and acknowledgements are frames of few lengths, whatever is typed. */
static void test_lengths(void **state)
{
    static const unsigned known[] = {37, 47, 60, 79, 143, 230};
    unsigned length, frames = 0;
    (void)state;
    struct scene *s = begin();
    s->judge.booth.trace = TRACE;
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, JUDGE, "plain plain\n\xC3\xA9");
    scene_type(s, LEFT, "\t\t plain \xF0\x9F\x99\x82");
    assert_true(scene_wait(s, scene_is_quiet));
    FILE *trace = fopen(TRACE, "r");
    assert_non_null(trace);
    while (fscanf(trace, "%*s %u%*[^\n]", &length) == 1) {
        bool is_known = false;
        for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
            is_known = is_known || known[i] == length;
        assert_true(is_known);
        frames++;
    }
    fclose(trace);
    assert_true(frames > 30);
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_others),
                                       cmocka_unit_test(test_lengths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
