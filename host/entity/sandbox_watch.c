/* Counts the resources of a sandbox's processes, from the sandbox's /proc. */
#include "entity/process.h"
#include "entity/sandbox_private.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct watch_sums {
    int command;
    uint32_t processes, attached, most;
    uint64_t ticks;
    bool running, reads;
};

/* Adds a process. False beyond `most`: a fork bomb would take too long to count. */
static bool process_add(void *ctx, const char *pid)
{
    struct watch_sums *sums = ctx;
    char text[512];
    unsigned long long user, system;
    const char *rest;
    char state;
    int session;
    if (!process_text(pid, "stat", text, sizeof text))
        return true;
    /* The name in brackets is the program's choice, and may have brackets and blanks. */
    rest = strrchr(text, ')');
    if (!rest || sscanf(rest + 1, " %c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &state,
                        &session, &user, &system) != 4)
        return true;
    sums->ticks += user + system;
    if (state == 'Z' || state == 'X')
        return true;
    sums->processes++;
    sums->attached += session == sums->command;
    sums->running = sums->running || (state != 'S' && state != 'T');
    sums->reads = sums->reads || (state == 'S' && process_reads(pid, "wchan"));
    return sums->processes <= sums->most;
}

void sandbox_each(bool (*each)(void *ctx, const char *pid), void *ctx)
{
    DIR *proc = opendir("/proc");
    struct dirent *found;
    if (!proc)
        return;
    while ((found = readdir(proc)))
        if (found->d_name[0] >= '1' && found->d_name[0] <= '9' && strcmp(found->d_name, "1") != 0 &&
            !each(ctx, found->d_name))
            break;
    closedir(proc);
}

void sandbox_watch_kernel(const struct sandbox_options *options, const struct sandbox_group *group,
                          struct sandbox_facts *facts)
{
    if (!sandbox_group_killed(group))
        return;
    atomic_store(&facts->stopped_at, (uint64_t)SANDBOX_MEMORY(options) << 20);
    atomic_store(&facts->too_large, true);
}

static void most_store(_Atomic uint64_t *most, uint64_t value)
{
    if (value > atomic_load(most))
        atomic_store(most, value);
}

static void memory_store(struct sandbox_facts *facts, const struct sandbox_memory *memory,
                         uint64_t files)
{
    uint64_t all = memory->own + memory->shared;
    atomic_store(&facts->memory, all);
    atomic_store(&facts->files, files);
    if (all <= atomic_load(&facts->memory_most))
        return;
    atomic_store(&facts->memory_most, all);
    atomic_store(&facts->shared_most, memory->shared);
}

bool sandbox_watch(const struct sandbox_options *options, const struct sandbox_group *group,
                   const struct sandbox_files *files, struct sandbox_facts *facts)
{
    uint64_t allowed = (uint64_t)options->memory_mib << 20, used = sandbox_files_used(files);
    struct sandbox_memory memory = {0};
    struct rusage reaped;
    struct watch_sums sums = {.command = atomic_load(&facts->command), .most = options->processes};
    bool reading, killed = false, large = atomic_load(&facts->too_large);
    sandbox_each(process_add, &sums);
    /* The kernel also counts a fork bomb that was over between two looks. */
    if (sandbox_group_refused(group))
        atomic_store(&facts->refused_at, SANDBOX_TASKS(options));
    if (sums.processes > options->processes || atomic_load(&facts->refused_at)) {
        kill(-1, SIGKILL);
        killed = !atomic_exchange(&facts->too_many, true);
    }
    if (!killed)
        sandbox_memory_count(group, used, allowed, &memory);
    reading = sums.processes && sums.reads && !sums.running;
    bool news = reading != atomic_load(&facts->reading);
    getrusage(RUSAGE_CHILDREN, &reaped);
    atomic_store(&facts->processes, sums.processes);
    atomic_store(&facts->attached, sums.attached);
    if (sums.processes > atomic_load(&facts->processes_most))
        atomic_store(&facts->processes_most, sums.processes);
    memory_store(facts, &memory, used);
    most_store(&facts->cpu_us,
               sums.ticks * 1000000u / (uint64_t)sysconf(_SC_CLK_TCK) +
                   (uint64_t)(reaped.ru_utime.tv_sec + reaped.ru_stime.tv_sec) * 1000000u +
                   (uint64_t)(reaped.ru_utime.tv_usec + reaped.ru_stime.tv_usec));
    atomic_store(&facts->running, sums.running);
    atomic_fetch_add(&facts->busy, sums.running);
    atomic_store(&facts->reading, reading);
    sandbox_watch_kernel(options, group, facts);
    if (memory.own + memory.shared > allowed)
        atomic_store(&facts->too_large, true);
    killed = killed || (!large && atomic_load(&facts->too_large));
    /* Repeated at each look, for processes forked meanwhile. */
    if (atomic_load(&facts->too_many) || atomic_load(&facts->too_large))
        kill(-1, SIGKILL);
    atomic_fetch_add(&facts->pulse, 1);
    return news || killed;
}
