/* A referee limits what a confederate may say (1996 r15, 2003 r53): it stands on his screen and in
 * his record, and nowhere at the judge's end. */
#include "journal/journal.h"
#include "tests/world/oracles.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LIMIT "Do not name your employer."

/* The number of times that a text stands in a file, without the NULs between its words. */
static unsigned count_in(const char *path, const char *text)
{
    static char bytes[1 << 20];
    unsigned count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    for (size_t i = 0; i + strlen(text) <= length; i++)
        count += strncasecmp(bytes + i, text, strlen(text)) == 0;
    return count;
}

static void test_limited(void **state)
{
    char path[PATH_MAX];
    (void)state;
    struct scene *s = scene_begin(&(struct scene_setup){.seed = 12, .plan = "30 left"});
    s->entity[SIDE_LEFT].limit = LIMIT;
    assert_true(scene_will_read(s, LEFT, "A referee limits what you may say: " LIMIT));
    assert_true(scene_wait(s, scene_is_open));
    scene_type(s, JUDGE, "Who are you?\n\n");
    assert_true(scene_wait(s, scene_is_quiet));
    scene_type(s, LEFT, "Nobody\n");
    assert_true(scene_wait(s, scene_is_quiet));
    assert_string_equal(scene_text(s, JUDGE, SIDE_LEFT), "Who are you?\n\nNobody\n");
    assert_true(scene_reads(s, LEFT, LIMIT));
    assert_int_equal(scene_notes(s, LEFT, LIMIT), 1);
    static const char *const words[] = {"limit", "referee", "employer"};
    journal_name(machine_folder(s->station[JUDGE].machine), "s", PARTY_JUDGE, path);
    for (unsigned i = 0; i < 3; i++) {
        assert_false(scene_reads(s, JUDGE, words[i]));
        assert_int_equal(count_in(path, words[i]), 0);
    }
    assert_true(count_in(path, "y") > 0); /* of what he says each key is found there */
    assert_string_equal(scene_end(s), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_limited)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
