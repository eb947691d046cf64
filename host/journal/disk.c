#include "journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static enum bl_status status_of(int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return BL_NOINPUT;
    case EACCES:
    case EPERM:
    case EROFS:
        return BL_NOPERM;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return BL_FULL;
    case EISDIR:
    case ENXIO:
        return BL_DATA;
    default:
        return BL_IO;
    }
}

/* Syncs the directory of a path; a new name may be lost before. */
static enum bl_status sync_directory(const char *path)
{
    char copy[PATH_MAX];
    int fd, result;
    snprintf(copy, sizeof copy, "%s", path);
    fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return status_of(errno);
    result = fsync(fd);
    close(fd);
    return result ? BL_IO : BL_OK;
}

static enum bl_status real_open(void *ctx, const char *path, enum disk_mode mode, int *out,
                                uint64_t *length)
{
    /* O_NONBLOCK: if somebody has put a named pipe there, opening it must not block. */
    int flags = (mode == DISK_READ ? O_RDONLY : O_RDWR | O_APPEND) | O_CLOEXEC | O_NONBLOCK;
    enum bl_status status = BL_OK;
    struct stat st;
    (void)ctx;
    int fd = open(path, flags);
    if (fd < 0 && errno == ENOENT && mode == DISK_CREATE) {
        fd = open(path, flags | O_CREAT, 0600);
        if (fd >= 0)
            status = sync_directory(path);
    }
    if (fd < 0)
        return status_of(errno);
    if (status == BL_OK && fstat(fd, &st))
        status = BL_IO;
    if (status == BL_OK && !S_ISREG(st.st_mode))
        status = BL_DATA;
    if (status != BL_OK) {
        close(fd);
        return status;
    }
    *out = fd;
    *length = (uint64_t)st.st_size;
    return BL_OK;
}

/* Finds the holder of the lock in the kernel's list of locks. Compares inode numbers: on some file
 * systems the list and fstat() have different devices. */
static void name_holder(int fd, char holder[DISK_HOLDER_MAX])
{
    FILE *locks = fopen("/proc/locks", "re");
    struct stat st;
    char line[256];
    snprintf(holder, DISK_HOLDER_MAX, "another program");
    if (!locks)
        return;
    while (fstat(fd, &st) == 0 && fgets(line, sizeof line, locks)) {
        char path[32], name[32] = "";
        unsigned long long inode;
        int pid;
        if (sscanf(line, "%*s FLOCK %*s %*s %d %*x:%*x:%llu", &pid, &inode) != 2 ||
            inode != st.st_ino || pid <= 0)
            continue;
        snprintf(path, sizeof path, "/proc/%d/comm", pid);
        FILE *comm = fopen(path, "re");
        if (comm) {
            if (fgets(name, sizeof name, comm))
                name[strcspn(name, "\n")] = '\0';
            fclose(comm);
        }
        snprintf(holder, DISK_HOLDER_MAX, "%s, pid %d", name[0] ? name : "a program", pid);
        break;
    }
    fclose(locks);
}

static enum bl_status real_lock(void *ctx, int fd, char holder[DISK_HOLDER_MAX])
{
    (void)ctx;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return BL_OK;
    if (errno != EWOULDBLOCK)
        return BL_IO;
    name_holder(fd, holder);
    return BL_BUSY;
}

static enum bl_status real_append(void *ctx, int fd, const void *bytes, size_t length)
{
    struct stat st;
    ssize_t n;
    (void)ctx;
    do
        n = write(fd, bytes, length);
    while (n < 0 && errno == EINTR);
    if (n == (ssize_t)length)
        return BL_OK;
    if (n < 0)
        return status_of(errno);
    /* A short write: the disk has no room for the rest. */
    if (fstat(fd, &st) || ftruncate(fd, st.st_size - n))
        return BL_IO;
    return BL_FULL;
}

static enum bl_status real_read(void *ctx, int fd, uint64_t offset, void *bytes, size_t *length)
{
    ssize_t n;
    (void)ctx;
    do
        n = pread(fd, bytes, *length, (off_t)offset);
    while (n < 0 && errno == EINTR);
    *length = n < 0 ? 0 : (size_t)n;
    return n < 0 ? BL_IO : BL_OK;
}

static enum bl_status real_truncate(void *ctx, int fd, uint64_t length)
{
    (void)ctx;
    return ftruncate(fd, (off_t)length) ? status_of(errno) : BL_OK;
}

static enum bl_status real_reserve(void *ctx, int fd, uint64_t length)
{
    (void)ctx;
    if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)length) == 0)
        return BL_OK;
    return status_of(errno) == BL_FULL ? BL_FULL : BL_OK;
}

static enum bl_status real_sync(void *ctx, int fd)
{
    (void)ctx;
    return fdatasync(fd) ? BL_IO : BL_OK;
}

static uint64_t real_room(void *ctx, int fd)
{
    struct statvfs fs;
    (void)ctx;
    if (fstatvfs(fd, &fs))
        return UINT64_MAX; /* unknown: no warning */
    return (uint64_t)fs.f_bavail * fs.f_frsize;
}

static void real_close(void *ctx, int fd)
{
    (void)ctx;
    close(fd);
}

const struct disk disk_real = {
    .open = real_open,
    .lock = real_lock,
    .append = real_append,
    .read = real_read,
    .truncate = real_truncate,
    .reserve = real_reserve,
    .sync = real_sync,
    .room = real_room,
    .close = real_close,
};
