#include "desk/place_key.h"

#include "base/file.h"
#include "desk/watch.h"
#include "link/key_file.h"
#include "post/keys.h"
#include "rules/place.h"

#include <sodium.h>
#include <string.h>

enum bl_status place_key_path(const char *folder, const char *place, char out[FOLDER_PATH_MAX],
                              struct bl_diag *diag)
{
    return folder_path(out, diag, "%s/%s.key", folder, place);
}

enum bl_status place_key_make(const char *folder, const char *place, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX], text[POST_KEY_TEXT];
    uint8_t secret[POST_SECRET];
    struct place at;
    if (!place_name_read(&at, place) && !watch_is_place(place) &&
        strcmp(place, PLACE_KEY_DESK) != 0)
        return bl_fail(diag, BL_USAGE,
                       "%.40s: expected a place, such as booth-1-judge or booth-1-cable-a", place);
    enum bl_status status = sodium_init() < 0
                                ? bl_fail(diag, BL_UNAVAIL, "the system gives no randomness")
                                : place_key_path(folder, place, path, diag);
    if (status == BL_OK)
        status = folder_make(folder, diag);
    randombytes_buf(secret, sizeof secret);
    post_key_write(place, secret, text);
    if (status == BL_OK)
        status = key_file_write(path, text, strlen(text), true, diag);
    sodium_memzero(secret, sizeof secret);
    sodium_memzero(text, sizeof text);
    return status;
}
