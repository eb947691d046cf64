/* A place's tickets on their way from the desk. A folder like a stick's is laid out below FOLDER,
 * for the board. Questions go to the desk at ticks. The new folder is written beside the old one,
 * checked by the hashes of its list, and renamed. The board finds the old folder or the new one
 * whole, or for a moment none. */
#ifndef COURIER_TICKETS_H
#define COURIER_TICKETS_H

#include "post/piece.h"

#define TICKETS_BURST      8         /* most questions at one tick */
#define TICKETS_EVERY      5         /* ticks between two questions about new tickets */
#define TICKETS_FILES      300       /* files of a place */
#define TICKETS_LIST_MOST  (1 << 16) /* bytes of a place's list */
#define TICKETS_BYTES_MOST (8 << 20) /* bytes of a place's files, all together */

struct tickets;

/* Makes the tickets of a place, such as booth-1-judge. An existing folder is used, or replaced.
 * BL_NOMEM; BL_USAGE: a path is too long. */
enum bl_status tickets_create(struct tickets **out, const char *folder, const char *place,
                              struct bl_diag *diag);

/* Sends questions. Lays the folder out when all its files are here: then *fresh. BL_IO, BL_FULL,
 * BL_NOPERM: the folder cannot be written; BL_DATA: the desk's list is bad or too long. Each fault
 * is reported once. */
enum bl_status tickets_tick(struct tickets *tickets,
                            void (*send)(void *ctx, const struct post_piece *piece), void *ctx,
                            bool *fresh, struct bl_diag *diag);

/* Takes an answer of the desk: a HAVE of the list or a PIECE. Other answers are for the outbox. */
void tickets_hear(struct tickets *tickets, const struct post_piece *answer);

/* NULL is allowed. */
void tickets_destroy(struct tickets *tickets);

#endif
