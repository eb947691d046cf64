/* What was collected of a contest's sessions: a folder beside its file with numbered folders in it,
 * in which each journal and ballot file lies under its own name. The two entities' journals of a
 * session have one name, so the second lies in folder 2; so does what a spare machine wrote.
 * The files only grow: one that begins with what is there takes its place, one that is the
 * beginning of what is there is known already, and any other is kept beside it. Nothing is
 * overwritten. */
#ifndef DESK_COLLECTED_H
#define DESK_COLLECTED_H

#include "base/status.h"
#include "desk/folder.h"

#include <stdbool.h>

/* Whether a file of that name is collected: -judge.journal, -entity.journal, .ballot. */
bool collected_is_name(const char *name);

enum collected_outcome { COLLECTED_NEW, COLLECTED_GROWN, COLLECTED_KNOWN };

/* Takes the file at `from`. */
enum bl_status collected_take(const char *folder, const char *from, const char *name,
                              enum collected_outcome *outcome, struct bl_diag *diag);

/* Where the file of that name is, the longest one where there are several. BL_NOINPUT: nowhere. */
enum bl_status collected_path(const char *folder, const char *name, char out[FOLDER_PATH_MAX],
                              struct bl_diag *diag);

/* How many files of that name there are. */
unsigned collected_count(const char *folder, const char *name);

#endif
