/* The key files of `contest setup`: a folder of them beside the contest's file. */
#ifndef DESK_KEY_FILES_H
#define DESK_KEY_FILES_H

#include "contest/venue.h"
#include "desk/folder.h"

/* Write the paths FOLDER/booth-3-a.key, of the line at a booth's cable, and FOLDER/referee.key with
 * .pub. */
enum bl_status key_files_line_path(const char *folder, unsigned booth, unsigned cable,
                                   char out[FOLDER_PATH_MAX], struct bl_diag *diag);
enum bl_status key_files_referee_path(const char *folder, bool public_key,
                                      char out[FOLDER_PATH_MAX], struct bl_diag *diag);

/* Makes the missing keys that the venue asks for, and those of the places. *made grows by their
 * number. A torn file is made anew. */
enum bl_status key_files_make(const struct venue *venue, const struct contest *contest,
                              const char *folder, unsigned *made, struct bl_diag *diag);

/* Makes the missing keys of the places that have a desk by the rules and the venue (NULL: no
 * venue). *made grows by their number. Existing files stay. Also makes the keys of live referees'
 * places (desk/watch.h), if the contest has such referees; no stick brings these. */
enum bl_status key_files_make_places(const struct venue *venue, const struct contest *contest,
                                     const char *folder, unsigned *made, struct bl_diag *diag);

#endif
