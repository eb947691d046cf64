/* What a program may try to get out of its sandbox, as root's and as a user's child: each way is
 * tried by a program of its own or by a line of Perl, and says how the kernel has answered. */
#include "tests/support/namespaces.h"
#include "tests/support/sandboxed.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define NOBODY  65534u
#define UNKNOWN 125 /* there is no sandbox */
#define END     "that is all\n"

/* Runs a command in a sandbox, in a child of ours, which is nobody's if `user`; text: what it has
 * written before END. Skips where there are no sandboxes. */
static void answer_take(const char *command, bool user, char *text, size_t room)
{
    static const struct actor_options options = {.flood_bytes = SANDBOXED_FLOOD};
    struct sandbox_options sandbox = sandboxed_with(command);
    int pair[2], status;
    ssize_t n;
    pid_t pid;
    assert_int_equal(pipe(pair), 0);
    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        struct bl_diag diag = {""};
        struct actor *actor;
        if (user) {
            if (geteuid() == 0 && (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
                                   setresuid(NOBODY, NOBODY, NOBODY)))
                _exit(UNKNOWN);
            prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* else /proc/self is root's */
            sandbox.folder = "/srv";
        }
        if (actor_open_alone(&actor, &sandbox, &options, &diag)) {
            fprintf(stderr, "# %s\n", diag.text);
            _exit(namespaces_may_be() ? EXIT_FAILURE : UNKNOWN);
        }
        while (!strstr(actor_said(actor).text, END))
            if (actor_pause(actor, 20, false) != ACTOR_DONE)
                break;
        dprintf(pair[1], "%s", actor_said(actor).text);
        scene_close(actor_scene(actor));
        _exit(0);
    }
    close(pair[1]);
    for (size_t used = 0; (n = read(pair[0], text + used, room - 1 - used)) > 0;)
        text[used += (size_t)n] = '\0';
    close(pair[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == UNKNOWN)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
    sandboxed_untouched();
}

/* A command that ends and says so. */
static void assert_answers(const char *command, bool user, const char *expected)
{
    char whole[16384], text[8192] = "", all[8192];
    assert_in_range(snprintf(whole, sizeof whole, "%s\necho '%.*s'; read x", command,
                             (int)strlen(END) - 1, END),
                    1, sizeof whole - 1);
    snprintf(all, sizeof all, "%s" END, expected);
    answer_take(whole, user, text, sizeof text);
    assert_string_equal(text, all);
}

static void assert_answers_both(const char *command, const char *expected)
{
    assert_answers(command, false, expected);
    assert_answers(command, true, expected);
}

/* ---- calls ---- */

/* Arguments as Perl has them: it gives the kernel no constant text. Some the kernel would refuse by
 * itself, where this user may not; so the number of the error is that of the filter if it can be
 * another one. */
static const struct {
    const char *name;
    long call;
    const char *arguments;
    int error;
} calls[] = {
    {"key-add", SYS_add_key, "text(\"user\"), text(\"x\"), text(\"y\"), 1, -3", ENOSYS},
    {"key-read", SYS_keyctl, "0, -3, 1, 0, 0", ENOSYS},
    {"key-session", SYS_keyctl, "1, 0, 0, 0, 0", ENOSYS},
    {"key-user", SYS_keyctl, "0, -4, 1, 0, 0", ENOSYS},
    {"key-request", SYS_request_key, "text(\"user\"), text(\"x\"), 0, -3", ENOSYS},
    {"ring-setup", SYS_io_uring_setup, "1, room(256)", ENOSYS},
    {"ring-enter", SYS_io_uring_enter, "0, 0, 0, 0, 0, 0", ENOSYS},
    {"ring-register", SYS_io_uring_register, "0, 0, 0, 0", ENOSYS},
    {"faults", SYS_userfaultfd, "1", ENOSYS},
    {"bpf", SYS_bpf, "0, room(256), 128", ENOSYS},
    {"perf", SYS_perf_event_open, "room(256), 0, -1, -1, 0", ENOSYS},
    {"kexec", SYS_kexec_load, "0, 0, 0, 0", ENOSYS},
    {"kexec-file", SYS_kexec_file_load, "-1, -1, 0, 0, 0", ENOSYS},
    {"handle", SYS_open_by_handle_at, "-100, room(256), 0", ENOSYS},
    {"tree-open", SYS_open_tree, "-100, text(\"/tmp\"), 0", ENOSYS},
    {"tree-move", SYS_move_mount, "-1, text(\"\"), -1, text(\"\"), 0", ENOSYS},
    {"fs-open", SYS_fsopen, "text(\"tmpfs\"), 0", ENOSYS},
    {"fs-config", SYS_fsconfig, "-1, 0, 0, 0, 0", ENOSYS},
    {"fs-mount", SYS_fsmount, "-1, 0, 0", ENOSYS},
    {"fs-pick", SYS_fspick, "-100, text(\"/tmp\"), 0", ENOSYS},
    {"mount-set", SYS_mount_setattr, "-100, text(\"/\"), 0, room(32), 32", ENOSYS},
    {"mount", SYS_mount, "text(\"x\"), text(\"/nowhere\"), text(\"tmpfs\"), 0, 0", EPERM},
    {"umount", SYS_umount2, "text(\"/nowhere\"), 0", EPERM},
    {"pivot", SYS_pivot_root, "text(\"/nowhere\"), text(\"/nowhere\")", EPERM},
    {"spaces-join", SYS_setns, "-1, 0", EPERM},
    {"spaces-user", SYS_unshare, "0x10000000", EPERM},
    {"spaces-all", SYS_unshare, "0x7e020000", EPERM},
    {"clone-user", SYS_clone, "0x10000011, 0, 0, 0, 0", EPERM},
    {"clone3", SYS_clone3, "room(88), 88", ENOSYS},
    {"device", SYS_mknodat, "-100, text(\"/tmp/device\"), 0020666, 0", EPERM},
    {"device-high", SYS_mknodat, "-100, text(\"/tmp/device\"), 0x100000000 | 0020666, 0", EPERM},
    {"device-null", SYS_mknodat, "-100, text(\"/tmp/device\"), 0020666, 0x103", EPERM},
    {"disk", SYS_mknodat, "-100, text(\"/tmp/device\"), 0060666, 0x800", EPERM},
    {"socket-vsock", SYS_socket, "40, 1, 0", EAFNOSUPPORT},
    {"socket-high", SYS_socket, "0x100000000 | 40, 1, 0", EAFNOSUPPORT},
    {"socket-alg", SYS_socket, "38, 5, 0", EAFNOSUPPORT},
};
#define CALLS (sizeof calls / sizeof calls[0])

static void test_calls(void **state)
{
    static char command[8192], expected[4096];
    size_t used = 0, out = 0;
    (void)state;
    used += (size_t)snprintf(command, sizeof command,
                             "perl -e 'sub room { \"\\0\" x shift } sub text { \"\" . shift }\n");
    for (size_t i = 0; i < CALLS; i++) {
        /* A clone() that works has two answers. */
        used += (size_t)snprintf(command + used, sizeof command - used,
                                 "$r = syscall %ld, %s; exit if $r == 0 && %ld == %d;"
                                 " printf \"%s %%s\\n\", $r < 0 ? $! + 0 : \"done\";\n",
                                 calls[i].call, calls[i].arguments, calls[i].call, (int)SYS_clone,
                                 calls[i].name);
        out += (size_t)snprintf(expected + out, sizeof expected - out, "%s %d\n", calls[i].name,
                                calls[i].error);
        assert_true(used < sizeof command && out < sizeof expected);
    }
    snprintf(command + used, sizeof command - used, "'");
    assert_answers_both(command, expected);
}

/* What conversations need is not refused with them. */
static void test_calls_allowed(void **state)
{
    (void)state;
    assert_answers_both("cd /tmp; mkfifo fifo && (echo through >fifo &) && cat <fifo\n"
                        "perl -Mthreads -e 'print threads->create(sub { \"thread\\n\" })->join'\n"
                        "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => \"socket\","
                        " Listen => 1) and print \"listens\\n\"'\n"
                        "python3 -c 'import subprocess; subprocess.run([\"echo\", \"child\"])'",
                        "through\nthread\nlistens\nchild\n");
}

/* ---- what it may know of us ---- */

static void test_environment(void **state)
{
    (void)state;
    setenv("BOOTHLINK_TEST", "secret", 1);
    assert_answers_both("env | cut -d= -f1 | grep -vxE "
                        "'PATH|HOME|LANG|LC_ALL|SHELL|USER|LOGNAME|TMPDIR|TERM|PWD|OLDPWD|_'\n"
                        "echo \"$TMPDIR\"; grep -c BOOTHLINK_TEST /proc/[0-9]*/environ 2>/dev/null"
                        " | grep -v ':0$'",
                        "/tmp\n");
    unsetenv("BOOTHLINK_TEST");
}

/* ---- the file systems ---- */

static char outside[PATH_MAX]; /* a folder that the sandbox does not hide by chance, as /tmp */

static int outside_setup(void **state)
{
    char here[PATH_MAX - 64];
    snprintf(outside, sizeof outside, "/var/lib/boothlink.XXXXXX");
    if (!mkdtemp(outside)) {
        assert_non_null(getcwd(here, sizeof here));
        snprintf(outside, sizeof outside, "%s/boothlink.XXXXXX", here);
        assert_non_null(mkdtemp(outside));
    }
    assert_int_equal(chmod(outside, 0755), 0);
    return sandboxed_setup(state);
}

static int outside_teardown(void **state)
{
    static const char *const names[] = {"socket", "fifo", "zero"};
    char path[PATH_MAX + 16];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", outside, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(outside), 0);
    return sandboxed_teardown(state);
}

static const char *outside_path(const char *name)
{
    static char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/%s", outside, name);
    return path;
}

/* A mount that is read-only stops neither. */
static void test_sockets(void **state)
{
    char command[PATH_MAX + 400];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    (void)state;
    assert_in_range(
        snprintf(address.sun_path, sizeof address.sun_path, "%s", outside_path("socket")), 1,
        sizeof address.sun_path - 1);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(chmod(address.sun_path, 0777), 0);
    assert_int_equal(listen(fd, 5), 0);
    snprintf(command, sizeof command,
             "perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer => \"%s\")"
             " and print \"connected\\n\"'",
             address.sun_path);
    assert_answers_both(command, "");
    assert_int_equal(accept(fd, NULL, NULL), -1);
    close(fd);
}

static void test_fifos(void **state)
{
    char command[PATH_MAX + 400], byte;
    int fd;
    (void)state;
    assert_int_equal(mkfifo(outside_path("fifo"), 0666), 0);
    assert_int_equal(chmod(outside_path("fifo"), 0666), 0);
    fd = open(outside_path("fifo"), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    assert_true(fd >= 0);
    snprintf(command, sizeof command, "perl -e 'open F, \"+<\", \"%s\" and syswrite F, \"out\"'",
             outside_path("fifo"));
    assert_answers_both(command, "");
    assert_int_equal(read(fd, &byte, 1), -1);
    close(fd);
}

/* One device that all may use stands for those that somebody has left somewhere. */
static void test_devices(void **state)
{
    char command[PATH_MAX + 400];
    (void)state;
    if (mknod(outside_path("zero"), S_IFCHR | 0666, makedev(1, 5)) ||
        chmod(outside_path("zero"), 0666))
        skip();
    snprintf(command, sizeof command, "head -c 1 '%s' 2>/dev/null | wc -c", outside_path("zero"));
    assert_answers_both(command, "0\n");
}

/* Nothing is there but what is installed, and none of it can be written or lends its owner. */
static void test_root(void **state)
{
    char command[PATH_MAX + 1200];
    (void)state;
    snprintf(
        command, sizeof command,
        "exec 2>/dev/null; h=${HOME#/}; ls -A / | grep -vxE "
        "\"usr|etc|opt|s?bin|lib(32|64|x32)?|dev|proc|run|tmp|var|srv|${h%%%%/*}\"; ls -A /var;"
        "test -e '%s' && echo outside; touch /x /etc/x /usr/x /opt/x && echo written;"
        "readlink /proc/1/root /proc/1/cwd /proc/1/exe /proc/1/fd/*; ls /proc/1/root/;"
        "perl -ane 'print \"$F[4] $F[5]\\n\" if $F[5] !~ /nosuid/ ||"
        " $F[5] !~ /nodev/ && $F[4] !~ m{^/dev/(null|zero|full|u?random|tty|pts)$} ||"
        " $F[5] !~ /^ro/ &&"
        " $F[4] !~ m{^(/dev|/run|/tmp|/var/tmp|/srv|\\Q$ENV{HOME}\\E)($|/)}'"
        " /proc/self/mountinfo",
        outside);
    assert_answers_both(command, "tmp\n");
}

/* It has a home, in which nothing of ours is but the way to its folder. */
static void test_home(void **state)
{
    char *before = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    (void)state;
    setenv("HOME", sandboxed_outer, 1);
    assert_int_equal(chmod(sandboxed_outer, 0755), 0);
    assert_answers("cat ~/above 2>/dev/null; touch ~/mine; ls -A1 ~", false, "entry\nmine\n");
    assert_answers("cat ~/above 2>/dev/null; touch ~/mine; ls -A1 ~", true, "mine\n");
    if (before)
        setenv("HOME", before, 1);
    else
        unsetenv("HOME");
    free(before);
}

/* What only root may read, or only this user. */
static void test_secrets(void **state)
{
    long key = syscall(SYS_add_key, "user", "boothlink-test", "x", 1, KEY_SPEC_SESSION_KEYRING);
    (void)state;
    assert_answers_both("exec 2>/dev/null; cat /etc/shadow /etc/gshadow /etc/sudoers | head -c 1;"
                        "find /etc -type f ! -perm -o=r -print -o -type d ! -perm -o=rx -print;"
                        "cat /proc/keys /proc/key-users",
                        "");
    if (key >= 0)
        syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_SESSION_KEYRING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, sandboxed_setup, sandboxed_teardown)
        TEST(test_calls),      TEST(test_calls_allowed), TEST(test_environment),
#define OUTSIDE(name) cmocka_unit_test_setup_teardown(name, outside_setup, outside_teardown)
        OUTSIDE(test_sockets), OUTSIDE(test_fifos),      OUTSIDE(test_devices),
        OUTSIDE(test_root),    TEST(test_home),          TEST(test_secrets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
