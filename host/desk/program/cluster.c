#include "desk/program/cluster.h"

#include "base/file.h"
#include "desk/place_key.h"
#include "link/key_file.h"

#include <stdlib.h>
#include <string.h>

static enum bl_status read_seed(uint8_t seed[POST_SECRET], const char *folder, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX], text[POST_KEY_TEXT];
    struct post_keys keys;
    size_t length;
    enum bl_status status = place_key_path(folder, PLACE_KEY_DESK, path, diag);
    if (status == BL_OK && !folder_has(path))
        status = place_key_make(folder, PLACE_KEY_DESK, diag);
    if (status == BL_OK)
        status = key_file_read(path, text, sizeof text, &length, true, diag);
    if (status == BL_OK)
        status = post_key_read(&keys, text, path, diag);
    if (status == BL_OK)
        memcpy(seed, keys.nkey, POST_SECRET);
    explicit_bzero(text, sizeof text);
    explicit_bzero(&keys, sizeof keys);
    return status;
}

enum bl_status cluster_open(uint8_t seed[POST_SECRET], const char *folder,
                            const struct post_keys *places, size_t count, struct bl_diag *diag)
{
    const struct post_server config = {.places = places, .count = count, .desk = seed};
    char path[FOLDER_PATH_MAX];
    struct growing text = {NULL};
    enum bl_status status = folder_make(folder, diag);
    if (status == BL_OK)
        status = read_seed(seed, folder, diag);
    if (status == BL_OK)
        status = folder_path(path, diag, "%s/" CLUSTER_CONFIG, folder);
    if (status != BL_OK)
        return status;
    post_server_config(&text, &config);
    status = text.failed ? bl_fail(diag, BL_NOMEM, "no memory")
                         : file_write(path, text.bytes, text.length, diag);
    free(text.bytes);
    return status;
}
