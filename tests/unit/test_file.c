/* Whole files, of any length and from pipes. */
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define MOST 200000u

static char path[] = "/tmp/bl-file-XXXXXX";
static struct bl_diag diag;

static void store(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void test_every_length(void **state)
{
    static const size_t lengths[] = {0, 1, 65535, 65536, 65537, 131072, MOST};
    char *wanted = malloc(MOST), *got;
    size_t length;
    (void)state;
    for (size_t i = 0; i < MOST; i++)
        wanted[i] = (char)(i * 7919 >> 3);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        store(wanted, lengths[i]);
        assert_int_equal(file_read(&got, &length, path, MOST, "a file", &diag), BL_OK);
        assert_int_equal(length, lengths[i]);
        assert_memory_equal(got, wanted, length);
        assert_int_equal(got[length], '\0');
        free(got);
        if (lengths[i]) {
            assert_int_equal(file_read(&got, &length, path, lengths[i] - 1, "a list", &diag),
                             BL_DATA);
            assert_null(got);
            assert_non_null(strstr(diag.text, "expected a list of at most"));
        }
    }
    free(wanted);
}

static void test_what_cannot_be_read(void **state)
{
    char *got;
    size_t length;
    (void)state;
    assert_int_equal(file_read(&got, &length, "/tmp/bl-none/x", 9, "a file", &diag), BL_NOINPUT);
    assert_non_null(strstr(diag.text, "/tmp/bl-none/x: "));
    assert_int_equal(file_read(&got, &length, "/tmp", 9, "a file", &diag), BL_IO);
    assert_null(got);
    store("a\0b", 3);
    assert_int_equal(file_read_text(&got, path, 9, "a ticket", &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "expected a ticket"));
    assert_null(got);
    store("ab", 2);
    assert_int_equal(file_read_text(&got, path, 9, "a ticket", &diag), BL_OK);
    assert_string_equal(got, "ab");
    free(got);
}

static void test_a_pipe(void **state)
{
    char name[40], *got;
    int ends[2];
    size_t length;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "abc", 3), 3);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_int_equal(file_read(&got, &length, name, 3, "a file", &diag), BL_OK);
    assert_int_equal(length, 3);
    assert_string_equal(got, "abc");
    free(got);
    close(ends[0]);
}

static void test_names_are_kept(void **state)
{
    (void)state;
    assert_int_equal(file_sync_name(path, &diag), BL_OK);
    assert_int_equal(file_sync_name("here", &diag), BL_OK);
    assert_int_equal(file_sync_name("/here", &diag), BL_OK);
    assert_int_equal(file_sync_name("/tmp/bl-none/x", &diag), BL_NOINPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length), cmocka_unit_test(test_what_cannot_be_read),
        cmocka_unit_test(test_a_pipe), cmocka_unit_test(test_names_are_kept)};
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
