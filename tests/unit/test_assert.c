/* base/assert: a line, the last words, the exit code of a fault of ours. */
#include "base/assert.h"
#include "base/status.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(void *ctx, const char *line)
{
    (void)line;
    printf("last words of %s\n", (const char *)ctx);
    fflush(stdout);
    bl_assert(ctx == NULL); /* fails, too, and is not heard twice */
}

/* Runs it in a process of its own, whose output is read; returns the exit code. */
static int run(void (*fn)(void), char *out, size_t size)
{
    int pipes[2], status;
    size_t length = 0;
    ssize_t n;
    fflush(stdout);
    assert_int_equal(pipe(pipes), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(pipes[1], STDOUT_FILENO);
        dup2(pipes[1], STDERR_FILENO);
        fn();
        _exit(0);
    }
    close(pipes[1]);
    while ((n = read(pipes[0], out + length, size - 1 - length)) > 0)
        length += (size_t)n;
    close(pipes[0]);
    out[length] = '\0';
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void holds(void)
{
    bl_assert_last(say, NULL);
    bl_assert(1 + 1 == 2);
}

static void fails(void)
{
    bl_assert_last(NULL, NULL);
    bl_assert(1 + 1 == 3);
}

static void fails_with_words(void)
{
    static char who[] = "the booth";
    bl_assert_last(say, who);
    bl_assert(1 + 1 == 3);
}

static void test_assert(void **state)
{
    char out[1000];
    (void)state;
    assert_int_equal(run(holds, out, sizeof out), 0);
    assert_string_equal(out, "");
    assert_int_equal(run(fails, out, sizeof out), bl_status_exit(BL_SOFTWARE));
    assert_non_null(strstr(out, "boothlink: a fault of boothlink, at "));
    assert_non_null(strstr(out, ": not 1 + 1 == 3; nothing on record is lost"));
    assert_int_equal(run(fails_with_words, out, sizeof out), bl_status_exit(BL_SOFTWARE));
    assert_ptr_equal(strstr(out, "last words of the booth"), out);
    assert_null(strstr(out + 1, "last words"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_assert)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
