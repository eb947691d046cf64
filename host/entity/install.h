/* An Entry on its way from the handed-in folder, by a stick, to its machine. Tickets and sticks
 * know an Entry by a name and the hash of its manifest, "eliza-0e5751c0...a8", so none names a path
 * of a machine, and no other Entry can have the name. */
#ifndef ENTITY_INSTALL_H
#define ENTITY_INSTALL_H

#include "entity/manifest.h"

#define INSTALL_NAME   64 /* of install_name(), with its NUL */
#define INSTALL_DIGITS 32 /* of the hash, at its end */

/* The Entry's name: of its folder's, the characters that may stand in one, and of the hash of its
 * manifest 32 digits. BL_NOINPUT, BL_DATA: it has no manifest. */
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

/* Takes a folder away with its contents, the manifest last. A missing one is no fault.
 * */
enum bl_status install_remove(const char *folder, struct bl_diag *diag);

#endif
