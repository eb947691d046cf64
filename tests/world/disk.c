/* In the place of host/journal/disk.c and host/base/raw_file.c: real files in the world's folder.
 * A machine knows how much of each was synced. A power cut keeps that, a part of the
 * rest, and sometimes dirt behind it. */
#include "world_private.h"

#include "base/raw_file.h"
#include "journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_MOST  256
#define WRITTEN_US (35 * SECOND) /* after which the kernel has written what nobody synced */
#define DIRT_MOST  600           /* bytes that a torn file may have behind what was written */

struct kept {
    struct kept *next;
    char path[PATH_MAX];
    uint64_t length, synced;
    uint64_t reserved; /* up to there it has its room */
    uint64_t dirty_us; /* since when it has bytes that were not synced */
    bool folder;       /* which somebody may lock */
};

/* What is open: to append, or to read (file NULL). */
struct opened {
    struct process *process; /* NULL: a test's own */
    struct kept *file;
    int fd;
    bool locked;
};
static struct opened opened[OPEN_MOST];
static unsigned open_count;

static struct opened *opened_of(int fd)
{
    for (unsigned i = 0; i < open_count; i++)
        if (opened[i].fd == fd)
            return &opened[i];
    world_die("descriptor %d is no file", fd);
}

static struct kept *kept_of(struct machine *m, const char *path, uint64_t length)
{
    for (struct kept *f = m->files; f; f = f->next)
        if (strcmp(f->path, path) == 0)
            return f;
    struct kept *f = calloc(1, sizeof *f);
    snprintf(f->path, sizeof f->path, "%s", path);
    f->length = f->synced = length;
    f->next = m->files;
    return m->files = f;
}

static enum bl_status world_open(void *ctx, const char *path, enum disk_mode mode, int *fd,
                                 uint64_t *length)
{
    static const int flags[] = {O_RDONLY, O_RDWR | O_APPEND, O_RDWR | O_APPEND | O_CREAT};
    struct stat info;
    (void)ctx;
    if (open_count == OPEN_MOST)
        world_die("too many files are open");
    *fd = open(path, flags[mode] | O_CLOEXEC, 0600);
    if (*fd < 0)
        return errno == ENOENT ? BL_NOINPUT : BL_IO;
    if (fstat(*fd, &info) || !S_ISREG(info.st_mode)) {
        close(*fd);
        return BL_DATA;
    }
    *length = (uint64_t)info.st_size;
    opened[open_count++] = (struct opened){.process = process_current, .fd = *fd};
    if (process_current && mode != DISK_READ)
        opened_of(*fd)->file = kept_of(process_current->machine, path, *length);
    return BL_OK;
}

static bool is_locked(const struct kept *file)
{
    for (unsigned i = 0; i < open_count; i++)
        if (opened[i].locked && opened[i].file == file)
            return true;
    return false;
}

static enum bl_status world_lock(void *ctx, int fd, char holder[DISK_HOLDER_MAX])
{
    struct opened *o = opened_of(fd);
    (void)ctx;
    if (is_locked(o->file)) {
        snprintf(holder, DISK_HOLDER_MAX, "another process of the world");
        return BL_BUSY;
    }
    o->locked = true;
    return BL_OK;
}

/* Room for the file up to that length; false: there is none. */
static bool take_room(struct machine *m, const struct kept *f, uint64_t length)
{
    uint64_t has = f->reserved > f->length ? f->reserved : f->length;
    uint64_t needs = length > has ? length - has : 0;
    if (m->room < needs)
        return false;
    if (m->room != UINT64_MAX)
        m->room -= needs;
    return true;
}

static enum bl_status world_append(void *ctx, int fd, const void *bytes, size_t length)
{
    (void)ctx;
    process_call();
    struct opened *o = opened_of(fd);
    struct machine *m = o->process->machine;
    if (!take_room(m, o->file, o->file->length + length))
        return BL_FULL;
    if (write(fd, bytes, length) != (ssize_t)length)
        world_die("%s is not written", o->file->path);
    if (o->file->synced == o->file->length)
        o->file->dirty_us = world_now();
    o->file->length += length;
    world_mix(bytes, length);
    if (world_watcher.appended)
        world_watcher.appended(world_watcher.ctx, m, o->file->path, bytes, length);
    return BL_OK;
}

static enum bl_status world_read(void *ctx, int fd, uint64_t offset, void *bytes, size_t *length)
{
    ssize_t n = pread(fd, bytes, *length, (off_t)offset);
    (void)ctx;
    *length = n < 0 ? 0 : (size_t)n;
    return n < 0 ? BL_IO : BL_OK;
}

static enum bl_status world_truncate(void *ctx, int fd, uint64_t length)
{
    struct kept *f = opened_of(fd)->file;
    (void)ctx;
    process_call();
    f->length = f->reserved = length;
    if (f->synced > length)
        f->synced = length;
    return ftruncate(fd, (off_t)length) ? BL_IO : BL_OK;
}

static enum bl_status world_reserve(void *ctx, int fd, uint64_t length)
{
    struct opened *o = opened_of(fd);
    (void)ctx;
    if (!take_room(o->process->machine, o->file, length))
        return BL_FULL;
    if (o->file->reserved < length)
        o->file->reserved = length;
    return BL_OK;
}

static enum bl_status world_sync(void *ctx, int fd)
{
    struct opened *o = opened_of(fd);
    (void)ctx;
    process_call();
    if (o->process->machine->spoilt)
        return BL_IO;
    o->file->synced = o->file->length;
    return BL_OK;
}

static uint64_t world_room(void *ctx, int fd)
{
    (void)ctx;
    return opened_of(fd)->process->machine->room;
}

static void world_close(void *ctx, int fd)
{
    struct opened *o = opened_of(fd);
    (void)ctx;
    *o = opened[--open_count];
    close(fd);
}

const struct disk disk_real = {
    .open = world_open,
    .lock = world_lock,
    .append = world_append,
    .read = world_read,
    .truncate = world_truncate,
    .reserve = world_reserve,
    .sync = world_sync,
    .room = world_room,
    .close = world_close,
};

/* ---- raw_file.h ---- */

static struct kept *find_kept(const struct machine *m, const char *path)
{
    struct kept *f = m->files;
    while (f && strcmp(f->path, path) != 0)
        f = f->next;
    return f;
}

static int keep_open(int fd, struct kept *file)
{
    if (open_count == OPEN_MOST)
        world_die("too many files are open");
    opened[open_count++] = (struct opened){.process = process_current, .fd = fd, .file = file};
    return fd;
}

int raw_open(const char *path, bool write)
{
    const struct machine *m = process_current->machine;
    bool made = write && access(path, F_OK) != 0;
    struct stat info;
    if (made)
        process_call();
    int fd = open(path, (write ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 || fstat(fd, &info))
        return -1;
    return keep_open(fd, write ? kept_of(process_current->machine, path, (uint64_t)info.st_size)
                               : find_kept(m, path));
}

int raw_lock(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct kept *file = fd < 0 ? NULL : kept_of(process_current->machine, folder, 0);
    if (fd < 0 || (file->folder && is_locked(file))) {
        if (fd >= 0)
            close(fd);
        errno = fd < 0 ? errno : EWOULDBLOCK;
        return -1;
    }
    file->folder = true;
    keep_open(fd, file);
    opened_of(fd)->locked = true;
    return fd;
}

/* A disk that gets full has taken the first of the bytes. */
ssize_t raw_write(int fd, const void *bytes, size_t length, uint64_t offset)
{
    struct kept *f = opened_of(fd)->file;
    struct machine *m = process_current->machine;
    process_call();
    if (length > m->room)
        length = (size_t)m->room;
    if (length == 0) {
        errno = ENOSPC;
        return -1;
    }
    if (pwrite(fd, bytes, length, (off_t)offset) != (ssize_t)length)
        world_die("%s is not written", f->path);
    if (m->room != UINT64_MAX)
        m->room -= length;
    if (f->synced == f->length)
        f->dirty_us = world_now();
    if (offset + length > f->length)
        f->length = offset + length;
    world_mix(bytes, length);
    return (ssize_t)length;
}

static int sync_fails(const struct machine *m)
{
    process_call();
    errno = EIO;
    return m->spoilt ? -1 : 0;
}

int raw_sync(int fd)
{
    struct kept *f = opened_of(fd)->file;
    if (sync_fails(process_current->machine))
        return -1;
    if (f)
        f->synced = f->length;
    return 0;
}

int raw_sync_all(int fd)
{
    struct machine *m = process_current->machine;
    (void)fd;
    if (sync_fails(m))
        return -1;
    for (struct kept *f = m->files; f; f = f->next)
        f->synced = f->length;
    return 0;
}

int raw_truncate(const char *path, uint64_t length)
{
    struct kept *f = find_kept(process_current->machine, path);
    process_call();
    if (f)
        f->length = length;
    if (f && f->synced > length)
        f->synced = length;
    return truncate(path, (off_t)length);
}

uint64_t raw_room(const char *folder)
{
    (void)folder;
    return process_current->machine->room;
}

void raw_close(int fd)
{
    world_close(NULL, fd);
}

bool raw_locked(void (*give)(void *ctx, uint64_t number), void *ctx)
{
    struct stat info;
    for (unsigned i = 0; i < open_count; i++) {
        const struct opened *o = &opened[i];
        if (o->locked && o->process && o->process->machine == process_current->machine &&
            fstat(o->fd, &info) == 0)
            give(ctx, info.st_ino);
    }
    return true;
}

uint64_t machine_synced(const struct machine *m, const char *path)
{
    const struct kept *f = find_kept(m, path);
    struct stat info;
    return f ? f->synced : stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
}

bool machine_locks(const struct machine *m)
{
    for (unsigned i = 0; i < open_count; i++)
        if (opened[i].locked && opened[i].process && opened[i].process->machine == m)
            return true;
    return false;
}

void disk_forget(struct process *p)
{
    for (unsigned i = 0; i < open_count;) {
        if (opened[i].process == p)
            world_close(NULL, opened[i].fd);
        else
            i++;
    }
}

/* What of a file is left: all that was synced, and up to all of the rest. */
static void lose(struct kept *f)
{
    if (world_now() > f->dirty_us + WRITTEN_US)
        f->synced = f->length;
    uint64_t unsynced = f->length - f->synced;
    uint64_t left = f->synced;
    uint8_t dirt[DIRT_MOST];
    if (unsynced && world_roll(3))
        left += world_roll(unsynced + 1);
    size_t torn = left < f->length && world_roll(4) == 0 ? 1 + world_roll(DIRT_MOST) : 0;
    if (torn > f->length - left)
        torn = f->length - left;
    bool zeros = world_roll(2);
    for (size_t i = 0; i < torn; i++)
        dirt[i] = zeros ? 0 : (uint8_t)world_roll(256);
    world_log(NULL, "%s keeps %llu of %llu bytes, of which %llu were synced, and %zu bytes of dirt",
              strrchr(f->path, '/') + 1, (unsigned long long)left, (unsigned long long)f->length,
              (unsigned long long)f->synced, torn);
    int fd = open(f->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)left) || write(fd, dirt, torn) != (ssize_t)torn)
        world_die("%s: %s", f->path, strerror(errno));
    close(fd);
    f->length = f->synced = left + torn;
}

void machine_wrote(struct machine *m, const char *path)
{
    struct stat info;
    for (struct kept *f = m->files; f; f = f->next)
        if (strcmp(f->path, path) == 0 && stat(path, &info) == 0)
            f->length = f->synced = (uint64_t)info.st_size;
}

void disk_lose(struct machine *m)
{
    for (struct kept *f = m->files; f; f = f->next)
        if (!f->folder && access(f->path, F_OK) == 0)
            lose(f);
}

/* The place where a stick comes is no part of a disk. */
static int wipe(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    return walk->level && strcmp(path + walk->base, "stick") != 0 ? remove(path) : 0;
}

void disk_wipe(struct machine *m)
{
    if (nftw(m->name, wipe, 16, FTW_DEPTH | FTW_PHYS))
        world_die("%s cannot be wiped", m->name);
    disk_free(m);
    m->files = NULL;
}

void disk_end(void)
{
    while (open_count)
        world_close(NULL, opened[0].fd);
}

void disk_free(struct machine *m)
{
    for (struct kept *f = m->files, *next; f; f = next) {
        next = f->next;
        free(f);
    }
}
