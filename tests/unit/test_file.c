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

static void test_plain_files_alone(void **state)
{
    char link[sizeof path + 8], *got;
    size_t length;
    (void)state;
    store("text", 4);
    assert_int_equal(file_read_plain(&got, &length, path, 4, "a list", &diag), BL_OK);
    assert_string_equal(got, "text");
    free(got);
    assert_int_equal(file_read_plain(&got, &length, path, 3, "a list", &diag), BL_DATA);
    snprintf(link, sizeof link, "%s.other", path);
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(file_read_plain(&got, &length, link, 9, "a list", &diag), BL_DATA);
    assert_non_null(strstr(diag.text, "expected a list, a file"));
    assert_int_equal(unlink(link), 0);
    assert_int_equal(mkfifo(link, 0600), 0); /* nobody writes to it, and nobody waits for that */
    assert_int_equal(file_read_plain(&got, &length, link, 9, "a list", &diag), BL_DATA);
    assert_null(got);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(file_read_plain(&got, &length, link, 9, "a list", &diag), BL_NOINPUT);
}

static void test_written_whole_or_not(void **state)
{
    char part[sizeof path + 8], *got;
    size_t length;
    struct stat info;
    (void)state;
    snprintf(part, sizeof part, "%s.part", path);
    store("old", 3);
    assert_int_equal(symlink("/dev/full", part), 0); /* what lies in the way is not written to */
    assert_int_equal(file_write(path, "new one", 7, &diag), BL_OK);
    assert_int_equal(file_read(&got, &length, path, 9, "a file", &diag), BL_OK);
    assert_string_equal(got, "new one");
    free(got);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(access(part, F_OK), -1);
    assert_int_equal(mkdir(part, 0700), 0);
    assert_int_not_equal(file_write(path, "newer", 5, &diag), BL_OK);
    assert_int_equal(rmdir(part), 0);
    assert_int_equal(file_write("/tmp/bl-none/x", "", 0, &diag), BL_NOINPUT);
    assert_int_equal(file_read(&got, &length, path, 9, "a file", &diag), BL_OK);
    assert_string_equal(got, "new one");
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_length),
                                       cmocka_unit_test(test_what_cannot_be_read),
                                       cmocka_unit_test(test_plain_files_alone),
                                       cmocka_unit_test(test_written_whole_or_not),
                                       cmocka_unit_test(test_a_pipe),
                                       cmocka_unit_test(test_names_are_kept)};
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
