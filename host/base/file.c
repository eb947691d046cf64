#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PORTION 65536u

enum bl_status file_fail(struct bl_diag *diag, const char *path)
{
    int code = errno;
    return bl_fail(diag,
                   code == EACCES || code == EPERM || code == EROFS ? BL_NOPERM
                   : code == ENOENT || code == ENOTDIR              ? BL_NOINPUT
                   : code == ENOSPC                                 ? BL_FULL
                                                                    : BL_IO,
                   "%s: %s", path, strerror(code));
}

enum bl_status file_read(char **bytes, size_t *length, const char *path, size_t most,
                         const char *what, struct bl_diag *diag)
{
    FILE *file = fopen(path, "re");
    enum bl_status status = file ? BL_OK : file_fail(diag, path);
    *bytes = NULL;
    *length = 0;
    while (status == BL_OK && !feof(file) && *length <= most) {
        char *more = realloc(*bytes, *length + PORTION + 1);
        if (!more) {
            status = bl_fail(diag, BL_NOMEM, "%s: no memory", path);
            break;
        }
        *bytes = more;
        *length += fread(more + *length, 1, PORTION, file);
        if (ferror(file))
            status = file_fail(diag, path);
    }
    if (status == BL_OK && *length > most)
        status = bl_fail(diag, BL_DATA, "%s: expected %s of at most %zu bytes", path, what, most);
    if (status == BL_OK)
        (*bytes)[*length] = '\0';
    if (file)
        fclose(file);
    if (status != BL_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

enum bl_status file_read_text(char **text, const char *path, size_t most, const char *what,
                              struct bl_diag *diag)
{
    size_t length;
    enum bl_status status = file_read(text, &length, path, most, what, diag);
    if (status != BL_OK || !memchr(*text, '\0', length))
        return status;
    free(*text);
    *text = NULL;
    return bl_fail(diag, BL_DATA, "%s: expected %s, and there is a zero byte in it", path, what);
}

enum bl_status file_sync_folder(const char *folder, struct bl_diag *diag)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return file_fail(diag, folder);
    enum bl_status status = fsync(fd) == 0 ? BL_OK : file_fail(diag, folder);
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
