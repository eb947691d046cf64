/* Several files under one name, in a machine's further folders: another contest's, which is not
 * shown, and rivals, until the manager has taken them in. */
#include "desk/tiles_private.h"

#include "base/file.h"
#include "desk/collected.h"
#include "desk/inbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MOST (16u << 20) /* of a file that is compared; a longer one stays open */
#define FILES_MOST 64          /* compared in a look */
#define COPIES_US  5000000     /* between two looks */

void tile_file_of(struct tile_file *file, const uint8_t *bytes, size_t length)
{
    char id[CONTEST_ID];
    if (collected_contest(file->name, (const char *)bytes, length, id))
        memcpy(file->contest, id, sizeof id);
}

static bool is_later(const struct tile_file *a, const struct tile_file *b)
{
    if (a->grown_us != b->grown_us)
        return a->grown_us > b->grown_us;
    return a->session && b->session && a->session->latest_us > b->session->latest_us;
}

void tile_choose(const struct tiles *tiles, struct tile_machine *machine)
{
    for (size_t i = 0; i < machine->files; i++) {
        struct tile_file *file = &machine->file[i];
        file->other = contest_id_differ(file->contest, tiles->id);
        file->shown = !file->other;
        file->rival = false;
        for (size_t k = 0; k < i; k++) {
            struct tile_file *earlier = &machine->file[k];
            if (strcmp(earlier->name, file->name) != 0 || file->other || earlier->other)
                continue;
            earlier->rival = file->rival = true;
            if (earlier->shown && is_later(file, earlier))
                earlier->shown = false;
            else if (earlier->shown)
                file->shown = false;
        }
    }
}

/* Changes with each record that is taken in. 0: there are none. */
static uint64_t stamp_records(const struct tiles *tiles)
{
    char path[FOLDER_PATH_MAX];
    struct stat info;
    uint64_t stamp = 0;
    for (unsigned i = 1;
         tiles->path[0] && folder_path(path, NULL, "%s.records/%u", tiles->path, i) == BL_OK &&
         stat(path, &info) == 0;
         i++)
        stamp = stamp * 1000003 + (uint64_t)info.st_mtim.tv_sec * 1000000000 +
                (uint64_t)info.st_mtim.tv_nsec;
    return stamp;
}

/* True if these bytes, or more after them, are among the contest's records. */
static bool is_collected(const struct tiles *tiles, const char *path, const char *name)
{
    char records[FOLDER_PATH_MAX], *bytes;
    struct collected_look look = {.held = NULL};
    size_t length;
    bool found = false;
    if (folder_path(records, NULL, "%s.records", tiles->path) != BL_OK ||
        file_read_plain(&bytes, &length, path, BYTES_MOST, "a record", NULL) != BL_OK)
        return false;
    if (collected_find(&look, records, name, bytes, length, NULL) == BL_OK)
        found = look.outcome == COLLECTED_SAME || look.outcome == COLLECTED_BEGINNING;
    collected_release(&look);
    free(bytes);
    return found;
}

/* Compares a file that is not known to be taken in, once with each state of the records.
 * `settled`: the records have not changed since the last look. */
static void compare(const struct tiles *tiles, const char *place, struct tile_file *file,
                    bool settled, unsigned *left)
{
    char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
    if (!tiles->records || file->collected || file->compared == tiles->records || !*left ||
        inbox_folder(folder, tiles->inbox, place, file->copy, NULL) != BL_OK ||
        folder_path(path, NULL, "%s/%s", folder, file->name) != BL_OK)
        return;
    --*left;
    file->collected = is_collected(tiles, path, file->name);
    file->compared = settled ? tiles->records : 0;
}

void tiles_look_at_copies(struct tiles *tiles, struct bl_time now)
{
    unsigned left = FILES_MOST;
    if (now.mono_us < tiles->copies_us)
        return;
    tiles->copies_us = now.mono_us + COPIES_US;
    const uint64_t records = stamp_records(tiles);
    const bool settled = records == tiles->records;
    tiles->records = records;
    for (unsigned i = 0; i < TILES_MOST; i++) {
        for (unsigned m = 0; m < MACHINE_CABLE_B; m++) {
            struct tile_machine *machine = &tiles->tile[i].machine[m];
            const struct place at = {.booth = (int)i + 1, .machine = (int)m + MACHINE_JUDGE};
            char place[PLACE_NAME];
            place_name(&at, place);
            machine->open_copies = 0;
            for (size_t k = 0; k < machine->files; k++) {
                struct tile_file *file = &machine->file[k];
                if (file->copy == 1 || !file->rival)
                    continue;
                compare(tiles, place, file, settled, &left);
                machine->open_copies += !file->collected;
            }
        }
    }
}
