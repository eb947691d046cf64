/* What an Entry is handed in as, and every way in which a folder is not that any more. */
#include "entity/manifest.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[SCRATCH_MAX];
static struct bl_diag diag;

static void run(const char *command)
{
    scratch_run(folder, command);
}

static int start(void **state)
{
    unsigned files;
    (void)state;
    if (scratch_begin(folder, "manifest"))
        return 1;
    run("mkdir data; printf '#!/bin/sh\\n' >run; chmod 700 run; echo a >data.txt; echo b >data/b;"
        "ln -s data.txt link; printf '%0100000d' 7 >data/big; touch 'a name'");
    assert_int_equal(manifest_write(folder, "./run fast", &files, &diag), BL_OK);
    return files == 6 ? 0 : 1;
}

static int end(void **state)
{
    (void)state;
    return scratch_end(folder);
}

static void test_as_it_was(void **state)
{
    unsigned files = 0;
    (void)state;
    assert_int_equal(manifest_check(folder, &files, &diag), BL_OK);
    assert_int_equal(files, 6);
    run("grep -qx 'program ./run fast' " MANIFEST_NAME
        " && grep -qx 'interpreter /bin/sh' " MANIFEST_NAME);
    run("touch " MANIFEST_NAME ".part"); /* power was lost when it was written */
    run("touch run data/b; mv data/b data/c; mv data/c data/b"); /* times are not looked at */
    assert_int_equal(manifest_check(folder, &files, &diag), BL_OK);
    assert_int_equal(manifest_write(folder, "./run fast", &files, &diag), BL_OK);
    assert_int_equal(files, 6); /* itself is no part of it */
}

static void test_every_change(void **state)
{
    static const struct {
        const char *change, *says, *back;
    } changes[] = {
        {"printf c | dd of=data/big bs=1 seek=99999 conv=notrunc 2>/dev/null",
         "data/big: it is not as it was handed in", "printf '%0100000d' 7 >data/big"},
        {"echo b >>data/b", "data/b: it is not as it", "echo b >data/b"},
        {"rm data.txt", "data.txt: it was handed in, and is missing", "echo a >data.txt"},
        {"touch data/new", "data/new: it was not handed in", "rm data/new"},
        {"touch " MANIFEST_NAME ".new", MANIFEST_NAME ".new: it was not handed in",
         "rm " MANIFEST_NAME ".new"},
        {"touch data/" MANIFEST_NAME, "data/" MANIFEST_NAME ": it was not handed in",
         "rm data/" MANIFEST_NAME},
        {"chmod 600 run", "run: it is not as it", "chmod 700 run"},
        {"ln -sf data/b link", "link: it is not as it", "ln -sf data.txt link"},
        {"rm link && cp data.txt link", "link: it is not as it", "ln -sf data.txt link"},
        {"mkfifo pipe", "pipe: expected files, folders and links", "rm pipe"},
        {"sed -i s,/bin/sh,/bin/none, " MANIFEST_NAME,
         "runs with /bin/none, which this machine lacks",
         "sed -i s,/bin/none,/bin/sh, " MANIFEST_NAME},
        {"sed -i s/1/2/ " MANIFEST_NAME, "expected 'boothlink-manifest 1", "true"},
    };
    unsigned files;
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        run(changes[i].change);
        assert_int_not_equal(manifest_check(folder, &files, &diag), BL_OK);
        if (!strstr(diag.text, changes[i].says))
            fail_msg("'%s' is said, not '%s'", diag.text, changes[i].says);
        run(changes[i].back);
        if (i + 1 < sizeof changes / sizeof changes[0])
            assert_int_equal(manifest_check(folder, &files, &diag), BL_OK);
    }
    run("rm " MANIFEST_NAME);
    assert_int_equal(manifest_check(folder, &files, &diag), BL_NOINPUT);
}

/* As a shell completes its name, and by a link to it. */
static void test_other_names(void **state)
{
    static const char *const names[] = {"/", "//", "/link to it", "/link to it/"};
    char name[64];
    unsigned files;
    (void)state;
    run("ln -s .. data/up; ln -s . 'link to it'");
    assert_int_equal(manifest_write(folder, "./run fast", &files, &diag), BL_OK);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(name, sizeof name, "%s%s", folder, names[i]);
        if (manifest_check(name, &files, &diag))
            fail_msg("%s", diag.text);
        assert_int_equal(files, 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_as_it_was, start, end),
        cmocka_unit_test_setup_teardown(test_every_change, start, end),
        cmocka_unit_test_setup_teardown(test_other_names, start, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
