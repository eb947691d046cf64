#include "tests/support/memory_folder.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char root[64];

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info, (void)type;
    return at->level ? remove(path) : 0;
}

void memory_folder_empty(const char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void on_exit_remove(void)
{
    memory_folder_empty(root);
    rmdir(root);
}

const char *memory_folder_begin(const char *name, int *before)
{
    *before = open(".", O_PATH | O_CLOEXEC);
    snprintf(root, sizeof root, "/dev/shm/%.30s.XXXXXX", name);
    if (!mkdtemp(root)) {
        snprintf(root, sizeof root, "/tmp/%.30s.XXXXXX", name);
        if (!mkdtemp(root))
            abort();
    }
    if (*before < 0 || chdir(root) || atexit(on_exit_remove))
        abort();
    return root;
}
