/* Counting what a sandbox has in memory: all that would not be gone if the machine needed the room,
 * so not the pages of files on a disk. */
#include "entity/sandbox_private.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MEMFDS 1024u /* that are told apart, and ... */
#define LOOKS  8192u /* ... descriptors that are looked at, each time */

/* Sums over the processes. */
struct memory_sums {
    uint64_t own, mapped; /* bytes; own between parent and child, and mapped, counted twice */
    uint64_t memfds;      /* bytes in files that have only descriptors */
    unsigned looks, known;
    ino_t inode[MEMFDS];
};

uint64_t sandbox_files_used(const struct sandbox_files *files)
{
    uint64_t used = 0;
    for (size_t i = 0; i < sizeof files->fd / sizeof files->fd[0]; i++) {
        struct statfs found;
        if (files->fd[i] >= 0 && fstatfs(files->fd[i], &found) == 0)
            used += (uint64_t)(found.f_blocks - found.f_bfree) * (uint64_t)found.f_bsize;
    }
    return used > files->before ? used - files->before : 0;
}

/* The segments of System V, attached or not. */
static uint64_t segments_used(void)
{
    char line[512];
    uint64_t used = 0;
    unsigned long long resident, swapped;
    FILE *file = fopen("/proc/sysvipc/shm", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%*d %*d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu",
                   &resident, &swapped) == 2)
            used += resident + swapped;
    if (file)
        fclose(file);
    return used;
}

/* In the order of the text, which is that of the kernel. */
static uint64_t kib(const char *text, const char *name)
{
    unsigned long long value = 0;
    const char *line = strstr(text, name);
    return line && sscanf(line + strlen(name), "%llu", &value) == 1 ? (uint64_t)value << 10 : 0;
}

static void memfd_add(struct memory_sums *sums, const struct stat *found)
{
    for (unsigned i = 0; i < sums->known; i++)
        if (sums->inode[i] == found->st_ino)
            return;
    if (sums->known == MEMFDS)
        return;
    sums->inode[sums->known++] = found->st_ino;
    sums->memfds += (uint64_t)found->st_blocks * 512;
}

static void descriptors_add(struct memory_sums *sums, const char *pid)
{
    static const char memfd[] = "/memfd:";
    char path[300], target[sizeof memfd - 1];
    struct dirent *entry;
    struct stat found;
    DIR *dir;
    snprintf(path, sizeof path, "/proc/%s/fd", pid);
    dir = opendir(path);
    while (dir && sums->looks++ < LOOKS && (entry = readdir(dir)))
        if (readlinkat(dirfd(dir), entry->d_name, target, sizeof target) == sizeof target &&
            memcmp(target, memfd, sizeof target) == 0 &&
            fstatat(dirfd(dir), entry->d_name, &found, 0) == 0)
            memfd_add(sums, &found);
    if (dir)
        closedir(dir);
}

static bool process_add(void *ctx, const char *pid)
{
    struct memory_sums *sums = ctx;
    char text[4096];
    if (sandbox_text(pid, "status", text, sizeof text)) {
        sums->own += kib(text, "\nRssAnon:") + kib(text, "\nVmSwap:");
        sums->mapped += kib(text, "\nRssShmem:");
    }
    descriptors_add(sums, pid);
    return true;
}

/* Adds the proportional share of a process: exact, but it costs more to ask for. */
static bool share_add(void *ctx, const char *pid)
{
    struct memory_sums *sums = ctx;
    char text[2048];
    if (sandbox_text(pid, "smaps_rollup", text, sizeof text)) {
        sums->own += kib(text, "\nPss_Anon:") + kib(text, "\nSwapPss:");
        sums->mapped += kib(text, "\nPss_Shmem:");
    }
    return true;
}

/* What is mapped may be part of what is known by name, so the larger of the two counts. */
static void sum_up(const struct memory_sums *sums, uint64_t named, struct sandbox_memory *memory)
{
    memory->own = sums->own;
    memory->shared = sums->mapped > named ? sums->mapped : named;
}

void sandbox_memory_count(const struct sandbox_group *group, uint64_t files, uint64_t most,
                          struct sandbox_memory *memory)
{
    struct memory_sums sums = {0}, shares = {0};
    uint64_t named;
    if (sandbox_group_memory(group, memory))
        return;
    sandbox_each(process_add, &sums);
    named = files + segments_used() + sums.memfds;
    sum_up(&sums, named, memory);
    if (memory->own + memory->shared <= most)
        return;
    sandbox_each(share_add, &shares);
    if (shares.own)
        sum_up(&shares, named, memory);
}
