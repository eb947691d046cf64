#include "base/tree.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct tree_walk {
    enum bl_status (*take)(void *ctx, const struct tree_at *at, struct bl_diag *diag);
    void *ctx;
    size_t top;          /* length of the path of the walk's folder */
    char path[PATH_MAX]; /* the current path; all depths of the walk share it, to save stack */
};

static int is_inside(const struct dirent *found)
{
    return strcmp(found->d_name, ".") != 0 && strcmp(found->d_name, "..") != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static enum bl_status visit(struct tree_walk *walk, size_t length, struct bl_diag *diag);

static enum bl_status visit_one(struct tree_walk *walk, size_t length, const char *name,
                                struct bl_diag *diag)
{
    size_t slash = walk->path[length - 1] != '/', more = strlen(name);
    if (length + slash + more >= sizeof walk->path)
        return bl_fail(diag, BL_USAGE, "%.60s...: the path is too long", walk->path);
    memcpy(walk->path + length, "/", slash);
    memcpy(walk->path + length + slash, name, more + 1);
    enum bl_status status = visit(walk, length + slash + more, diag);
    walk->path[length] = '\0';
    return status;
}

/* Visits the contents of the folder at walk->path. Sets *error to errno if the folder cannot be
 * read. */
static enum bl_status visit_inside(struct tree_walk *walk, size_t length, int *error,
                                   struct bl_diag *diag)
{
    struct dirent **found;
    enum bl_status status = BL_OK;
    int count = scandir(walk->path, &found, is_inside, by_name);
    if (count < 0) {
        *error = errno;
        return errno == ENOMEM ? bl_fail(diag, BL_NOMEM, "%s: no memory", walk->path) : BL_OK;
    }
    for (int i = 0; i < count && !status; i++)
        status = visit_one(walk, length, found[i]->d_name, diag);
    for (int i = 0; i < count; i++)
        free(found[i]);
    free(found);
    return status;
}

static enum bl_status visit(struct tree_walk *walk, size_t length, struct bl_diag *diag)
{
    bool top = length == walk->top;
    const char *slash;
    struct tree_at at = {.error = 0};
    if ((top ? stat : lstat)(walk->path, &at.info))
        at.error = errno;
    enum bl_status status =
        !at.error && S_ISDIR(at.info.st_mode) ? visit_inside(walk, length, &at.error, diag) : BL_OK;
    slash = strrchr(walk->path, '/');
    at.path = walk->path;
    at.name = slash ? slash + 1 : walk->path;
    at.relative = top ? "" : walk->path + walk->top + (walk->path[walk->top] == '/');
    return status ? status : walk->take(walk->ctx, &at, diag);
}

enum bl_status tree_walk(const char *path,
                         enum bl_status (*take)(void *ctx, const struct tree_at *at,
                                                struct bl_diag *diag),
                         void *ctx, struct bl_diag *diag)
{
    struct tree_walk walk = {.take = take, .ctx = ctx, .top = strlen(path)};
    if (walk.top >= sizeof walk.path)
        return bl_fail(diag, BL_USAGE, "%.60s...: the path is too long", path);
    memcpy(walk.path, path, walk.top + 1);
    while (walk.top > 1 && walk.path[walk.top - 1] == '/')
        walk.path[--walk.top] = '\0';
    return visit(&walk, walk.top, diag);
}
