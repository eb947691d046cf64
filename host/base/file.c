#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* Reads a file to its end and closes the descriptor. */
static enum bl_status read_all(int fd, char **bytes, size_t *length, const char *path, size_t most,
                               const char *what, struct bl_diag *diag)
{
    enum bl_status status = BL_OK;
    size_t room = 0;
    ssize_t got = 1;
    while (status == BL_OK && got > 0 && *length <= most) {
        if (*length == room) { /* doubled: realloc() then copies seldom */
            room = room ? 2 * room : PORTION;
            room = room > most ? most + 1 : room;
            char *more = realloc(*bytes, room + 1);
            if (!more) {
                status = bl_fail(diag, BL_NOMEM, "%s: no memory", path);
                break;
            }
            *bytes = more;
        }
        do {
            got = read(fd, *bytes + *length, room - *length);
        } while (got < 0 && errno == EINTR);
        if (got < 0)
            status = file_fail(diag, path);
        else
            *length += (size_t)got;
    }
    if (status == BL_OK && *length > most)
        status = bl_fail(diag, BL_DATA, "%s: expected %s of at most %zu bytes", path, what, most);
    if (status == BL_OK)
        (*bytes)[*length] = '\0';
    close(fd);
    if (status != BL_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

enum bl_status file_read(char **bytes, size_t *length, const char *path, size_t most,
                         const char *what, struct bl_diag *diag)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *bytes = NULL;
    *length = 0;
    return fd < 0 ? file_fail(diag, path) : read_all(fd, bytes, length, path, most, what, diag);
}

enum bl_status file_read_plain(char **bytes, size_t *length, const char *path, size_t most,
                               const char *what, struct bl_diag *diag)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    *bytes = NULL;
    *length = 0;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
        return read_all(fd, bytes, length, path, most, what, diag);
    enum bl_status status = fd >= 0 || errno == ELOOP
                                ? bl_fail(diag, BL_DATA, "%s: expected %s, a file", path, what)
                                : file_fail(diag, path);
    if (fd >= 0)
        close(fd);
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

enum bl_status file_read_secret(char **text, const char *name, size_t most, const char *what,
                                struct bl_diag *diag)
{
    char path[PATH_MAX];
    bool given = strncmp(name, FILE_CREDENTIAL, sizeof FILE_CREDENTIAL - 1) == 0;
    const char *own = given ? name + sizeof FILE_CREDENTIAL - 1 : name;
    const char *folder = getenv("CREDENTIALS_DIRECTORY");
    if (given && (!folder || !*folder || !*own || *own == '.' || strchr(own, '/')))
        return bl_fail(
            diag, BL_NOINPUT,
            "%.80s: %s: expected credential:NAME in a unit with LoadCredential=NAME:FILE", name,
            what);
    snprintf(path, sizeof path, "%s%s%s", given ? folder : "", given ? "/" : "", own);
    enum bl_status status = file_read_text(text, path, most, what, diag);
    if (status == BL_OK)
        (*text)[strcspn(*text, "\r\n")] = '\0';
    return status;
}
