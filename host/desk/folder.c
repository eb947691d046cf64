#include "desk/folder.h"

#include "base/file.h"
#include "base/name.h"
#include "base/tree.h"

#include <errno.h>
#include <stdarg.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
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
        if (mkdir(part, 0700) == 0)
            status = file_sync_name(part, diag);
        else if (errno != EEXIST)
            status = file_fail(diag, part);
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

struct folder_files {
    enum bl_status (*take)(void *ctx, const char *path, const char *name, struct bl_diag *diag);
    enum bl_status (*unread)(void *ctx, const char *path, const struct bl_diag *why);
    void *ctx;
};

static enum bl_status give_file(void *ctx, const struct tree_at *at, struct bl_diag *diag)
{
    const struct folder_files *files = ctx;
    if (at->error) {
        struct bl_diag why;
        errno = at->error;
        enum bl_status status = file_fail(files->unread ? &why : diag, at->path);
        return files->unread ? files->unread(files->ctx, at->path, &why) : status;
    }
    return S_ISREG(at->info.st_mode) ? files->take(files->ctx, at->path, at->name, diag) : BL_OK;
}

enum bl_status folder_walk(const char *path,
                           enum bl_status (*take)(void *ctx, const char *path, const char *name,
                                                  struct bl_diag *diag),
                           enum bl_status (*unread)(void *ctx, const char *path,
                                                    const struct bl_diag *why),
                           void *ctx, struct bl_diag *diag)
{
    struct folder_files files = {take, unread, ctx};
    return tree_walk(path, give_file, &files, diag);
}

const char *folder_names(const char *folder, const char *name, char path[FOLDER_PATH_MAX])
{
    char whole[PATH_MAX];
    if (!name_ends(name, ".ini") || strcmp(folder, ".") == 0 || !realpath(name, whole) ||
        strlen(whole) >= FOLDER_PATH_MAX)
        return name;
    return strcpy(path, whole);
}
