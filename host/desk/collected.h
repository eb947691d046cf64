/* The collected records of a contest's sessions: a folder beside its file with numbered folders in
 * it, in which each journal and ballot file lies under its own name. The two entities' journals of
 * a session have one name, and a spare machine's may have it, too. So a different file goes into
 * the next folder without that name. A new file that begins with an old file's contents replaces
 * the old file. A new file that an old file begins with is known already. Any other new file is
 * kept, or replaces a file of 0 bytes. */
#ifndef DESK_COLLECTED_H
#define DESK_COLLECTED_H

#include "base/status.h"
#include "desk/folder.h"
#include "rules/contest_id.h"

#include <stdbool.h>

/* True if files of this name are collected: -judge.journal, -entity.journal, .ballot. */
bool collected_is_name(const char *name);
bool collected_is_ballot(const char *name);

/* Reads the id of a file's contest; "": the file has none. False: a journal without a record. */
bool collected_contest(const char *name, const char *bytes, size_t length, char id[CONTEST_ID]);

#define COLLECTED_MAX (256u << 20) /* bytes of a file */

enum collected_outcome { COLLECTED_NEW, COLLECTED_GROWN, COLLECTED_SAME, COLLECTED_BEGINNING };

/* The slot of a file's contents among the files of its name. */
struct collected_look {
    enum collected_outcome outcome;
    unsigned slot, count; /* the slot, from 0; number of other files of this name before it */
    char *held; /* GROWN: the contents of the old file, with which this one begins; else NULL */
    size_t held_length;
};

/* Looks up the slot. BL_FULL: too many files of this name. The caller also releases `look` after an
 * error. */
enum bl_status collected_find(struct collected_look *look, const char *folder, const char *name,
                              const char *bytes, size_t length, struct bl_diag *diag);
void collected_release(struct collected_look *look);

/* Stores the file in its slot, unless the outcome is COLLECTED_SAME or COLLECTED_BEGINNING. */
enum bl_status collected_keep(const struct collected_look *look, const char *folder,
                              const char *name, const char *bytes, size_t length,
                              struct bl_diag *diag);

/* The path of a slot. */
enum bl_status collected_place(const char *folder, unsigned slot, const char *name,
                               char out[FOLDER_PATH_MAX], struct bl_diag *diag);

/* The path of the file of that name; of several, the longest. BL_NOINPUT: none. */
enum bl_status collected_path(const char *folder, const char *name, char out[FOLDER_PATH_MAX],
                              struct bl_diag *diag);

/* The number of files of this name. */
unsigned collected_count(const char *folder, const char *name);

/* The number of files of this name that are not empty. */
unsigned collected_held(const char *folder, const char *name);

#endif
