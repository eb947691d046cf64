#include "link/key_file.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Gives the complete file its name, and does not replace another file. */
static enum bl_status put_in_place(const char *part, const char *path, struct bl_diag *diag)
{
    int result = renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE);
    if (result && errno == EINVAL) /* the file system has no such call */
        result = access(path, F_OK) == 0 ? (errno = EEXIST, -1) : rename(part, path);
    if (result && errno == EEXIST)
        return bl_fail(diag, BL_USAGE, "%s is there already: remove it first, or name another file",
                       path);
    return result ? file_fail(diag, path) : BL_OK;
}

enum bl_status key_file_write(const char *path, const char *text, size_t length, bool secret,
                              struct bl_diag *diag)
{
    const mode_t mode = secret ? 0600 : 0644;
    char part[PATH_MAX];
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return bl_fail(diag, BL_USAGE, "%.60s...: the path is too long", path);
    if (unlink(part) && errno != ENOENT)
        return file_fail(diag, part);
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd < 0)
        return file_fail(diag, path);
    enum bl_status status = BL_OK;
    if (fchmod(fd, mode) || write(fd, text, length) != (ssize_t)length || fsync(fd))
        status = file_fail(diag, path);
    if (close(fd) && !status)
        status = file_fail(diag, path);
    if (!status)
        status = put_in_place(part, path, diag);
    if (status)
        unlink(part);
    return status ? status : file_sync_name(path, diag);
}

static enum bl_status check(int fd, const char *path, bool secret, struct bl_diag *diag)
{
    struct stat stat;
    if (fstat(fd, &stat))
        return bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(stat.st_mode))
        return bl_fail(diag, BL_DATA, "%s is no file: 'boothlink key new FILE' makes one", path);
    if (secret && stat.st_uid != geteuid())
        return bl_fail(diag, BL_NOPERM,
                       "%s belongs to another user: a key file must be of who uses it ('chown "
                       "%u %s')",
                       path, geteuid(), path);
    if (secret && stat.st_mode & 077)
        return bl_fail(diag, BL_NOPERM,
                       "%s: others may read or write this key file (mode %04o); 'chmod 600 %s', or "
                       "make a new one if they may have read it",
                       path, (unsigned)stat.st_mode & 07777, path);
    return BL_OK;
}

enum bl_status key_file_read(const char *path, char *text, size_t size, size_t *length, bool secret,
                             struct bl_diag *diag)
{
    enum bl_status status;
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    memset(text, 0, size);
    if (fd < 0 && errno == ENOENT)
        return bl_fail(diag, BL_NOINPUT, "there is no key file %s: 'boothlink key' makes one",
                       path);
    if (fd < 0)
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_NOINPUT, "%s: %s", path,
                       strerror(errno));
    status = check(fd, path, secret, diag);
    if (!status) {
        n = read(fd, text, size - 1);
        if (n < 0)
            status = bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
        *length = n < 0 ? 0 : (size_t)n;
        char more;
        if (!status && *length == size - 1 && read(fd, &more, 1) > 0)
            status = bl_fail(diag, BL_DATA, "%s is longer than any key: 'boothlink key' makes one",
                             path);
    }
    close(fd);
    return status;
}
