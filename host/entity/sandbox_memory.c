/* Counts a sandbox's memory. Pages of files on a disk do not count, since the kernel can drop
 * them. */
#include "entity/process.h"
#include "entity/sandbox_private.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* KNOWN: most memfds, sockets and pipes that a count tells apart. LOOKS: most descriptors of a
 * count; a sandbox with more is over its limit. */
#define KNOWN 4096u
#define LOOKS 16384u

/* The kernel's memory for a socket's two queues and for a pipe, for which no process is charged. */
#define SOCKET_BYTES (416u << 10)
#define PIPE_BYTES   (64u << 10)
#define QUEUES_FREE  (16u << 20)

struct memory_sums {
    uint64_t own, mapped; /* bytes; memory that processes share counts once for each of them */
    uint64_t memfds;      /* bytes in files with descriptors only */
    uint64_t queues;      /* bytes that sockets and pipes may hold */
    unsigned looks, known;
    uint64_t inode[KNOWN];
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

/* Bytes in the segments of System V, attached or not. */
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

/* Returns the value after `name`, in KiB, as bytes; 0: none. */
static uint64_t kib(const char *text, const char *name)
{
    unsigned long long value = 0;
    const char *line = strstr(text, name);
    return line && sscanf(line + strlen(name), "%llu", &value) == 1 ? (uint64_t)value << 10 : 0;
}

/* True if the inode is new. Once KNOWN inodes are kept, any other counts as new. */
static bool is_new(struct memory_sums *sums, uint64_t inode)
{
    for (unsigned i = 0; i < sums->known; i++)
        if (sums->inode[i] == inode)
            return false;
    if (sums->known < KNOWN)
        sums->inode[sums->known++] = inode;
    return true;
}

static void descriptor_add(struct memory_sums *sums, int dir, const char *name)
{
    char target[48];
    unsigned long long inode;
    struct stat found;
    ssize_t n = readlinkat(dir, name, target, sizeof target - 1);
    target[n > 0 ? n : 0] = '\0';
    if (sscanf(target, "socket:[%llu", &inode) == 1)
        sums->queues += is_new(sums, inode) ? SOCKET_BYTES : 0;
    else if (sscanf(target, "pipe:[%llu", &inode) == 1)
        sums->queues += is_new(sums, inode) ? PIPE_BYTES : 0;
    else if (strncmp(target, "/memfd:", 7) == 0 && fstatat(dir, name, &found, 0) == 0 &&
             is_new(sums, found.st_ino))
        sums->memfds += (uint64_t)found.st_blocks * 512;
}

static void descriptors_add(struct memory_sums *sums, const char *pid)
{
    char path[300];
    struct dirent *found;
    DIR *dir;
    snprintf(path, sizeof path, "/proc/%s/fd", pid);
    dir = opendir(path);
    while (dir && sums->looks < LOOKS && (found = readdir(dir)))
        if (found->d_name[0] != '.') {
            sums->looks++;
            descriptor_add(sums, dirfd(dir), found->d_name);
        }
    if (dir)
        closedir(dir);
}

/* Adds sockets and pipes, which no control group counts. */
static bool queues_add(void *ctx, const char *pid)
{
    descriptors_add(ctx, pid);
    return true;
}

static bool process_add(void *ctx, const char *pid)
{
    struct memory_sums *sums = ctx;
    char text[4096];
    if (process_text(pid, "status", text, sizeof text)) {
        sums->own += kib(text, "\nRssAnon:") + kib(text, "\nVmSwap:");
        sums->mapped += kib(text, "\nRssShmem:");
    }
    descriptors_add(sums, pid);
    return true;
}

/* Adds a process's proportional share of its memory, which is exact and slower to read. */
static bool share_add(void *ctx, const char *pid)
{
    struct memory_sums *sums = ctx;
    char text[2048];
    if (process_text(pid, "smaps_rollup", text, sizeof text)) {
        sums->own += kib(text, "\nPss_Anon:") + kib(text, "\nSwapPss:");
        sums->mapped += kib(text, "\nPss_Shmem:");
    }
    return true;
}

/* Mapped memory may be part of the named memory: the larger one counts. */
static void sum_up(const struct memory_sums *sums, uint64_t named, struct sandbox_memory *memory)
{
    memory->own = sums->own;
    memory->shared = sums->mapped > named ? sums->mapped : named;
}

/* Bytes of queues beyond QUEUES_FREE, which every program may have. `most` + 1: too many
 * descriptors. */
static uint64_t queues_used(const struct memory_sums *sums, uint64_t most)
{
    if (sums->looks >= LOOKS)
        return most + 1;
    return sums->queues > QUEUES_FREE ? sums->queues - QUEUES_FREE : 0;
}

void sandbox_memory_count(const struct sandbox_group *group, uint64_t files, uint64_t most,
                          struct sandbox_memory *memory)
{
    static struct memory_sums sums, shares;
    uint64_t named;
    memset(&sums, 0, sizeof sums);
    memset(&shares, 0, sizeof shares);
    if (sandbox_group_memory(group, memory)) {
        sandbox_each(queues_add, &sums);
        memory->shared += queues_used(&sums, most);
        return;
    }
    sandbox_each(process_add, &sums);
    named = files + segments_used() + sums.memfds + queues_used(&sums, most);
    sum_up(&sums, named, memory);
    if (memory->own + memory->shared <= most)
        return;
    sandbox_each(share_add, &shares);
    if (shares.own)
        sum_up(&shares, named, memory);
}
