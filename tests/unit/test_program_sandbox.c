/* Entries in the sandbox, as the terminal starts them on the day: what they find there, a terminal
 * that is killed, TCP to us alone, a folder for LPP, a keeper that the system has started as
 * another user, and a machine that allows no sandbox. */
#include "entity/keeper.h"
#include "entity/sandbox.h"
#include "tests/support/entrant.h"
#include "tests/support/namespaces.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 61234 /* whom no machine has */

static char folder[600]; /* of the Entry, below that of the record */

static int folder_setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/entry", entrant_directory);
    assert_int_equal(mkdir(folder, 0755), 0);
    return 0;
}

static int folder_teardown(void **state)
{
    (void)state;
    return rmdir(folder);
}

static struct entrant *boxed_make(const char *command, enum program_io io)
{
    struct entrant *entrant = entrant_make(command, io);
    entrant->options.place = (struct program_place){.folder = folder};
    return entrant;
}

/* Starts it; the test is skipped where there are no sandboxes. */
static struct entrant *boxed_start(struct entrant *entrant)
{
    struct bl_diag diag = {""};
    enum bl_status status = entrant_open(entrant, &diag);
    if (status == BL_UNAVAIL)
        namespaces_skip(diag.text);
    if (status)
        fail_msg("%s", diag.text);
    assert_event(entrant, PROGRAM_STARTED);
    assert_null(strstr(entrant->texts[PROGRAM_STARTED], "WITHOUT"));
    assert_int_equal(sscanf(entrant->texts[PROGRAM_STARTED], "started, process %d", &entrant->pid),
                     1);
    entrant_allow(entrant, 1000, true);
    return entrant;
}

static void surroundings(void **state)
{
    static const char command[] =
        "stty size; stty -a | grep -o -e '-echo ' -e ' icanon' -e '-opost' | tr -d '\\n'; echo;"
        "echo $TERM,$LD_PRELOAD,$KEPT; ls /proc/self/fd | tr '\\n' ' ';"
        "(: </dev/tty) && echo 1; touch here; ls; ls -d /proc/[0-9]* | wc -l | tr -d ' ';"
        "cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '; echo end; exec cat";
    struct entrant *entrant = boxed_make(command, PROGRAM_PTY);
    struct stat found;
    char path[700];
    (void)state;
    setenv("KEPT", "kept", 1);
    boxed_start(entrant);
    unsetenv("KEPT");
    assert_end(entrant, "end\n");
    /* Of processes there are ours, the shell, ls and wc with those around them. */
    entrant->out[strcspn(entrant->out, "~")] = '\0';
    assert_non_null(strstr(entrant->out, "20 38\n-opost icanon-echo \ndumb,,\n0 1 2 3 1\nhere\n"));
    assert_non_null(strstr(entrant->out, "\nlo\nend\n"));
    assert_event(entrant, PROGRAM_READY);
    entrant_give(entrant, "a line\n");
    assert_end(entrant, "end\na line\n");
    snprintf(path, sizeof path, "%s/here", folder);
    assert_int_equal(stat(path, &found), -1);
    entrant_end(entrant);
}

/* How it ends is told as ever, and what it took too much of. */
static void ends(void **state)
{
    static const struct {
        const char *command, *text;
    } rows[] = {
        {"echo gone; echo why >&2; exit 3", "exited with code 3; its last error line: why"},
        {"kill -SEGV $$", "ended by signal 11"},
        {"perl -e '$x .= \"x\" x 1e6 while 1'", "was ended: it took more memory than it may"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct entrant *entrant = boxed_make(rows[i].command, PROGRAM_PIPE);
        entrant->options.place.memory_mib = 100;
        boxed_start(entrant);
        assert_event(entrant, PROGRAM_EXITED);
        assert_non_null(strstr(entrant->texts[PROGRAM_EXITED], rows[i].text));
        entrant_end(entrant);
    }
}

/* A keeper whose terminal has gone without a word keeps the sandbox, too. */
static void terminal_is_killed(void **state)
{
    struct entrant *first = boxed_make("echo one; exec cat", PROGRAM_PTY);
    struct bl_diag diag = {""};
    pid_t pid = fork();
    int status;
    (void)state;
    if (pid == 0) {
        if (entrant_open(first, &diag) == BL_UNAVAIL)
            _exit(2);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFEXITED(status))
        namespaces_skip("the terminal that is killed has no sandbox");
    assert_int_equal(entrant_open(first, &diag), BL_OK);
    assert_event(first, PROGRAM_RESUMED);
    entrant_allow(first, 1000, true);
    assert_end(first, "one\n");
    entrant_give(first, "two\n");
    assert_end(first, "one\ntwo\n");
    entrant_close(first);
    free(first);
}

/* An Entry that speaks TCP reaches us at its port, by that one socket, and nobody else. */
static void port(void **state)
{
    static const char command[] =
        "exec perl -MIO::Socket::INET -e '$|=1;"
        "sub at { IO::Socket::INET->new(PeerAddr => $_[0], PeerPort => $_[1], Timeout => 2) }"
        "$s = at(q(127.0.0.1), 4000) or die; print $s qq(hello\\n); $s->flush; print scalar <$s>;"
        "$\\ = qq(\\n); print at(q(127.0.0.1), $ARGV[0]) ? q(host) : q(no host);"
        "print at(q(192.0.2.1), 80) ? q(net) : q(no net); sleep 1000' %u";
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    struct entrant *entrant;
    char text[700], line[6] = "";
    struct pollfd p = {.events = POLLIN};
    int outside = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), fd;
    (void)state;
    assert_int_equal(bind(outside, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(outside, 1), 0);
    assert_int_equal(getsockname(outside, (struct sockaddr *)&at, &length), 0);
    snprintf(text, sizeof text, command, ntohs(at.sin_port));
    entrant = boxed_make(text, PROGRAM_PIPE);
    entrant->options.place.port = 4000;
    boxed_start(entrant);
    p.fd = program_port_fd(entrant->program);
    assert_true(p.fd >= 0);
    assert_int_equal(poll(&p, 1, PATIENCE_MS), 1);
    fd = accept4(p.fd, NULL, NULL, SOCK_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(recv(fd, line, 6, MSG_WAITALL), 6);
    assert_memory_equal(line, "hello\n", 6);
    assert_int_equal(send(fd, "and you\n", 8, 0), 8);
    assert_end(entrant, "no net\n");
    assert_string_equal(entrant->out, "and you\nno host\nno net\n");
    assert_int_equal(accept(outside, NULL, NULL), -1);
    close(fd);
    close(outside);
    entrant_end(entrant);
}

/* A folder for LPP is in there, and we have it by a descriptor. */
static void lpp(void **state)
{
    struct entrant *entrant = boxed_make(
        "until rmdir lpp/ours 2>/dev/null; do sleep 0.05; done; mkdir lpp/theirs; echo done;"
        "exec cat",
        PROGRAM_PTY);
    struct stat found;
    int fd;
    (void)state;
    entrant->options.place.lpp = "lpp";
    boxed_start(entrant);
    fd = program_lpp_fd(entrant->program);
    assert_true(fd >= 0);
    assert_int_equal(mkdirat(fd, "ours", 0755), 0);
    assert_end(entrant, "done\n");
    assert_int_equal(fstatat(fd, "ours", &found, 0), -1);
    assert_int_equal(fstatat(fd, "theirs", &found, 0), 0);
    entrant_end(entrant);
}

/* What is hidden is not to be read, wherever in its folder it lies. */
static void hidden(void **state)
{
    const char *paths[] = {NULL, NULL};
    char path[700];
    struct entrant *entrant = boxed_make("cat key; echo x >>key; cat key; echo end", PROGRAM_PIPE);
    int fd;
    (void)state;
    snprintf(path, sizeof path, "%s/key", folder);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_int_equal(write(fd, "secret\n", 7), 7);
    close(fd);
    paths[0] = path;
    entrant->options.place.hidden = paths;
    boxed_start(entrant);
    assert_end(entrant, "end\n");
    assert_string_equal(entrant->out, "end\n");
    entrant_end(entrant);
    assert_int_equal(unlink(path), 0);
}

/* Whose folder is below /opt has nothing of what stands beside it. */
static void alone_in_opt(void **state)
{
    char above[] = "/opt/boothlink-test.XXXXXX", own[64], other[64];
    struct entrant *entrant = boxed_make("ls -R ..; ls /opt; echo end", PROGRAM_PIPE);
    (void)state;
    if (!mkdtemp(above)) {
        free(entrant);
        skip();
    }
    snprintf(own, sizeof own, "%s/own", above);
    snprintf(other, sizeof other, "%s/other", above);
    assert_int_equal(mkdir(own, 0755), 0);
    assert_int_equal(mkdir(other, 0755), 0);
    assert_int_equal(chmod(above, 0755), 0);
    entrant->options.place.folder = own;
    boxed_start(entrant);
    assert_end(entrant, "end\n");
    assert_int_equal(strncmp(entrant->out, "..:\nown\n\n../own:\n", 17), 0);
    entrant_end(entrant);
    assert_int_equal(rmdir(own), 0);
    assert_int_equal(rmdir(other), 0);
    assert_int_equal(rmdir(above), 0);
}

/* The record is not kept in the Entry's folder. */
static void refused(void **state)
{
    struct entrant *entrant = boxed_make("true", PROGRAM_PIPE);
    struct bl_diag diag = {""};
    (void)state;
    entrant->options.place.folder = entrant_directory;
    assert_int_equal(entrant_open(entrant, &diag), BL_USAGE);
    assert_non_null(strstr(diag.text, "is the folder of the record"));
    entrant->options.place.folder = "/";
    assert_int_equal(entrant_open(entrant, &diag), BL_USAGE);
    entrant->options.place.folder = "/nowhere";
    assert_int_equal(entrant_open(entrant, &diag), BL_NOINPUT);
    free(entrant);
}

static bool text_write(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return good;
}

/* In a child: a machine, as far as it can tell, where users may make no namespaces. */
static int without_spaces(struct entrant *entrant, bool open, char *record, struct bl_diag *diag)
{
    char map[40];
    unsigned uid = geteuid() ? geteuid() : NOBODY;
    if (geteuid() == 0) {
        if (setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
            return 2;
        prctl(PR_SET_DUMPABLE, 1);
    }
    /* The test's own folder is another user's now. */
    if (!mkdtemp(record))
        return 2;
    entrant->options.keeper_dir = record;
    entrant->options.place.folder = "/srv";
    snprintf(map, sizeof map, "%u %u 1", uid, uid);
    if (unshare(CLONE_NEWUSER) || !text_write("/proc/self/uid_map", map) ||
        !text_write("/proc/sys/user/max_user_namespaces", "0"))
        return 2;
    /* An exec would take the capabilities here; so the keeper has none. */
    entrant->options.place.open = open;
    return entrant_open(entrant, diag) == (open ? BL_OK : BL_UNAVAIL) ? 0 : 1;
}

static void no_spaces(void **state)
{
    (void)state;
    for (int open = 0; open < 2; open++) {
        struct entrant *entrant = boxed_make("exec cat", PROGRAM_PIPE);
        int status;
        pid_t pid;
        fflush(NULL);
        pid = fork();
        if (pid == 0) {
            struct bl_diag diag = {""};
            char record[] = "/tmp/boothlink.XXXXXX";
            status = without_spaces(entrant, open, record, &diag);
            if (!status && !open &&
                (!strstr(diag.text, "user.max_user_namespaces") ||
                 !strstr(diag.text, "--no-sandbox") || strchr(diag.text, '\n')))
                status = 3;
            if (!status && open) {
                assert_event(entrant, PROGRAM_STARTED);
                if (!strstr(entrant->texts[PROGRAM_STARTED], "WITHOUT A SANDBOX"))
                    status = 4;
                entrant_close(entrant);
            }
            rmdir(record);
            if (status)
                printf("# %s\n", diag.text);
            fflush(NULL);
            _exit(status);
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        free(entrant);
        assert_true(WIFEXITED(status));
        if (WEXITSTATUS(status) == 2)
            namespaces_skip("no sandbox");
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

/* As systemd would: starts a keeper, as another user, when somebody connects. Returns its process.
 */
static pid_t service_start(int listener)
{
    pid_t pid = fork();
    if (pid == 0) {
        static char name[] = "boothlink", word[] = "keeper";
        char *const argv[] = {name, word, NULL};
        struct pollfd p = {.fd = listener, .events = POLLIN};
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        poll(&p, 1, PATIENCE_MS);
        /* As the unit's TemporaryFileSystem does. */
        if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
            mount("run", "/run", "tmpfs", 0, NULL) || mkdir("/run/boothlink-lpp", 0777) ||
            mount("lpp", "/run/boothlink-lpp", "tmpfs", 0, "mode=0777"))
            _exit(126);
        if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
            setresuid(NOBODY, NOBODY, NOBODY) || dup2(listener, KEEPER_FD_LISTEN) < 0)
            _exit(126);
        setenv("LISTEN_FDS", "1", 1);
        setenv("HOME", "/nonexistent", 1);
        execv("/proc/self/exe", argv);
        _exit(126);
    }
    return pid;
}

/* The Entry of a keeper that is another user's: it has that user's number, its errors come into the
 * log of the record, and when it is told to go there is room for the next one. */
static void service(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct entrant *entrant =
        boxed_make("echo lost >&2; until rmdir /tmp/lpp/ours; do sleep 0.05; done 2>/dev/null;"
                   "mkdir /tmp/lpp/theirs; id -u; exec cat",
                   PROGRAM_PTY);
    char log[800], text[20] = "";
    int listener = socket(AF_UNIX, SOCK_SEQPACKET, 0), status, made, fd;
    struct stat found;
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chmod(folder, 0755), 0);
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/boothlink-%d.entry", (int)getpid());
    unlink(address.sun_path);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 4), 0);
    entrant->options.place.keeper = address.sun_path;
    entrant->options.place.folder = "/srv";
    entrant->options.place.lpp = "/tmp/lpp";
    for (int round = 0; round < 2; round++) {
        pid_t pid = service_start(listener);
        struct stat owner;
        char path[64];
        entrant->length = 0;
        boxed_start(entrant);
        /* By a third user, as the terminal is. */
        assert_int_equal(seteuid(NOBODY + 1), 0);
        made = mkdirat(program_lpp_fd(entrant->program), "ours", 0700);
        assert_int_equal(seteuid(0), 0);
        assert_int_equal(made, 0);
        assert_end(entrant, "61234\n");
        assert_int_equal(fstatat(program_lpp_fd(entrant->program), "theirs", &found, 0), 0);
        entrant_give(entrant, "line\n");
        assert_end(entrant, "61234\nline\n");
        snprintf(path, sizeof path, "/proc/%d", entrant->pid);
        assert_int_equal(stat(path, &owner), 0);
        entrant_close(entrant);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
        assert_gone(entrant->pid);
        entrant->program = NULL;
        entrant->given = 0;
    }
    /* It never runs one without a sandbox. */
    {
        struct bl_diag diag = {""};
        pid_t pid = service_start(listener);
        entrant->options.place.open = true;
        assert_int_equal(entrant_open(entrant, &diag), BL_USAGE);
        assert_int_equal(waitpid(pid, &status, 0), pid);
    }
    snprintf(log, sizeof log, "%s/%s-entry.log", entrant_directory, entrant->session);
    assert_int_equal(stat(log, &found), 0);
    assert_int_equal(found.st_uid, 0);
    fd = open(log, O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(fd, text, sizeof text - 1), 10);
    assert_string_equal(text, "lost\nlost\n");
    close(fd);
    close(listener);
    unlink(address.sun_path);
    free(entrant);
}

/* A folder beside /lib is not below it. */
static void installed(void **state)
{
    static const char *const shown[] = {"/usr/bin/perl", "/lib", "/lib64/ld.so", "/sbin/x",
                                        "/opt/a"};
    static const char *const hidden[] = {"/library/entry", "/libX", "/usr2/x", "/etcetera",
                                         "/mnt/x"};
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        assert_true(sandbox_shows(shown[i]));
        assert_false(sandbox_shows(hidden[i]));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(installed),
#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_setup, folder_teardown)
        TEST(surroundings),
        TEST(ends),
        TEST(terminal_is_killed),
        TEST(port),
        TEST(lpp),
        TEST(hidden),
        TEST(alone_in_opt),
        TEST(refused),
        TEST(no_spaces),
        TEST(service),
    };
    if (argc > 1 && strcmp(argv[1], "keeper") == 0)
        return keeper_main(argc - 1, argv + 1);
    return cmocka_run_group_tests_name("program_sandbox", tests, entrant_setup, entrant_teardown);
}
