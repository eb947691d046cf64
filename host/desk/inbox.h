/* The records that booths' machines send over the network, in a folder laid out like the records on
 * a stick: FOLDER/booth-1-judge/r1-j1-judge.journal; another copy of that name, with other bytes,
 * is in FOLDER/booth-1-judge-2. `contest collect FILE FOLDER` takes them like a stick's. Each place
 * writes below its own name.
 *
 * Bytes that are already there must equal the new ones. Different bytes are answered with OTHER,
 * and kept when sent as the next copy. An answer is about the disk's contents: one sync serves all
 * files grown since the last one. */
#ifndef DESK_INBOX_H
#define DESK_INBOX_H

#include "post/piece.h"

struct inbox;

/* Makes a missing folder. BL_BUSY: another desk uses it. */
enum bl_status inbox_open(struct inbox **out, const char *folder, struct bl_diag *diag);

/* The disk's fault: a piece could not be written or synced; NULL: none. The fault ends with a good
 * write of that file or a good sync; the fault of a full disk also ends when there is room. */
const char *inbox_fault(struct inbox *inbox);

/* Takes an ASK or a PIECE sealed by the place's key. The answer, due after the next sync, is also
 * given after an error, with the earlier state. BL_DATA: not a message of a machine. BL_FULL: the
 * place has too many files or bytes. BL_OK: also with a fault of the disk. BL_NOMEM. */
enum bl_status inbox_take(struct inbox *inbox, const char *place, const struct post_piece *piece,
                          struct bl_diag *diag);

/* Syncs the folder's file system if an answer is due, and then answers with a HAVE or an OTHER for
 * each file. BL_IO: the sync failed. Then nothing is answered, and pieces since the last sync are
 * dropped and will be sent again. */
enum bl_status inbox_sync(struct inbox *inbox,
                          void (*answer)(void *ctx, const char *place,
                                         const struct post_piece *piece),
                          void *ctx, struct bl_diag *diag);

/* NULL is allowed. */
void inbox_close(struct inbox *inbox);

#endif
