/* An Entry on its way from the folder in which it was handed in, by a stick, to the machine that
 * runs it. Tickets and sticks know it by a name and the hash of its manifest,
 * "eliza-0e5751c0...a8", so none names a path of a machine, and no other Entry can be installed
 * under it. */
#ifndef ENTITY_INSTALL_H
#define ENTITY_INSTALL_H

#include "entity/manifest.h"

#define INSTALL_NAME   64 /* of install_name(), with its NUL */
#define INSTALL_DIGITS 32 /* of the hash, at its end */

/* The Entry's name: of its folder's, the characters that may stand in one, and of the hash of its
 * manifest 32 digits. BL_NOINPUT, BL_DATA: it has no manifest. */
enum bl_status install_name(const char *folder, char name[INSTALL_NAME], struct bl_diag *diag);

/* Copies the Entry in `from` to `to`, whose path ends with the Entry's name, as the manifest lists
 * it: files become executable where it says so, and a link may lie in `from` as a file that holds
 * its target, for a stick may know neither. Files that the manifest does not list are left out. At
 * every moment `to` is complete or absent; a copy that was stopped leaves TO.part, which the next
 * one removes. An Entry that is there already, as it should be, stays. It blocks.
 *
 * BL_DATA: the manifest is another one than the name says, or a file differs from it, is missing,
 * or would lie outside; BL_NOINPUT: no manifest is in `from`; BL_FULL, BL_NOPERM, BL_IO. */
enum bl_status install_entry(const char *from, const char *to, struct bl_diag *diag);

/* Takes a folder away with all that is in it, the manifest last. One that is not there is no fault.
 */
enum bl_status install_remove(const char *folder, struct bl_diag *diag);

#endif
