#include "entity/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool read_text(pid_t pid, const char *name, char *text, size_t room)
{
    char path[64];
    ssize_t n;
    int fd;
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read(fd, text, room - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

void process_each(void (*each)(void *ctx, const struct process *process), void *ctx)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    if (!proc)
        return;
    while ((entry = readdir(proc))) {
        struct process process;
        char text[512];
        const char *rest;
        int parent, session;
        char *end;
        process.pid = (pid_t)strtol(entry->d_name, &end, 10);
        if (*end || process.pid <= 0 || !read_text(process.pid, "stat", text, sizeof text))
            continue;
        /* The name in brackets is the program's own and may hold brackets and blanks. */
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
    static const char *const names[] = {"read", "poll", "select", "wait_woken", "pipe_wait"};
    struct waits *waits = ctx;
    char path[64];
    bool reads = false, busy = false;
    if (process->session != waits->session || process->state == 'Z')
        return;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)process->pid);
    DIR *tasks = opendir(path);
    struct dirent *entry;
    while (tasks && (entry = readdir(tasks))) {
        char name[32], text[512], state = 0;
        const char *rest;
        if (entry->d_name[0] == '.' || strlen(entry->d_name) > 10)
            continue;
        snprintf(name, sizeof name, "task/%.10s/stat", entry->d_name);
        rest = read_text(process->pid, name, text, sizeof text) ? strrchr(text, ')') : NULL;
        if (!rest || sscanf(rest + 1, " %c", &state) != 1)
            continue;
        busy = busy || state != 'S';
        snprintf(name, sizeof name, "task/%.10s/wchan", entry->d_name);
        if (state != 'S' || !read_text(process->pid, name, text, sizeof text))
            continue;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            reads = reads || strstr(text, names[i]);
    }
    if (tasks)
        closedir(tasks);
    /* One thread that reads is enough, whatever the others of its process do. */
    waits->reads = waits->reads || reads;
    waits->busy = waits->busy || (busy && !reads);
}

bool process_session_waits(pid_t session)
{
    struct waits waits = {.session = session};
    process_each(look, &waits);
    return waits.reads && !waits.busy;
}
