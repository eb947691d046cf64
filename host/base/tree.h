/* What lies in a folder and in those below it. So does fts(3), but where a pointer has 32 bits that
 * of glibc 2.36 leaves out, without a word, what has a number or a place of 64 on its disk. */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include "base/status.h"

#include <sys/stat.h>

struct tree_at {
    const char *path;     /* the folder's own, as it was given, and then the way down */
    const char *relative; /* the way down alone; "": the folder itself */
    const char *name;     /* the last part */
    struct stat info;     /* of a link its own; at the folder itself, of what that leads to */
    int error;            /* errno: it could not be looked at, or not be opened; 0: none */
};

/* Gives what there is, in the order of the names, links as such, a folder after all that is in it;
 * or the one file that `path` is. What `take` returns ends it. BL_NOMEM; BL_USAGE: a path is too
 * long. */
enum bl_status tree_walk(const char *path,
                         enum bl_status (*take)(void *ctx, const struct tree_at *at,
                                                struct bl_diag *diag),
                         void *ctx, struct bl_diag *diag);

#endif
