/* The paths given to setup, kept beside the contest's file for later verbs. FILE.setup has lines
 * "venue PATH", "sticks PATH" and "people PATH", relative to the file's folder. */
#ifndef DESK_KEPT_H
#define DESK_KEPT_H

#include "desk/folder.h"

#include <stdbool.h>

#define DESK_INBOX                                                                                 \
    ".inbox" /* suffix of the contest's file: the folder of the files that the desk received */

#define SERVER_HEARD "heard" /* a file in the inbox's server/: the server has answered */

struct kept {
    char venue[FOLDER_PATH_MAX], sticks[FOLDER_PATH_MAX], people[FOLDER_PATH_MAX]; /* "": unknown */
    char inbox[FOLDER_PATH_MAX]; /* "": no desk so far */
};

/* Stores the paths for the contest's file at `path`, unless they are stored already. */
enum bl_status kept_write(const char *path, const char *venue, const char *sticks,
                          const char *people, struct bl_diag *diag);

/* Reads the stored paths; all are empty if none can be read. Also looks for the desk's folder. */
void kept_read(struct kept *kept, const char *path);

#endif
