#include "entity/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
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
        return BL_OK; /* it runs where this terminal does */
    status = place_folder(place->folder, folder, diag);
    if (!status && !place->open && realpath(record, kept) && strcmp(kept, folder) == 0)
        return bl_fail(diag, BL_USAGE,
                       "%.200s is the folder of the record: an Entry needs one of its own, "
                       "--folder DIR",
                       kept);
    return status;
}
