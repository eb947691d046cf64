/* A file of lines on a disk that fails: a line that was not appended is not there, also where
 * another one follows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "journal/lines.h"
#include "tests/support/fake_disk.h"

static struct disk face, real;
static bool append_tears, truncate_fails;

static enum bl_status append(void *ctx, int fd, const void *bytes, size_t length)
{
    if (!append_tears)
        return real.append(ctx, fd, bytes, length);
    real.append(ctx, fd, bytes, length / 2);
    return BL_IO;
}

static enum bl_status cut(void *ctx, int fd, uint64_t length)
{
    return truncate_fails ? BL_IO : real.truncate(ctx, fd, length);
}

static struct fake_disk *fake;
static struct lines *lines;

static void begin(void)
{
    char *text;
    size_t length;
    fake = fake_disk_create(1);
    face = real = *fake_disk_face(fake);
    face.append = append;
    face.truncate = cut;
    append_tears = truncate_fails = false;
    assert_int_equal(lines_open(&lines, &face, "f", 1000, &text, &length, NULL), BL_OK);
    free(text);
    assert_int_equal(lines_append(lines, "one\n", 4), BL_OK);
}

static void assert_has(const char *wanted)
{
    size_t length;
    const uint8_t *bytes = fake_disk_bytes(fake, "f", &length);
    assert_int_equal(length, strlen(wanted));
    assert_memory_equal(bytes, wanted, length);
}

static void end(void)
{
    lines_close(lines);
    fake_disk_destroy(fake);
}

static void test_unsynced(void **state)
{
    (void)state;
    begin();
    fake_disk_fail_syncs(fake, 1);
    assert_int_equal(lines_append(lines, "two\n", 4), BL_IO);
    assert_has("one\n");
    assert_int_equal(lines_append(lines, "three\n", 6), BL_OK);
    assert_has("one\nthree\n");
    end();
}

static void test_torn(void **state)
{
    (void)state;
    begin();
    append_tears = true;
    assert_int_equal(lines_append(lines, "two\n", 4), BL_IO);
    assert_has("one\n");
    truncate_fails = true;
    assert_int_equal(lines_append(lines, "two\n", 4), BL_IO);
    append_tears = false;
    assert_int_equal(lines_append(lines, "three\n", 6), BL_IO);
    assert_has("one\ntw");
    truncate_fails = false;
    assert_int_equal(lines_append(lines, "four\n", 5), BL_OK);
    assert_has("one\nfour\n");
    end();
}

static unsigned warned;

static void on_warn(void *ctx, const char *text)
{
    (void)ctx;
    warned += strstr(text, "the disk fails to write f") != NULL;
}

/* A disk that fails while lines are synced in the background: the person is told, once. */
static void test_failure_is_said(void **state)
{
    const struct sync_callbacks callbacks = {.warn = on_warn};
    uv_loop_t loop;
    (void)state;
    begin();
    uv_loop_init(&loop);
    assert_int_equal(lines_attach(lines, &loop, &callbacks, NULL), BL_OK);
    uv_run(&loop, UV_RUN_DEFAULT);
    append_tears = true;
    warned = 0;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lines_append(lines, "two\n", 4), BL_IO);
        uv_run(&loop, UV_RUN_DEFAULT);
    }
    assert_int_equal(warned, 1);
    assert_has("one\n");
    end();
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unsynced), cmocka_unit_test(test_torn),
                                       cmocka_unit_test(test_failure_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
