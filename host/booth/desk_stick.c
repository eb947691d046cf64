#include "booth/desk_stick.h"

#include "base/file.h"
#include "booth/stick_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BY_DESK "desk.seen" /* a file among the records: the tickets are the desk's */

void desk_stick_path(const char *courier, char out[PATH_MAX])
{
    if (!courier || snprintf(out, PATH_MAX, "%s" STICK_BY_DESK, courier) >= PATH_MAX)
        out[0] = '\0';
}

static void mark_path(const char *records, char path[PATH_MAX + 32])
{
    snprintf(path, PATH_MAX + 32, "%s/" BY_DESK, records);
}

bool desk_stick_counts(const char *records)
{
    char path[PATH_MAX + 32];
    mark_path(records, path);
    return access(path, F_OK) == 0;
}

void desk_stick_forget(const char *records)
{
    char path[PATH_MAX + 32];
    mark_path(records, path);
    if (desk_stick_counts(records) && unlink(path) == 0)
        file_sync_name(path, NULL); /* a mark that comes back is removed at the next stick */
}

static bool has_place(const char *dir, const char *place)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/" STICK_FOLDER "/%s", dir, place);
    return access(path, F_OK) == 0;
}

/* Writes the dispute for the courier. */
static void keep_dispute(const char *records, const char *name)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/" STICK_DISPUTED, records);
    if (name)
        file_write(path, name, strlen(name), NULL);
    else if (access(path, F_OK) == 0)
        unlink(path);
}

static enum desk_stick take(const char *dir, const char *place, const char *own,
                            const char *records, struct bl_diag *diag)
{
    char path[PATH_MAX + 32], name[STICK_PATH_MAX];
    bool changed;
    if (!has_place(dir, place))
        return DESK_STICK_NOTHING;
    enum stick_age age = stick_age(dir, records);
    if (age == STICK_OLDER || age == STICK_OTHER_CONTEST)
        return DESK_STICK_NOTHING;
    bool same = stick_is_here(dir, place, own, name);
    if (same && age == STICK_SAME_AGE)
        return DESK_STICK_NOTHING;
    if (age == STICK_SAME_AGE && !desk_stick_counts(records)) {
        bl_fail(diag, BL_DATA, "%s", name);
        return DESK_STICK_DISPUTED;
    }
    const bool counted = desk_stick_counts(records);
    mark_path(records, path);
    /* Before stick_check() keeps the age: after a power cut between the two, unmarked tickets of
     * that age would be a dispute with themselves. */
    enum bl_status status = same ? BL_OK : file_write(path, "", 0, diag);
    if (status == BL_OK)
        status = stick_check(dir, place, records, diag);
    if (status != BL_OK && !same && !counted)
        desk_stick_forget(records);
    if (status == BL_OK && !same)
        status = stick_take(dir, place, own, &changed, diag);
    return status != BL_OK ? DESK_STICK_FAULT : same ? DESK_STICK_NOTHING : DESK_STICK_TAKEN;
}

enum desk_stick desk_stick_take(const char *dir, const char *place, const char *own,
                                const char *records, struct bl_diag *diag)
{
    if (!dir[0])
        return DESK_STICK_NOTHING;
    enum desk_stick taken = take(dir, place, own, records, diag);
    keep_dispute(records, taken == DESK_STICK_DISPUTED ? diag->text : NULL);
    return taken;
}
