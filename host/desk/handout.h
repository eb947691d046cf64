/* The tickets that places ask for over the network: for each its folder on the sticks, as
 * desk/sticks.h writes them, and no other. A place gets its own alone, and only if its room's stick
 * brings the key by which it speaks: so a venue without a network in the back room hands nothing
 * out there, and a key that was taken back is worth nothing as soon as the sticks are written
 * anew. The key itself, Entries and judges' ranks travel by stick. */
#ifndef DESK_HANDOUT_H
#define DESK_HANDOUT_H

#include "post/keys.h"

struct handout;

/* `sticks`: the folder of the two rooms' folders, which need not be there yet. BL_NOMEM, BL_USAGE.
 */
enum bl_status handout_open(struct handout **out, const char *sticks, struct bl_diag *diag);

/* True: the message is about tickets. */
bool handout_is_asked(const struct post_piece *piece);

/* Answers an ASK for stick.list or a WANT; the answer's bytes live until the next call. BL_NOINPUT:
 * there is no answer, for the place's tickets are not to be handed out, not written, or being
 * written; the place asks again. BL_DATA: the folder cannot travel, and why. BL_IO, BL_NOPERM,
 * BL_NOMEM. */
enum bl_status handout_answer(struct handout *handout, const struct post_keys *keys,
                              const struct post_piece *asked, struct post_piece *answer,
                              struct bl_diag *diag);

/* NULL is allowed. */
void handout_close(struct handout *handout);

#endif
