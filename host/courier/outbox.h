/* A machine's records on their way to the desk: the journals and ballot files of its folder. Each
 * is synced before it is sent, so after a loss of power the desk has no more than this disk. The
 * files are looked at at the caller's ticks alone. The desk's answers tell the offset to send from,
 * so no state is kept on this disk. A file of which the desk has other bytes is sent as the next
 * copy.
 *
 * On an entity's machine the files are looked at only while none of its journals is locked, and so
 * between sessions: nobody can tell by the machine's messages or disk when somebody types there. */
#ifndef COURIER_OUTBOX_H
#define COURIER_OUTBOX_H

#include "post/piece.h"

#define OUTBOX_FILES 512
#define OUTBOX_BURST 8 /* pieces sent at one tick, at most */

struct outbox;

/* `between_sessions`: for an entity's machine. BL_NOMEM; BL_USAGE: the path is too long. */
enum bl_status outbox_create(struct outbox **out, const char *folder, bool between_sessions,
                             struct bl_diag *diag);

/* Syncs grown files and sends the bytes the desk lacks, in pieces, and questions about files. An
 * unreadable file is told once in `diag` (BL_IO, BL_NOPERM, BL_NOINPUT, BL_FULL); the others are
 * sent. */
enum bl_status outbox_tick(struct outbox *outbox,
                           void (*send)(void *ctx, const struct post_piece *piece), void *ctx,
                           struct bl_diag *diag);

/* True: at the last tick an entity's machine held a session, so nothing is to be sent. */
bool outbox_is_silent(const struct outbox *outbox);

/* Takes an answer of the desk, which counts at the next tick. */
void outbox_hear(struct outbox *outbox, const struct post_piece *answer);

/* Tells that there is a new way to the desk: the desk is asked about each file. */
void outbox_ask_again(struct outbox *outbox);

/* Looks at the files while there is no way to the desk, and neither syncs nor sends. */
void outbox_look(struct outbox *outbox);

/* The number of files not whole on the desk's disk, by the answers so far. */
unsigned outbox_waiting(const struct outbox *outbox);

/* NULL is allowed. */
void outbox_destroy(struct outbox *outbox);

#endif
