#include "desk/folder.h"

#include "base/file.h"

#include <errno.h>
#include <fts.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash + 1 - path) : 0;
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
            return file_fail(diag, part);
        if (!end)
            break;
        *at = end;
    }
    return status;
}

enum bl_status folder_remove(const char *path, struct bl_diag *diag)
{
    char part[FOLDER_PATH_MAX];
    enum bl_status status = folder_path(part, diag, "%s.part", path);
    if (status == BL_OK && unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR)
        status = file_fail(diag, path);
    if (status == BL_OK && unlink(part) != 0 && errno != ENOENT && errno != ENOTDIR)
        status = file_fail(diag, part);
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
                           enum bl_status (*unread)(void *ctx, const char *path,
                                                    const struct bl_diag *why),
                           void *ctx, struct bl_diag *diag)
{
    char *paths[] = {(char *)path, NULL};
    enum bl_status status = BL_OK;
    FTSENT *at;
    /* The folder that is named may be a link; what is found in it is not followed. */
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    if (!walk)
        return file_fail(diag, path);
    while (status == BL_OK && (at = fts_read(walk))) {
        if (at->fts_info == FTS_F)
            status = take(ctx, at->fts_path, at->fts_name, diag);
        else if (at->fts_info == FTS_DNR || at->fts_info == FTS_ERR || at->fts_info == FTS_NS) {
            struct bl_diag why;
            errno = at->fts_errno;
            status = file_fail(unread ? &why : diag, at->fts_path);
            if (unread)
                status = unread(ctx, at->fts_path, &why);
        }
    }
    fts_close(walk);
    return status;
}
