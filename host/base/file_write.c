#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum bl_status file_sync_folder(const char *folder, struct bl_diag *diag)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return file_fail(diag, folder);
    enum bl_status status = fsync(fd) == 0 || errno == EINVAL ? BL_OK : file_fail(diag, folder);
    close(fd);
    return status;
}

enum bl_status file_sync_name(const char *path, struct bl_diag *diag)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash == path ? 1 : slash ? (int)(slash - path) : 1;
    snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".");
    return file_sync_folder(folder, diag);
}

static bool write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(fd, bytes, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

enum bl_status file_sync_all(const char *folder, struct bl_diag *diag)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum bl_status status = fd < 0 || syncfs(fd) ? file_fail(diag, folder) : BL_OK;
    if (fd >= 0)
        close(fd);
    return status;
}

static enum bl_status put(const char *path, const void *bytes, size_t length, bool synced,
                          struct bl_diag *diag)
{
    char part[PATH_MAX];
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return bl_fail(diag, BL_USAGE, "%.60s...: the path is too long", path);
    if (unlink(part) != 0 && errno != ENOENT)
        return file_fail(diag, part);
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return file_fail(diag, path);
    bool whole = write_all(fd, bytes, length) && (!synced || fsync(fd) == 0);
    enum bl_status status = whole ? BL_OK : file_fail(diag, path);
    if (close(fd) != 0 && status == BL_OK)
        status = file_fail(diag, path);
    if (status == BL_OK && rename(part, path) != 0)
        status = file_fail(diag, path);
    if (status != BL_OK)
        unlink(part);
    return status;
}

enum bl_status file_put(const char *path, const void *bytes, size_t length, struct bl_diag *diag)
{
    return put(path, bytes, length, false, diag);
}

enum bl_status file_write(const char *path, const void *bytes, size_t length, struct bl_diag *diag)
{
    enum bl_status status = put(path, bytes, length, true, diag);
    return status == BL_OK ? file_sync_name(path, diag) : status;
}
