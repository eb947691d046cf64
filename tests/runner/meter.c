/* meter LIMIT ACCOUNT PROGRAM ARGUMENT...: runs a test program for LIMIT seconds at most, ends all
 * processes that it left behind, and writes the processor time of them all to the file ACCOUNT, as
 * "USER SYSTEM" in milliseconds. For tests/run.
 *
 * The exit status is the program's; 128 and the signal's number when a signal ended it; 124 when
 * its time was over (a TERM to its process group, a KILL to the rest 5 s later); 125 when it could
 * not be started. SIGTERM, or the end of the process that started meter, ends the program too.
 *
 * Orphans come to this process, for it is a subreaper: none escapes by a session or a process group
 * of its own. Linux drops the time of children that their parent never waits for, and of those in a
 * PID namespace (a sandbox) that is killed: it is not counted.
 *
 * STALL=SEED in the environment: every now and then a process of the program, drawn by that seed,
 * is stopped for up to 2 s, as a busy machine would. It is stopped as by a debugger (PTRACE_SEIZE),
 * for a SIGSTOP would be seen by shells and by tmux. Only its first thread is: others go on. The
 * program has STALLED=1 in its environment. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#define STATUS_LATE 124
#define STATUS_NONE 125
#define GRACE_MS    5000
#define PROCESSES   4096 /* of a machine, among which descendants are looked for */
#define STALLS      4    /* processes stopped at once, at most */
#define STALL_GAP   400  /* ms between two stops, at most */
#define STALL_TIME  2000 /* ms, at most */
#define NEVER       UINT64_MAX

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

struct process {
    pid_t pid, parent;
    bool ours;
};

/* The parent of a process, 0 if that has ended. */
static pid_t parent_of(const char *pid)
{
    char path[64], line[512];
    const char *end;
    pid_t parent = 0;
    snprintf(path, sizeof path, "/proc/%.16s/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    /* The name in brackets may have brackets in it; a state and the parent follow it. */
    if (fgets(line, sizeof line, file) && (end = strrchr(line, ')')) && strlen(end) > 4)
        parent = (pid_t)strtol(end + 4, NULL, 10);
    fclose(file);
    return parent;
}

/* Puts the descendants of this process first in `all`; returns their number. */
static size_t find_descendants(struct process all[PROCESSES])
{
    const pid_t self = getpid();
    size_t count = 0, ours = 0;
    DIR *proc = opendir("/proc");
    if (!proc)
        return 0;
    for (struct dirent *entry; (entry = readdir(proc)) && count < PROCESSES;)
        if (isdigit((unsigned char)entry->d_name[0]))
            all[count++] = (struct process){.pid = (pid_t)strtol(entry->d_name, NULL, 10),
                                            .parent = parent_of(entry->d_name)};
    closedir(proc);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = ours; i < count; i++) {
            bool is_ours = all[i].parent == self;
            for (size_t j = 0; j < ours && !is_ours; j++)
                is_ours = all[i].parent == all[j].pid;
            if (!is_ours)
                continue;
            const struct process found = all[i];
            all[i] = all[ours];
            all[ours++] = found;
            more = true;
        }
    }
    return ours;
}

/* Kills all descendants, and waits until there are none; those that cannot be killed are let be. */
static void end_rest(void)
{
    static struct process all[PROCESSES];
    const uint64_t until = now_ms() + 2 * GRACE_MS;
    while (now_ms() < until) {
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (ended < 0)
            return;
        for (size_t i = find_descendants(all); i-- > 0;)
            kill(all[i].pid, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

/* The stopping of processes. */
struct stall {
    uint64_t random; /* 0: none is stopped */
    uint64_t next_ms;
    struct {
        pid_t pid;
        uint64_t until_ms;
    } stopped[STALLS];
};

static uint64_t draw(struct stall *stall, uint64_t below)
{
    stall->random ^= stall->random << 13; /* xorshift64 */
    stall->random ^= stall->random >> 7;
    stall->random ^= stall->random << 17;
    return stall->random % below;
}

/* Stops a process that nobody else is tracing; false if it has ended. */
static bool stop_process(pid_t pid)
{
    return ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0 &&
           ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) == 0;
}

/* Takes a report of waitpid; false if it is not of a stop. A signal that came before the stop goes
 * on to the process. */
static bool is_stop(pid_t pid, int status)
{
    if (!WIFSTOPPED(status))
        return false;
    if (status >> 16 != PTRACE_EVENT_STOP)
        ptrace(PTRACE_CONT, pid, NULL, (void *)(uintptr_t)WSTOPSIG(status));
    return true;
}

/* Lets go those whose time is over, stops one where that is due. Returns the time of the next
 * call. */
static uint64_t stall_step(struct stall *stall, uint64_t now)
{
    static struct process all[PROCESSES];
    uint64_t next = stall->next_ms;
    if (!stall->random)
        return NEVER;
    for (unsigned i = 0; i < STALLS; i++) {
        if (stall->stopped[i].pid && stall->stopped[i].until_ms <= now) {
            /* One that has not come to its stop yet is asked again. */
            if (ptrace(PTRACE_DETACH, stall->stopped[i].pid, NULL, NULL) == 0 ||
                kill(stall->stopped[i].pid, 0) != 0)
                stall->stopped[i].pid = 0;
            else
                stall->stopped[i].until_ms = now + 1;
        }
        if (!stall->stopped[i].pid && now >= stall->next_ms) {
            const size_t count = find_descendants(all);
            stall->next_ms = next = now + 1 + draw(stall, STALL_GAP);
            const pid_t pid = count ? all[draw(stall, count)].pid : 0;
            stall->stopped[i].until_ms = now + 1 + draw(stall, STALL_TIME);
            stall->stopped[i].pid = pid && stop_process(pid) ? pid : 0;
        }
    }
    for (unsigned i = 0; i < STALLS; i++)
        if (stall->stopped[i].pid && stall->stopped[i].until_ms < next)
            next = stall->stopped[i].until_ms;
    return next > now ? next : now + 1;
}

/* Starts the program in this process group; does not return there. */
static pid_t start(char **command, const sigset_t *mask)
{
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(command[0], command);
    fprintf(stderr, "meter: %s: %s\n", command[0], strerror(errno));
    _exit(STATUS_NONE);
}

/* Waits for the program's end; returns the exit status of this process. */
static int watch(pid_t program, uint64_t limit_ms, struct stall *stall, const sigset_t *signals)
{
    uint64_t late_ms = now_ms() + limit_ms, kill_ms = NEVER;
    for (bool late = false;;) {
        int status;
        pid_t ended;
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
            if (!is_stop(ended, status) && ended == program)
                return late                  ? STATUS_LATE
                       : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                             : WEXITSTATUS(status);
        const uint64_t now = now_ms();
        if (now >= kill_ms)
            return STATUS_LATE;
        if (now >= late_ms) {
            late = true;
            late_ms = NEVER;
            kill_ms = now + GRACE_MS;
            kill(0, SIGTERM); /* blocked here */
            kill(0, SIGCONT);
        }
        uint64_t next = stall_step(stall, now);
        next = next < late_ms ? next : late_ms;
        next = next < kill_ms ? next : kill_ms;
        const struct timespec wait = {.tv_sec = (time_t)((next - now) / 1000),
                                      .tv_nsec = (long)((next - now) % 1000) * 1000000};
        siginfo_t info;
        const int signal = sigtimedwait(signals, &info, &wait);
        if ((signal == SIGTERM || signal == SIGINT || signal == SIGHUP) && info.si_pid != getpid())
            return 128 + signal;
    }
}

/* Writes the time of all that was waited for. */
static void account(const char *path)
{
    struct rusage usage;
    FILE *file = fopen(path, "we");
    if (!file)
        return;
    getrusage(RUSAGE_CHILDREN, &usage);
    fprintf(file, "%lld %lld\n",
            (long long)usage.ru_utime.tv_sec * 1000 + usage.ru_utime.tv_usec / 1000,
            (long long)usage.ru_stime.tv_sec * 1000 + usage.ru_stime.tv_usec / 1000);
    fclose(file);
}

int main(int argc, char **argv)
{
    const char *seed = getenv("STALL");
    struct stall stall = {.random = 0};
    const pid_t starter = getppid();
    sigset_t signals, before;
    if (argc < 4) {
        fputs("usage: meter LIMIT ACCOUNT PROGRAM ARGUMENT...\n", stderr);
        return EX_USAGE;
    }
    if (seed && strtoull(seed, NULL, 10))
        stall.random = strtoull(seed, NULL, 10) * 2654435761u + 1;
    unsetenv("STALL"); /* the program's own meters, if it has any, need not */
    if (stall.random)
        setenv("STALLED", "1", true);
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, &before);
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != starter)
        return STATUS_NONE;
    stall.next_ms = now_ms() + 1;
    const pid_t program = start(argv + 3, &before);
    if (program < 0) {
        fprintf(stderr, "meter: %s\n", strerror(errno));
        return STATUS_NONE;
    }
    const int status = watch(program, strtoull(argv[1], NULL, 10) * 1000, &stall, &signals);
    end_rest();
    account(argv[2]);
    return status;
}
