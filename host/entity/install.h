/* Copies an Entry from the handed-in folder, over a stick, to its machine. Tickets and sticks name
 * an Entry by a name that ends with the hash of its manifest, "eliza-0e5751c0...a8". */
#ifndef ENTITY_INSTALL_H
#define ENTITY_INSTALL_H

#include "entity/manifest.h"

#define INSTALL_NAME   64 /* of install_name(), with its NUL */
#define INSTALL_DIGITS 32 /* of the hash, at its end */

/* Makes the Entry's name: the permitted characters of its folder's name, and 32 digits of its
 * manifest's hash. BL_NOINPUT, BL_DATA: the folder has no manifest. */
enum bl_status install_name(const char *folder, char name[INSTALL_NAME], struct bl_diag *diag);

/* Copies the files and links of the manifest from `from` to `to`, whose path ends with the Entry's
 * name. Files that are executable by the manifest become so. A link may be in `from` as a file with
 * the link's target, since a stick may have no links. `to` is complete or absent, unless a damaged
 * Entry was there before. A stopped copy leaves TO.part, which the next copy removes. A whole Entry
 * in `to` stays. Blocks.
 *
 * * BL_DATA: the manifest has another hash than the name, or a file differs from the manifest or
 * would lie outside of `to`. BL_NOINPUT: `from` has no manifest, or lacks a file. BL_FULL,
 * BL_NOPERM, BL_IO. */
enum bl_status install_entry(const char *from, const char *to, struct bl_diag *diag);

/* Removes a folder with its contents, the manifest last. A missing folder is no error. */
enum bl_status install_remove(const char *folder, struct bl_diag *diag);

#endif
