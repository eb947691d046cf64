/* Counting what the processes in a sandbox use, by /proc of the sandbox. */
#include "validate/sandbox_private.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Sums over the processes. */
struct sums {
    int command;
    uint32_t processes, attached;
    uint64_t pages; /* of their own, shared between parent and child counted twice */
    uint64_t ticks;
    bool running, reads;
};

static bool text_read(const char *pid, const char *name, char *text, size_t room)
{
    char path[300];
    ssize_t n;
    int fd;
    snprintf(path, sizeof path, "/proc/%s/%s", pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read(fd, text, room - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static bool waits_to_read(const char *pid)
{
    static const char *const names[] = {"read", "poll", "select", "wait_woken", "pipe_wait"};
    char where[64];
    if (!text_read(pid, "wchan", where, sizeof where))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(where, names[i]))
            return true;
    return false;
}

static void process_add(struct sums *sums, const char *pid)
{
    char text[512];
    unsigned long long user, system, resident, shared;
    const char *rest;
    char state;
    int session;
    if (!text_read(pid, "stat", text, sizeof text))
        return;
    /* The name in brackets is the program's own and may hold brackets and blanks. */
    rest = strrchr(text, ')');
    if (!rest || sscanf(rest + 1, " %c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &state,
                        &session, &user, &system) != 4)
        return;
    sums->ticks += user + system;
    if (state == 'Z' || state == 'X')
        return;
    sums->processes++;
    sums->attached += session == sums->command;
    sums->running = sums->running || (state != 'S' && state != 'T');
    sums->reads = sums->reads || (state == 'S' && waits_to_read(pid));
    if (text_read(pid, "statm", text, sizeof text) &&
        sscanf(text, "%*u %llu %llu", &resident, &shared) == 2 && resident > shared)
        sums->pages += resident - shared;
}

/* Calls each() for the processes but the first, which is ours, until there are more than `most`: a
 * fork bomb grows faster than it can be counted. */
static void each_process(void (*each)(struct sums *sums, const char *pid), struct sums *sums,
                         uint32_t most)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    if (!proc)
        return;
    while (sums->processes <= most && (entry = readdir(proc)))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && strcmp(entry->d_name, "1") != 0)
            each(sums, entry->d_name);
    closedir(proc);
}

/* Adds the proportional share of a process, in KiB: exact, but it costs more to ask for. */
static void share_add(struct sums *sums, const char *pid)
{
    char text[1024];
    unsigned long long anonymous;
    const char *line;
    if (text_read(pid, "smaps_rollup", text, sizeof text) && (line = strstr(text, "\nPss_Anon:")) &&
        sscanf(line, " Pss_Anon: %llu", &anonymous) == 1)
        sums->pages += anonymous;
}

static uint64_t memory_of(const struct sums *sums, uint64_t most)
{
    struct sums shares = {0};
    uint64_t memory = sums->pages * (uint64_t)sysconf(_SC_PAGESIZE);
    if (memory <= most)
        return memory;
    each_process(share_add, &shares, 0);
    return shares.pages ? shares.pages << 10 : memory;
}

static void most_store(_Atomic uint64_t *most, uint64_t value)
{
    if (value > atomic_load(most))
        atomic_store(most, value);
}

bool sandbox_watch(const struct sandbox_options *options, const struct sandbox_group *group,
                   struct sandbox_facts *facts)
{
    uint64_t allowed = (uint64_t)options->memory_mib << 20, memory;
    struct rusage reaped;
    struct sums sums = {.command = atomic_load(&facts->command)};
    bool reading, killed = false;
    each_process(process_add, &sums, options->processes);
    /* A bomb may be over between two looks. */
    if (sandbox_group_refused(group) && sums.processes <= options->processes)
        sums.processes = options->processes + 1;
    if (sums.processes > options->processes) {
        kill(-1, SIGKILL);
        killed = !atomic_exchange(&facts->too_many, true);
    }
    memory = killed ? 0 : memory_of(&sums, allowed);
    reading = sums.processes && sums.reads && !sums.running;
    bool news = reading != atomic_load(&facts->reading);
    getrusage(RUSAGE_CHILDREN, &reaped);
    atomic_store(&facts->processes, sums.processes);
    atomic_store(&facts->attached, sums.attached);
    if (sums.processes > atomic_load(&facts->processes_most))
        atomic_store(&facts->processes_most, sums.processes);
    atomic_store(&facts->memory, memory);
    most_store(&facts->memory_most, memory);
    most_store(&facts->cpu_us,
               sums.ticks * 1000000u / (uint64_t)sysconf(_SC_CLK_TCK) +
                   (uint64_t)(reaped.ru_utime.tv_sec + reaped.ru_stime.tv_sec) * 1000000u +
                   (uint64_t)(reaped.ru_utime.tv_usec + reaped.ru_stime.tv_usec));
    atomic_store(&facts->running, sums.running);
    atomic_fetch_add(&facts->busy, sums.running);
    atomic_store(&facts->reading, reading);
    if (memory > allowed && !atomic_exchange(&facts->too_large, true))
        killed = true;
    /* Again each time: what was forked meanwhile must go, too. */
    if (atomic_load(&facts->too_many) || atomic_load(&facts->too_large))
        kill(-1, SIGKILL);
    atomic_fetch_add(&facts->pulse, 1);
    return news || killed;
}
