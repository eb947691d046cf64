#include "sim/demo.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN (sizeof((struct demo *)NULL)->child / sizeof(pid_t))

extern char **environ;

static struct demo *open_demo; /* NULL: none */

void demo_path(char *path, const char *dir, const char *name)
{
    snprintf(path, DEMO_PATH_MAX, "%s/%s", dir, name);
}

/* Finds the simulators: beside a built program, or under an installed program's prefix. */
static enum bl_status find_tools(struct demo *demo, struct bl_diag *diag)
{
    static const char *const places[] = {"sim", "../libexec/boothlink"};
    ssize_t length = readlink("/proc/self/exe", demo->self, sizeof demo->self - 1);
    if (length <= 0)
        return bl_fail(diag, BL_IO, "/proc/self/exe: %s", strerror(errno));
    demo->self[length] = '\0';
    for (unsigned i = 0; i < 2; i++) {
        char path[2 * DEMO_PATH_MAX];
        int base = (int)(strrchr(demo->self, '/') - demo->self);
        snprintf(demo->tools, sizeof demo->tools, "%.*s/%s", base, demo->self, places[i]);
        snprintf(path, sizeof path, "%s/nullmodem", demo->tools);
        if (access(path, X_OK) == 0)
            return BL_OK;
    }
    return bl_fail(diag, BL_UNAVAIL,
                   "the simulated cable is not there (%s/nullmodem); 'make demo' builds it",
                   demo->tools);
}

static enum bl_status spawn(struct demo *demo, const char *const *argv, const char *output,
                            pid_t *pid, struct bl_diag *diag)
{
    posix_spawn_file_actions_t actions;
    char complaints[DEMO_PATH_MAX + 8];
    unsigned at = 0;
    while (at < CHILDREN - 1 && demo->child[at])
        at++;
    posix_spawn_file_actions_init(&actions);
    if (output) {
        const char *name = strrchr(output, '/') + 1;
        int length = (int)strcspn(name, ".");
        snprintf(demo->name[at], sizeof demo->name[at], "%.*s", length, name);
        snprintf(complaints, sizeof complaints, "%.*s.err", (int)(name - output) + length, output);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output,
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (demo->quiet)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints,
                                             O_WRONLY | O_CREAT | O_TRUNC, 0600);
    }
    /* posix_spawn() stores the pid in child[] itself, for on_signal(). */
    int error =
        posix_spawn(&demo->child[at], argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        demo->child[at] = 0;
    *pid = demo->child[at];
    return error ? bl_fail(diag, BL_IO, "%s: %s", argv[0], strerror(error)) : BL_OK;
}

enum bl_status demo_spawn(struct demo *demo, const char *const *args, const char *output,
                          pid_t *pid, struct bl_diag *diag)
{
    const char *argv[32];
    char path[DEMO_PATH_MAX], hub[DEMO_PATH_MAX + 16];
    bool terminal = strcmp(args[0], "judge") == 0 || strcmp(args[0], "entity") == 0;
    unsigned argc = 0;
    if (demo->ethernet && terminal) {
        snprintf(hub, sizeof hub, "%s/hub", demo->tools);
        argv[argc++] = hub;
        argv[argc++] = "--control";
        argv[argc++] = demo->control;
        argv[argc++] = "--enter";
        argv[argc++] = args[0]; /* a port has its terminal's name */
    }
    argv[argc++] = demo->self;
    while (*args && argc < 29)
        argv[argc++] = *args++;
    if (demo->ethernet && terminal) {
        argv[argc++] = "--key";
        argv[argc++] = demo->key_file;
    }
    argv[argc] = NULL;
    demo_path(path, demo->dir, output ? output : "");
    return spawn(demo, argv, output ? path : NULL, pid, diag);
}

static void forget(struct demo *demo, pid_t pid)
{
    for (unsigned i = 0; i < CHILDREN; i++)
        if (demo->child[i] == pid)
            demo->child[i] = 0;
}

static bool ended(struct demo *demo, pid_t pid, unsigned seconds, int *code)
{
    int fd = pidfd_open(pid, 0), status;
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    bool over = fd >= 0 && poll(&poll_fd, 1, (int)seconds * 1000) == 1;
    close(fd);
    if (!over || waitpid(pid, &status, 0) != pid)
        return false;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    forget(demo, pid);
    return true;
}

/* Fails with the last line of a child's standard error. */
static enum bl_status fail_in_words(const struct demo *demo, const char *name, int code,
                                    struct bl_diag *diag)
{
    char path[DEMO_PATH_MAX], file[40], line[256] = "", last[256] = "no word";
    enum bl_status status = BL_USAGE;
    snprintf(file, sizeof file, "%s.err", name);
    demo_path(path, demo->dir, file);
    FILE *complaints = fopen(path, "re");
    while (complaints && fgets(line, sizeof line, complaints))
        snprintf(last, sizeof last, "%.*s", (int)strcspn(line, "\n"), line);
    if (complaints)
        fclose(complaints);
    while (status < BL_SOFTWARE && bl_status_exit(status) != code)
        status++;
    return bl_fail(diag, status, "%s ended with code %d (%s): %s", name, code, path, last);
}

enum bl_status demo_await(struct demo *demo, const char *path, unsigned seconds,
                          struct bl_diag *diag)
{
    char line[256] = "";
    for (unsigned i = 0; i <= seconds * 20; i++) {
        int code;
        for (unsigned at = 0; at < CHILDREN; at++)
            if (demo->child[at] && ended(demo, demo->child[at], 0, &code))
                return fail_in_words(demo, demo->name[at], code, diag);
        FILE *file = fopen(path, "re");
        bool whole = file && fgets(line, sizeof line, file) && strchr(line, '\n');
        if (file)
            fclose(file);
        if (whole)
            return BL_OK;
        poll(NULL, 0, 50);
    }
    return bl_fail(diag, BL_SOFTWARE, "%s is not there within %u s; see %s", path, seconds,
                   demo->dir);
}

enum bl_status demo_wait(struct demo *demo, pid_t pid, const char *what, unsigned seconds,
                         struct bl_diag *diag)
{
    char name[sizeof demo->name[0]] = "";
    int code;
    for (unsigned i = 0; i < CHILDREN; i++)
        if (demo->child[i] == pid)
            strcpy(name, demo->name[i]);
    if (!ended(demo, pid, seconds, &code))
        return bl_fail(diag, BL_SOFTWARE, "%s did not end within %u s; see %s", what, seconds,
                       demo->dir);
    if (code && demo->quiet)
        return fail_in_words(demo, name, code, diag);
    if (code)
        return bl_fail(diag, BL_SOFTWARE, "%s ended with code %d; see %s", what, code, demo->dir);
    return BL_OK;
}

enum bl_status demo_write(const struct demo *demo, const char *name, const char *text,
                          size_t length, struct bl_diag *diag)
{
    char path[DEMO_PATH_MAX];
    demo_path(path, demo->dir, name);
    FILE *file = fopen(path, "we");
    if (!file || fwrite(text, 1, length, file) != length || fclose(file))
        return bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    return BL_OK;
}

/* Waits until a simulator (process `pid`) has written "ready" to the file. Its devices can then be
 * opened. */
static enum bl_status wait_for(struct demo *demo, pid_t pid, const char *what, const char *path,
                               struct bl_diag *diag)
{
    int code;
    for (unsigned i = 0; i < 400; i++) {
        char line[80] = "";
        FILE *file = fopen(path, "re");
        bool ready = file && fgets(line, sizeof line, file) && strncmp(line, "ready", 5) == 0;
        if (file)
            fclose(file);
        if (ready)
            return BL_OK;
        poll(NULL, 0, 50);
        if (!ended(demo, pid, 0, &code))
            continue;
        if (demo->ethernet)
            return bl_fail(diag, BL_UNAVAIL,
                           "a hub between two network namespaces needs root, or user namespaces "
                           "and /dev/net/tun; --medium serial needs neither");
        return bl_fail(diag, BL_SOFTWARE, "the simulated %s has ended; see %s", what, path);
    }
    return bl_fail(diag, BL_SOFTWARE, "the simulated %s did not start; see %s", what, path);
}

/* Starts the simulated controller, if its simulator and firmware were built. */
static enum bl_status open_controller(struct demo *demo, const char *cable_control, char *shm,
                                      struct bl_diag *diag)
{
    char tool[DEMO_PATH_MAX + 32], elf[DEMO_PATH_MAX + 64], out[DEMO_PATH_MAX];
    pid_t pid;
    snprintf(tool, sizeof tool, "%s/controller", demo->tools);
    /* built, or installed */
    snprintf(elf, sizeof elf, "%s/../firmware/uno/boothlink.elf", demo->tools);
    if (access(elf, R_OK))
        snprintf(elf, sizeof elf, "%s/../../share/boothlink/firmware/uno.elf", demo->tools);
    if (access(tool, X_OK) || access(elf, R_OK))
        return BL_OK;
    demo_path(demo->controller, demo->dir, "controller");
    demo_path(shm, demo->dir, "controller.shm");
    demo_path(out, demo->dir, "controller.out");
    const char *argv[] = {tool,    "--elf", elf,      "--port",      demo->controller,
                          "--shm", shm,     "--left", cable_control, NULL};
    enum bl_status status = spawn(demo, argv, out, &pid, diag);
    return status ? status : wait_for(demo, pid, "controller", out, diag);
}

/* Starts the cable `name`, and sets the addresses of its two ends. */
static enum bl_status open_cable(struct demo *demo, const char *name, char port[2][DEMO_PATH_MAX],
                                 char *shm, struct bl_diag *diag)
{
    char tool[DEMO_PATH_MAX + 16], end[2][DEMO_PATH_MAX], out[DEMO_PATH_MAX], file[5][32];
    static const char *const parts[] = {"judge", "entity", "shm", "out", "control"};
    enum bl_status status;
    for (unsigned i = 0; i < 5; i++)
        snprintf(file[i], sizeof file[i], "%s.%s", name, parts[i]);
    demo_path(end[0], demo->dir, file[0]);
    demo_path(end[1], demo->dir, file[1]);
    demo_path(shm, demo->dir, file[2]);
    demo_path(out, demo->dir, file[3]);
    demo_path(demo->control, demo->dir, file[4]);
    snprintf(tool, sizeof tool, "%s/nullmodem", demo->tools);
    const char *argv[] = {tool,     "--a",   end[0], "--b",       end[1],        "--baud",
                          "115200", "--shm", shm,    "--control", demo->control, NULL};
    status = spawn(demo, argv, out, &demo->line, diag);
    if (!status)
        status = wait_for(demo, demo->line, "cable", out, diag);
    for (unsigned i = 0; i < 2; i++)
        snprintf(port[i], DEMO_PATH_MAX, "serial:%.*s", DEMO_PATH_MAX - 8, end[i]);
    return status;
}

static enum bl_status open_cables(struct demo *demo, struct bl_diag *diag)
{
    char shm[DEMO_PATH_MAX], more[DEMO_PATH_MAX] = "", all[2 * DEMO_PATH_MAX + 1];
    char tool[DEMO_PATH_MAX + 16];
    enum bl_status status = open_cable(demo, "cable", demo->port, shm, diag);
    if (!status)
        status = demo->two ? open_cable(demo, "cable2", demo->port + 2, more, diag)
                           : open_controller(demo, demo->control, more, diag);
    snprintf(tool, sizeof tool, "%s/shim.so", demo->tools);
    snprintf(all, sizeof all, "%s:%s", shm, more);
    setenv("BOOTHLINK_SIM", all, 1);
    setenv("LD_PRELOAD", tool, 1);
    return status;
}

static enum bl_status open_hub(struct demo *demo, struct bl_diag *diag)
{
    char tool[DEMO_PATH_MAX + 16], out[DEMO_PATH_MAX];
    const char *argv[] = {tool,     "--port",    "judge",       "--port",
                          "entity", "--control", demo->control, NULL};
    enum bl_status status;
    demo_path(demo->control, demo->dir, "hub.control");
    demo_path(demo->key_file, demo->dir, "line.key");
    demo_path(out, demo->dir, "hub.out");
    snprintf(tool, sizeof tool, "%s/hub", demo->tools);
    status = spawn(demo, argv, out, &demo->line, diag);
    if (!status)
        status = wait_for(demo, demo->line, "hub", out, diag);
    for (unsigned i = 0; i < 2; i++)
        snprintf(demo->port[i], sizeof demo->port[i], "ether:eth0/demo");
    return status;
}

void demo_close(struct demo *demo)
{
    for (unsigned i = CHILDREN; i > 0; i--) {
        int code;
        if (demo->child[i - 1] == 0)
            continue;
        pid_t pid = demo->child[i - 1]; /* the first is the cable, which the others use */
        kill(pid, SIGTERM);
        if (!ended(demo, pid, 5, &code)) {
            kill(pid, SIGKILL);
            ended(demo, pid, 5, &code);
        }
    }
    open_demo = NULL;
}

void demo_remove(const struct demo *demo)
{
    char path[DEMO_PATH_MAX];
    const struct dirent *entry;
    DIR *dir = opendir(demo->dir);
    while (dir && (entry = readdir(dir))) {
        demo_path(path, demo->dir, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(demo->dir);
}

/* Ends the demo. demo_close() makes only calls allowed in a signal handler. */
static void on_signal(int number)
{
    if (open_demo)
        demo_close(open_demo);
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_signals(struct demo *demo)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}, before;
    open_demo = demo;
    for (unsigned i = 0; i < 3; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

enum bl_status demo_open(struct demo *demo, struct bl_diag *diag)
{
    const char *tmp = getenv("TMPDIR");
    enum bl_status status = find_tools(demo, diag);
    if (status)
        return status;
    snprintf(demo->dir, sizeof demo->dir, "%s/boothlink-demo-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(demo->dir)) {
        demo->dir[0] = '\0';
        return bl_fail(diag, BL_IO, "cannot make a folder in %s: %s", tmp && *tmp ? tmp : "/tmp",
                       strerror(errno));
    }
    watch_signals(demo);
    return demo->ethernet ? open_hub(demo, diag) : open_cables(demo, diag);
}

/* A plan of three minutes, from the first key on. */
#define DEMO_PLAN "--plan '180 left' --begin typed"

#define ENTITY_ERRORS "entity.errors"
#define ENTITY_FAILED "entity.failed"

/* Prints the reason if the entity's terminal has failed. False: it has not. */
static bool entity_failed(const struct demo *demo)
{
    char path[DEMO_PATH_MAX], line[512];
    demo_path(path, demo->dir, ENTITY_FAILED);
    if (access(path, F_OK))
        return false;
    demo_path(path, demo->dir, ENTITY_ERRORS);
    FILE *errors = fopen(path, "r");
    while (errors && fgets(line, sizeof line, errors))
        fputs(line, stderr);
    if (errors)
        fclose(errors);
    return true;
}

enum bl_status demo_in_tmux(struct demo *demo, const char *const *entry, struct bl_diag *diag)
{
    /* An entity's terminal that fails ends the demo, with its reason. The judge has the keyboard.
     * F9 goes to the entity's terminal while that offers a start of its program. */
    static const char shell[] =
        "tmux=\"tmux -L boothlink-demo-$$ -f /dev/null\"\n"
        "unset TMUX\n"
        "self=$1 judge=$2 entity=$3 dir=$4 controller=$5 entry=\n"
        "shift 5\n"
        "for word; do\n"
        "    entry=\"$entry '$(printf '%s' \"$word\" | sed \"s/'/'\\\\\\\\''/g\")'\"\n"
        "done\n"
        "across=-v\n" /* a page has 78 columns: above each other without room for two */
        "[ \"$(tput cols)\" -lt 159 ] || across=-h\n"
        "$tmux new-session -d -x \"$(tput cols)\" -y \"$(tput lines)\" \\\n"
        "    \"${HUB:+$HUB judge} '$self' judge --left '$judge' --journal '$dir/judge' $KEY \\\n"
        "        ${controller:+--controller '$controller'} " DEMO_PLAN "; $tmux kill-session\" "
        "\\; \\\n"
        "    set -g status off \\; set -g escape-time 0 \\; set -g default-terminal tmux-256color "
        "\\; \\\n"
        "    bind -n F9 if -F -t :.1 '#{C:F9 start again}' 'send -t :.1 F9' 'send -t :.0 F9' \\; "
        "\\\n"
        "    split-window $across -d \"${HUB:+$HUB entity} '$self' entity --line '$entity' \\\n"
        "        --journal '$dir/entity' $KEY ${controller:+--controlled} $entry \\\n"
        "        2>'$dir/" ENTITY_ERRORS "' || \\\n"
        "        { echo >'$dir/" ENTITY_FAILED "'; $tmux kill-session; }\" \\; \\\n"
        "    attach-session\n";
    char path[DEMO_PATH_MAX];
    const char *argv[40] = {"/bin/sh",     path,      demo->self,      demo->port[0],
                            demo->port[1], demo->dir, demo->controller};
    struct winsize window;
    pid_t pid;
    int code;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 &&
        (window.ws_col < 80 || window.ws_row < 24))
        return bl_fail(diag, BL_UNAVAIL,
                       "this window is %ux%u; the two screens need 80x24: make it larger, or use "
                       "--headless",
                       window.ws_col, window.ws_row);
    for (unsigned argc = 7; *entry && argc < 39; entry++)
        argv[argc++] = *entry;
    if (system("command -v tmux >/dev/null 2>&1"))
        return bl_fail(diag, BL_UNAVAIL,
                       "tmux is not installed: 'make demo' installs it; or use --headless");
    demo_path(path, demo->dir, "tmux.sh");
    enum bl_status status = demo_write(demo, "tmux.sh", shell, sizeof shell - 1, diag);
    if (demo->ethernet) {
        char words[3 * DEMO_PATH_MAX];
        snprintf(words, sizeof words, "'%s/hub' --control '%s' --enter", demo->tools,
                 demo->control);
        setenv("HUB", words, 1);
        snprintf(words, sizeof words, "--key '%s'", demo->key_file);
        setenv("KEY", words, 1);
    }
    if (!status)
        status = spawn(demo, argv, NULL, &pid, diag);
    if (status)
        return status;
    if (waitpid(pid, &code, 0) == pid)
        forget(demo, pid);
    if (entity_failed(demo))
        return bl_fail(diag, BL_UNAVAIL, "the entity's end has stopped, for what is said above");
    if (code)
        return bl_fail(diag, BL_SOFTWARE,
                       "the tmux window ended with code %d; --headless needs no screen",
                       WIFEXITED(code) ? WEXITSTATUS(code) : 128 + WTERMSIG(code));
    printf("That was a whole session: what you saw is on record at both ends.\n"
           "  boothlink replay %s/judge/*.journal\n"
           "  boothlink transcript convert %s/judge/*.journal --to text\n"
           "'man boothlink' or README.md says how to hold one on two machines.\n",
           demo->dir, demo->dir);
    return BL_OK;
}
