/* The keeper: terminals are killed and started again, and it is killed itself. */
#include "entity/keeper.h"
#include "tests/support/entrant.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A terminal of its own that is killed. Its journal is a file, each key one write(). */
static int record_open(const char *path, size_t *keys)
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

static enum handed killed_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    (void)pressed_us;
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
    return HANDED_ON;
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

static void killed_terminal(const struct entrant *entrant, const char *path, unsigned left)
{
    static const struct program_callbacks callbacks = {killed_key, killed_event};
    struct killed k = {.left = left ? left : 1u << 30, .before = left % 2};
    struct program_options options = entrant->options;
    struct bl_diag diag;
    uv_loop_t own;
    size_t keys;
    uint64_t n = 0;
    uv_loop_init(&own);
    k.journal = record_open(path, &keys);
    options.keys = keys;
    if (program_open(&k.program, &own, &options, &callbacks, &k, &diag)) {
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
    char text[1200], journal[700], got[700];
    static char expected[1 << 16], found[1 << 16];
    (void)state;
    printf("# SEED=%u\n", seed);
    srandom(seed);
    for (int io = PROGRAM_PTY; io <= PROGRAM_PIPE; io++) {
        struct entrant *entrant = entrant_make(text, (enum program_io)io);
        size_t length = 0;
        ssize_t n;
        int status = SIGKILL, fd;
        snprintf(journal, sizeof journal, "%s/%s.journal", entrant_directory, entrant->session);
        snprintf(got, sizeof got, "%s/%s.got", entrant_directory, entrant->session);
        snprintf(text, sizeof text, command, JUDGE_KEYS, NUMBERS, got);
        for (int kills = 0; kills <= 20 && !WIFEXITED(status); kills++) {
            pid_t pid = fork();
            assert_true(pid >= 0);
            if (pid == 0)
                killed_terminal(entrant, journal, kills < 10 ? 1 + (unsigned)random() % 1000 : 0);
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
        free(entrant);
    }
}

/* Starts a terminal that is killed as soon as the Entry runs; returns the Entry's process. */
static pid_t start_and_kill(struct entrant *entrant)
{
    int pipe_fds[2];
    pid_t entry = 0, pid;
    assert_int_equal(pipe(pipe_fds), 0);
    pid = fork();
    if (pid == 0) {
        uv_loop_init(&entrant_loop);
        entrant_start(entrant);
        if (write(pipe_fds[1], &entrant->pid, sizeof entrant->pid) < 0)
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
    struct entrant *entrant = entrant_start(entrant_make("exec cat", PROGRAM_PIPE));
    struct program *second;
    struct bl_diag diag = {{0}};
    struct stat socket;
    char path[700];
    static const struct program_callbacks callbacks = {entrant_on_key, entrant_on_event};
    (void)state;
    assert_int_equal(
        program_open(&second, &entrant_loop, &entrant->options, &callbacks, entrant, &diag),
        BL_BUSY);
    assert_non_null(strstr(diag.text, "another terminal"));
    entrant_give(entrant, "x\n");
    assert_end(entrant, "x\n");
    snprintf(path, sizeof path, "%s/%s.entry", entrant_directory, entrant->session);
    assert_int_equal(stat(path, &socket), 0);
    assert_int_equal(socket.st_mode, S_IFSOCK | 0600);
    entrant_end(entrant);
    assert_int_equal(stat(path, &socket), -1);
}

/* The exit of an Entry in the absence of a terminal is told to the next one; after that a terminal
 * starts a new Entry, from where the journal says. */
static void exit_in_absence(void **state)
{
    struct entrant *entrant = entrant_make("read x; printf \"bye $x\"; exit 7", PROGRAM_PTY);
    pid_t entry = start_and_kill(entrant);
    (void)state;
    entrant->given = 10;
    assert_int_equal(entrant_open(entrant, NULL), BL_OK);
    assert_event(entrant, PROGRAM_RESUMED);
    entrant_give(entrant, "now\n");
    entrant_allow(entrant, 3, false); /* its last words are not read yet */
    assert_event(entrant, PROGRAM_EXITED);
    assert_gone(entry);
    entrant_close(entrant);
    entrant->options.delivered = entrant->given;
    entrant->options.keys = 3;
    entrant_start(entrant);
    assert_true(entrant->pid != entry);
    assert_int_equal(program_give(entrant->program, entrant->given, 'x'), BL_OK); /* given before */
    entrant->length = 0;
    entrant_give(entrant, "again\n");
    assert_end(entrant, "bye again");
    assert_event(entrant, PROGRAM_EXITED);
    entrant_end(entrant);
}

static void told_exit_is_over(void **state)
{
    struct entrant *entrant = entrant_make("echo x; exit 7", PROGRAM_PTY);
    pid_t first = start_and_kill(entrant);
    (void)state;
    assert_gone(first);
    assert_int_equal(entrant_open(entrant, NULL), BL_OK); /* told now at the latest */
    entrant_allow(entrant, 10, true);
    assert_event(entrant, PROGRAM_EXITED);
    assert_end(entrant, "x\n");
    {
        /* The terminal is killed, not closed: as far as the keeper can see. */
        struct entrant *next = entrant_make(entrant->options.command, PROGRAM_PTY);
        next->options = entrant->options;
        entrant_close(entrant);
        entrant_start(next);
        assert_true(next->pid != first);
        assert_event(next, PROGRAM_EXITED);
        entrant_end(next);
    }
    free(entrant);
}

static void another_command(void **state)
{
    struct entrant *entrant = entrant_make("exec sleep 1000", PROGRAM_PTY);
    pid_t first = start_and_kill(entrant);
    (void)state;
    entrant->options.command = "exec sleep 1001";
    entrant_start(entrant);
    assert_gone(first);
    entrant_end(entrant);
}

static void waits_for_a_terminal_only_so_long(void **state)
{
    struct entrant *entrant = entrant_make("exec sleep 1000", PROGRAM_PTY);
    pid_t first;
    (void)state;
    entrant->options.keep_ms = 50;
    first = start_and_kill(entrant);
    assert_gone(first);
    entrant_start(entrant);
    assert_true(entrant->pid != first);
    entrant_end(entrant);
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
    struct entrant *entrant = entrant_start(entrant_make("exec sleep 1000", PROGRAM_PTY));
    (void)state;
    kill(parent_of(entrant->pid), SIGKILL);
    assert_event(entrant, PROGRAM_EXITED);
    assert_gone(entrant->pid);
    entrant_close(entrant);
    entrant_start(entrant); /* the socket that was left behind is no obstacle */
    entrant_end(entrant);
}

/* As systemd would: starts a keeper that takes this socket. */
static pid_t service_start(int listener)
{
    pid_t pid = fork();
    if (pid == 0) {
        static char name[] = "boothlink", word[] = "keeper";
        char *const argv[] = {name, word, NULL};
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (dup2(listener, KEEPER_FD_LISTEN) < 0)
            _exit(126);
        setenv("LISTEN_FDS", "1", 1);
        execv("/proc/self/exe", argv);
        _exit(126);
    }
    return pid;
}

static int connect_to(int listener)
{
    struct sockaddr_un address;
    socklen_t length = sizeof address;
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, length), 0);
    return fd;
}

/* A terminal closes its keeper and connects anew at once, for another Entry, and the keeper hears
 * of both at one time: it leaves the new connection to the keeper that the system starts next. */
static void closed_and_back(void **state)
{
    const struct sockaddr unnamed = {.sa_family = AF_UNIX};
    struct keeper_message message = {.kind = KEEPER_FAILED};
    int listener = socket(AF_UNIX, SOCK_SEQPACKET, 0), status;
    (void)state;
    assert_int_equal(bind(listener, &unnamed, sizeof unnamed.sa_family), 0);
    assert_int_equal(listen(listener, 4), 0);
    pid_t pid = service_start(listener);
    int first = connect_to(listener);
    assert_int_equal(recv(first, &message, sizeof message, 0), sizeof message);
    assert_int_equal(message.kind, KEEPER_VACANT);
    kill(pid, SIGSTOP);
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    message = (struct keeper_message){.kind = KEEPER_CLOSE};
    assert_int_equal(send(first, &message, sizeof message, 0), sizeof message);
    close(first);
    int second = connect_to(listener);
    kill(pid, SIGCONT);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(recv(second, &message, sizeof message, MSG_DONTWAIT), -1);
    assert_int_equal(errno, EAGAIN);
    int waits = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    assert_true(waits >= 0);
    close(waits);
    close(second);
    close(listener);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_terminals), cmocka_unit_test(one_terminal_at_a_time),
        cmocka_unit_test(exit_in_absence),  cmocka_unit_test(told_exit_is_over),
        cmocka_unit_test(another_command),  cmocka_unit_test(waits_for_a_terminal_only_so_long),
        cmocka_unit_test(keeper_is_killed), cmocka_unit_test(closed_and_back),
    };
    if (argc > 1 && strcmp(argv[1], "keeper") == 0)
        return keeper_main(argc - 1, argv + 1);
    return cmocka_run_group_tests_name("keeper", tests, entrant_setup, entrant_teardown);
}
