/* Walks the files of a folder and its subfolders. fts(3) of glibc 2.36 on 32 bits silently omits
 * files whose inode number or offset needs 64 bits. */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include "base/status.h"

#include <sys/stat.h>

struct tree_at {
    const char *path;     /* the caller's path of the folder, then the path below */
    const char *relative; /* the path below alone; "" for the folder itself */
    const char *name;     /* the last component of the path */
    struct stat info;     /* a link's own; for the folder itself the link's target */
    int error;            /* errno if the file could not be examined or opened; 0: none */
};

/* Calls `take` for all files in the order of names, or for `path` itself if it is a file. Links are
 * not followed; a folder comes after its contents. A status of `take` other than BL_OK ends the
 * walk. BL_NOMEM; BL_USAGE if a path is too long. */
enum bl_status tree_walk(const char *path,
                         enum bl_status (*take)(void *ctx, const struct tree_at *at,
                                                struct bl_diag *diag),
                         void *ctx, struct bl_diag *diag);

#endif
