/* The key files that `contest setup` makes: a folder of them beside the contest's file. */
#ifndef DESK_KEY_FILES_H
#define DESK_KEY_FILES_H

#include "contest/venue.h"
#include "desk/folder.h"

/* FOLDER/booth-3-a.key, of the line at a booth's cable; FOLDER/referee.key and .pub. */
enum bl_status key_files_line_path(const char *folder, unsigned booth, unsigned cable,
                                   char out[FOLDER_PATH_MAX], struct bl_diag *diag);
enum bl_status key_files_referee_path(const char *folder, bool public_key,
                                      char out[FOLDER_PATH_MAX], struct bl_diag *diag);

/* Makes those the venue asks for and that are not there yet, for `booths` booths with one or two
 * cables; *made counts them. A torn one is made anew, and so is one left by a stop in between. */
enum bl_status key_files_make(const struct venue *venue, unsigned booths, unsigned cables,
                              const char *folder, unsigned *made, struct bl_diag *diag);

/* Those of the places, in a folder of their own there, which is there where the contest has a desk.
 */
#define KEY_FILES_PLACES "/places"

/* FOLDER/booth-3-judge.key, by which a place's courier and the desk know each other. */
enum bl_status key_files_place_path(const char *folder, const char *place,
                                    char out[FOLDER_PATH_MAX], struct bl_diag *diag);

/* Makes the folder, and a new key in it. BL_USAGE: there is one; it is no place. */
enum bl_status key_files_make_place(const char *folder, const char *place, struct bl_diag *diag);

/* Makes those that are not there, for the places of `booths` booths with one or two cables, or none
 * for the judges' alone; *made counts them. One that is there stays, whatever is in it. */
enum bl_status key_files_make_places(unsigned booths, unsigned cables, const char *folder,
                                     unsigned *made, struct bl_diag *diag);

#endif
