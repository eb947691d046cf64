/* The key shared by a place's courier and the desk. `contest setup` makes it in a folder beside the
 * contest's file, and the stick brings it. */
#ifndef DESK_PLACE_KEY_H
#define DESK_PLACE_KEY_H

#include "desk/folder.h"

/* The folder in FILE.keys; missing if the contest may have no desk. */
#define PLACE_KEY_FOLDER "/places"

/* The name of the desk's own key, for a venue's cluster of servers. */
#define PLACE_KEY_DESK "desk"

/* Writes the path FOLDER/booth-3-judge.key to out. */
enum bl_status place_key_path(const char *folder, const char *place, char out[FOLDER_PATH_MAX],
                              struct bl_diag *diag);

/* Makes the folder, and a new key in it. BL_USAGE: there is a key already, or `place` is not a
 * place. */
enum bl_status place_key_make(const char *folder, const char *place, struct bl_diag *diag);

#endif
