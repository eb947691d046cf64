/* A key file is read whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "link/key_file.h"

static void test_a_longer_file_is_refused(void **state)
{
    char folder[] = "/tmp/keys.XXXXXX", path[64], text[8];
    struct bl_diag diag;
    size_t length;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.key", folder);
    for (size_t bytes = 0; bytes < 12; bytes++) {
        assert_int_equal(key_file_write(path, "0123456789ab", bytes, true, &diag), BL_OK);
        const enum bl_status status = key_file_read(path, text, sizeof text, &length, true, &diag);
        if (bytes < sizeof text) {
            assert_int_equal(status, BL_OK);
            assert_int_equal(length, bytes);
            assert_memory_equal(text, "0123456789ab", bytes);
            assert_int_equal(text[bytes], '\0');
        } else {
            assert_int_equal(status, BL_DATA);
            assert_non_null(strstr(diag.text, path));
            assert_null(strchr(diag.text, '\n'));
        }
        unlink(path);
    }
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_longer_file_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
