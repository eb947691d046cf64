/* A place's tickets on their way from the desk. The folder that a stick would bring is laid out
 * below FOLDER, where the board takes it as it takes a stick's. The courier asks at its ticks
 * alone. The new folder is written beside the old one, checked by the hashes of its list, and
 * renamed: the board finds the old folder or the new one whole, or for a moment none. */
#ifndef COURIER_TICKETS_H
#define COURIER_TICKETS_H

#include "post/piece.h"

#define TICKETS_BURST      8         /* questions at one tick, at most */
#define TICKETS_EVERY      5         /* ticks between two questions whether there are new ones */
#define TICKETS_FILES      300       /* of a place */
#define TICKETS_LIST_MOST  (1 << 16) /* bytes of a place's list */
#define TICKETS_BYTES_MOST (8 << 20) /* bytes of a place's files, all together */

struct tickets;

/* For the place, such as booth-1-judge. A folder that is there is taken up, or replaced. BL_NOMEM;
 * BL_USAGE: a path is too long. */
enum bl_status tickets_create(struct tickets **out, const char *folder, const char *place,
                              struct bl_diag *diag);

/* Sends questions; lays the folder out when all its files are here: then *fresh. BL_IO, BL_FULL,
 * BL_NOPERM: the folder cannot be written; BL_DATA: the desk's list is bad or too long. Each fault
 * is told once. */
enum bl_status tickets_tick(struct tickets *tickets,
                            void (*send)(void *ctx, const struct post_piece *piece), void *ctx,
                            bool *fresh, struct bl_diag *diag);

/* Takes an answer of the desk: a HAVE of the list or a PIECE. Other answers are for the outbox. */
void tickets_hear(struct tickets *tickets, const struct post_piece *answer);

/* NULL is allowed. */
void tickets_destroy(struct tickets *tickets);

#endif
