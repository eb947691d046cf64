#include "entity/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool process_text(const char *pid, const char *name, char *text, size_t room)
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

bool process_reads(const char *pid, const char *name)
{
    static const char *const calls[] = {"read", "poll", "select", "wait_woken", "pipe_wait"};
    char text[64];
    if (!process_text(pid, name, text, sizeof text))
        return false;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strstr(text, calls[i]))
            return true;
    return false;
}

void process_each(void (*each)(void *ctx, const struct process *process), void *ctx)
{
    DIR *proc = opendir("/proc");
    struct dirent *found;
    if (!proc)
        return;
    while ((found = readdir(proc))) {
        struct process process;
        char text[512];
        const char *rest;
        int parent, session;
        char *end;
        process.pid = (pid_t)strtol(found->d_name, &end, 10);
        if (*end || process.pid <= 0 || !process_text(found->d_name, "stat", text, sizeof text))
            continue;
        /* The name in brackets is the program's choice, and may have brackets and blanks. */
        rest = strrchr(text, ')');
        if (!rest || sscanf(rest + 1, " %c %d %*d %d", &process.state, &parent, &session) != 3)
            continue;
        process.parent = parent;
        process.session = session;
        each(ctx, &process);
    }
    closedir(proc);
}

struct waits {
    pid_t session;
    bool busy, reads;
};

static void look(void *ctx, const struct process *process)
{
    struct waits *waits = ctx;
    char path[64], pid[24];
    bool reads = false, busy = false;
    if (process->session != waits->session || process->state == 'Z')
        return;
    snprintf(pid, sizeof pid, "%ld", (long)process->pid);
    snprintf(path, sizeof path, "/proc/%s/task", pid);
    DIR *tasks = opendir(path);
    struct dirent *found;
    while (tasks && (found = readdir(tasks))) {
        char name[32], text[512], state = 0;
        const char *rest;
        if (found->d_name[0] == '.' || strlen(found->d_name) > 10)
            continue;
        snprintf(name, sizeof name, "task/%.10s/stat", found->d_name);
        rest = process_text(pid, name, text, sizeof text) ? strrchr(text, ')') : NULL;
        if (!rest || sscanf(rest + 1, " %c", &state) != 1)
            continue;
        busy = busy || state != 'S';
        snprintf(name, sizeof name, "task/%.10s/wchan", found->d_name);
        reads = reads || (state == 'S' && process_reads(pid, name));
    }
    if (tasks)
        closedir(tasks);
    /* One reading thread suffices; the other threads may be busy. */
    waits->reads = waits->reads || reads;
    waits->busy = waits->busy || (busy && !reads);
}

bool process_session_waits(pid_t session)
{
    struct waits waits = {.session = session};
    process_each(look, &waits);
    return waits.reads && !waits.busy;
}

void process_ordinary(void)
{
    sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
}
