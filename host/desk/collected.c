#include "desk/collected.h"

#include "base/file.h"
#include "base/name.h"
#include "booth/balloting.h"
#include "journal/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SLOTS 64

bool collected_is_ballot(const char *name)
{
    return name_ends(name, ".ballot");
}

bool collected_is_name(const char *name)
{
    return name_ends(name, "-judge.journal") || name_ends(name, "-entity.journal") ||
           name_ends(name, ".ballot");
}

enum bl_status collected_place(const char *folder, unsigned slot, const char *name,
                               char out[FOLDER_PATH_MAX], struct bl_diag *diag)
{
    return folder_path(out, diag, "%s/%u/%s", folder, slot + 1, name);
}

enum bl_status collected_keep(const struct collected_look *look, const char *folder,
                              const char *name, const char *bytes, size_t length,
                              struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX], place[FOLDER_PATH_MAX];
    if (look->outcome == COLLECTED_SAME || look->outcome == COLLECTED_BEGINNING)
        return BL_OK;
    enum bl_status status = folder_path(place, diag, "%s/%u", folder, look->slot + 1);
    if (status == BL_OK)
        status = collected_place(folder, look->slot, name, path, diag);
    if (status == BL_OK)
        status = folder_make(place, diag);
    if (status == BL_OK)
        status = file_write(path, bytes, length, diag);
    return status;
}

/* True if one file begins with the other; sets the outcome. */
static bool belongs(struct collected_look *look, const char *held, size_t held_length,
                    const char *bytes, size_t length)
{
    if (memcmp(bytes, held, held_length < length ? held_length : length) != 0)
        return false;
    look->outcome = length > held_length    ? COLLECTED_GROWN
                    : length == held_length ? COLLECTED_SAME
                                            : COLLECTED_BEGINNING;
    return true;
}

enum bl_status collected_find(struct collected_look *look, const char *folder, const char *name,
                              const char *bytes, size_t length, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX];
    char *held = NULL;
    size_t held_length = 0;
    unsigned lost = SLOTS;
    *look =
        (struct collected_look){.outcome = COLLECTED_NEW, .count = collected_count(folder, name)};
    for (look->slot = 0; look->slot < look->count; look->slot++) {
        enum bl_status status = collected_place(folder, look->slot, name, path, diag);
        if (status == BL_OK)
            status = file_read(&held, &held_length, path, COLLECTED_MAX, "a file", diag);
        if (status != BL_OK)
            return status;
        if (held_length == 0) {
            lost = lost < SLOTS ? lost : look->slot;
        } else if (belongs(look, held, held_length, bytes, length)) {
            look->held = look->outcome == COLLECTED_GROWN ? held : NULL;
            look->held_length = held_length;
            if (!look->held)
                free(held);
            return BL_OK;
        }
        free(held);
    }
    look->slot = lost < SLOTS ? lost : look->slot;
    return look->slot < SLOTS ? BL_OK
                              : bl_fail(diag, BL_FULL, "there are %d files of its name", SLOTS);
}

void collected_release(struct collected_look *look)
{
    free(look->held);
    look->held = NULL;
}

unsigned collected_count(const char *folder, const char *name)
{
    char path[FOLDER_PATH_MAX];
    unsigned count = 0;
    while (count < SLOTS && collected_place(folder, count, name, path, NULL) == BL_OK &&
           folder_has(path))
        count++;
    return count;
}

unsigned collected_held(const char *folder, const char *name)
{
    char path[FOLDER_PATH_MAX];
    struct stat info;
    unsigned held = 0, count = collected_count(folder, name);
    for (unsigned slot = 0; slot < count; slot++)
        held += collected_place(folder, slot, name, path, NULL) == BL_OK &&
                stat(path, &info) == 0 && info.st_size > 0;
    return held;
}

enum bl_status collected_path(const char *folder, const char *name, char out[FOLDER_PATH_MAX],
                              struct bl_diag *diag)
{
    size_t longest = 0, length;
    unsigned count = collected_count(folder, name), best = 0;
    if (count == 0)
        return bl_fail(diag, BL_NOINPUT, "%s was not collected", name);
    for (unsigned slot = 0; count > 1 && slot < count; slot++) {
        char *bytes;
        enum bl_status status = collected_place(folder, slot, name, out, diag);
        if (status == BL_OK)
            status = file_read(&bytes, &length, out, COLLECTED_MAX, "a file", diag);
        if (status != BL_OK)
            return status;
        free(bytes);
        best = length > longest ? slot : best;
        longest = length > longest ? length : longest;
    }
    return collected_place(folder, best, name, out, diag);
}

static bool read_journal(const char *bytes, size_t length, char id[CONTEST_ID])
{
    struct journal_scratch *scratch = malloc(sizeof *scratch);
    struct journal_record found;
    bool some = false;
    for (size_t at = 0; scratch && !id[0] && at < length;) {
        long step = journal_decode((const uint8_t *)bytes + at, length - at, &found, scratch);
        /* 0: not a whole one; there may be one after it. */
        at += step > 0 ? (size_t)step : step < 0 ? (size_t)-step : 1;
        some = some || step > 0;
        if (step > 0 && found.kind == JOURNAL_NOTE && found.as.note.code == NOTE_CONTEST)
            snprintf(id, CONTEST_ID, "%s", found.as.note.text);
    }
    free(scratch);
    return some;
}

bool collected_contest(const char *name, const char *bytes, size_t length, char id[CONTEST_ID])
{
    id[0] = '\0';
    if (!collected_is_ballot(name))
        return read_journal(bytes, length, id);
    struct ballot_file *file = calloc(1, sizeof *file);
    if (file && ballot_file_read(file, bytes, length, "", NULL) == BL_OK)
        snprintf(id, CONTEST_ID, "%s", file->head.contest);
    free(file);
    return true;
}
