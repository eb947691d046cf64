/* What bounds the processes and the memory of programs in real sandboxes, and that it goes with
 * them, whoever is killed: a fork bomb, threads, memory of every kind; the control groups. */
#include "tests/support/namespaces.h"
#include "tests/support/sandboxed.h"
#include "entity/sandbox_group.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define LATE_MS 60000u

/* Does the system let anybody here make a group with this limit? One of ours that is not made where
 * it may be is a fault, and no reason to skip. */
static bool may_bound(const char *limit)
{
    static const char *const roots[] = {"/sys/fs/cgroup/pids", "/sys/fs/cgroup/memory",
                                        "/sys/fs/cgroup"};
    char path[64], file[128];
    bool may = false;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        snprintf(path, sizeof path, "%s/probe-%d", roots[i], (int)getpid());
        if (mkdir(path, 0755))
            continue;
        snprintf(file, sizeof file, "%s/%s", path, limit);
        may = may || access(file, W_OK) == 0;
        rmdir(path);
    }
    return may;
}

/* Is the kernel asked to bound a bomb? Without that it would starve the other tests. */
static bool tasks_are_bounded(void)
{
    struct sandbox_group group;
    bool bounded;
    sandbox_group_open(&group, 1000, 1000);
    bounded = geteuid() != 0 || group.refusals >= 0;
    sandbox_group_close(&group);
    assert_true(bounded || !may_bound("pids.max"));
    return bounded;
}

static void test_fork_bomb(void **state)
{
    struct actor *actor;
    (void)state;
    if (!tasks_are_bounded())
        skip();
    actor = sandboxed_start("bomb() { bomb | bomb & }; bomb; read x");
    assert_int_equal(actor_wait_end(actor, LATE_MS), ACTOR_KILLED);
    assert_true(atomic_load(&sandbox_facts(actor_sandbox(actor))->too_many));
    sandboxed_end(actor);
}

/* It is said which limit that was. */
static void test_threads(void **state)
{
    struct sandbox_options sandbox = sandboxed_with(
        "perl -Mthreads -e 'for (1 .. 400) { threads->create(sub { sleep 1000 }) or last }"
        " print \"all\\n\"; sleep 1000'");
    const struct sandbox_facts *facts;
    struct actor *actor;
    (void)state;
    if (geteuid() != 0 || !tasks_are_bounded())
        skip();
    actor = sandboxed_start_with(&sandbox);
    facts = sandbox_facts(actor_sandbox(actor));
    assert_int_equal(actor_wait_end(actor, LATE_MS), ACTOR_KILLED);
    assert_true(atomic_load(&facts->too_many));
    assert_int_equal(atomic_load(&facts->refused_at), 40 * 4 + 64);
    assert_true(atomic_load(&facts->processes_most) <= 40);
    sandboxed_end(actor);
}

static void test_memory(void **state)
{
    struct actor *actor = sandboxed_start("perl -e '$x .= \"x\" x 1e6 while 1'");
    (void)state;
    assert_int_equal(actor_wait_end(actor, LATE_MS), ACTOR_KILLED);
    assert_true(atomic_load(&sandbox_facts(actor_sandbox(actor))->too_large));
    sandboxed_end(actor);
}

/* What does not show as a process's own memory, until there is too much: 20 MiB each time. The
 * sandbox allows 256 MiB. */
static const char segments[] = "perl -e 'while (defined($i = shmget 0, 20 << 20, 01600)) { "
                               "shmwrite $i, \"x\" x (20 << 20), 0, 20 << 20;"
                               " select undef, undef, undef, 0.01 } sleep 1000'";
static const char files[] =
    "while i=$((i + 1)); do head -c 20M /dev/zero >/dev/shm/$i; done; sleep 1000";

static const char *memfds(void)
{
    static char command[300];
    snprintf(
        command, sizeof command,
        "perl -e '$n = \"x\"; while (($fd = syscall %d, $n, 0) >= 0) { open $f[$i++], \">&=\", $fd;"
        " syswrite $f[-1], \"x\" x (20 << 20); select undef, undef, undef, 0.01 } sleep 1000'",
        (int)SYS_memfd_create);
    return command;
}

/* The same 100 MiB, mapped by four processes, are 100 MiB. */
static const char *mapped(void)
{
    static char command[300];
    snprintf(command, sizeof command,
             "perl -e 'open Z, \"</dev/zero\"; $p = syscall %d, 0, 100 << 20, 3, 0x21, -1, 0;"
             " for (1 .. 3) { fork or last } syscall %d, fileno Z, $p, 100 << 20;"
             " print \"here\\n\"; sleep 1000'",
             (int)SYS_mmap, (int)SYS_read);
    return command;
}

static void assert_too_large(const char *command)
{
    struct actor *actor = sandboxed_start(command);
    const struct sandbox_facts *facts = sandbox_facts(actor_sandbox(actor));
    assert_int_equal(actor_wait_end(actor, LATE_MS), ACTOR_KILLED);
    assert_true(atomic_load(&facts->too_large));
    if (!atomic_load(&facts->stopped_at))
        assert_true(atomic_load(&facts->shared_most) > atomic_load(&facts->memory_most) / 2);
    sandboxed_end(actor);
}

static void test_memory_segments(void **state)
{
    (void)state;
    assert_too_large(segments);
}

static void test_memory_memfds(void **state)
{
    (void)state;
    assert_too_large(memfds());
}

static void test_memory_files(void **state)
{
    (void)state;
    assert_too_large(files);
}

/* Four times the line "here", and not killed? */
static bool maps_in_peace(struct actor *actor)
{
    uint64_t most;
    while (strlen(actor_said(actor).text) < 4 * strlen("here\n"))
        if (actor_pause(actor, 20, false) != ACTOR_DONE)
            return false;
    if (actor_pause(actor, 300, false) != ACTOR_DONE)
        return false;
    most = atomic_load(&sandbox_facts(actor_sandbox(actor))->shared_most) >> 20;
    return most >= 100;
}

static void test_memory_mapped(void **state)
{
    struct actor *actor = sandboxed_start(mapped());
    (void)state;
    assert_true(maps_in_peace(actor));
    sandboxed_end(actor);
}

/* Pages of files that it reads, and holes in files, are no memory. */
static void test_memory_none(void **state)
{
    struct actor *actor = sandboxed_start("truncate -s 10G hole; head -c 1G hole | wc -c; read x");
    const struct sandbox_facts *facts = sandbox_facts(actor_sandbox(actor));
    (void)state;
    sandboxed_wait_text(actor, "\n");
    assert_string_equal(actor_said(actor).text, "1073741824\n");
    assert_int_equal(actor_pause(actor, 300, false), ACTOR_DONE);
    assert_true(atomic_load(&facts->memory_most) < 64u << 20);
    sandboxed_end(actor);
}

/* Runs a command as an ordinary user, for whom no group can be made: *verdict for its end. */
enum verdict { WAS_NOT_RUN, WAS_KILLED, WAS_AT_PEACE, WAS_ELSE };

static enum verdict user_judges(const char *command, bool (*peace)(struct actor *actor))
{
    static const struct actor_options options = {.flood_bytes = SANDBOXED_FLOOD};
    struct sandbox_options sandbox = sandboxed_with(command);
    struct sandbox_group group;
    struct bl_diag diag = {""};
    struct actor *actor;
    enum verdict verdict = WAS_ELSE;
    sandbox.folder = "/srv";
    sandbox_group_open(&group, 1000, 1000);
    if (group.memory >= 0)
        printf("# this user can make control groups\n");
    sandbox_group_close(&group);
    if (actor_open_alone(&actor, &sandbox, &options, &diag)) {
        fprintf(stderr, "# %s\n", diag.text);
        return namespaces_may_be() ? WAS_ELSE : WAS_NOT_RUN;
    }
    if (peace)
        verdict = peace(actor) ? WAS_AT_PEACE : WAS_ELSE;
    else if (actor_wait_end(actor, LATE_MS) == ACTOR_KILLED &&
             atomic_load(&sandbox_facts(actor_sandbox(actor))->too_large))
        verdict = WAS_KILLED;
    scene_close(actor_scene(actor));
    return verdict;
}

static void assert_as_user(const char *command, bool (*peace)(struct actor *actor))
{
    enum verdict wanted = peace ? WAS_AT_PEACE : WAS_KILLED;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        const uid_t nobody = 65534;
        if (geteuid() == 0 && (setgroups(0, NULL) || setresgid(nobody, nobody, nobody) ||
                               setresuid(nobody, nobody, nobody)))
            _exit(WAS_NOT_RUN);
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* else /proc/self is root's */
        _exit(user_judges(command, peace));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == WAS_NOT_RUN)
        skip();
    assert_int_equal(WEXITSTATUS(status), wanted);
    sandboxed_untouched();
}

static void test_user_segments(void **state)
{
    (void)state;
    assert_as_user(segments, NULL);
}

static void test_user_memfds(void **state)
{
    (void)state;
    assert_as_user(memfds(), NULL);
}

static void test_user_files(void **state)
{
    (void)state;
    assert_as_user(files, NULL);
}

static void test_user_mapped(void **state)
{
    (void)state;
    assert_as_user(mapped(), maps_in_peace);
}

/* Nobody counts; the kernel does. */
static void test_memory_kernel(void **state)
{
    struct sandbox_group group;
    struct sandbox_memory memory;
    int status;
    pid_t pid;
    (void)state;
    sandbox_group_open(&group, 100, 64);
    if (!sandbox_group_memory(&group, &memory)) {
        sandbox_group_close(&group);
        assert_false(may_bound("memory.max") || may_bound("memory.limit_in_bytes"));
        skip();
    }
    assert_false(sandbox_group_killed(&group));
    pid = fork();
    if (pid == 0) {
        volatile char *bytes = malloc(256u << 20);
        if (!bytes || !sandbox_group_join(&group))
            _exit(1);
        for (size_t i = 0; i < 256u << 20; i += 4096)
            bytes[i] = 1;
        _exit(2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_true(sandbox_group_killed(&group));
    assert_false(sandbox_group_refused(&group));
    sandbox_group_close(&group);
}

/* Control groups of a process, in the folders in which those of `places` are, which is not counted:
 * it is opened before that process ends, for whoever makes a group removes old ones. */
static unsigned groups_in(const struct sandbox_group *places, pid_t pid)
{
    unsigned count = 0;
    char path[64], name[32];
    snprintf(name, sizeof name, "boothlink-%d-", (int)pid);
    for (size_t i = 0; i < SANDBOX_GROUPS; i++) {
        DIR *dir;
        if (places->parent[i] < 0)
            continue;
        snprintf(path, sizeof path, "/proc/self/fd/%d", places->parent[i]);
        dir = opendir(path);
        assert_non_null(dir);
        for (struct dirent *found; (found = readdir(dir));)
            count += strncmp(found->d_name, name, strlen(name)) == 0 &&
                     strcmp(found->d_name, places->name) != 0;
        closedir(dir);
    }
    return count;
}

static void test_groups_go(void **state)
{
    struct actor *actor = sandboxed_start("echo there; read x");
    struct sandbox_group places;
    unsigned made;
    (void)state;
    sandbox_group_open(&places, 1000, 1000);
    made = groups_in(&places, getpid());
    sandboxed_wait_text(actor, "there\n");
    sandboxed_end(actor);
    assert_int_equal(groups_in(&places, getpid()), 0);
    sandbox_group_close(&places);
    if (!made) {
        assert_false(may_bound("pids.max"));
        skip();
    }
}

/* Groups of one whose process number is nobody's, because it is that of another namespace, are not
 * taken for old ones. */
static void test_groups_elsewhere(void **state)
{
    struct sandbox_group group;
    pid_t pid;
    int status;
    (void)state;
    sandbox_group_open(&group, 1000, 1000);
    pid = fork();
    if (pid == 0) {
        struct sandbox_group other;
        if (unshare(CLONE_NEWPID))
            _exit(1);
        pid = fork();
        if (pid == 0) {
            sandbox_group_open(&other, 1000, 1000);
            sandbox_group_close(&other);
            _exit(0);
        }
        _exit(waitpid(pid, &status, 0) == pid && status == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    for (size_t i = 0; i < SANDBOX_GROUPS; i++)
        if (group.parent[i] >= 0)
            assert_int_equal(faccessat(group.parent[i], group.name, F_OK, 0), 0);
    if (group.members[0] < 0 && group.members[1] < 0 && group.members[2] < 0)
        status = 1;
    sandbox_group_close(&group);
    if (status != 0) {
        assert_false(may_bound("pids.max"));
        skip();
    }
}

/* Has it a child? */
static bool is_parent(pid_t pid)
{
    char path[64], text[16];
    ssize_t n;
    int fd;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read(fd, text, sizeof text);
    close(fd);
    return n > 0;
}

/* Killed as hard as can be, we take all of it along: early, as soon as there is a first process in
 * the sandbox, or when its command runs. Killed that early, an empty group may stay until the next
 * start takes it away. */
static void assert_goes_along(bool early)
{
    struct sandbox_group places;
    int pair[2];
    char byte;
    pid_t pid;
    sandbox_group_open(&places, 1000, 1000);
    assert_int_equal(pipe2(pair, O_CLOEXEC), 0);
    pid = fork();
    if (pid == 0) {
        struct actor *actor;
        dup2(pair[1], STDERR_FILENO); /* the one that a sandbox's first process has, too */
        actor = sandboxed_start("trap '' HUP TERM; echo there; while :; do sleep 1; done");
        if (actor_wait_key(actor, LATE_MS) == ACTOR_DONE)
            raise(SIGKILL);
        _exit(1);
    }
    close(pair[1]);
    if (early) {
        siginfo_t over = {0};
        while (!over.si_pid && !is_parent(pid))
            waitid(P_PID, (id_t)pid, &over, WEXITED | WNOHANG | WNOWAIT);
        kill(pid, SIGKILL);
    }
    assert_int_equal(waitpid(pid, &(int){0}, 0), pid);
    /* The pipe's other end is held by all that is left of it. */
    while (read(pair[0], &byte, 1) > 0)
        ;
    close(pair[0]);
    sandboxed_untouched();
    if (early) {
        struct sandbox_group next;
        sandbox_group_open(&next, 1000, 1000);
        sandbox_group_close(&next);
    }
    assert_int_equal(groups_in(&places, pid), 0);
    sandbox_group_close(&places);
}

static void test_we_are_killed(void **state)
{
    (void)state;
    sandboxed_end(sandboxed_start("read x")); /* skips where there are no sandboxes */
    assert_goes_along(false);
}

static void test_we_are_killed_early(void **state)
{
    (void)state;
    sandboxed_end(sandboxed_start("read x"));
    if (!is_parent(getppid()))
        skip(); /* a kernel that does not tell of children */
    for (unsigned i = 0; i < 5; i++)
        assert_goes_along(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, sandboxed_setup, sandboxed_teardown)
        TEST(test_fork_bomb),
        TEST(test_threads),
        TEST(test_memory),
        TEST(test_memory_segments),
        TEST(test_memory_memfds),
        TEST(test_memory_files),
        TEST(test_memory_mapped),
        TEST(test_memory_kernel),
        TEST(test_memory_none),
        TEST(test_user_segments),
        TEST(test_user_memfds),
        TEST(test_user_files),
        TEST(test_user_mapped),
        TEST(test_groups_go),
        TEST(test_groups_elsewhere),
        TEST(test_we_are_killed),
        TEST(test_we_are_killed_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
