/* The places known to a desk: a folder with a key file for each, PLACE.key. */
#ifndef DESK_PROGRAM_PLACES_H
#define DESK_PROGRAM_PLACES_H

#include "post/keys.h"

#define PLACES_MOST 256

struct places {
    struct post_keys keys[PLACES_MOST];
    int64_t made_s[PLACES_MOST]; /* times of the files, in seconds since 1970 */
    size_t count;
};

/* BL_NOINPUT: no key. BL_DATA: a file has the name of another place, or is no place's key. */
enum bl_status places_read(struct places *places, const char *folder, struct bl_diag *diag);

/* NULL: no place of that name. */
const struct post_keys *places_find(const struct places *places, const char *place);

#endif
