/* In the place of host/base/file_write.c: whole files, which a kill or a power cut may find between
 * any two steps. What came under its name, and its folder was not synced since, a power cut leaves
 * as it was before or as it is. */
#include "world_private.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OLD_MOST (1u << 26)

/* A file as it was before it was written. */
struct unsynced {
    struct unsynced *next;
    char path[PATH_MAX];
    char *old; /* NULL: it was not there */
    size_t length;
};
static struct unsynced *unsynced;

static void drop(struct unsynced **at)
{
    struct unsynced *u = *at;
    *at = u->next;
    free(u->old);
    free(u);
}

static void put(const char *path, const void *bytes, size_t length)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, bytes, length) != (ssize_t)length)
        world_die("%s: %s", path, strerror(errno));
    close(fd);
}

static void remember(const char *path)
{
    struct unsynced *u = calloc(1, sizeof *u);
    snprintf(u->path, sizeof u->path, "%s", path);
    file_read(&u->old, &u->length, path, OLD_MOST, "a file", NULL);
    u->next = unsynced;
    unsynced = u;
}

void files_lose(const char *below)
{
    for (struct unsynced **at = &unsynced; *at;) {
        struct unsynced *u = *at;
        if (strncmp(u->path, below, strlen(below)) != 0) {
            at = &u->next;
            continue;
        }
        bool keeps = world_roll(2);
        world_log(NULL, "%s is %s", u->path, keeps ? "new" : "as before");
        if (!keeps && u->old)
            put(u->path, u->old, u->length);
        else if (!keeps)
            unlink(u->path);
        drop(at);
    }
}

void files_end(void)
{
    while (unsynced)
        drop(&unsynced);
}

static bool is_in(const char *path, const char *folder)
{
    const char *slash = strrchr(path, '/');
    size_t length = strlen(folder);
    return slash && (size_t)(slash - path) == length && strncmp(path, folder, length) == 0;
}

enum bl_status file_sync_folder(const char *folder, struct bl_diag *diag)
{
    process_call();
    if (access(folder, F_OK) != 0)
        return file_fail(diag, folder);
    for (struct unsynced **at = &unsynced; *at;) {
        if (is_in((*at)->path, folder))
            drop(at);
        else
            at = &(*at)->next;
    }
    return BL_OK;
}

enum bl_status file_sync_name(const char *path, struct bl_diag *diag)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    return file_sync_folder(folder, diag);
}

/* Tells the watches of the machine's folder below /run. */
static void tell_run(const struct machine *m, const char *path)
{
    char run[sizeof m->name + 8];
    snprintf(run, sizeof run, "%s/" MACHINE_RUN, m ? m->name : "");
    if (m && strncmp(path, run, strlen(run)) == 0)
        loops_tell(m, run, MACHINE_RUN);
}

enum bl_status file_sync_all(const char *folder, struct bl_diag *diag)
{
    const size_t length = strlen(folder);
    process_call();
    if (access(folder, F_OK) != 0)
        return file_fail(diag, folder);
    for (struct unsynced **at = &unsynced; *at;) {
        if (strncmp((*at)->path, folder, length) == 0 && (*at)->path[length] == '/')
            drop(at);
        else
            at = &(*at)->next;
    }
    return BL_OK;
}

enum bl_status file_put(const char *path, const void *bytes, size_t length, struct bl_diag *diag)
{
    struct machine *m = process_current ? process_current->machine : NULL;
    bool fills = m && m->room != UINT64_MAX && !strstr(path, "/stick/");
    char part[PATH_MAX];
    process_call();
    if (fills && m->room < length)
        return bl_fail(diag, BL_FULL, "%s: %s", path, strerror(ENOSPC));
    if (m && m->spoilt)
        return bl_fail(diag, BL_IO, "%s: %s", path, strerror(EIO));
    snprintf(part, sizeof part, "%s.part", path);
    unlink(part);
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return file_fail(diag, path);
    if (write(fd, bytes, length) != (ssize_t)length)
        world_die("%s is not written", part);
    close(fd);
    process_call();
    remember(path);
    if (rename(part, path)) {
        drop(&unsynced);
        return file_fail(diag, path);
    }
    if (fills)
        m->room -= length;
    world_mix(bytes, length);
    tell_run(m, path);
    return BL_OK;
}

enum bl_status file_write(const char *path, const void *bytes, size_t length, struct bl_diag *diag)
{
    enum bl_status status = file_put(path, bytes, length, diag);
    return status == BL_OK ? file_sync_name(path, diag) : status;
}
