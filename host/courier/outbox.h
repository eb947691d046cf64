/* A machine's records on their way to the desk: the journals and ballot files of its folder. Each
 * is synced before it is sent, so after a loss of power the desk has no more than this disk. The
 * files are read at the caller's ticks. The desk's answers give the offset to send from, so this
 * disk keeps no state. A file of which the desk has other bytes is sent as the next copy.
 *
 * * On an entity's machine the files are read while none of its journals is locked, which is
 * between sessions. So the machine's messages and disk do not tell when keys are typed there. */
#ifndef COURIER_OUTBOX_H
#define COURIER_OUTBOX_H

#include "post/piece.h"

#define OUTBOX_FILES 512
#define OUTBOX_BURST 8 /* most pieces sent at one tick */

struct outbox;

/* Makes an outbox. `between_sessions`: for an entity's machine. BL_NOMEM; BL_USAGE: the path is too
 * long. */
enum bl_status outbox_create(struct outbox **out, const char *folder, bool between_sessions,
                             struct bl_diag *diag);

/* Syncs grown files. Sends the bytes that the desk lacks, in pieces, and questions about files. An
 * unreadable file is reported once in `diag` (BL_IO, BL_NOPERM, BL_NOINPUT, BL_FULL); the others
 * are sent. */
enum bl_status outbox_tick(struct outbox *outbox,
                           void (*send)(void *ctx, const struct post_piece *piece), void *ctx,
                           struct bl_diag *diag);

/* True if an entity's machine held a session at the last tick, so that nothing may be sent. */
bool outbox_is_silent(const struct outbox *outbox);

/* Takes an answer of the desk, for the next tick. */
void outbox_hear(struct outbox *outbox, const struct post_piece *answer);

/* There is a new way to the desk: the desk is asked about each file. */
void outbox_ask_again(struct outbox *outbox);

/* Looks at the files without a way to the desk. Neither syncs nor sends. */
void outbox_look(struct outbox *outbox);

/* The number of files that, by the answers so far, are not whole on the desk's disk. */
unsigned outbox_waiting(const struct outbox *outbox);

/* NULL is allowed. */
void outbox_destroy(struct outbox *outbox);

#endif
