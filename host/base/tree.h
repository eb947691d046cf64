/* The files in a folder and in those below it. On 32 bits fts(3) of glibc 2.36 silently leaves out
 * files with an inode number or an offset of 64 bits. */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include "base/status.h"

#include <sys/stat.h>

struct tree_at {
    const char *path;     /* the folder's own, as it was given, and then the way down */
    const char *relative; /* the way down alone; "": the folder itself */
    const char *name;     /* the last part */
    struct stat info;     /* of a link its own; at the folder itself, of the link's target */
    int error;            /* errno: it could not be looked at, or not be opened; 0: none */
};

/* Gives all files in the order of the names, links as such, a folder after its contents; or the one
 * file that `path` is. A status of `take` other than BL_OK ends the walk. BL_NOMEM; BL_USAGE: a
 * path is too long. */
enum bl_status tree_walk(const char *path,
                         enum bl_status (*take)(void *ctx, const struct tree_at *at,
                                                struct bl_diag *diag),
                         void *ctx, struct bl_diag *diag);

#endif
