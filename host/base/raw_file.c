#include "base/raw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

int raw_open(const char *path, bool write)
{
    return write ? open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)
                 : open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

int raw_lock(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

ssize_t raw_write(int fd, const void *bytes, size_t length, uint64_t offset)
{
    return pwrite(fd, bytes, length, (off_t)offset);
}

int raw_sync(int fd)
{
    return fsync(fd);
}

int raw_sync_all(int fd)
{
    return syncfs(fd);
}

int raw_truncate(const char *path, uint64_t length)
{
    struct stat info;
    if (stat(path, &info) || truncate(path, (off_t)length))
        return -1;
    const struct timespec times[] = {info.st_atim, info.st_mtim};
    utimensat(AT_FDCWD, path, times, 0);
    return 0;
}

uint64_t raw_room(const char *folder)
{
    struct statvfs disk;
    return statvfs(folder, &disk) == 0 ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX;
}

void raw_close(int fd)
{
    close(fd);
}

bool raw_locked(void (*give)(void *ctx, uint64_t number), void *ctx)
{
    FILE *locks = fopen("/proc/locks", "re");
    char line[256];
    unsigned long long number;
    if (!locks)
        return false;
    while (fgets(line, sizeof line, locks))
        if (sscanf(line, "%*s FLOCK %*s %*s %*d %*x:%*x:%llu", &number) == 1)
            give(ctx, number);
    fclose(locks);
    return true;
}
