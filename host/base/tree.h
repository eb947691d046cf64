/* Visits the files of a folder and its subfolders. fts(3) of glibc 2.36 omits files on a 32-bit
 * system whose inode number or directory offset needs 64 bits. */
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include "base/status.h"

#include <sys/stat.h>

struct tree_at {
    const char *path;     /* the path of the walk's folder, then `relative` */
    const char *relative; /* the path below the walk's folder; "" for the folder itself */
    const char *name;     /* the last component of `path` */
    struct stat info;     /* of a link itself; of the target, if the walk's folder is a link */
    int error;            /* errno if the file could not be examined or the folder not be read; else
                           * 0 */
};

/* Calls `take` for each file and folder below `path`, in the order of names, and then for `path`
 * itself. A folder comes after its contents. No link below `path` is followed. A status of `take`
 * other than BL_OK ends the walk and is returned. BL_NOMEM; BL_USAGE: a path is too long. */
enum bl_status tree_walk(const char *path,
                         enum bl_status (*take)(void *ctx, const struct tree_at *at,
                                                struct bl_diag *diag),
                         void *ctx, struct bl_diag *diag);

#endif
