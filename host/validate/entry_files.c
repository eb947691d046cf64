#include "validate/entry_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DEPTH_MOST 4u
#define COUNT_MOST 1000u

DIR *entry_folder(int parent, const char *path)
{
    int fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (!folder && fd >= 0)
        close(fd);
    return folder;
}

char *entry_file(int folder, const char *name, size_t *length)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char *bytes = malloc(ENTRY_FILE_MOST + 1);
    ssize_t n;
    *length = 0;
    while (fd >= 0 && bytes && *length < ENTRY_FILE_MOST &&
           (n = read(fd, bytes + *length, ENTRY_FILE_MOST - *length)) > 0)
        *length += (size_t)n;
    if (fd >= 0)
        close(fd);
    if (bytes)
        bytes[*length] = '\0';
    return bytes;
}

static void file_found(struct files *files, const char *before, const char *name)
{
    if (files->count < FILES_MOST)
        snprintf(files->name[files->count], sizeof files->name[0], "%s%s", before, name);
    files->count++;
}

/* overlayfs represents a deleted file as a character device 0:0. */
static bool is_deleted(const struct stat *found)
{
    return S_ISCHR(found->st_mode) && found->st_rdev == makedev(0, 0);
}

/* Lists the files below a folder: the present ones; with `deleted`, the deleted ones. Bounded,
 * since the program may still write. */
static void files_find(struct files *files, bool deleted, int parent, const char *path,
                       const char *before, unsigned depth)
{
    DIR *dir = entry_folder(parent, path);
    struct dirent *listed;
    if (!dir)
        return;
    while (files->count < COUNT_MOST && (listed = readdir(dir))) {
        struct stat found;
        char below[300];
        if (strcmp(listed->d_name, ".") == 0 || strcmp(listed->d_name, "..") == 0 ||
            fstatat(dirfd(dir), listed->d_name, &found, AT_SYMLINK_NOFOLLOW))
            continue;
        snprintf(below, sizeof below, "%s%s/", before, listed->d_name);
        if (S_ISDIR(found.st_mode)) {
            if (depth < DEPTH_MOST)
                files_find(files, deleted, dirfd(dir), listed->d_name, below, depth + 1);
        } else if (deleted == is_deleted(&found)) {
            file_found(files, before, listed->d_name);
        }
    }
    closedir(dir);
}

void interview_files(struct validate *v)
{
    static const char *const places[][2] = {
        {"tmp", "/tmp/"}, {"vartmp", "/var/tmp/"}, {"shm", "/dev/shm/"}};
    struct remains *r = &v->remains;
    int stage, written;
    memset(&r->outside, 0, sizeof r->outside);
    memset(&r->deleted, 0, sizeof r->deleted);
    interview_ended_by(v); /* a file that the program removes at its end is not left */
    stage = sandbox_stage_fd(actor_sandbox(v->entry));
    written = sandbox_written_fd(actor_sandbox(v->entry));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        files_find(&r->outside, false, stage, places[i][0], places[i][1], 0);
    r->overlay = written >= 0;
    if (r->overlay)
        files_find(&r->deleted, true, written, ".", "", 0);
    r->files_known = true;
    interview_end(v);
}

static void files_tell(const struct files *files, struct finding *f)
{
    for (unsigned i = 0; i < files->count && i < FILES_MOST; i++)
        finding_quote(f, "", files->name[i], strlen(files->name[i]), 150);
    if (files->count > FILES_MOST)
        finding_evidence(f, "and %u more", files->count - FILES_MOST);
}

/* Uses the files that start.folder found, or looks anew. */
static bool files_look(struct validate *v)
{
    if (v->remains.files_known && v->finding->runs == 0)
        return true;
    if (!interview_start(v, true) || !interview_ask(v, interview_line(v)))
        return false;
    interview_files(v);
    return true;
}

ENTRY_CHECK(entry_files_outside)
{
    const struct files *files = &v->remains.outside;
    if (!files_look(v))
        return;
    if (!files->count) {
        finding_pass(f, "leaves no file outside its folder");
        return;
    }
    finding_broken(f, "it leaves files outside its folder");
    finding_expected(f, "files in its folder alone");
    finding_came(f, "%u file%s elsewhere (/tmp/home was its home, /tmp/elsewhere/entry its folder)",
                 files->count, BL_S(files->count));
    files_tell(files, f);
}

ENTRY_CHECK(entry_files_folder)
{
    const struct files *files = &v->remains.deleted;
    if (!files_look(v))
        return;
    if (!v->remains.overlay) {
        finding_skip(f, "needs overlayfs");
        return;
    }
    if (!files->count) {
        finding_pass(f, "its folder is whole afterwards");
        return;
    }
    finding_broken(f, "it deletes files that belong to it");
    finding_expected(f, "a folder that it can be started from again");
    finding_came(f, "%u deleted", files->count);
    files_tell(files, f);
}
