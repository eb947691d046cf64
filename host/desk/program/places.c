#include "desk/program/places.h"

#include "base/file.h"
#include "base/name.h"
#include "desk/folder.h"
#include "desk/watch.h"
#include "link/key_file.h"
#include "rules/place.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_key(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && name_ends(entry->d_name, ".key");
}

static bool is_place(const char *name)
{
    struct place place;
    return place_name_read(&place, name) || watch_is_place(name);
}

static enum bl_status read_one(struct places *places, const char *folder, const char *name,
                               struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX], text[POST_KEY_TEXT];
    struct post_keys *keys = &places->keys[places->count];
    struct stat info;
    size_t length;
    if (places->count == PLACES_MOST)
        return bl_fail(diag, BL_FULL, "%s: more than %d keys", folder, PLACES_MOST);
    enum bl_status status = folder_path(path, diag, "%s/%s", folder, name);
    if (status == BL_OK)
        status = key_file_read(path, text, sizeof text, &length, true, diag);
    if (status == BL_OK)
        status = post_key_read(keys, text, path, diag);
    explicit_bzero(text, sizeof text);
    if (status != BL_OK)
        return status;
    length = strlen(keys->place);
    if (strncmp(name, keys->place, length) != 0 || strcmp(name + length, ".key") != 0 ||
        !is_place(keys->place))
        return bl_fail(diag, BL_DATA, "%s: it is the key of %s; expected the name of its place",
                       path, keys->place);
    places->made_s[places->count++] = stat(path, &info) == 0 ? info.st_mtim.tv_sec : 0;
    return BL_OK;
}

enum bl_status places_read(struct places *places, const char *folder, struct bl_diag *diag)
{
    struct dirent **names;
    enum bl_status status = BL_OK;
    int count = scandir(folder, &names, is_key, alphasort);
    if (count < 0)
        return file_fail(diag, folder);
    for (int i = 0; i < count; i++) {
        if (status == BL_OK)
            status = read_one(places, folder, names[i]->d_name, diag);
        free(names[i]);
    }
    free(names);
    return status == BL_OK && count == 0
               ? bl_fail(diag, BL_NOINPUT, "%s: no place has a key there; --make-key makes one",
                         folder)
               : status;
}

const struct post_keys *places_find(const struct places *places, const char *place)
{
    for (size_t i = 0; i < places->count; i++)
        if (strcmp(places->keys[i].place, place) == 0)
            return &places->keys[i];
    return NULL;
}
