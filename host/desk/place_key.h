/* The key of a place, by which its courier and the desk know each other. `contest setup` makes it
 * in a folder beside the contest's file, and the stick brings it. */
#ifndef DESK_PLACE_KEY_H
#define DESK_PLACE_KEY_H

#include "desk/folder.h"

/* In FILE.keys; not there if the contest may have no desk. */
#define PLACE_KEY_FOLDER "/places"

/* The desk itself, whose key a venue's cluster of servers knows it by. */
#define PLACE_KEY_DESK "desk"

/* FOLDER/booth-3-judge.key. */
enum bl_status place_key_path(const char *folder, const char *place, char out[FOLDER_PATH_MAX],
                              struct bl_diag *diag);

/* Makes the folder and in it a new key. BL_USAGE: there is a key already, or `place` is not a
 * place. */
enum bl_status place_key_make(const char *folder, const char *place, struct bl_diag *diag);

#endif
