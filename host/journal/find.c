#include "journal/journal.h"

#include "base/name.h"
#include "journal/replay.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

struct candidate {
    enum party role;
    const char *session; /* NULL: any */
    bool matches;
    bool finished;
    uint64_t begun_us;
    uint64_t newer_than_us; /* a journal that was begun before does not match */
};

static bool on_entry(void *ctx, const struct journal_record *e)
{
    struct candidate *c = ctx;
    if (!c->matches) {
        c->begun_us = e->wall_us;
        c->matches = e->kind == JOURNAL_HEADER && e->as.header.role == c->role &&
                     (!c->session || strcmp(e->as.header.session, c->session) == 0) &&
                     c->begun_us >= c->newer_than_us;
        return c->matches && !c->session;
    }
    if (e->kind == JOURNAL_SEGMENT && e->as.segment.state == SEGMENT_FINISHED)
        c->finished = true;
    return !c->finished;
}

enum bl_status journal_find(const char *directory, enum party role, const char *session, char *path,
                            struct bl_diag *diag)
{
    const struct disk *disk = &disk_real;
    uint64_t newest_us = 0;
    bool found = false;
    DIR *dir = opendir(directory);
    if (!dir)
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_NOINPUT, "%s: %s", directory,
                       strerror(errno));
    for (struct dirent *d; (d = readdir(dir)) != NULL;) {
        struct candidate c = {.role = role, .session = session, .newer_than_us = newest_us};
        struct journal_report report;
        char name[PATH_MAX];
        uint64_t length;
        int fd;
        if (!name_ends(d->d_name, ".journal") ||
            snprintf(name, sizeof name, "%s/%s", directory, d->d_name) >= (int)sizeof name ||
            disk->open(disk->ctx, name, DISK_READ, &fd, &length) != BL_OK)
            continue;
        if (replay_file(disk, fd, on_entry, &c, &report) == BL_OK && c.matches && !c.finished) {
            found = true;
            newest_us = c.begun_us;
            strcpy(path, name);
        }
        disk->close(disk->ctx, fd);
    }
    closedir(dir);
    if (found)
        return BL_OK;
    if (session)
        return bl_fail(diag, BL_NOINPUT, "%s has no %s's journal of session %s", directory,
                       role == PARTY_JUDGE ? "judge" : "entity", session);
    return bl_fail(diag, BL_NOINPUT, "%s has no unfinished %s's journal", directory,
                   role == PARTY_JUDGE ? "judge" : "entity");
}

void journal_name(const char *directory, const char *session, enum party role, char *path)
{
    snprintf(path, PATH_MAX, "%s/%s-%s.journal", directory, session,
             role == PARTY_JUDGE ? "judge" : "entity");
}
