#include "tests/bench/rig.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define PROCESSES_MAX 32
#define WORDS_MAX     40

static pid_t running[PROCESSES_MAX];
static char folder[RIG_PATH_MAX];
static char slow_file[RIG_PATH_MAX]; /* of the next boothlink to be started; empty: as it is */

static void clean_up(void)
{
    char command[RIG_PATH_MAX + 16];
    for (unsigned i = 0; i < PROCESSES_MAX; i++) {
        if (running[i] > 0)
            kill(running[i], SIGTERM);
    }
    for (unsigned i = 0; i < PROCESSES_MAX; i++) {
        if (running[i] > 0)
            waitpid(running[i], NULL, 0);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (folder[0] && system(command) != 0)
        fprintf(stderr, "bench: %s is left behind\n", folder);
}

void rig_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("bench: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

uint64_t rig_now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

void rig_sleep_us(uint64_t us)
{
    struct timespec t = {.tv_sec = (time_t)(us / 1000000), .tv_nsec = (long)(us % 1000000) * 1000};
    while (nanosleep(&t, &t) && errno == EINTR)
        ;
}

void rig_path(char out[RIG_PATH_MAX], const char *name)
{
    if (!folder[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/bench.XXXXXX", base ? base : "/tmp");
        if (!mkdtemp(folder))
            rig_die("%s: %s", folder, strerror(errno));
        atexit(clean_up);
    }
    if (snprintf(out, RIG_PATH_MAX, "%s/%s", folder, name) >= RIG_PATH_MAX)
        rig_die("%s: this path is too long", folder);
}

void rig_built(char out[RIG_PATH_MAX], const char *name)
{
    const char *build = getenv("BUILD");
    char path[PATH_MAX], real[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", build ? build : "build", name);
    if (!realpath(path, real) || snprintf(out, RIG_PATH_MAX, "%s", real) >= RIG_PATH_MAX)
        rig_die("%s: not there; run \"make bench\"", path);
}

void rig_self(char out[RIG_PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", out, RIG_PATH_MAX - 1);
    if (n <= 0)
        rig_die("/proc/self/exe: %s", strerror(errno));
    out[n] = '\0';
}

static void remember(pid_t pid)
{
    for (unsigned i = 0; i < PROCESSES_MAX; i++) {
        if (running[i] <= 0) {
            running[i] = pid;
            return;
        }
    }
    rig_die("too many processes");
}

static void be_child(const char *const argv[], const struct rig_cable *cable)
{
    char shim[RIG_PATH_MAX], slow[RIG_PATH_MAX], preload[2 * RIG_PATH_MAX];
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    /* A terminal is plain where it can be, so that underlined means: without a place. */
    setenv("TERM", "vt220", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    if (!isatty(STDIN_FILENO)) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
    }
    if (cable) {
        rig_built(shim, "sim/shim.so");
        setenv("BOOTHLINK_SIM", cable->shm, 1);
        if (slow_file[0]) {
            rig_built(slow, "tests/bench/slow.so");
            setenv("BENCH_SLOW", slow_file, 1);
            snprintf(preload, sizeof preload, "%s:%s", shim, slow);
        }
        setenv("LD_PRELOAD", slow_file[0] ? preload : shim, 1);
    }
    execvp(argv[0], (char *const *)argv);
    fprintf(stderr, "bench: %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

void rig_start(struct rig_process *process, const char *const argv[], bool with_tty,
               const struct rig_cable *cable)
{
    const struct winsize size = {.ws_row = RIG_ROWS, .ws_col = RIG_COLUMNS};
    *process = (struct rig_process){.tty = -1};
    process->pid = with_tty ? forkpty(&process->tty, NULL, NULL, &size) : fork();
    if (process->pid < 0)
        rig_die("no process can be started: %s", strerror(errno));
    if (process->pid == 0)
        be_child(argv, cable);
    remember(process->pid);
    if (!with_tty)
        return;
    fcntl(process->tty, F_SETFD, FD_CLOEXEC);
    process->vterm = vterm_new(RIG_ROWS, RIG_COLUMNS);
    vterm_set_utf8(process->vterm, 1);
    process->screen = vterm_obtain_screen(process->vterm);
    vterm_screen_reset(process->screen, 1);
}

void rig_boothlink(struct rig_process *process, bool with_screen, const struct rig_cable *cable,
                   const char *format, ...)
{
    char program[RIG_PATH_MAX], words[2048];
    const char *argv[WORDS_MAX] = {program};
    unsigned count = 1;
    va_list args;
    rig_built(program, "boothlink");
    va_start(args, format);
    if (vsnprintf(words, sizeof words, format, args) >= (int)sizeof words)
        rig_die("too long a command: %s", words);
    va_end(args);
    for (char *word = strtok(words, " "); word && count < WORDS_MAX - 1; word = strtok(NULL, " "))
        argv[count++] = word;
    rig_start(process, argv, with_screen, cable);
}

void rig_stop(struct rig_process *process)
{
    if (process->pid > 0) {
        kill(process->pid, SIGTERM);
        waitpid(process->pid, NULL, 0);
        for (unsigned i = 0; i < PROCESSES_MAX; i++) {
            if (running[i] == process->pid)
                running[i] = 0;
        }
    }
    if (process->tty >= 0)
        close(process->tty);
    if (process->vterm)
        vterm_free(process->vterm);
    *process = (struct rig_process){.tty = -1};
}

void rig_cable_open(struct rig_cable *cable, const char *name)
{
    char program[RIG_PATH_MAX], path[RIG_PATH_MAX];
    const char *argv[] = {program, "--a",      cable->a,  "--b",        cable->b,
                          "--shm", cable->shm, "--stats", cable->stats, NULL};
    uint64_t until_us = rig_now_us() + RIG_WAIT_MS * 1000u;
    rig_built(program, "sim/nullmodem");
    rig_path(path, name);
    snprintf(cable->a, sizeof cable->a, "%.*s-a", RIG_PATH_MAX - 3, path);
    snprintf(cable->b, sizeof cable->b, "%.*s-b", RIG_PATH_MAX - 3, path);
    snprintf(cable->shm, sizeof cable->shm, "%.*s-s", RIG_PATH_MAX - 3, path);
    snprintf(cable->stats, sizeof cable->stats, "%.*s-t", RIG_PATH_MAX - 3, path);
    rig_start(&cable->modem, argv, false, NULL);
    while (access(cable->a, F_OK) || access(cable->b, F_OK)) {
        if (rig_now_us() > until_us)
            rig_die("the simulated cable does not start");
        rig_sleep_us(10000);
    }
    rig_sleep_us(100000); /* its memory is told complete a moment after its ends are there */
}

uint64_t rig_cable_sent(const struct rig_cable *cable, int end)
{
    char text[4096];
    size_t length = 0;
    unsigned long long sent = 0;
    FILE *file = fopen(cable->stats, "re");
    const char *at;
    if (file) {
        length = fread(text, 1, sizeof text - 1, file);
        fclose(file);
    }
    text[length] = '\0';
    at = strstr(text, end ? "\"b_to_a\"" : "\"a_to_b\"");
    if (!at || sscanf(at + 8, ":{\"bytes_sent\":%llu", &sent) != 1)
        rig_die("%s: the cable counted nothing", cable->stats);
    return sent;
}

static bool take_output(struct rig_process *process, uint64_t heard_us)
{
    char bytes[16384];
    ssize_t n = read(process->tty, bytes, sizeof bytes);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n <= 0)
        return false;
    process->heard_us = heard_us;
    vterm_input_write(process->vterm, bytes, (size_t)n);
    return true;
}

bool rig_watch(struct rig_process *const process[], size_t count, bool (*done)(void *ctx),
               void *ctx, int wait_ms)
{
    uint64_t until_us = rig_now_us() + (uint64_t)wait_ms * 1000u;
    struct pollfd poll_fd[4];
    for (size_t i = 0; i < count; i++)
        poll_fd[i] = (struct pollfd){.fd = process[i]->tty, .events = POLLIN};
    for (;;) {
        uint64_t now_us;
        if (done && done(ctx))
            return true;
        now_us = rig_now_us();
        if (now_us >= until_us)
            return false;
        if (poll(poll_fd, count, (int)((until_us - now_us + 999) / 1000)) < 0 && errno != EINTR)
            rig_die("poll: %s", strerror(errno));
        now_us = rig_now_us();
        for (size_t i = 0; i < count; i++) {
            if (poll_fd[i].revents && !take_output(process[i], now_us))
                rig_die("terminal %zu has ended", i);
        }
    }
}

void rig_type(const struct rig_process *process, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write(process->tty, bytes, length);
        if (n < 0 && errno != EINTR)
            rig_die("the terminal takes no key: %s", strerror(errno));
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
        }
    }
}

unsigned rig_count(const struct rig_process *process, uint32_t point)
{
    unsigned count = 0;
    for (int row = RIG_PAGE_ROW_FROM; row < RIG_PAGE_ROW_TO; row++) {
        for (int column = RIG_PAGE_FROM; column < RIG_PAGE_TO; column++) {
            VTermScreenCell cell;
            if (vterm_screen_get_cell(process->screen, (VTermPos){row, column}, &cell) &&
                cell.chars[0] == point && !cell.attrs.underline)
                count++;
        }
    }
    return count;
}

bool rig_shows(const struct rig_process *process, const char *text)
{
    for (int row = 0; row < RIG_ROWS; row++) {
        char line[4 * RIG_COLUMNS + 1];
        VTermRect rect = {row, row + 1, 0, RIG_COLUMNS};
        size_t length = vterm_screen_get_text(process->screen, line, sizeof line - 1, rect);
        line[length] = '\0';
        if (strstr(line, text))
            return true;
    }
    return false;
}

struct awaited {
    const struct rig_process *process;
    const char *text;
};

static bool is_shown(void *ctx)
{
    const struct awaited *awaited = ctx;
    return rig_shows(awaited->process, awaited->text);
}

void rig_await(struct rig_process *const process[], size_t count, size_t which, const char *text)
{
    struct awaited awaited = {process[which], text};
    if (rig_watch(process, count, is_shown, &awaited, RIG_WAIT_MS))
        return;
    for (int row = 0; row < RIG_ROWS; row++) {
        char line[4 * RIG_COLUMNS + 1];
        VTermRect rect = {row, row + 1, 0, RIG_COLUMNS};
        size_t length = vterm_screen_get_text(process[which]->screen, line, sizeof line - 1, rect);
        fprintf(stderr, "    %.*s\n", (int)length, line);
    }
    rig_die("'%s' does not come; the screen is above", text);
}

/* The memory in which an end is told by how much to hold back a frame. */
static void delay_map(struct rig_booth *booth, int end)
{
    void *memory = MAP_FAILED;
    int fd;
    snprintf(slow_file, sizeof slow_file, "%.*s.slow", RIG_PATH_MAX - 8, booth->journal[end]);
    fd = open(slow_file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0 && ftruncate(fd, sizeof(uint64_t)) == 0)
        memory = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        rig_die("%s: %s", slow_file, strerror(errno));
    close(fd);
    booth->delay_ns[end] = memory;
}

void rig_booth_open(struct rig_booth *booth, const char *name, enum rig_line line,
                    const char *entity_kind)
{
    const char *option = line == RIG_TRACED ? " --trace " : "";
    char file[RIG_PATH_MAX], words[RIG_ENDS][2 * RIG_PATH_MAX];
    for (int end = 0; end < RIG_ENDS; end++) {
        booth->all[end] = &booth->end[end];
        booth->delay_ns[end] = NULL;
        snprintf(file, sizeof file, "%s-%d", name, end);
        rig_path(booth->journal[end], file);
        snprintf(booth->trace[end], RIG_PATH_MAX, "%.*s.trace", RIG_PATH_MAX - 8,
                 booth->journal[end]);
    }
    rig_cable_open(&booth->cable, name);
    snprintf(words[RIG_JUDGE], sizeof words[0], "judge --left serial:%s --starts either",
             booth->cable.a);
    snprintf(words[RIG_ENTITY], sizeof words[0], "entity --line serial:%s %s", booth->cable.b,
             entity_kind);
    for (int end = RIG_ENDS - 1; end >= 0; end--) {
        if (getenv("BENCH_SLOWER"))
            delay_map(booth, end);
        rig_boothlink(&booth->end[end], true, &booth->cable, "%s --journal %s%s%s", words[end],
                      booth->journal[end], option, line == RIG_TRACED ? booth->trace[end] : "");
        slow_file[0] = '\0';
    }
    for (unsigned end = 0; end < RIG_ENDS; end++) {
        rig_await(booth->all, RIG_ENDS, end, " connected");
        rig_await(booth->all, RIG_ENDS, end, " open ");
    }
}

void rig_booth_delay(const struct rig_booth *booth, int end, double us)
{
    if (booth->delay_ns[end] && us > 0)
        *booth->delay_ns[end] = (uint64_t)(us * 1000);
}

void rig_booth_close(struct rig_booth *booth)
{
    rig_stop(&booth->end[RIG_JUDGE]);
    rig_stop(&booth->end[RIG_ENTITY]);
    rig_stop(&booth->cable.modem);
    for (int end = 0; end < RIG_ENDS; end++) {
        if (booth->delay_ns[end])
            munmap((void *)booth->delay_ns[end], sizeof(uint64_t));
        booth->delay_ns[end] = NULL;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double rig_percentile(double *sample, size_t count, double share)
{
    qsort(sample, count, sizeof *sample, compare);
    return sample[(size_t)(share * (double)(count - 1) + 0.5)];
}

void rig_row_ratio(const char *name, double us, const char *peer, double peer_us,
                   const struct rig_ratio *ratio, size_t pairs)
{
    printf("{\"name\":\"%s\",\"value\":%.6g,\"unit\":\"us\",\"peer\":\"%s\",\"peer_value\":%.6g,"
           "\"ratio\":%.4f,\"pairs\":%zu",
           name, us, peer, peer_us, ratio->median, pairs);
    if (ratio->goal > 0)
        printf(",\"latency\":true,\"low\":%.4f,\"high\":%.4f,\"goal\":\"<= %.2f x %s\",\"ok\":%s",
               ratio->low, fmin(ratio->high, 1e6), ratio->goal, peer,
               ratio->low <= ratio->goal ? "true" : "false");
    puts("}");
    fflush(stdout);
}

void rig_row(const char *name, double value, const char *unit, const char *peer, double peer_value,
             const char *goal, bool met)
{
    printf("{\"name\":\"%s\",\"value\":%.6g,\"unit\":\"%s\"", name, value, unit);
    if (peer)
        printf(",\"peer\":\"%s\",\"peer_value\":%.6g,\"ratio\":%.4f", peer, peer_value,
               value / peer_value);
    if (goal)
        printf(",\"goal\":\"%s\",\"ok\":%s", goal, met ? "true" : "false");
    puts("}");
    fflush(stdout);
}
