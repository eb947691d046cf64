/* Copies an Entry from the handed-in folder, over a stick, to its machine. Tickets and sticks name
 * an Entry by a name with the hash of its manifest, "eliza-0e5751c0...a8", so no name is a
 * machine's path, and no other Entry can have it. */
#ifndef ENTITY_INSTALL_H
#define ENTITY_INSTALL_H

#include "entity/manifest.h"

#define INSTALL_NAME   64 /* of install_name(), with its NUL */
#define INSTALL_DIGITS 32 /* of the hash, at its end */

/* The Entry's name: the permitted characters of its folder's name, and 32 digits of its manifest's
 * hash. BL_NOINPUT, BL_DATA: the folder has no manifest. */
enum bl_status install_name(const char *folder, char name[INSTALL_NAME], struct bl_diag *diag);

/* Copies the Entry in `from` to `to`, whose path ends with the Entry's name, by the manifest's
 * list: files become executable where it says so, and a link may lie in `from` as a file that holds
 * its target, for a stick may know neither. Files not in the manifest are left out. At every moment
 * `to` is complete or absent; a stopped copy leaves TO.part, to be removed by the next one. An
 * Entry already there, and whole, stays. It blocks.
 *
 * BL_DATA: the manifest is another one than the name says, or a file differs from it, is missing,
 * or would lie outside; BL_NOINPUT: no manifest is in `from`; BL_FULL, BL_NOPERM, BL_IO. */
enum bl_status install_entry(const char *from, const char *to, struct bl_diag *diag);

/* Removes a folder with its contents, the manifest last. A missing folder is no error. */
enum bl_status install_remove(const char *folder, struct bl_diag *diag);

#endif
