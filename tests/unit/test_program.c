/* Entries of all manners, with a real keeper: this program is the terminal, and run with "keeper"
 * as its first argument it is the keeper, too. */
#include "entity/keeper.h"
#include "entity/program.h"

#include "base/loop.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENCE_MS 30000
#define EVENTS      (PROGRAM_STUCK + 1)

static char directory[] = "/tmp/test_program.XXXXXX";
static uv_loop_t loop;

/* A terminal with one Entry. */
struct rig {
    struct program_options options;
    struct program *program;
    char session[24];
    char out[1 << 17]; /* its keys as UTF-8, Return as '\n' */
    size_t length;
    unsigned keys;    /* handed over since the last allowance */
    unsigned allowed; /* the last allowance */
    bool refill;      /* allow more as soon as it is used up */
    bool refuse;      /* take no key */
    unsigned asked;   /* keys that were offered */
    unsigned events[EVENTS];
    uint32_t counts[EVENTS];
    char texts[EVENTS][NOTE_MAX + 1];
    uint64_t given; /* number of the judge's last key */
    pid_t pid;
};

static bool on_key(void *ctx, uint32_t point)
{
    struct rig *rig = ctx;
    uint8_t utf8[UTF8_MAX];
    size_t n = utf8_encode(point == KEY_RETURN ? '\n' : point, utf8);
    assert_true(rig->keys < rig->allowed);
    rig->asked++;
    if (rig->refuse)
        return false;
    rig->keys++;
    if (rig->length + n < sizeof rig->out) {
        memcpy(rig->out + rig->length, utf8, n);
        rig->length += n;
        rig->out[rig->length] = '\0';
    }
    if (rig->refill && rig->keys == rig->allowed) {
        rig->keys = 0;
        program_allow(rig->program, rig->allowed);
    }
    return true;
}

static void on_event(void *ctx, enum program_event event, uint32_t count, const char *text)
{
    struct rig *rig = ctx;
    assert_true(strlen(text) <= NOTE_MAX && !strchr(text, '\n'));
    rig->events[event]++;
    rig->counts[event] += count;
    snprintf(rig->texts[event], sizeof rig->texts[event], "%s", text);
}

static enum bl_status rig_open(struct rig *rig, struct bl_diag *diag)
{
    static const struct program_handler handler = {on_key, on_event};
    enum bl_status status = program_open(&rig->program, &loop, &rig->options, &handler, rig, diag);
    memset(rig->events, 0, sizeof rig->events);
    return status;
}

static struct rig *rig_make(const char *command, enum program_io io)
{
    static unsigned sessions;
    struct rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    snprintf(rig->session, sizeof rig->session, "s%u", ++sessions);
    rig->options = (struct program_options){.command = command,
                                            .io = io,
                                            .columns = 38,
                                            .rows = 20,
                                            .keeper_dir = directory,
                                            .session = rig->session,
                                            .keep_ms = 20000};
    return rig;
}

static void on_tick(uv_timer_t *timer)
{
    (*(unsigned *)timer->data)++;
}

/* Runs the loop until the condition holds; false after a long time. Ticks, because some conditions
 * are in shared memory only. */
static bool until(bool (*condition)(const void *ctx, uint64_t value), const void *ctx,
                  uint64_t value)
{
    uv_timer_t timer;
    unsigned ticks = 0;
    uv_timer_init(&loop, &timer);
    timer.data = &ticks;
    uv_timer_start(&timer, on_tick, 10, 10);
    while (!condition(ctx, value) && ticks < PATIENCE_MS / 10)
        uv_run(&loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    return condition(ctx, value);
}

static bool has_event(const void *ctx, uint64_t event)
{
    return ((const struct rig *)ctx)->events[event] > 0;
}

static bool has_keys(const void *ctx, uint64_t length)
{
    return ((const struct rig *)ctx)->length >= length;
}

static bool has_delivered(const void *ctx, uint64_t n)
{
    return program_delivered(((const struct rig *)ctx)->program) >= n;
}

static bool ends_with(const void *ctx, uint64_t text)
{
    const struct rig *rig = ctx;
    const char *end = (const char *)(uintptr_t)text;
    size_t length = strlen(end);
    return rig->length >= length && strcmp(rig->out + rig->length - length, end) == 0;
}

#define assert_event(rig, event)                                                                   \
    do {                                                                                           \
        if (!until(has_event, rig, event))                                                         \
            fail_msg("no event %d; \"%.200s\"", event, (rig)->out);                                \
    } while (0)
#define assert_end(rig, text)                                                                      \
    do {                                                                                           \
        if (!until(ends_with, rig, (uint64_t)(uintptr_t)(text)))                                   \
            fail_msg("\"%.200s\" does not end with \"%s\"", (rig)->out, text);                     \
    } while (0)

static void rig_allow(struct rig *rig, unsigned keys, bool refill)
{
    rig->keys = 0;
    rig->allowed = keys;
    rig->refill = refill;
    program_allow(rig->program, keys);
}

static struct rig *rig_start(struct rig *rig)
{
    struct bl_diag diag = {{0}};
    if (rig_open(rig, &diag))
        fail_msg("%s", diag.text);
    assert_event(rig, PROGRAM_STARTED);
    assert_int_equal(sscanf(rig->texts[PROGRAM_STARTED], "started, process %d:", &rig->pid), 1);
    rig_allow(rig, 1000, true);
    return rig;
}

static void rig_give(struct rig *rig, const char *keys)
{
    size_t length = strlen(keys);
    while (length) {
        uint32_t point;
        size_t n = utf8_decode((const uint8_t *)keys, length, &point);
        assert_int_equal(
            program_give(rig->program, ++rig->given, point == '\n' ? KEY_RETURN : point), BL_OK);
        keys += n;
        length -= n;
    }
}

/* A process that init has not reaped yet is gone all the same. */
static bool is_gone(pid_t pid)
{
    char path[64], text[256] = "";
    int fd;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return true;
    if (read(fd, text, sizeof text - 1) < 0)
        text[0] = '\0';
    close(fd);
    return !text[0] || strstr(text, ") Z ");
}

static void assert_gone(pid_t pid)
{
    assert_true(pid > 0);
    for (int ms = 0; !is_gone(pid) && ms < PATIENCE_MS; ms += 10)
        usleep(10000);
    assert_true(is_gone(pid));
}

static void rig_close(struct rig *rig)
{
    program_close(rig->program);
    for (int i = 0; i < 3; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
}

static void rig_end(struct rig *rig)
{
    rig_close(rig);
    assert_gone(rig->pid);
    free(rig);
}

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
        struct rig *rig = rig_make(rows[i].command, rows[i].io);
        rig->options.turn_end = rows[i].end;
        rig_start(rig);
        assert_end(rig, "go\n");
        rig->length = 0;
        rig_give(rig, "a\xC3\xA9\bb\nc\n");
        assert_end(rig, rows[i].bytes);
        assert_string_equal(rig->out, rows[i].bytes);
        assert_int_equal(program_delivered(rig->program), 7);
        rig_end(rig);
    }
}

/* What the program finds: its terminal, its descriptors, signals, environment. */
static void surroundings(void **state)
{
    static const char command[] =
        "stty size; stty -a | grep -o -e '-echo ' -e ' icanon' -e '-opost' | tr -d '\\n'; "
        "echo; echo $TERM,$LINES,$COLUMNS,$LD_PRELOAD,$KEPT; ls /proc/self/fd | tr '\\n' ' '; "
        "grep -c -e 'SigBlk:.0*$' -e 'SigIgn:.0*$' /proc/self/status; "
        "ps -o tty= -o tpgid= -p $$ | grep -c pts; exec perl -e 'print qq(end), getpgrp == $$'";
    struct rig *rig = rig_make(command, PROGRAM_PTY);
    (void)state;
    setenv("LD_PRELOAD", "/nonexistent/shim.so", 1);
    setenv("KEPT", "kept", 1);
    setenv("LINES", "99", 1);
    signal(SIGUSR1, SIG_IGN);
    rig_start(rig);
    unsetenv("LD_PRELOAD");
    assert_end(rig, "end1");
    assert_string_equal(rig->out, "20 38\n-opost icanon-echo \ndumb,,,,kept\n0 1 2 3 2\n1\nend1");
    signal(SIGUSR1, SIG_DFL);
    rig_end(rig);
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
        struct rig *rig = rig_start(rig_make(command, (enum program_io)io));
        assert_end(rig, "x");
        assert_string_equal(rig->out, "H\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\nx");
        rig_give(rig, "\n");
        assert_end(rig, "xy");
        rig_end(rig);
    }
}

/* All the output is there at once, and is read byte by byte because one key at a time is allowed.
 */
static void prompt_at_every_split(void **state)
{
    struct rig *rig = rig_make(
        "printf 'Eliza: Hi\\nEliza: Eliza\\nyou: Eliz\\n> Eliza: '; sleep 1000", PROGRAM_PTY);
    (void)state;
    rig->options.strip_prompt = "Eliza: |> ";
    rig_start(rig);
    rig_allow(rig, 1, true);
    assert_end(rig, "Hi\nEliza\nyou: Eliz\n");
    rig_end(rig);

    /* What could be a prompt and is none comes without anything after it. */
    rig = rig_make("printf 'Hi\\nEli'; sleep 1000", PROGRAM_PTY);
    rig->options.strip_prompt = "Eliza: ";
    rig_start(rig);
    assert_end(rig, "Hi\nEli");
    rig_end(rig);
}

/* A program that wants an echo has one, and the page does not show it. */
static void terminal_echo(void **state)
{
    struct rig *rig = rig_make("stty echo; printf 'Hello, hello '; "
                               "while read -r line; do echo \"<$line>\"; done",
                               PROGRAM_PTY);
    (void)state;
    rig->options.strip_echo = true;
    rig_start(rig);
    assert_end(rig, "hello ");
    rig_give(rig, "hellp\bo\n");
    assert_end(rig, ">\n");
    rig_give(rig, "\xC3\xA9\bx <\n");
    assert_end(rig, "<x <>\n");
    assert_string_equal(rig->out, "Hello, hello <hello>\n<x <>\n");
    rig_end(rig);

    rig = rig_make("stty sane; while read -r line; do echo \"<$line>\"; done", PROGRAM_PTY);
    rig_start(rig);
    assert_event(rig, PROGRAM_READY);
    rig_give(rig, "seen\n");
    assert_end(rig, "<seen>\n");
    assert_string_equal(rig->out, "seen\n<seen>\n"); /* not asked to strip it */
    rig_end(rig);
}

/* What is not allowed waits, in the kernel and in the program, and then comes whole. */
static void held_is_not_lost(void **state)
{
    (void)state;
    for (int io = PROGRAM_PTY; io <= PROGRAM_PIPE; io++) {
        struct rig *rig =
            rig_make("exec perl -e 'print join(q( ), 1..20000), qq(.)'", (enum program_io)io);
        static char expected[1 << 17];
        size_t length = 0;
        rig_start(rig);
        rig_allow(rig, 0, false);
        rig->length = 0;
        for (unsigned i = 1; i <= 20000; i++)
            length += (size_t)sprintf(expected + length, "%u%s", i, i < 20000 ? " " : ".");
        assert_event(rig, PROGRAM_READY);
        for (int i = 0; i < 20; i++)
            uv_run(&loop, UV_RUN_NOWAIT);
        assert_int_equal(rig->length, 0);
        while (rig->length < 3000) {
            size_t had = rig->length;
            rig_allow(rig, 1 + (unsigned)random() % 300, false);
            assert_true(until(has_keys, rig, had + rig->allowed));
            assert_int_equal(rig->length, had + rig->allowed); /* on_key() checks it, too */
        }
        rig_allow(rig, 256, true);
        assert_end(rig, ".");
        assert_string_equal(rig->out, expected);
        assert_event(rig, PROGRAM_EXITED);
        rig_end(rig);
    }
}

static bool was_asked(const void *ctx, uint64_t times)
{
    return ((const struct rig *)ctx)->asked >= times;
}

/* A key that cannot be taken stays. */
static void refused_is_not_lost(void **state)
{
    struct rig *rig = rig_make("printf abc; exec sleep 1000", PROGRAM_PTY);
    (void)state;
    rig_start(rig);
    rig->refuse = true;
    for (unsigned i = 1; i < 4; i++) {
        rig_allow(rig, 10, false); /* again and again, as a careless caller does */
        assert_true(until(was_asked, rig, i));
        assert_int_equal(rig->asked, i);
        rig_allow(rig, 10, false);
    }
    rig->refuse = false;
    rig_allow(rig, 10, false);
    assert_end(rig, "abc");
    assert_string_equal(rig->out, "abc");
    rig_end(rig);
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
        {"printf 'x\\342\\202'; exit 1", "x\xEF\xBF\xBD", "exited with code 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows * 2; i++) {
        struct rig *rig = rig_make(rows[i / 2].command, i % 2 ? PROGRAM_PIPE : PROGRAM_PTY);
        struct stat log;
        char path[128];
        rig_start(rig);
        assert_event(rig, PROGRAM_EXITED);
        assert_string_equal(rig->texts[PROGRAM_EXITED], rows[i / 2].text);
        assert_false(program_running(rig->program));
        assert_end(rig, rows[i / 2].out);
        assert_string_equal(rig->out, rows[i / 2].out);
        rig_give(rig, "to nobody\n");
        assert_true(until(has_delivered, rig, rig->given));
        snprintf(path, sizeof path, "%s/%s-entry.log", directory, rig->session);
        assert_int_equal(stat(path, &log), i / 2 == 3 ? 0 : -1);
        assert_int_equal(rig->events[PROGRAM_CLOSED] + rig->events[PROGRAM_STUCK], 0);
        rig_end(rig);
    }
}

/* Types lines for as long as there is room. */
static bool is_stuffed(const void *ctx, uint64_t value)
{
    struct rig *rig = (struct rig *)(uintptr_t)ctx;
    (void)value;
    while (program_give(rig->program, rig->given + 1, rig->given % 50 ? 'x' : KEY_RETURN) == BL_OK)
        rig->given++;
    return rig->events[PROGRAM_STUCK] > 0;
}

/* A line that carries five keys now and then. */
static bool is_flood(const void *ctx, uint64_t value)
{
    struct rig *rig = (struct rig *)(uintptr_t)ctx;
    (void)value;
    if (rig->keys == rig->allowed)
        rig_allow(rig, 5, false);
    return rig->events[PROGRAM_FLOOD] > 0;
}

/* Several at a time, because each outcome takes its time. */
static void outcomes(void **state)
{
    struct rig *flood = rig_make("yes", PROGRAM_PTY);
    struct rig *stuck = rig_make("exec sleep 1000", PROGRAM_PTY);
    struct rig *deaf = rig_make("exec <&-; exec sleep 1000", PROGRAM_PIPE);
    struct rig *closed = rig_make("echo x; exec >&-; exec sleep 1000", PROGRAM_PIPE);
    struct rig *silent = rig_make("read x; read x; echo y; exec sleep 1000", PROGRAM_PTY);
    struct rig *bad = rig_make("printf 'a\\377b\\033[1mc\\a'; exec sleep 1000", PROGRAM_PTY);
    struct rig *reads = rig_make("read x; exec sleep 1000", PROGRAM_PIPE);
    (void)state;
    silent->options.silent_ms = 300;
    rig_start(flood);
    rig_start(stuck);
    rig_start(deaf);
    rig_start(closed);
    rig_start(silent);
    rig_start(bad);
    rig_start(reads);
    rig_allow(flood, 5, false);
    rig_allow(reads, 0, false);

    assert_event(bad, PROGRAM_BAD_UTF8);
    assert_event(bad, PROGRAM_IGNORED);
    assert_end(bad, "c");
    assert_string_equal(bad->out, "a\xEF\xBF\xBD"
                                  "bc");
    assert_int_equal(bad->counts[PROGRAM_BAD_UTF8], 1);
    assert_int_equal(bad->counts[PROGRAM_IGNORED], 2);

    assert_true(until(is_stuffed, stuck, 0));

    assert_event(reads, PROGRAM_READY); /* asleep in a read, without a word */

    rig_give(silent, "a\n");
    assert_event(silent, PROGRAM_SILENT);
    rig_give(silent, "b\n");
    assert_end(silent, "y\n");

    rig_give(deaf, "anyone there\n");
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
    rig_end(flood);
    rig_end(stuck);
    rig_end(deaf);
    rig_end(closed);
    rig_end(silent);
    rig_end(bad);
    rig_end(reads);
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
    struct rig *rig = rig_make("cat /dev/zero & cat /dev/zero >&2", PROGRAM_PTY);
    struct rig *other = rig_make("exec cat", PROGRAM_PIPE);
    uint64_t began, before;
    (void)state;
    rig_start(rig);
    rig_start(other);
    rig_allow(rig, 100000, true);
    assert_event(rig, PROGRAM_IGNORED);
    began = bl_mono_us();
    before = cpu_us();
    assert_true(until(is_later, NULL, began + 400000) || true);
    assert_true(cpu_us() - before < (bl_mono_us() - began) / 2);
    rig_give(other, "still here\n");
    assert_end(other, "still here\n");
    rig_end(rig);
    rig_end(other);
}

/* One Entry ignores every polite signal, and leaves a process behind that has gone into a session
 * of its own; of another one the command's own process ends, and what it left holds the terminal.
 */
static void ends_the_stubborn(void **state)
{
    struct rig *deep = rig_make("trap '' HUP TERM INT; setsid sh -c 'echo $$; while :; do sleep 1; "
                                "done' & while :; do sleep 1; done",
                                PROGRAM_PTY);
    struct rig *left = rig_make("trap '' HUP; sleep 1000 & echo $!; exit 0", PROGRAM_PTY);
    pid_t deep_pid, left_pid;
    (void)state;
    rig_start(deep);
    rig_start(left);
    assert_event(left, PROGRAM_EXITED);
    assert_end(left, "\n");
    left_pid = atoi(left->out);
    assert_false(is_gone(left_pid));
    assert_end(deep, "\n");
    deep_pid = atoi(deep->out);
    rig_close(deep);
    rig_close(left);
    assert_gone(deep->pid);
    assert_gone(deep_pid);
    assert_gone(left_pid);
    free(deep);
    free(left);
}

/* A terminal of its own that is killed. Its journal is a file, each key one write(). */
static int journal_open(const char *path, size_t *keys)
{
    struct stat now;
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || fstat(fd, &now))
        _exit(2);
    *keys = (size_t)now.st_size;
    return fd;
}

struct killed {
    struct program *program;
    int journal;
    unsigned left; /* keys until it kills itself, before or after the journal has the key */
    bool before, done;
};

static bool killed_key(void *ctx, uint32_t point)
{
    struct killed *k = ctx;
    char c = (char)point;
    if (k->left && --k->left == 0 && k->before)
        raise(SIGKILL);
    if (write(k->journal, &c, 1) != 1)
        _exit(3);
    if (k->left == 0 && !k->before)
        raise(SIGKILL);
    if (c == '.')
        k->done = true;
    program_allow(k->program, 1 + point % 40);
    return true;
}

static void killed_event(void *ctx, enum program_event event, uint32_t count, const char *text)
{
    (void)ctx;
    (void)event;
    (void)count;
    (void)text;
}

#define JUDGE_KEYS 3000
#define NUMBERS    12000

static uint32_t judge_key(uint64_t n)
{
    return n == JUDGE_KEYS || n % 40 == 0 ? KEY_RETURN : 'a' + (uint32_t)(n * 7 % 26);
}

static void killed_terminal(const struct rig *rig, const char *path, unsigned left)
{
    static const struct program_handler handler = {killed_key, killed_event};
    struct killed k = {.left = left ? left : 1u << 30, .before = left % 2};
    struct program_options options = rig->options;
    struct bl_diag diag;
    uv_loop_t own;
    size_t keys;
    uint64_t n = 0;
    uv_loop_init(&own);
    k.journal = journal_open(path, &keys);
    options.keys = keys;
    if (program_open(&k.program, &own, &options, &handler, &k, &diag)) {
        fprintf(stderr, "# %s\n", diag.text);
        _exit(4);
    }
    program_allow(k.program, 40);
    while (!k.done || program_delivered(k.program) < JUDGE_KEYS * 2) {
        /* As a replay after a restart: all from the first one on, those of the entity in between.
         */
        for (int i = 0; i < 20 && n < JUDGE_KEYS; i++) {
            if (program_give(k.program, (n + 1) * 2, judge_key(n + 1)) == BL_OK)
                n++;
        }
        uv_run(&own, UV_RUN_NOWAIT);
        usleep(100);
    }
    program_close(k.program);
    while (uv_run(&own, UV_RUN_ONCE))
        ;
    _exit(0);
}

/* Twenty terminals are killed at random moments while both parties type. The numbers that the Entry
 * writes, and the lines that the judge types, arrive once and in order. */
static void killed_terminals(void **state)
{
    static const char command[] =
        "exec perl -e 'if (fork) { open F, q(>), $ARGV[0]; "
        "while ($n < %d) { $n += sysread STDIN, $b, 4096; syswrite F, $b } sleep 1000 } "
        "else { syswrite STDOUT, qq($_ ) for 1..%d; syswrite STDOUT, q(.); exit }' %s";
    const char *given = getenv("SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    char text[512], journal[128], got[128];
    static char expected[1 << 16], found[1 << 16];
    (void)state;
    printf("# SEED=%u\n", seed);
    srandom(seed);
    for (int io = PROGRAM_PTY; io <= PROGRAM_PIPE; io++) {
        struct rig *rig = rig_make(text, (enum program_io)io);
        size_t length = 0;
        ssize_t n;
        int status = SIGKILL, fd;
        snprintf(journal, sizeof journal, "%s/%s.journal", directory, rig->session);
        snprintf(got, sizeof got, "%s/%s.got", directory, rig->session);
        snprintf(text, sizeof text, command, JUDGE_KEYS, NUMBERS, got);
        for (int kills = 0; kills <= 20 && !WIFEXITED(status); kills++) {
            pid_t pid = fork();
            assert_true(pid >= 0);
            if (pid == 0)
                killed_terminal(rig, journal, kills < 10 ? 1 + (unsigned)random() % 1000 : 0);
            if (kills >= 10 && kills < 20) {
                usleep((unsigned)random() % 8000);
                kill(pid, SIGKILL);
            }
            assert_int_equal(waitpid(pid, &status, 0), pid);
        }
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        for (unsigned i = 1; i <= NUMBERS; i++)
            length += (size_t)sprintf(expected + length, "%u ", i);
        expected[length++] = '.';
        fd = open(journal, O_RDONLY | O_CLOEXEC);
        n = read(fd, found, sizeof found);
        close(fd);
        assert_int_equal(n, length);
        assert_memory_equal(found, expected, length);
        for (uint64_t i = 1; i <= JUDGE_KEYS; i++)
            expected[i - 1] = judge_key(i) == KEY_RETURN ? '\n' : (char)judge_key(i);
        for (int tries = 0; tries < PATIENCE_MS / 10; tries++) {
            fd = open(got, O_RDONLY | O_CLOEXEC);
            n = read(fd, found, sizeof found);
            close(fd);
            if (n >= JUDGE_KEYS)
                break;
            usleep(10000);
        }
        assert_int_equal(n, JUDGE_KEYS);
        assert_memory_equal(found, expected, JUDGE_KEYS);
        free(rig);
    }
}

/* Starts a terminal that is killed as soon as the Entry runs; returns the Entry's process. */
static pid_t start_and_kill(struct rig *rig)
{
    int pipe_fds[2];
    pid_t entry = 0, pid;
    assert_int_equal(pipe(pipe_fds), 0);
    pid = fork();
    if (pid == 0) {
        uv_loop_init(&loop);
        rig_start(rig);
        if (write(pipe_fds[1], &rig->pid, sizeof rig->pid) < 0)
            _exit(1);
        pause();
    }
    close(pipe_fds[1]);
    assert_int_equal(read(pipe_fds[0], &entry, sizeof entry), sizeof entry);
    close(pipe_fds[0]);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return entry;
}

static void one_terminal_at_a_time(void **state)
{
    struct rig *rig = rig_start(rig_make("exec cat", PROGRAM_PIPE));
    struct program *second;
    struct bl_diag diag = {{0}};
    struct stat socket;
    char path[128];
    static const struct program_handler handler = {on_key, on_event};
    (void)state;
    assert_int_equal(program_open(&second, &loop, &rig->options, &handler, rig, &diag), BL_BUSY);
    assert_non_null(strstr(diag.text, "another terminal"));
    rig_give(rig, "x\n");
    assert_end(rig, "x\n");
    snprintf(path, sizeof path, "%s/%s.entry", directory, rig->session);
    assert_int_equal(stat(path, &socket), 0);
    assert_int_equal(socket.st_mode, S_IFSOCK | 0600);
    rig_end(rig);
    assert_int_equal(stat(path, &socket), -1);
}

/* The exit of an Entry in the absence of a terminal is told to the next one; after that a terminal
 * starts a new Entry, from where the journal says. */
static void exit_in_absence(void **state)
{
    struct rig *rig = rig_make("read x; printf \"bye $x\"; exit 7", PROGRAM_PTY);
    pid_t entry = start_and_kill(rig);
    (void)state;
    rig->given = 10;
    assert_int_equal(rig_open(rig, NULL), BL_OK);
    assert_event(rig, PROGRAM_RESUMED);
    rig_give(rig, "now\n");
    rig_allow(rig, 3, false); /* its last words are not read yet */
    assert_event(rig, PROGRAM_EXITED);
    assert_gone(entry);
    rig_close(rig);
    rig->options.delivered = rig->given;
    rig->options.keys = 3;
    rig_start(rig);
    assert_true(rig->pid != entry);
    assert_int_equal(program_give(rig->program, rig->given, 'x'), BL_OK); /* given before */
    rig->length = 0;
    rig_give(rig, "again\n");
    assert_end(rig, "bye again");
    assert_event(rig, PROGRAM_EXITED);
    rig_end(rig);
}

static void told_exit_is_over(void **state)
{
    struct rig *rig = rig_make("echo x; exit 7", PROGRAM_PTY);
    pid_t first = start_and_kill(rig);
    (void)state;
    assert_int_equal(rig_open(rig, NULL), BL_OK); /* told now at the latest */
    rig_allow(rig, 10, true);
    assert_event(rig, PROGRAM_EXITED);
    assert_end(rig, "x\n");
    {
        /* The terminal is killed, not closed: as far as the keeper can see. */
        struct rig *next = rig_make(rig->options.command, PROGRAM_PTY);
        next->options = rig->options;
        rig_close(rig);
        rig_start(next);
        assert_true(next->pid != first);
        assert_event(next, PROGRAM_EXITED);
        rig_end(next);
    }
    free(rig);
}

static void another_command(void **state)
{
    struct rig *rig = rig_make("exec sleep 1000", PROGRAM_PTY);
    pid_t first = start_and_kill(rig);
    (void)state;
    rig->options.command = "exec sleep 1001";
    rig_start(rig);
    assert_gone(first);
    rig_end(rig);
}

static void waits_for_a_terminal_only_so_long(void **state)
{
    struct rig *rig = rig_make("exec sleep 1000", PROGRAM_PTY);
    pid_t first;
    (void)state;
    rig->options.keep_ms = 50;
    first = start_and_kill(rig);
    assert_gone(first);
    rig_start(rig);
    assert_true(rig->pid != first);
    rig_end(rig);
}

static pid_t parent_of(pid_t pid)
{
    char path[64], text[512] = "";
    int fd, parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0 && read(fd, text, sizeof text - 1) > 0);
    close(fd);
    assert_int_equal(sscanf(strrchr(text, ')') + 1, " %*c %d", &parent), 1);
    return parent;
}

static void keeper_is_killed(void **state)
{
    struct rig *rig = rig_start(rig_make("exec sleep 1000", PROGRAM_PTY));
    (void)state;
    kill(parent_of(rig->pid), SIGKILL);
    assert_event(rig, PROGRAM_EXITED);
    assert_gone(rig->pid);
    rig_close(rig);
    rig_start(rig); /* the socket that was left behind is no obstacle */
    rig_end(rig);
}

static void wrong_options(void **state)
{
    struct rig *rig = rig_make("exit 0", PROGRAM_PTY);
    struct bl_diag diag = {{0}};
    (void)state;
    rig->options.session = "../x";
    assert_int_equal(rig_open(rig, &diag), BL_USAGE);
    rig->options.session = rig->session;
    rig->options.strip_prompt = "(";
    assert_int_equal(rig_open(rig, &diag), BL_USAGE);
    rig->options.strip_prompt = NULL;
    rig->options.keeper_dir = "/nonexistent/journals";
    assert_int_equal(rig_open(rig, &diag), BL_NOINPUT);
    assert_non_null(strstr(diag.text, "/nonexistent/journals: "));
    program_close(NULL);
    free(rig);
}

/* Closing from within a callback, and a directory whose path is longer than a socket's may be. */
static bool close_in_key(void *ctx, uint32_t point)
{
    struct rig *rig = ctx;
    rig->out[rig->length++] = (char)point;
    if (rig->length == 3)
        program_close(rig->program);
    return true;
}

static void closes_in_a_callback(void **state)
{
    static const struct program_handler handler = {close_in_key, on_event};
    struct rig *rig = rig_make("yes", PROGRAM_PTY);
    char path[300];
    (void)state;
    snprintf(path, sizeof path, "%s/%0*d", directory, 200, 0);
    assert_int_equal(mkdir(path, 0700), 0);
    rig->options.keeper_dir = path;
    assert_int_equal(program_open(&rig->program, &loop, &rig->options, &handler, rig, NULL), BL_OK);
    program_allow(rig->program, 100);
    assert_true(until(has_keys, rig, 3));
    assert_string_equal(rig->out, "y\ry");
    assert_int_equal(rmdir(path), 0);
    free(rig);
}

static int setup(void **state)
{
    (void)state;
    return !mkdtemp(directory) || uv_loop_init(&loop);
}

static int teardown(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", directory);
    return uv_loop_close(&loop) || system(command);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turn_ends),
        cmocka_unit_test(surroundings),
        cmocka_unit_test(as_written),
        cmocka_unit_test(prompt_at_every_split),
        cmocka_unit_test(terminal_echo),
        cmocka_unit_test(held_is_not_lost),
        cmocka_unit_test(refused_is_not_lost),
        cmocka_unit_test(exits),
        cmocka_unit_test(outcomes),
        cmocka_unit_test(endless_nothing),
        cmocka_unit_test(ends_the_stubborn),
        cmocka_unit_test(killed_terminals),
        cmocka_unit_test(one_terminal_at_a_time),
        cmocka_unit_test(exit_in_absence),
        cmocka_unit_test(told_exit_is_over),
        cmocka_unit_test(another_command),
        cmocka_unit_test(waits_for_a_terminal_only_so_long),
        cmocka_unit_test(keeper_is_killed),
        cmocka_unit_test(wrong_options),
        cmocka_unit_test(closes_in_a_callback),
    };
    if (argc > 1 && strcmp(argv[1], "keeper") == 0)
        return keeper_main(argc - 1, argv + 1);
    if (getenv("ONLY"))
        cmocka_set_test_filter(getenv("ONLY"));
    return cmocka_run_group_tests_name("program", tests, setup, teardown);
}
