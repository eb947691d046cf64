/* The desk's end of the audience's process: what that does not read is kept in files and not in
 * memory, and it inherits nothing but its input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <uv.h>

#include "base/loop.h"
#include "desk/stage.h"
#include "journal/journal.h"
#include "tests/support/records.h"
#include "tests/support/scratch.h"

#define RECORDS 20000
#define ROUNDS  400
#define OPEN    77 /* in the shell's words, too */
#define MOST    (16u << 20)

static char folder[SCRATCH_MAX], inbox[SCRATCH_MAX + 16], program[SCRATCH_MAX + 16];
static uv_loop_t loop;
static struct stage *stage;

static char *path_of(const char *name)
{
    static char path[SCRATCH_MAX + 80];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static char said_line[256];

static void say(const char *line)
{
    snprintf(said_line, sizeof said_line, "%s", line);
}

/* A process that runs the commands of a shell. */
static void begin_stage(const char *commands)
{
    static struct stage_options options;
    FILE *file = fopen(program, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", commands);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(program, 0755), 0);
    options = (struct stage_options){.program = program,
                                     .listen = "127.0.0.1:8080",
                                     .booths = "0.0.0.0",
                                     .inbox = inbox,
                                     .contest = "",
                                     .delay_us = FEED_SEALED};
    assert_int_equal(stage_open(&stage, &loop, &options, say, NULL), BL_OK);
    stage_add(stage, "booth-1-judge");
}

static int begin(void **state)
{
    (void)state;
    if (scratch_begin(folder, "stage") || (!loop.data && uv_loop_init(&loop)))
        return 1;
    loop.data = folder; /* it stays */
    snprintf(inbox, sizeof inbox, "%s/inbox", folder);
    snprintf(program, sizeof program, "%s/program", folder);
    scratch_run(folder, "mkdir -p inbox/booth-1-judge");
    return 0;
}

static int end(void **state)
{
    (void)state;
    return scratch_end(folder);
}

static void turn(unsigned sealed)
{
    stage_tick(stage, bl_now(), sealed);
    uv_run(&loop, UV_RUN_NOWAIT);
}

static size_t resident(void)
{
    unsigned long all = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu %lu", &all, &pages), 2);
    assert_int_equal(fclose(file), 0);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* A seal makes a round due at once. */
static void test_a_process_that_does_not_read(void **state)
{
    FILE *file = fopen(path_of("inbox/booth-1-judge/r1-j1-judge.journal"), "wb");
    uint8_t bytes[JOURNAL_RECORD_MAX];
    (void)state;
    assert_non_null(file);
    for (unsigned i = 0; i < RECORDS; i++) {
        const struct journal_record record =
            records_keys(SIDE_LEFT, PARTY_JUDGE, i + 1, 1000000, "x");
        size_t length = journal_encode(&record, bytes);
        assert_int_equal(fwrite(bytes, 1, length, file), length);
    }
    assert_int_equal(fclose(file), 0);
    begin_stage("exec tail -f /dev/null");
    turn(0);
    size_t before = resident();
    for (unsigned i = 0; i < 3; i++)
        turn(1);
    assert_true(resident() - before < MOST);
}

/* A library's socket has no FD_CLOEXEC. */
static void test_it_inherits_nothing(void **state)
{
    char said[8] = "";
    FILE *file;
    (void)state;
    int leaked = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(leaked >= 0);
    assert_int_equal(dup2(leaked, OPEN), OPEN);
    begin_stage("[ -S /proc/$$/fd/0 ] && [ -S /proc/$$/fd/77 ]; echo $? >${0%/*}/part; "
                "mv ${0%/*}/part ${0%/*}/said; exec cat");
    turn(0);
    for (unsigned i = 0; i < ROUNDS && access(path_of("said"), F_OK); i++) {
        usleep(10000);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    file = fopen(path_of("said"), "r");
    assert_non_null(file);
    assert_non_null(fgets(said, sizeof said, file));
    assert_int_equal(fclose(file), 0);
    assert_string_equal(said, "1\n");
    close(leaked);
    close(OPEN);
}

/* The desk's own words are elsewhere: on a terminal, or in a file with the address of its page. */
static void test_its_words(void **state)
{
    (void)state;
    begin_stage(
        "[ -p /proc/$$/fd/2 ] || [ -S /proc/$$/fd/2 ] && printf 'a\\033b\\n' >&2; exec cat");
    turn(0);
    for (unsigned i = 0; i < ROUNDS && !said_line[0]; i++) {
        usleep(10000);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    assert_string_equal(said_line, "a?b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_process_that_does_not_read, begin, end),
        cmocka_unit_test_setup_teardown(test_it_inherits_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_its_words, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
