/* Hands out tickets to places over the network. A place gets its own folder of the sticks
 * (desk/sticks.h), if its room's stick brings the key by which the place speaks. So a back room
 * without a network gets none, and a withdrawn key is worthless once the sticks are written anew.
 * The key itself, Entries and judges' ranks travel by stick. */
#ifndef DESK_HANDOUT_H
#define DESK_HANDOUT_H

#include "post/keys.h"

struct handout;

/* `sticks`: the folder of the two rooms' folders, which may be missing. BL_NOMEM, BL_USAGE. */
enum bl_status handout_open(struct handout **out, const char *sticks, struct bl_diag *diag);

/* True: the message is about tickets. */
bool handout_is_asked(const struct post_piece *piece);

/* Answers an ASK for stick.list or a WANT. The answer's bytes live until the next call. BL_NOINPUT:
 * no answer now, since the place's tickets are not to be handed out, not written, or being written;
 * the place asks again. BL_DATA: the folder cannot travel; diag has the reason. BL_IO, BL_NOPERM,
 * BL_NOMEM. */
enum bl_status handout_answer(struct handout *handout, const struct post_keys *keys,
                              const struct post_piece *asked, struct post_piece *answer,
                              struct bl_diag *diag);

/* NULL is allowed. */
void handout_close(struct handout *handout);

#endif
