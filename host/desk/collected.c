#include "desk/collected.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

#define COLLECTED_MAX (256u << 20)
#define SLOTS         64

bool collected_is_name(const char *name)
{
    static const char *const ends[] = {"-judge.journal", "-entity.journal", ".ballot"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (length > strlen(ends[i]) && strcmp(name + length - strlen(ends[i]), ends[i]) == 0)
            return true;
    return false;
}

static enum bl_status slot_path(const char *folder, unsigned slot, const char *name,
                                char out[FOLDER_PATH_MAX], struct bl_diag *diag)
{
    return folder_path(out, diag, "%s/%u/%s", folder, slot + 1, name);
}

static enum bl_status write_slot(const char *folder, unsigned slot, const char *name,
                                 const char *bytes, size_t length, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX], place[FOLDER_PATH_MAX];
    enum bl_status status = folder_path(place, diag, "%s/%u", folder, slot + 1);
    if (status == BL_OK)
        status = slot_path(folder, slot, name, path, diag);
    if (status == BL_OK)
        status = folder_make(place, diag);
    if (status == BL_OK)
        status = file_write(path, bytes, length, diag);
    return status;
}

enum bl_status collected_take(const char *folder, const char *from, const char *name,
                              enum collected_outcome *outcome, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX];
    char *bytes = NULL, *old = NULL;
    size_t length, before = 0;
    bool done = false;
    enum bl_status status = file_read(&bytes, &length, from, COLLECTED_MAX, "a file", diag);
    for (unsigned slot = 0; status == BL_OK && !done && slot < SLOTS; slot++) {
        status = slot_path(folder, slot, name, path, diag);
        bool there = status == BL_OK && folder_has(path);
        if (there)
            status = file_read(&old, &before, path, COLLECTED_MAX, "a file", diag);
        if (status != BL_OK)
            break;
        if (there && length <= before && memcmp(bytes, old, length) == 0) {
            *outcome = COLLECTED_KNOWN;
            done = true;
        } else if (!there || memcmp(bytes, old, before < length ? before : length) == 0) {
            *outcome = there ? COLLECTED_GROWN : COLLECTED_NEW;
            status = write_slot(folder, slot, name, bytes, length, diag);
            done = true;
        }
        free(old);
        old = NULL;
    }
    if (status == BL_OK && !done)
        status = bl_fail(diag, BL_FULL, "%s: there are %d files of this name already", from, SLOTS);
    free(old);
    free(bytes);
    return status;
}

unsigned collected_count(const char *folder, const char *name)
{
    char path[FOLDER_PATH_MAX];
    unsigned count = 0;
    while (count < SLOTS && slot_path(folder, count, name, path, NULL) == BL_OK && folder_has(path))
        count++;
    return count;
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
        enum bl_status status = slot_path(folder, slot, name, out, diag);
        if (status == BL_OK)
            status = file_read(&bytes, &length, out, COLLECTED_MAX, "a file", diag);
        if (status != BL_OK)
            return status;
        free(bytes);
        best = length > longest ? slot : best;
        longest = length > longest ? length : longest;
    }
    return slot_path(folder, best, name, out, diag);
}
