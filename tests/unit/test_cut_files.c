/* The cuts themselves: those in three that are tried meet each call of file_write(). */
#include "base/file.h"
#include "tests/cut/files.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

enum { FILES = 40, CALLS = 6 }; /* unlink, open, write, fsync, rename, fsync of the folder */

static bool write_files(void *ctx)
{
    (void)ctx;
    for (unsigned i = 0; i < FILES; i++) {
        char path[64];
        snprintf(path, sizeof path, CUT_MACHINE "/%u", i);
        if (file_write(path, "12345678", 8, NULL))
            return false;
    }
    return true;
}

/* Bytes in the part of the file that was being written; -1: there is none. */
static long part(unsigned file)
{
    char path[64];
    struct stat info;
    snprintf(path, sizeof path, CUT_MACHINE "/%u.part", file);
    return stat(path, &info) ? -1 : (long)info.st_size;
}

static void test_meets_each_call(void **state)
{
    unsigned calls, tries[CUT_KINDS] = {0}, met[CUT_KINDS][CALLS] = {0}, half = 0, none = 0;
    (void)state;
    for (enum cut cut = CUT_NOT + 1; cut < CUT_KINDS; cut++) {
        assert_int_equal(cut_run(write_files, NULL, cut, UINT_MAX, &calls), CUT_DONE);
        assert_int_equal(calls, FILES * CALLS);
        for (unsigned at = 0; (at = cut_next(at, calls)); tries[cut]++) {
            cut_remove(CUT_MACHINE);
            mkdir(CUT_MACHINE, 0700);
            assert_int_equal(cut_run(write_files, NULL, cut, at, NULL) == CUT_DONE,
                             cut == CUT_PULL);
            met[cut][(at - 1) % CALLS]++;
            if (cut == CUT_KILL && (at - 1) % CALLS == 2) {
                half += part((at - 1) / CALLS) == 4;
                none += part((at - 1) / CALLS) == 0;
            }
        }
    }
    for (unsigned call = 0; call < CALLS; call++) {
        const bool grows = call == 1 || call == 2 || call == 4;
        assert_true(met[CUT_KILL][call] && met[CUT_POWER][call] && met[CUT_POWER_ONE][call]);
        assert_int_equal(met[CUT_FULL][call] > 0, grows);
        assert_int_equal(met[CUT_STICK_FULL][call], 0);
    }
    assert_in_range(tries[CUT_KILL], FILES * CALLS / 9 - 2, FILES * CALLS);
    assert_int_equal(half + none, met[CUT_KILL][2]);
    assert_true(half && none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_meets_each_call)};
    setenv("CUT_EACH", "3", true); /* a sanitizer's fewer cuts meet too few calls */
    cut_begin();
    const int failed = cmocka_run_group_tests_name("cut_files", tests, NULL, NULL);
    cut_end();
    return failed;
}
