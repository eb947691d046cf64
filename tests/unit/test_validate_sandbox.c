/* A judge types to real programs in real namespaces: what comes back, and what programs may try:
 * output without end, a start without end, deaf ears for signals, deleting all that they can reach.
 * Nothing may be left running, nothing may be changed outside. */
#include "tests/support/sandboxed.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define LATE_MS 60000u

static void assert_says(struct actor *actor, const char *line, const char *answer)
{
    actor_mark(actor);
    assert_int_equal(actor_type(actor, line, 0), ACTOR_DONE);
    assert_int_equal(actor_wait_key(actor, LATE_MS), ACTOR_DONE);
    sandboxed_wait_text(actor, "\n");
    assert_string_equal(actor_said(actor).text, answer);
}

/* ---- a program that does nothing wrong ---- */

static void test_talk(void **state)
{
    struct actor *actor = sandboxed_start("while read x; do echo \"you: $x\"; done");
    (void)state;
    assert_int_equal(actor_wait_ready(actor, 1000, LATE_MS), ACTOR_DONE);
    assert_int_equal(actor_said(actor).count, 0);
    assert_says(actor, "one\r", "you: one\n");
    assert_int_equal(actor_said(actor).length, 9);
    assert_memory_equal(actor_said(actor).bytes, "you: one\n", 9);
    assert_int_equal(actor_said(actor).keys, 7);
    assert_true(actor_said(actor).read_count >= 1);
    assert_says(actor, "twp\bo \u00fc\r", "you: two \u00fc\n");
    assert_int_equal(actor_said(actor).bad, 0);
    assert_int_equal(actor_lines(actor), 2);
    /* A terminal that is switched off. */
    sandbox_hang_up(actor_sandbox(actor));
    assert_int_equal(actor_wait_end(actor, LATE_MS), ACTOR_ENDED);
    assert_int_equal(actor_wait_gone(actor, LATE_MS, false), ACTOR_DONE);
    sandboxed_end(actor);
}

static void test_pipes(void **state)
{
    struct sandbox_options sandbox =
        sandboxed_with("while read x; do echo \"you: $x\"; done; exit 7");
    struct actor *actor;
    (void)state;
    sandbox.io = PROGRAM_PIPE;
    actor = sandboxed_start_with(&sandbox);
    assert_says(actor, "one\r", "you: one\n");
    sandbox_hang_up(actor_sandbox(actor));
    assert_int_equal(actor_wait_end(actor, LATE_MS), ACTOR_ENDED);
    assert_string_equal(actor_ending(actor), "ended by itself, exit status 7");
    sandboxed_end(actor);
}

static void test_terminal(void **state)
{
    struct actor *actor =
        sandboxed_start("tty; stty size; echo $TERM; stty -a | grep -o -e '-echo ';"
                        "echo wrong >&2; echo end; read x");
    (void)state;
    sandboxed_wait_text(actor, "end\n");
    assert_string_equal(actor_said(actor).text, "/dev/pts/0\n25 80\ndumb\n-echo \nend\n");
    while (!actor_errors(actor)[0])
        assert_int_equal(actor_pause(actor, 20, false), ACTOR_DONE);
    assert_string_equal(actor_errors(actor), "wrong\n");
    sandboxed_end(actor);
}

/* The last words of standard error are those with the reason, and those of the program before are
 * gone. */
static void test_errors_end(void **state)
{
    struct actor *actor = sandboxed_start(
        "test -e again || { touch again; seq 2000 >&2; printf 'a\\0b: the reason\\n' >&2; }; "
        "printf 'x\\n' >&2; echo end; read x");
    (void)state;
    while (!strstr(actor_errors(actor), "a?b: the reason\nx\n"))
        assert_int_equal(actor_pause(actor, 20, false), ACTOR_DONE);
    assert_int_equal(strlen(actor_errors(actor)), ACTOR_ERRORS);
    assert_string_equal(strstr(actor_errors(actor), "\n1999\n"),
                        "\n1999\n2000\na?b: the reason\nx\n");
    assert_int_equal(actor_wait_ready(actor, 1000, LATE_MS), ACTOR_DONE);
    struct bl_diag diag;
    assert_int_equal(actor_again(actor, &diag), BL_OK);
    while (!actor_errors(actor)[0])
        assert_int_equal(actor_pause(actor, 20, false), ACTOR_DONE);
    assert_string_equal(actor_errors(actor), "x\n");
    sandboxed_end(actor);
}

/* What it writes in its folder is there when it is started again, and not outside. */
static void test_again(void **state)
{
    struct actor *actor = sandboxed_start("echo x >>runs; wc -l <runs; rm inside; read x");
    struct stat found;
    struct bl_diag diag;
    (void)state;
    sandboxed_wait_text(actor, "\n");
    assert_string_equal(actor_said(actor).text, "1\n");
    assert_int_equal(actor_wait_ready(actor, 1000, LATE_MS), ACTOR_DONE);
    assert_int_equal(actor_again(actor, &diag), BL_OK);
    sandboxed_wait_text(actor, "\n");
    assert_string_equal(actor_said(actor).text, "2\n");
    assert_int_equal(actor_wait_ready(actor, 1000, LATE_MS), ACTOR_DONE);
    assert_int_equal(fstatat(sandbox_folder_fd(actor_sandbox(actor)), "runs", &found, 0), 0);
    assert_int_equal(fstatat(sandbox_folder_fd(actor_sandbox(actor)), "inside", &found, 0), -1);
    sandboxed_end(actor);
}

static void test_moved(void **state)
{
    char command[400];
    struct sandbox_options sandbox;
    struct actor *actor;
    (void)state;
    setenv("BOOTHLINK_TEST", "set", 1);
    snprintf(
        command, sizeof command,
        "cat '%s/inside'; echo; pwd; echo \"$HOME,$BOOTHLINK_TEST\"; ls -A ~; echo end; read x",
        sandboxed_folder);
    sandbox = sandboxed_with(command);
    sandbox.moved = true;
    actor = sandboxed_start_with(&sandbox);
    sandboxed_wait_text(actor, "end\n");
    assert_string_equal(actor_said(actor).text, "inside\n/tmp/elsewhere/entry\n/tmp/home,\nend\n");
    sandboxed_end(actor);
}

/* ---- hostile ones ---- */

static void test_flood(void **state)
{
    struct actor *actor = sandboxed_start("read x; exec tr '\\0' x </dev/zero");
    (void)state;
    actor_type(actor, "go\r", 0);
    assert_int_equal(actor_wait_end(actor, LATE_MS), ACTOR_FLOOD);
    /* Not read, it is stopped. */
    assert_int_equal(actor_said(actor).count <= SANDBOXED_FLOOD + 65536, true);
    sandboxed_end(actor);
}

static void test_flood_errors(void **state)
{
    struct actor *actor =
        sandboxed_start("tr '\\0' x </dev/zero >&2 & while read x; do echo hm; done");
    (void)state;
    assert_says(actor, "one\r", "hm\n");
    while (strlen(actor_errors(actor)) < ACTOR_ERRORS)
        assert_int_equal(actor_pause(actor, 10, false), ACTOR_DONE);
    sandboxed_end(actor);
}

static void test_never_ready(void **state)
{
    struct actor *actor = sandboxed_start("sleep 1000");
    (void)state;
    assert_int_equal(actor_wait_ready(actor, 1000, 300), ACTOR_LATE);
    sandboxed_end(actor);
}

static void test_deaf(void **state)
{
    struct actor *actor =
        sandboxed_start("trap '' HUP TERM INT QUIT; read x; while :; do sleep 1; done");
    (void)state;
    assert_int_equal(actor_wait_ready(actor, 1000, LATE_MS), ACTOR_DONE);
    sandbox_hang_up(actor_sandbox(actor));
    assert_int_equal(actor_wait_end(actor, 200), ACTOR_LATE);
    sandbox_signal(actor_sandbox(actor), SIGTERM);
    assert_int_equal(actor_wait_end(actor, 200), ACTOR_LATE);
    sandboxed_end(actor);
}

static void test_left_behind(void **state)
{
    struct actor *actor =
        sandboxed_start("setsid sh -c 'trap \"\" HUP; while :; do sleep 1; done' & read x");
    (void)state;
    assert_int_equal(actor_wait_ready(actor, 1000, LATE_MS), ACTOR_DONE);
    sandbox_hang_up(actor_sandbox(actor));
    assert_int_equal(actor_wait_end(actor, LATE_MS), ACTOR_ENDED);
    assert_int_equal(actor_wait_gone(actor, 300, false), ACTOR_LATE);
    assert_true(atomic_load(&sandbox_facts(actor_sandbox(actor))->processes) > 0);
    sandboxed_end(actor);
}

/* It may not: write elsewhere, see our processes, end the first process, gain anything by a
 * set-user-id program, mount, or reach a disk. */
static void test_shut_in(void **state)
{
    char command[1200];
    struct actor *actor;
    (void)state;
    snprintf(command, sizeof command,
             "exec 2>/dev/null; rm -rf '%s'/* '%s'/*;"
             "for f in /etc/x /usr/x /proc/sys/kernel/core_pattern /x; do"
             " echo x >$f && echo \"wrote $f\"; done;"
             "kill -9 1; kill -TERM 1; kill -9 -1; test -d /proc/%d && echo 'sees us';"
             "grep -q 'NoNewPrivs:.1' /proc/self/status || echo 'new privileges';"
             "grep -q 'CapEff:.0*$' /proc/self/status || echo 'capabilities';"
             "mount -t tmpfs x /mnt && echo mounted;"
             "ls /dev | grep -E '^(sd|vd|nvme|mem|kmsg)' && echo devices;"
             "test \"$(hostname)\" = entry || echo 'host name';"
             "echo done; read x",
             sandboxed_folder, sandboxed_outer, (int)getpid());
    actor = sandboxed_start(command);
    assert_int_equal(actor_wait_ready(actor, 1000, LATE_MS), ACTOR_DONE);
    sandboxed_wait_text(actor, "\n");
    assert_string_equal(actor_said(actor).text, "done\n");
    sandboxed_end(actor);
}

static void test_network(void **state)
{
    struct actor *actor =
        sandboxed_start("getent hosts www.example.org; echo looked;"
                        "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr => "
                        "\"192.0.2.7:80\") or print \"$!\\n\"'; echo called; read x");
    const struct network *network = actor_network(actor);
    bool heard = sandbox_net_fd(actor_sandbox(actor)) >= 0;
    (void)state;
    sandboxed_wait_text(actor, "called\n");
    if (heard) {
        assert_int_equal(network->lookups, 1);
        assert_string_equal(network->lookup[0].text, "www.example.org");
        assert_int_equal(network->frames, 1);
        assert_string_equal(network->frame[0].text, "TCP to 192.0.2.7 port 80");
        assert_string_equal(actor_said(actor).text, "looked\nNo route to host\ncalled\n");
    }
    sandboxed_end(actor);
    if (!heard) {
        assert_int_not_equal(access("/dev/net/tun", R_OK | W_OK), 0);
        skip();
    }
}

/* What is open to one sandbox is not kept open by another. */
static void test_two(void **state)
{
    struct sandbox_options sandbox = sandboxed_with("cat; exit 7");
    struct actor *one, *two;
    (void)state;
    sandbox.io = PROGRAM_PIPE;
    one = sandboxed_start_with(&sandbox);
    two = sandboxed_start("echo there; read x");
    sandboxed_wait_text(two, "there\n");
    sandbox_hang_up(actor_sandbox(one));
    assert_int_equal(actor_wait_end(one, LATE_MS), ACTOR_ENDED);
    scene_close(actor_scene(one));
    sandboxed_end(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, sandboxed_setup, sandboxed_teardown)
        TEST(test_talk),        TEST(test_pipes), TEST(test_terminal),    TEST(test_errors_end),
        TEST(test_again),       TEST(test_moved), TEST(test_flood),       TEST(test_flood_errors),
        TEST(test_never_ready), TEST(test_deaf),  TEST(test_left_behind), TEST(test_shut_in),
        TEST(test_network),     TEST(test_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
