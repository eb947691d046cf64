/* A folder's tree: its order, links, what cannot be read, and how deep it may be. */
#include "base/tree.h"
#include "tests/support/scratch.h"

#include <errno.h>
#include <limits.h>
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
    (void)state;
    if (scratch_begin(folder, "tree"))
        return 1;
    run("mkdir -p b/c d; touch a b/c/x b/y Z; printf 12345 >b.txt; ln -s b link; ln -s none gone;"
        "mkfifo pipe");
    return 0;
}

static int end(void **state)
{
    (void)state;
    return scratch_end(folder);
}

/* What was given: "b/" for a folder, a file with its size, @ behind a link. */
struct given {
    char text[1024];
    const char *stop; /* at this one */
};

static enum bl_status take(void *ctx, const struct tree_at *at, struct bl_diag *with)
{
    struct given *given = ctx;
    char one[128];
    mode_t mode = at->info.st_mode;
    const char *last = strrchr(at->path, '/');
    assert_string_equal(at->name, last ? last + 1 : at->path);
    if (at->error)
        snprintf(one, sizeof one, "%s:%d ", at->relative, at->error);
    else if (S_ISREG(mode))
        snprintf(one, sizeof one, "%s:%lld ", at->relative, (long long)at->info.st_size);
    else
        snprintf(one, sizeof one, "%s%s ", at->relative,
                 S_ISDIR(mode)   ? "/"
                 : S_ISLNK(mode) ? "@"
                                 : "|");
    strncat(given->text, one, sizeof given->text - strlen(given->text) - 1);
    if (given->stop && strcmp(at->relative, given->stop) == 0)
        return bl_fail(with, BL_DATA, "enough");
    return BL_OK;
}

static enum bl_status walk(const char *behind, struct given *given)
{
    char path[128];
    snprintf(path, sizeof path, "%s%s", folder, behind);
    given->text[0] = '\0';
    return tree_walk(path, take, given, &diag);
}

static void test_order(void **state)
{
    static const char all[] = "Z:0 a:0 b/c/x:0 b/c/ b/y:0 b/ b.txt:5 d/ gone@ link@ pipe| / ";
    static const char b[] = "c/x:0 c/ y:0 / ";
    struct given given = {.stop = NULL};
    (void)state;
    assert_int_equal(walk("", &given), BL_OK);
    assert_string_equal(given.text, all);
    assert_int_equal(walk("//", &given), BL_OK);
    assert_string_equal(given.text, all);
    assert_int_equal(walk("/link", &given), BL_OK); /* what was named is followed */
    assert_string_equal(given.text, b);
    assert_int_equal(walk("/b/", &given), BL_OK);
    assert_string_equal(given.text, b);
    assert_int_equal(walk("/b.txt", &given), BL_OK);
    assert_string_equal(given.text, ":5 ");
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(tree_walk("b.txt", take, &given, &diag), BL_OK);
    assert_string_equal(given.text, ":5 :5 ");
    assert_int_equal(chdir("/"), 0);
}

static void test_end(void **state)
{
    struct given given = {.stop = "b/c/x"};
    (void)state;
    assert_int_equal(walk("", &given), BL_DATA);
    assert_string_equal(diag.text, "enough");
    assert_string_equal(given.text, "Z:0 a:0 b/c/x:0 ");
}

static void test_unread(void **state)
{
    struct given given = {.stop = NULL};
    char expected[64];
    (void)state;
    snprintf(expected, sizeof expected, ":%d ", ENOENT);
    assert_int_equal(walk("/none", &given), BL_OK);
    assert_string_equal(given.text, expected);
    assert_int_equal(tree_walk("", take, &given, &diag), BL_OK);
    assert_int_equal(walk("/gone", &given), BL_OK);
    assert_string_equal(given.text, expected);
    run("chmod 755 . b; chmod 0 b/c");
    uid_t user = geteuid();
    assert_false(user == 0 && seteuid(65534)); /* to root nothing is closed */
    enum bl_status status = walk("/b", &given);
    assert_false(seteuid(user));
    run("chmod 700 b/c");
    snprintf(expected, sizeof expected, "c:%d y:0 / ", EACCES);
    assert_int_equal(status, BL_OK);
    assert_string_equal(given.text, expected);
}

/* As deep as a path can name, and one deeper. */
static void test_deep(void **state)
{
    struct given given = {.stop = NULL};
    size_t length = strlen(folder);
    (void)state;
    assert_int_equal(chdir(folder), 0);
    for (; length + 2 < PATH_MAX; length += 2)
        assert_false(mkdir("q", 0700) || chdir("q"));
    assert_int_equal(walk("", &given), BL_OK);
    assert_false(mkdir("longer", 0700));
    assert_int_equal(walk("", &given), BL_USAGE);
    assert_non_null(strstr(diag.text, "the path is too long"));
    assert_int_equal(chdir("/"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_order, start, end),
                                       cmocka_unit_test_setup_teardown(test_end, start, end),
                                       cmocka_unit_test_setup_teardown(test_unread, start, end),
                                       cmocka_unit_test_setup_teardown(test_deep, start, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
