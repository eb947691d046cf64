#include "entity/place.h"

#include "entity/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum bl_status place_folder(const char *given, char folder[PATH_MAX], struct bl_diag *diag)
{
    const char *home = getenv("HOME");
    if (!realpath(given ? given : ".", folder))
        return bl_fail(diag, BL_NOINPUT, "--folder %.200s: there is no such folder",
                       given ? given : ".");
    if (strcmp(folder, "/") == 0 || (!given && home && strcmp(folder, home) == 0))
        return bl_fail(diag, BL_USAGE,
                       "%.200s is not a program's own folder: start in that, or --folder DIR",
                       folder);
    if (access(folder, R_OK | X_OK))
        return bl_fail(diag, BL_NOINPUT, "--folder %.200s: %s", folder, strerror(errno));
    return BL_OK;
}

enum bl_status place_check(const struct program_place *place, const char *record,
                           char folder[PATH_MAX], struct bl_diag *diag)
{
    char kept[PATH_MAX];
    enum bl_status status;
    folder[0] = '\0';
    if (place->open && !place->folder)
        return BL_OK; /* the program runs in the terminal's own folder */
    status = place_folder(place->folder, folder, diag);
    if (!status && !place->open && realpath(record, kept) && strcmp(kept, folder) == 0)
        return bl_fail(diag, BL_USAGE,
                       "%.200s is the folder of the record: an Entry needs one of its own, "
                       "--folder DIR",
                       kept);
    return status;
}

static bool is_seen(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    if (strncmp(path, folder, length) == 0 && (path[length] == '/' || length == 1))
        return true;
    return sandbox_shows(path);
}

bool place_misses(const char *command, const char *folder, char path[PATH_MAX])
{
    static const char between[] = " '\"";
    char word[2 * PATH_MAX], whole[PATH_MAX];
    struct stat file;
    if (!realpath(folder, whole))
        return false;
    for (const char *at = command + strspn(command, between); *at; at += strspn(at, between)) {
        int length = (int)strcspn(at, between);
        bool named = memchr(at, '/', (size_t)length);
        snprintf(word, sizeof word, "%s%s%.*s", *at == '/' ? "" : whole, *at == '/' ? "" : "/",
                 length, at); /* the program starts in the folder */
        at += length;
        if (named && realpath(word, path) && stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
            !is_seen(path, whole))
            return true;
    }
    return false;
}
