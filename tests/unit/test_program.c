/* Entries of all manners: what reaches them, what comes of what they write, their outcomes, their
 * end. */
#include "base/loop.h"
#include "entity/keeper.h"
#include "tests/support/entrant.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Prints each byte that it gets in hexadecimal. */
#define HEX                                                                                        \
    "exec perl -e '$|=1; print qq(go\\n); printf q(%02x ), ord $c while sysread STDIN, $c, 1'"

static void turn_ends(void **state)
{
    static const struct {
        enum program_io io;
        enum turn_end end;
        const char *command, *bytes;
    } rows[] = {
        {PROGRAM_PTY, TURN_LF, HEX, "61 62 0a 63 0a "},
        {PROGRAM_PTY, TURN_CR, HEX, "61 62 0d 63 0d "},
        {PROGRAM_PTY, TURN_CRLF, HEX, "61 62 0d 0a 63 0d 0a "},
        {PROGRAM_PTY, TURN_TWO_RETURNS, HEX, "61 62 0a 0a 63 0a 0a "},
        {PROGRAM_PTY, TURN_LF, "stty raw;" HEX, "61 c3 a9 7f 62 0a 63 0a "},
        {PROGRAM_PTY, TURN_CR, "stty raw erase ^H;" HEX, "61 c3 a9 08 62 0d 63 0d "},
        {PROGRAM_PTY, TURN_CRLF, "stty raw;" HEX, "61 c3 a9 7f 62 0d 0a 63 0d 0a "},
        {PROGRAM_PTY, TURN_TWO_RETURNS, "stty raw;" HEX, "61 c3 a9 7f 62 0d 0d 63 0d 0d "},
        {PROGRAM_PIPE, TURN_LF, HEX, "61 c3 a9 08 62 0a 63 0a "},
        {PROGRAM_PIPE, TURN_CR, HEX, "61 c3 a9 08 62 0d 63 0d "},
        {PROGRAM_PIPE, TURN_CRLF, HEX, "61 c3 a9 08 62 0d 0a 63 0d 0a "},
        {PROGRAM_PIPE, TURN_TWO_RETURNS, HEX, "61 c3 a9 08 62 0d 0d 63 0d 0d "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct entrant *entrant = entrant_make(rows[i].command, rows[i].io);
        entrant->options.turn_end = rows[i].end;
        entrant_start(entrant);
        assert_end(entrant, "go\n");
        entrant->length = 0;
        entrant_give(entrant, "a\xC3\xA9\bb\nc\n");
        assert_end(entrant, rows[i].bytes);
        assert_string_equal(entrant->out, rows[i].bytes);
        assert_true(until(has_delivered, entrant, 7));
        assert_int_equal(program_delivered(entrant->program), 7);
        entrant_end(entrant);
    }
}

/* What the program finds (two signals that the C library keeps to itself are not ours to set, and
 * make ignores them): its terminal, its descriptors, signals, environment. */
static void surroundings(void **state)
{
    static const char command[] =
        "stty size; stty -a | grep -o -e '-echo ' -e ' icanon' -e '-opost' | tr -d '\\n'; "
        "echo; echo $TERM,$LINES,$COLUMNS,$LD_PRELOAD,$KEPT; ls /proc/self/fd | tr '\\n' ' '; "
        "grep -c -e 'SigBlk:.0*$' -e 'SigIgn:.0*[01][08]0000000$' /proc/self/status; "
        "(: </dev/tty) && echo 1; exec perl -e 'print qq(end), getpgrp == $$'";
    struct entrant *entrant = entrant_make(command, PROGRAM_PTY);
    (void)state;
    setenv("LD_PRELOAD", "/nonexistent/shim.so", 1);
    setenv("KEPT", "kept", 1);
    setenv("LINES", "99", 1);
    signal(SIGUSR1, SIG_IGN);
    entrant_start(entrant);
    unsetenv("LD_PRELOAD");
    assert_end(entrant, "end1");
    assert_string_equal(entrant->out,
                        "20 38\n-opost icanon-echo \ndumb,,,,kept\n0 1 2 3 2\n1\nend1");
    signal(SIGUSR1, SIG_DFL);
    entrant_end(entrant);
}

/* Relayed as it is written, not line by line, in any cutting of the bytes. */
static void as_written(void **state)
{
    static const char command[] =
        "exec perl -e '$|=1; for (split //, "
        "qq(H\\xC3\\xA9\\xE2\\x82\\xAC\\xF0\\x9F\\x98\\x80\\r\\n)) "
        "{ print; select undef, undef, undef, 0.002 } print q(x); <STDIN>; print q(y); <STDIN>'";
    (void)state;
    for (int io = PROGRAM_PTY; io <= PROGRAM_PIPE; io++) {
        struct entrant *entrant = entrant_start(entrant_make(command, (enum program_io)io));
        assert_end(entrant, "x");
        assert_string_equal(entrant->out, "H\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\nx");
        entrant_give(entrant, "\n");
        assert_end(entrant, "xy");
        entrant_end(entrant);
    }
}

/* All the output is there at once, and is read byte by byte because one key at a time is allowed.
 */
static void prompt_at_every_split(void **state)
{
    struct entrant *entrant = entrant_make(
        "printf 'Eliza: Hi\\nEliza: Eliza\\nyou: Eliz\\n> Eliza: '; sleep 1000", PROGRAM_PTY);
    (void)state;
    entrant->options.strip_prompt = "Eliza: |> ";
    entrant_start(entrant);
    entrant_allow(entrant, 1, true);
    assert_end(entrant, "Hi\nEliza\nyou: Eliz\n");
    entrant_end(entrant);

    /* What could be a prompt and is none comes without anything after it. */
    entrant = entrant_make("printf 'Hi\\nEli'; sleep 1000", PROGRAM_PTY);
    entrant->options.strip_prompt = "Eliza: ";
    entrant_start(entrant);
    assert_end(entrant, "Hi\nEli");
    entrant_end(entrant);
}

/* A program that wants an echo has one, and the page does not show it. */
static void terminal_echo(void **state)
{
    struct entrant *entrant = entrant_make("stty echo; printf 'Hello, hello '; "
                                           "while read -r line; do echo \"<$line>\"; done",
                                           PROGRAM_PTY);
    (void)state;
    entrant->options.strip_echo = true;
    entrant_start(entrant);
    assert_end(entrant, "hello ");
    entrant_give(entrant, "hellp\bo\n");
    assert_end(entrant, ">\n");
    entrant_give(entrant, "\xC3\xA9\bx <\n");
    assert_end(entrant, "<x <>\n");
    assert_string_equal(entrant->out, "Hello, hello <hello>\n<x <>\n");
    entrant_end(entrant);

    entrant = entrant_make("stty sane; while read -r line; do echo \"<$line>\"; done", PROGRAM_PTY);
    entrant_start(entrant);
    assert_event(entrant, PROGRAM_READY);
    entrant_give(entrant, "seen\n");
    assert_end(entrant, "<seen>\n");
    assert_string_equal(entrant->out, "seen\n<seen>\n"); /* not asked to strip it */
    entrant_end(entrant);
}

/* One that takes its time is not ready until it reads, and one that has ended is. */
static void ready_or_ended(void **state)
{
    char command[400], go[300];
    struct entrant *slow, *dead, *unseen;
    FILE *file;
    (void)state;
    snprintf(go, sizeof go, "%s/go", entrant_directory);
    snprintf(command, sizeof command, "until [ -e '%s' ]; do sleep 0.05; done; exec cat", go);
    slow = entrant_start(entrant_make(command, PROGRAM_PTY));
    dead = entrant_start(entrant_make("exit 3", PROGRAM_PTY));
    unseen = entrant_make("exec sleep 60", PROGRAM_PTY);
    unseen->options.ready_ms = 300;
    entrant_start(unseen);
    assert_event(dead, PROGRAM_EXITED);
    assert_true(program_ready(dead->program));
    assert_event(unseen, PROGRAM_READY);
    assert_non_null(strstr(unseen->texts[PROGRAM_READY], "counts as ready"));
    entrant_end(unseen);
    assert_event(slow, PROGRAM_STARTED);
    assert_false(program_ready(slow->program));
    file = fopen(go, "we");
    assert_non_null(file);
    fclose(file);
    assert_event(slow, PROGRAM_READY);
    assert_true(program_ready(slow->program));
    entrant_end(slow);
    entrant_end(dead);
}

/* What is not allowed waits, in the kernel and in the program, and then comes whole. */
static void held_is_not_lost(void **state)
{
    (void)state;
    for (int io = PROGRAM_PTY; io <= PROGRAM_PIPE; io++) {
        struct entrant *entrant =
            entrant_make("exec perl -e 'print join(q( ), 1..20000), qq(.)'", (enum program_io)io);
        static char expected[1 << 17];
        size_t length = 0;
        entrant_start(entrant);
        entrant_allow(entrant, 0, false);
        entrant->length = 0;
        for (unsigned i = 1; i <= 20000; i++)
            length += (size_t)sprintf(expected + length, "%u%s", i, i < 20000 ? " " : ".");
        assert_event(entrant, PROGRAM_READY);
        for (int i = 0; i < 20; i++)
            uv_run(&entrant_loop, UV_RUN_NOWAIT);
        assert_int_equal(entrant->length, 0);
        while (entrant->length < 3000) {
            size_t had = entrant->length;
            entrant_allow(entrant, 1 + (unsigned)random() % 300, false);
            assert_true(until(has_keys, entrant, had + entrant->allowed));
            assert_int_equal(entrant->length,
                             had + entrant->allowed); /* entrant_on_key() checks it, too */
        }
        entrant_allow(entrant, 256, true);
        assert_end(entrant, ".");
        assert_string_equal(entrant->out, expected);
        assert_event(entrant, PROGRAM_EXITED);
        entrant_end(entrant);
    }
}

static bool was_asked(const void *ctx, uint64_t times)
{
    return ((const struct entrant *)ctx)->asked >= times;
}

/* A key that cannot be taken stays. */
static void refused_is_not_lost(void **state)
{
    struct entrant *entrant = entrant_make("printf abc; exec sleep 1000", PROGRAM_PTY);
    (void)state;
    entrant_start(entrant);
    entrant->refuse = true;
    for (unsigned i = 1; i < 4; i++) {
        entrant_allow(entrant, 10, false); /* again and again, as a careless caller does */
        assert_true(until(was_asked, entrant, i));
        assert_int_equal(entrant->asked, i);
        entrant_allow(entrant, 10, false);
    }
    entrant->refuse = false;
    entrant_allow(entrant, 10, false);
    assert_end(entrant, "abc");
    assert_string_equal(entrant->out, "abc");
    entrant_end(entrant);
}

static void exits(void **state)
{
    static const struct {
        const char *command, *out, *text;
    } rows[] = {
        {"echo bye; exit 3", "bye\n", "exited with code 3"},
        {"exit 0", "", "exited with code 0"},
        {"printf last; kill -SEGV $$", "last", "ended by signal 11 (Segmentation fault)"},
        {"no-such-program -x", "",
         "exited with code 127; its last error line: sh: 1: no-such-program: not found"},
        {"printf 'x\\342\\202'; exit 1", "x", "exited with code 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows * 2; i++) {
        struct entrant *entrant =
            entrant_make(rows[i / 2].command, i % 2 ? PROGRAM_PIPE : PROGRAM_PTY);
        struct stat log;
        char path[700];
        entrant_start(entrant);
        assert_event(entrant, PROGRAM_EXITED);
        assert_string_equal(entrant->texts[PROGRAM_EXITED], rows[i / 2].text);
        assert_false(program_running(entrant->program));
        assert_end(entrant, rows[i / 2].out);
        assert_string_equal(entrant->out, rows[i / 2].out);
        entrant_give(entrant, "to nobody\n");
        assert_true(until(has_delivered, entrant, entrant->given));
        snprintf(path, sizeof path, "%s/%s-entry.log", entrant_directory, entrant->session);
        assert_int_equal(stat(path, &log), i / 2 == 3 ? 0 : -1);
        assert_int_equal(entrant->events[PROGRAM_CLOSED] + entrant->events[PROGRAM_STUCK], 0);
        entrant_end(entrant);
    }
}

/* Types lines for as long as there is room. */
static bool is_stuffed(const void *ctx, uint64_t value)
{
    struct entrant *entrant = (struct entrant *)(uintptr_t)ctx;
    (void)value;
    while (program_give(entrant->program, entrant->given + 1,
                        entrant->given % 50 ? 'x' : KEY_RETURN) == BL_OK)
        entrant->given++;
    return entrant->events[PROGRAM_STUCK] > 0;
}

/* A line that carries keys of a queue that has no room for more: for minutes, if it is long. */
static bool is_flood(const void *ctx, uint64_t value)
{
    struct entrant *entrant = (struct entrant *)(uintptr_t)ctx;
    (void)value;
    program_placed(entrant->program);
    return entrant->events[PROGRAM_FLOOD] > 0;
}

/* Several at a time, because each outcome takes its time. */
static void outcomes(void **state)
{
    struct entrant *flood = entrant_make("yes", PROGRAM_PTY);
    struct entrant *stuck = entrant_make("exec sleep 1000", PROGRAM_PTY);
    struct entrant *deaf = entrant_make("exec <&-; exec sleep 1000", PROGRAM_PIPE);
    struct entrant *closed = entrant_make("echo x; exec >&-; exec sleep 1000", PROGRAM_PIPE);
    struct entrant *silent = entrant_make("read x; read x; echo y; exec sleep 1000", PROGRAM_PTY);
    struct entrant *bad =
        entrant_make("printf 'a\\377b\\033[1mc\\a'; exec sleep 1000", PROGRAM_PTY);
    struct entrant *reads = entrant_make("read x; exec sleep 1000", PROGRAM_PIPE);
    struct entrant *thread =
        entrant_make("exec python3 -c 'import sys, threading, time; threading.Thread(target=sys."
                     "stdin.read, daemon=True).start(); time.sleep(1000)'",
                     PROGRAM_PIPE);
    (void)state;
    silent->options.silent_ms = 300;
    entrant_start(flood);
    entrant_start(stuck);
    entrant_start(deaf);
    entrant_start(closed);
    entrant_start(silent);
    entrant_start(bad);
    entrant_start(reads);
    entrant_start(thread);
    entrant_allow(flood, 5, false);
    entrant_allow(reads, 0, false);
    entrant_allow(thread, 0, false);

    assert_event(bad, PROGRAM_BAD_UTF8);
    assert_event(bad, PROGRAM_IGNORED);
    assert_end(bad, "c");
    assert_string_equal(bad->out, "abc");
    assert_int_equal(bad->counts[PROGRAM_BAD_UTF8], 1);
    assert_int_equal(bad->counts[PROGRAM_IGNORED], 2);

    assert_true(until(is_stuffed, stuck, 0));

    assert_event(reads, PROGRAM_READY);  /* asleep in a read, without a word */
    assert_event(thread, PROGRAM_READY); /* its second thread, while the first one sleeps */

    entrant_give(silent, "a\n");
    assert_event(silent, PROGRAM_SILENT);
    entrant_give(silent, "b\n");
    assert_end(silent, "y\n");

    entrant_give(deaf, "anyone there\n");
    assert_event(deaf, PROGRAM_STUCK);
    assert_non_null(strstr(deaf->texts[PROGRAM_STUCK], "closed its input"));
    assert_true(until(has_delivered, deaf, deaf->given));

    assert_int_equal(program_give(stuck->program, stuck->given + 1, 'x'), BL_FULL);
    assert_true(program_delivered(stuck->program) < stuck->given);
    assert_event(closed, PROGRAM_CLOSED);
    assert_string_equal(closed->out, "x\n");
    assert_true(program_running(closed->program));
    assert_true(until(is_flood, flood, 0));
    assert_int_equal(flood->events[PROGRAM_FLOOD], 1);
    assert_int_equal(silent->events[PROGRAM_SILENT], 1);
    assert_int_equal(stuck->events[PROGRAM_STUCK], 1);
    entrant_end(flood);
    entrant_end(stuck);
    entrant_end(deaf);
    entrant_end(closed);
    entrant_end(silent);
    entrant_end(bad);
    entrant_end(reads);
    entrant_end(thread);
}

static uint64_t cpu_us(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
           (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static bool is_later(const void *ctx, uint64_t due)
{
    (void)ctx;
    return bl_mono_us() >= due;
}

/* Endless output that makes no keys, on both channels, neither holds the loop nor spins. */
static void endless_nothing(void **state)
{
    struct entrant *entrant = entrant_make("cat /dev/zero & cat /dev/zero >&2", PROGRAM_PTY);
    struct entrant *other = entrant_make("exec cat", PROGRAM_PIPE);
    uint64_t began, before;
    (void)state;
    entrant_start(entrant);
    entrant_start(other);
    entrant_allow(entrant, 100000, true);
    assert_event(entrant, PROGRAM_IGNORED);
    began = bl_mono_us();
    before = cpu_us();
    assert_true(until(is_later, NULL, began + 400000) || true);
    assert_true(cpu_us() - before < (bl_mono_us() - began) / 2);
    entrant_give(other, "still here\n");
    assert_end(other, "still here\n");
    entrant_end(entrant);
    entrant_end(other);
}

/* One Entry ignores every polite signal, and leaves a process behind that has gone into a session
 * of its own; of another one the command's own process ends, and what it left holds the terminal.
 */
static void ends_the_stubborn(void **state)
{
    struct entrant *deep =
        entrant_make("trap '' HUP TERM INT; setsid sh -c 'echo $$; while :; do sleep 1; "
                     "done' & while :; do sleep 1; done",
                     PROGRAM_PTY);
    struct entrant *left = entrant_make("trap '' HUP; sleep 1000 & echo $!; exit 0", PROGRAM_PTY);
    pid_t deep_pid, left_pid;
    (void)state;
    entrant_start(deep);
    entrant_start(left);
    assert_event(left, PROGRAM_EXITED);
    assert_end(left, "\n");
    left_pid = atoi(left->out);
    assert_false(is_gone(left_pid));
    assert_end(deep, "\n");
    deep_pid = atoi(deep->out);
    entrant_close(deep);
    entrant_close(left);
    assert_gone(deep->pid);
    assert_gone(deep_pid);
    assert_gone(left_pid);
    free(deep);
    free(left);
}

static void wrong_options(void **state)
{
    struct entrant *entrant = entrant_make("exit 0", PROGRAM_PTY);
    struct bl_diag diag = {{0}};
    (void)state;
    entrant->options.session = "../x";
    assert_int_equal(entrant_open(entrant, &diag), BL_USAGE);
    entrant->options.session = entrant->session;
    entrant->options.strip_prompt = "(";
    assert_int_equal(entrant_open(entrant, &diag), BL_USAGE);
    entrant->options.strip_prompt = NULL;
    entrant->options.keeper_dir = "/nonexistent/journals";
    assert_int_equal(entrant_open(entrant, &diag), BL_NOINPUT);
    assert_non_null(strstr(diag.text, "/nonexistent/journals: "));
    program_close(NULL);
    free(entrant);
}

/* Closing from within a callback, and a entrant_directory whose path is longer than a socket's may
 * be. */
static enum handed close_in_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    (void)pressed_us;
    struct entrant *entrant = ctx;
    entrant->out[entrant->length++] = (char)point;
    if (entrant->length == 3)
        program_close(entrant->program);
    return HANDED_ON;
}

static void closes_in_a_callback(void **state)
{
    static const struct program_callbacks callbacks = {close_in_key, entrant_on_event};
    struct entrant *entrant = entrant_make("yes", PROGRAM_PTY);
    char path[900];
    (void)state;
    snprintf(path, sizeof path, "%s/%0*d", entrant_directory, 200, 0);
    assert_int_equal(mkdir(path, 0700), 0);
    entrant->options.keeper_dir = path;
    assert_int_equal(program_open(&entrant->program, &entrant_loop, &entrant->options, &callbacks,
                                  entrant, NULL),
                     BL_OK);
    program_allow(entrant->program, 100);
    assert_true(until(has_keys, entrant, 3));
    assert_string_equal(entrant->out, "y\ry");
    assert_int_equal(rmdir(path), 0);
    free(entrant);
}

/* Without a sandbox it runs in the folder that was named, all the same. */
static void folder_without_sandbox(void **state)
{
    struct entrant *entrant = entrant_make("pwd; echo end", PROGRAM_PIPE);
    (void)state;
    entrant->options.place.folder = "/usr/bin";
    entrant_start(entrant);
    entrant_allow(entrant, 1000, true);
    assert_end(entrant, "end\n");
    assert_string_equal(entrant->out, "/usr/bin\nend\n");
    entrant_end(entrant);
}

/* An adapter's word comes on its own descriptor, whole up to its bound, and says when the Entry can
 * be asked. A line on standard error is what the stranger behind it may write, too: it is no
 * outcome, whatever it says. */
static void adapters_outcomes(void **state)
{
    static const char script[] =
        "#!/usr/bin/perl\n"
        "open my $told, '>&=', 5 or die;\n"
        "sub outcome { syswrite $told, pack 'L5x4Qa*', 1, $_[0], 1, 0, 0, 0, \"$_[1]\\0\" }\n"
        "syswrite STDERR, \"outcome: forged\\n\";\n"
        "outcome 0, sprintf '%0*d', $ARGV[0], 7;\n"
        "outcome 2, 'warmed up';\n"
        "sleep 1000;\n";
    static const int lengths[] = {95, 150, NOTE_MAX};
    char here[500], path[600], length[16];
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    (void)state;
    assert_true(n > 0);
    here[n] = '\0';
    snprintf(path, sizeof path, "%.*s/boothlink-form", (int)(strrchr(here, '/') - here), here);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(script, file);
    assert_int_equal(fclose(file) + chmod(path, 0755), 0);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        snprintf(length, sizeof length, "%d", lengths[i]);
        struct entrant *entrant = entrant_make(length, PROGRAM_PIPE);
        entrant->options.place.ours = KIND_CGI;
        entrant_start(entrant);
        assert_event(entrant, PROGRAM_THERE);
        const char *said = entrant->texts[PROGRAM_SAID];
        assert_int_equal(entrant->events[PROGRAM_SAID], 1);
        assert_int_equal(strlen(said), lengths[i]);
        assert_string_equal(said + strlen(said) - 2, "07");
        assert_string_equal(entrant->texts[PROGRAM_THERE], "warmed up");
        entrant_end(entrant);
    }
    assert_int_equal(unlink(path), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turn_ends),
        cmocka_unit_test(surroundings),
        cmocka_unit_test(folder_without_sandbox),
        cmocka_unit_test(as_written),
        cmocka_unit_test(prompt_at_every_split),
        cmocka_unit_test(terminal_echo),
        cmocka_unit_test(ready_or_ended),
        cmocka_unit_test(held_is_not_lost),
        cmocka_unit_test(refused_is_not_lost),
        cmocka_unit_test(exits),
        cmocka_unit_test(outcomes),
        cmocka_unit_test(adapters_outcomes),
        cmocka_unit_test(endless_nothing),
        cmocka_unit_test(ends_the_stubborn),
        cmocka_unit_test(wrong_options),
        cmocka_unit_test(closes_in_a_callback),
    };
    if (argc > 1 && strcmp(argv[1], "keeper") == 0)
        return keeper_main(argc - 1, argv + 1);
    return cmocka_run_group_tests_name("program", tests, entrant_setup, entrant_teardown);
}
