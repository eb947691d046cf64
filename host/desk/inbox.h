/* The records that booths' machines send over the network, in a folder that is laid out as the
 * records on a stick are: FOLDER/booth-1-judge/r1-j1-judge.journal, and a second copy of that name,
 * with other bytes, in FOLDER/booth-1-judge-2. So `contest collect FILE FOLDER` takes them with all
 * its checks. Each place writes below its own name alone.
 *
 * The files only grow. Bytes already there must equal the new ones; others are answered with OTHER,
 * and kept as the next copy when they are sent as such. An answer speaks of the disk's contents:
 * one sync serves all files grown since the last one. */
#ifndef DESK_INBOX_H
#define DESK_INBOX_H

#include "post/piece.h"

struct inbox;

/* The folder is made where there is none. BL_BUSY: another desk has it. */
enum bl_status inbox_open(struct inbox **out, const char *folder, struct bl_diag *diag);

/* Takes an ASK or a PIECE, sealed by the place's key. Each has its answer after the next sync, also
 * after an error: it then tells the state before. BL_DATA: it is for no machine to send. BL_FULL:
 * the disk is, or the place has too many files or bytes. BL_IO, BL_NOPERM, BL_NOMEM. */
enum bl_status inbox_take(struct inbox *inbox, const char *place, const struct post_piece *piece,
                          struct bl_diag *diag);

/* Syncs the folder's file system if there is anything to answer, and then answers, a HAVE or an
 * OTHER for each file. BL_IO: it could not be synced; nothing is answered, and pieces since the
 * last sync are taken back, so they are sent again. */
enum bl_status inbox_sync(struct inbox *inbox,
                          void (*answer)(void *ctx, const char *place,
                                         const struct post_piece *piece),
                          void *ctx, struct bl_diag *diag);

/* NULL is allowed. */
void inbox_close(struct inbox *inbox);

#endif
