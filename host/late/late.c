#include "late/late.h"

#include "gen/late.h" /* LATE_FILE_PCAP ...: file names from the linker */
#include "late/libraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* For each library: its functions' names, in the order of its table. */
#define NAME(prefix, name)      #prefix #name "\0"
#define TABLE(library, LIBRARY) struct late_##library late_##library;
LATE_LIBRARIES(TABLE)

#define ROW(library, LIBRARY) {LATE_FILE_##LIBRARY, LATE_##LIBRARY(NAME), &late_##library, false},
static struct library {
    const char *file;
    const char *names; /* ends with an empty name */
    void *table;
    bool loaded;
} libraries[] = {LATE_LIBRARIES(ROW)};

static enum bl_status load(struct library *library, struct bl_diag *diag)
{
    char *next = library->table;
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return bl_fail(diag, BL_UNAVAIL, "%s: install its package", dlerror());
    for (const char *name = library->names; *name; name += strlen(name) + 1) {
        void *found = dlsym(handle, name);
        if (!found)
            return bl_fail(diag, BL_UNAVAIL, "%s: install its package again", dlerror());
        memcpy(next, &found, sizeof found);
        next += sizeof found;
    }
    library->loaded = true;
    return BL_OK;
}

enum bl_status late_load(void *table, struct bl_diag *diag)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    enum bl_status status = BL_OK;
    size_t i = 0;
    while (libraries[i].table != table)
        i++;
    pthread_mutex_lock(&lock);
    if (!libraries[i].loaded)
        status = load(&libraries[i], diag);
    pthread_mutex_unlock(&lock);
    return status;
}
