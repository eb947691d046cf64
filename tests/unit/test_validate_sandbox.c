/* A judge's drive of real programs in real namespaces: what comes back, and what programs may try:
 * a fork bomb, output without end, a start without end, deaf ears for signals, deleting all that
 * they can reach. Nothing may be left running, nothing may be changed outside. */
#include "validate/drive.h"
#include "validate/sandbox_private.h"

#include <dirent.h>
#include <errno.h>
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
#define FLOOD   (1u << 20)

/* A folder with a file, in another folder with a file. */
static char outer[200], folder[240];

static void file_write(const char *in, const char *name, const char *text)
{
    char path[300];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", in, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_file(const char *in, const char *name, const char *text)
{
    char path[300], found[100] = "";
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", in, name);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(found, sizeof found, file));
    fclose(file);
    assert_string_equal(found, text);
}

static unsigned files_in(const char *path)
{
    unsigned count = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

static int folders_make(void **state)
{
    const char *tmp = getenv("TMPDIR");
    (void)state;
    snprintf(outer, sizeof outer, "%s/sandbox.XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(outer));
    snprintf(folder, sizeof folder, "%s/entry", outer);
    assert_int_equal(mkdir(folder, 0755), 0);
    file_write(outer, "above", "above");
    file_write(folder, "inside", "inside");
    return 0;
}

static int folders_remove(void **state)
{
    char path[300];
    (void)state;
    snprintf(path, sizeof path, "%s/inside", folder);
    unlink(path);
    rmdir(folder);
    snprintf(path, sizeof path, "%s/above", outer);
    unlink(path);
    return rmdir(outer);
}

/* Everything is as it was, and no process of ours is left: all that ran in a sandbox was below its
 * first process, which was our child. */
static void assert_untouched(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_file(outer, "above", "above");
    assert_file(folder, "inside", "inside");
    assert_int_equal(files_in(outer), 2);
    assert_int_equal(files_in(folder), 1);
}

static struct sandbox_options with(const char *command)
{
    return (struct sandbox_options){.command = command,
                                    .folder = folder,
                                    .turn_end = TURN_LF,
                                    .columns = 80,
                                    .rows = 25,
                                    .memory_mib = 256,
                                    .processes = 40,
                                    .net = SANDBOX_NET_LISTEN};
}

static struct drive *start_with(const struct sandbox_options *sandbox)
{
    static const struct drive_options options = {.flood_bytes = FLOOD};
    struct bl_diag diag = {""};
    struct drive *drive;
    enum bl_status status = drive_open(&drive, sandbox, &options, &diag);
    if (status == BL_UNAVAIL) {
        printf("# %s\n", diag.text);
        skip();
    }
    assert_int_equal(status, BL_OK);
    return drive;
}

static struct drive *start(const char *command)
{
    struct sandbox_options sandbox = with(command);
    return start_with(&sandbox);
}

static void end(struct drive *drive)
{
    drive_close(drive);
    assert_untouched();
}

static void wait_text(struct drive *drive, const char *text)
{
    while (!strstr(drive_text(drive), text))
        assert_int_equal(drive_pause(drive, 20, false), DRIVE_DONE);
}

static void assert_says(struct drive *drive, const char *line, const char *answer)
{
    drive_mark(drive);
    assert_int_equal(drive_type(drive, line, 0), DRIVE_DONE);
    assert_int_equal(drive_wait_key(drive, LATE_MS), DRIVE_DONE);
    wait_text(drive, "\n");
    assert_string_equal(drive_text(drive), answer);
}

/* ---- a program that does nothing wrong ---- */

static void test_talk(void **state)
{
    struct drive *drive = start("while read x; do echo \"you: $x\"; done");
    size_t count, length;
    (void)state;
    assert_int_equal(drive_wait_ready(drive, 1000, LATE_MS), DRIVE_DONE);
    assert_int_equal(drive_count(drive), 0);
    assert_says(drive, "one\r", "you: one\n");
    assert_memory_equal(drive_bytes(drive, &length), "you: one\n", 9);
    assert_int_equal(length, 9);
    assert_int_equal(drive_keys(drive), 7);
    drive_reads(drive, &count);
    assert_true(count >= 1);
    assert_says(drive, "twp\bo \u00fc\r", "you: two \u00fc\n");
    assert_int_equal(drive_bad(drive), 0);
    assert_int_equal(drive_lines(drive), 2);
    /* A terminal that is switched off. */
    sandbox_hang_up(drive_sandbox(drive));
    assert_int_equal(drive_wait_end(drive, LATE_MS), DRIVE_ENDED);
    assert_int_equal(drive_wait_gone(drive, LATE_MS, false), DRIVE_DONE);
    end(drive);
}

static void test_pipes(void **state)
{
    struct sandbox_options sandbox = with("while read x; do echo \"you: $x\"; done; exit 7");
    struct drive *drive;
    (void)state;
    sandbox.io = PROGRAM_PIPE;
    drive = start_with(&sandbox);
    assert_says(drive, "one\r", "you: one\n");
    sandbox_hang_up(drive_sandbox(drive));
    assert_int_equal(drive_wait_end(drive, LATE_MS), DRIVE_ENDED);
    assert_string_equal(drive_ending(drive), "ended by itself, exit status 7");
    end(drive);
}

static void test_terminal(void **state)
{
    struct drive *drive = start("tty; stty size; echo $TERM; stty -a | grep -o -e '-echo ';"
                                "echo wrong >&2; echo end; read x");
    (void)state;
    wait_text(drive, "end\n");
    assert_string_equal(drive_text(drive), "/dev/pts/0\n25 80\ndumb\n-echo \nend\n");
    while (!drive_errors(drive)[0])
        assert_int_equal(drive_pause(drive, 20, false), DRIVE_DONE);
    assert_string_equal(drive_errors(drive), "wrong\n");
    end(drive);
}

/* What it writes in its folder is there when it is started again, and not outside. */
static void test_again(void **state)
{
    struct drive *drive = start("echo x >>runs; wc -l <runs; rm inside; read x");
    struct stat found;
    struct bl_diag diag;
    (void)state;
    wait_text(drive, "\n");
    assert_string_equal(drive_text(drive), "1\n");
    assert_int_equal(drive_wait_ready(drive, 1000, LATE_MS), DRIVE_DONE);
    assert_int_equal(drive_again(drive, &diag), BL_OK);
    wait_text(drive, "\n");
    assert_string_equal(drive_text(drive), "2\n");
    assert_int_equal(drive_wait_ready(drive, 1000, LATE_MS), DRIVE_DONE);
    assert_int_equal(fstatat(sandbox_folder_fd(drive_sandbox(drive)), "runs", &found, 0), 0);
    assert_int_equal(fstatat(sandbox_folder_fd(drive_sandbox(drive)), "inside", &found, 0), -1);
    end(drive);
}

static void test_moved(void **state)
{
    char command[400];
    struct sandbox_options sandbox;
    struct drive *drive;
    (void)state;
    setenv("BOOTHLINK_TEST", "set", 1);
    snprintf(
        command, sizeof command,
        "cat '%s/inside'; echo; pwd; echo \"$HOME,$BOOTHLINK_TEST\"; ls -A ~; echo end; read x",
        folder);
    sandbox = with(command);
    sandbox.moved = true;
    drive = start_with(&sandbox);
    wait_text(drive, "end\n");
    assert_string_equal(drive_text(drive), "inside\n/tmp/elsewhere/entry\n/tmp/home,\nend\n");
    end(drive);
}

/* ---- hostile ones ---- */

/* Is the kernel asked to bound a bomb? Without that it would starve the other tests. */
static bool tasks_are_bounded(void)
{
    struct sandbox_group group;
    bool bounded;
    sandbox_group_open(&group, 1000, 1000);
    bounded = geteuid() != 0 || group.refusals >= 0;
    sandbox_group_close(&group);
    return bounded;
}

static void test_fork_bomb(void **state)
{
    struct drive *drive;
    (void)state;
    if (!tasks_are_bounded())
        skip();
    drive = start("bomb() { bomb | bomb & }; bomb; read x");
    assert_int_equal(drive_wait_end(drive, LATE_MS), DRIVE_KILLED);
    assert_true(atomic_load(&sandbox_facts(drive_sandbox(drive))->too_many));
    end(drive);
}

/* It is said which limit that was. */
static void test_threads(void **state)
{
    struct sandbox_options sandbox =
        with("perl -Mthreads -e 'for (1 .. 400) { threads->create(sub { sleep 1000 }) or last }"
             " print \"all\\n\"; sleep 1000'");
    const struct sandbox_facts *facts;
    struct drive *drive;
    (void)state;
    if (geteuid() != 0 || !tasks_are_bounded())
        skip();
    drive = start_with(&sandbox);
    facts = sandbox_facts(drive_sandbox(drive));
    assert_int_equal(drive_wait_end(drive, LATE_MS), DRIVE_KILLED);
    assert_true(atomic_load(&facts->too_many));
    assert_int_equal(atomic_load(&facts->refused_at), 40 * 4 + 64);
    assert_true(atomic_load(&facts->processes_most) <= 40);
    end(drive);
}

static void test_memory(void **state)
{
    struct drive *drive = start("perl -e '$x .= \"x\" x 1e6 while 1'");
    (void)state;
    assert_int_equal(drive_wait_end(drive, LATE_MS), DRIVE_KILLED);
    assert_true(atomic_load(&sandbox_facts(drive_sandbox(drive))->too_large));
    end(drive);
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
    struct drive *drive = start(command);
    const struct sandbox_facts *facts = sandbox_facts(drive_sandbox(drive));
    assert_int_equal(drive_wait_end(drive, LATE_MS), DRIVE_KILLED);
    assert_true(atomic_load(&facts->too_large));
    if (!atomic_load(&facts->stopped_at))
        assert_true(atomic_load(&facts->shared_most) > atomic_load(&facts->memory_most) / 2);
    end(drive);
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
static bool maps_in_peace(struct drive *drive)
{
    uint64_t most;
    while (strlen(drive_text(drive)) < 4 * strlen("here\n"))
        if (drive_pause(drive, 20, false) != DRIVE_DONE)
            return false;
    if (drive_pause(drive, 300, false) != DRIVE_DONE)
        return false;
    most = atomic_load(&sandbox_facts(drive_sandbox(drive))->shared_most) >> 20;
    return most >= 100;
}

static void test_memory_mapped(void **state)
{
    struct drive *drive = start(mapped());
    (void)state;
    assert_true(maps_in_peace(drive));
    end(drive);
}

/* Pages of files that it reads, and holes in files, are no memory. */
static void test_memory_none(void **state)
{
    struct drive *drive = start("truncate -s 10G hole; head -c 1G hole | wc -c; read x");
    const struct sandbox_facts *facts = sandbox_facts(drive_sandbox(drive));
    (void)state;
    wait_text(drive, "\n");
    assert_string_equal(drive_text(drive), "1073741824\n");
    assert_int_equal(drive_pause(drive, 300, false), DRIVE_DONE);
    assert_true(atomic_load(&facts->memory_most) < 64u << 20);
    end(drive);
}

/* Runs a command as an ordinary user, for whom no group can be made: *verdict for its end. */
enum verdict { WAS_NOT_RUN, WAS_KILLED, WAS_AT_PEACE, WAS_ELSE };

static enum verdict user_judges(const char *command, bool (*peace)(struct drive *drive))
{
    static const struct drive_options options = {.flood_bytes = FLOOD};
    struct sandbox_options sandbox = with(command);
    struct sandbox_group group;
    struct bl_diag diag = {""};
    struct drive *drive;
    enum verdict verdict = WAS_ELSE;
    sandbox.folder = "/srv";
    sandbox_group_open(&group, 1000, 1000);
    if (group.memory >= 0)
        printf("# this user can make control groups\n");
    sandbox_group_close(&group);
    if (drive_open(&drive, &sandbox, &options, &diag)) {
        fprintf(stderr, "# %s\n", diag.text);
        return WAS_NOT_RUN;
    }
    if (peace)
        verdict = peace(drive) ? WAS_AT_PEACE : WAS_ELSE;
    else if (drive_wait_end(drive, LATE_MS) == DRIVE_KILLED &&
             atomic_load(&sandbox_facts(drive_sandbox(drive))->too_large))
        verdict = WAS_KILLED;
    drive_close(drive);
    return verdict;
}

static void assert_as_user(const char *command, bool (*peace)(struct drive *drive))
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
    assert_untouched();
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

static void test_flood(void **state)
{
    struct drive *drive = start("read x; exec tr '\\0' x </dev/zero");
    (void)state;
    drive_type(drive, "go\r", 0);
    assert_int_equal(drive_wait_end(drive, LATE_MS), DRIVE_FLOOD);
    /* Not read, it is stopped. */
    assert_int_equal(drive_count(drive) <= FLOOD + 65536, true);
    end(drive);
}

static void test_flood_errors(void **state)
{
    struct drive *drive = start("tr '\\0' x </dev/zero >&2 & while read x; do echo hm; done");
    (void)state;
    assert_says(drive, "one\r", "hm\n");
    while (strlen(drive_errors(drive)) < DRIVE_ERRORS)
        assert_int_equal(drive_pause(drive, 10, false), DRIVE_DONE);
    end(drive);
}

static void test_never_ready(void **state)
{
    struct drive *drive = start("sleep 1000");
    (void)state;
    assert_int_equal(drive_wait_ready(drive, 1000, 300), DRIVE_LATE);
    end(drive);
}

static void test_deaf(void **state)
{
    struct drive *drive = start("trap '' HUP TERM INT QUIT; read x; while :; do sleep 1; done");
    (void)state;
    assert_int_equal(drive_wait_ready(drive, 1000, LATE_MS), DRIVE_DONE);
    sandbox_hang_up(drive_sandbox(drive));
    assert_int_equal(drive_wait_end(drive, 200), DRIVE_LATE);
    sandbox_signal(drive_sandbox(drive), SIGTERM);
    assert_int_equal(drive_wait_end(drive, 200), DRIVE_LATE);
    end(drive);
}

static void test_left_behind(void **state)
{
    struct drive *drive = start("setsid sh -c 'trap \"\" HUP; while :; do sleep 1; done' & read x");
    (void)state;
    assert_int_equal(drive_wait_ready(drive, 1000, LATE_MS), DRIVE_DONE);
    sandbox_hang_up(drive_sandbox(drive));
    assert_int_equal(drive_wait_end(drive, LATE_MS), DRIVE_ENDED);
    assert_int_equal(drive_wait_gone(drive, 300, false), DRIVE_LATE);
    assert_true(atomic_load(&sandbox_facts(drive_sandbox(drive))->processes) > 0);
    end(drive);
}

/* It may not: write elsewhere, see our processes, end the first process, gain anything by a
 * set-user-id program, mount, or reach a disk. */
static void test_shut_in(void **state)
{
    char command[1200];
    struct drive *drive;
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
             folder, outer, (int)getpid());
    drive = start(command);
    assert_int_equal(drive_wait_ready(drive, 1000, LATE_MS), DRIVE_DONE);
    wait_text(drive, "\n");
    assert_string_equal(drive_text(drive), "done\n");
    end(drive);
}

static void test_network(void **state)
{
    struct drive *drive = start("getent hosts www.example.org; echo looked;"
                                "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr => "
                                "\"192.0.2.7:80\") or print \"$!\\n\"'; echo called; read x");
    const struct network *network = drive_network(drive);
    bool heard = sandbox_net_fd(drive_sandbox(drive)) >= 0;
    (void)state;
    wait_text(drive, "called\n");
    if (heard) {
        assert_int_equal(network->lookups, 1);
        assert_string_equal(network->lookup[0].text, "www.example.org");
        assert_int_equal(network->frames, 1);
        assert_string_equal(network->frame[0].text, "TCP to 192.0.2.7 port 80");
        assert_string_equal(drive_text(drive), "looked\nNo route to host\ncalled\n");
    }
    end(drive);
    if (!heard)
        skip();
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
        for (struct dirent *entry; (entry = readdir(dir));)
            count += strncmp(entry->d_name, name, strlen(name)) == 0 &&
                     strcmp(entry->d_name, places->name) != 0;
        closedir(dir);
    }
    return count;
}

static void test_groups_go(void **state)
{
    struct drive *drive = start("echo there; read x");
    struct sandbox_group places;
    unsigned made;
    (void)state;
    sandbox_group_open(&places, 1000, 1000);
    made = groups_in(&places, getpid());
    wait_text(drive, "there\n");
    end(drive);
    assert_int_equal(groups_in(&places, getpid()), 0);
    sandbox_group_close(&places);
    if (!made)
        skip();
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
    if (status != 0)
        skip();
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
 * the sandbox, or when its command runs. */
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
        struct drive *drive;
        dup2(pair[1], STDERR_FILENO); /* the one that a sandbox's first process has, too */
        drive = start("trap '' HUP TERM; echo there; while :; do sleep 1; done");
        if (drive_wait_key(drive, LATE_MS) == DRIVE_DONE)
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
    assert_untouched();
    assert_int_equal(groups_in(&places, pid), 0);
    sandbox_group_close(&places);
}

static void test_we_are_killed(void **state)
{
    (void)state;
    end(start("read x")); /* skips where there are no sandboxes */
    assert_goes_along(false);
}

static void test_we_are_killed_early(void **state)
{
    (void)state;
    end(start("read x"));
    if (!is_parent(getppid()))
        skip(); /* a kernel that does not tell of children */
    for (unsigned i = 0; i < 5; i++)
        assert_goes_along(true);
}

/* What is open to one sandbox is not kept open by another. */
static void test_two(void **state)
{
    struct sandbox_options sandbox = with("cat; exit 7");
    struct drive *one, *two;
    (void)state;
    sandbox.io = PROGRAM_PIPE;
    one = start_with(&sandbox);
    two = start("echo there; read x");
    wait_text(two, "there\n");
    sandbox_hang_up(drive_sandbox(one));
    assert_int_equal(drive_wait_end(one, LATE_MS), DRIVE_ENDED);
    drive_close(one);
    end(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, folders_make, folders_remove)
        TEST(test_talk),          TEST(test_pipes),         TEST(test_terminal),
        TEST(test_again),         TEST(test_moved),         TEST(test_fork_bomb),
        TEST(test_threads),       TEST(test_memory),        TEST(test_memory_segments),
        TEST(test_memory_memfds), TEST(test_memory_files),  TEST(test_memory_mapped),
        TEST(test_memory_kernel), TEST(test_memory_none),   TEST(test_user_segments),
        TEST(test_user_memfds),   TEST(test_user_files),    TEST(test_user_mapped),
        TEST(test_flood),         TEST(test_flood_errors),  TEST(test_never_ready),
        TEST(test_deaf),          TEST(test_left_behind),   TEST(test_shut_in),
        TEST(test_network),       TEST(test_groups_go),     TEST(test_groups_elsewhere),
        TEST(test_two),           TEST(test_we_are_killed), TEST(test_we_are_killed_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
