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

#include "desk/folder.h"
#include "post/piece.h"

struct inbox;

/* The path of the folder of a place's copies of that number, from 1. BL_USAGE: it is too long. */
enum bl_status inbox_folder(char out[FOLDER_PATH_MAX], const char *inbox, const char *place,
                            unsigned copy, struct bl_diag *diag);

/* Makes a missing folder. BL_BUSY: another desk has it. */
enum bl_status inbox_open(struct inbox **out, const char *folder, struct bl_diag *diag);

/* Takes up a place's files of an earlier desk. After a loss of power they may end with bytes that
 * no machine has sent, which are cut off: the audience and the page must read the files afterwards
 * only. Cut is the end that is no whole record, and a file without a first one, also where a
 * machine was told that it is there; the machine sends it again. */
void inbox_add(struct inbox *inbox, const char *place);

/* The disk's fault, since a piece could not be written or synced; NULL: none. It ends with a good
 * write of that file or a good sync, and that of a full disk once there is room. It also ends when
 * other files are written and no write has failed for ten seconds, for that file may never come
 * again. `now_us`: monotonic. */
const char *inbox_fault(struct inbox *inbox, uint64_t now_us);

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
