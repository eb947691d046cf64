/* Differing records of a machine, and those of them that the manager has collected. */
#include "desk/tiles_private.h"

#include "base/file.h"
#include "desk/collected.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES_MOST (1u << 20) /* most bytes of a compared file; a longer one stays open */
#define FILES_MOST 64

/* True if these bytes, or more after them, are among the contest's records. */
static bool is_collected(const struct tiles *tiles, const char *path, const char *name)
{
    char records[FOLDER_PATH_MAX], *bytes;
    struct collected_look look = {.held = NULL};
    size_t length;
    bool found = false;
    if (!tiles->path[0] || folder_path(records, NULL, "%s.records", tiles->path) != BL_OK ||
        file_read_plain(&bytes, &length, path, BYTES_MOST, "a record", NULL) != BL_OK)
        return false;
    if (collected_find(&look, records, name, bytes, length, NULL) == BL_OK)
        found = look.outcome == COLLECTED_SAME || look.outcome == COLLECTED_BEGINNING;
    collected_release(&look);
    free(bytes);
    return found;
}

unsigned tile_count_open(const struct tiles *tiles, const char *place, unsigned copies)
{
    unsigned open = 0, seen = 0;
    for (unsigned copy = 2; copy < copies + 2; copy++) {
        char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
        DIR *dir = folder_path(folder, NULL, "%s/%s-%u", tiles->inbox, place, copy) == BL_OK
                       ? opendir(folder)
                       : NULL;
        for (const struct dirent *entry; dir && seen < FILES_MOST && (entry = readdir(dir));) {
            if (!collected_is_name(entry->d_name) ||
                folder_path(path, NULL, "%s/%s", folder, entry->d_name) != BL_OK)
                continue;
            seen++;
            open += !is_collected(tiles, path, entry->d_name);
        }
        if (dir)
            closedir(dir);
    }
    return open;
}
