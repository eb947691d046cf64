#include "desk/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum bl_status fail(struct bl_diag *diag, const char *path)
{
    int code = errno;
    return bl_fail(diag,
                   code == EACCES || code == EPERM || code == EROFS ? BL_NOPERM
                   : code == ENOENT                                 ? BL_NOINPUT
                   : code == ENOSPC                                 ? BL_FULL
                                                                    : BL_IO,
                   "%s: %s", path, strerror(code));
}

enum bl_status folder_path(char out[FOLDER_PATH_MAX], struct bl_diag *diag, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(out, FOLDER_PATH_MAX, format, list);
    va_end(list);
    return length < FOLDER_PATH_MAX
               ? BL_OK
               : bl_fail(diag, BL_USAGE, "%.60s...: the path is too long", out);
}

enum bl_status folder_make(const char *path, struct bl_diag *diag)
{
    char part[FOLDER_PATH_MAX];
    enum bl_status status = folder_path(part, diag, "%s", path);
    for (char *at = part + 1; status == BL_OK && *path; at++) {
        char end = *at;
        if (end && end != '/')
            continue;
        *at = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST)
            return fail(diag, part);
        if (!end)
            break;
        *at = end;
    }
    return status;
}

static bool write_all(int fd, const char *bytes, size_t length)
{
    while (length) {
        ssize_t n = write(fd, bytes, length);
        if (n < 0 && errno != EINTR)
            return false;
        bytes += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

enum bl_status folder_write(const char *path, const void *bytes, size_t length,
                            struct bl_diag *diag)
{
    char part[FOLDER_PATH_MAX];
    enum bl_status status = folder_path(part, diag, "%s.part", path);
    if (status != BL_OK)
        return status;
    if (unlink(part) != 0 && errno != ENOENT)
        return fail(diag, part);
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail(diag, part);
    bool written = write_all(fd, bytes, length) && fsync(fd) == 0;
    if (!written)
        status = fail(diag, part);
    if (close(fd) != 0 && written)
        status = fail(diag, part);
    if (status == BL_OK && rename(part, path) != 0)
        status = fail(diag, path);
    if (status != BL_OK)
        unlink(part);
    return status;
}

enum bl_status folder_sync(const char *path, struct bl_diag *diag)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return fail(diag, path);
    enum bl_status status = fsync(fd) == 0 ? BL_OK : fail(diag, path);
    close(fd);
    return status;
}

enum bl_status folder_read(char **bytes, size_t *length, const char *path, size_t most,
                           struct bl_diag *diag)
{
    FILE *file = fopen(path, "re");
    struct stat about;
    *bytes = NULL;
    *length = 0;
    if (!file)
        return fail(diag, path);
    enum bl_status status = fstat(fileno(file), &about) == 0 ? BL_OK : fail(diag, path);
    if (status == BL_OK && !S_ISREG(about.st_mode))
        status = bl_fail(diag, BL_NOINPUT, "%s is no file", path);
    if (status == BL_OK && (size_t)about.st_size > most)
        status = bl_fail(diag, BL_DATA, "%s: longer than %zu bytes", path, most);
    size_t room = (size_t)about.st_size;
    if (status == BL_OK && !(*bytes = malloc(room + 1)))
        status = bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK) {
        *length = fread(*bytes, 1, room, file);
        (*bytes)[*length] = '\0';
        if (ferror(file))
            status = fail(diag, path);
    }
    fclose(file);
    if (status != BL_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

enum bl_status folder_remove(const char *path, struct bl_diag *diag)
{
    char part[FOLDER_PATH_MAX];
    enum bl_status status = folder_path(part, diag, "%s.part", path);
    if (status == BL_OK && unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR)
        status = fail(diag, path);
    if (status == BL_OK && unlink(part) != 0 && errno != ENOENT && errno != ENOTDIR)
        status = fail(diag, part);
    return status;
}

bool folder_has(const char *path)
{
    return access(path, F_OK) == 0;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

enum bl_status folder_walk(const char *path,
                           enum bl_status (*take)(void *ctx, const char *path, const char *name,
                                                  struct bl_diag *diag),
                           void *ctx, struct bl_diag *diag)
{
    char *paths[] = {(char *)path, NULL};
    enum bl_status status = BL_OK;
    FTSENT *at;
    /* The folder that is named may be a link; what is found in it is not followed. */
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    if (!walk)
        return fail(diag, path);
    while (status == BL_OK && (at = fts_read(walk))) {
        if (at->fts_info == FTS_F)
            status = take(ctx, at->fts_path, at->fts_name, diag);
        else if (at->fts_info == FTS_DNR || at->fts_info == FTS_ERR || at->fts_info == FTS_NS) {
            errno = at->fts_errno;
            status = fail(diag, at->fts_path);
        }
    }
    fts_close(walk);
    return status;
}
