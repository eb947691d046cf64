/* Finds the standing keys, which no BackSpace removed. A BackSpace removes its party's last key on
 * its side; a Return only if the page allowed that (see style.h). Pure. */
#ifndef TRANSCRIPT_STANDING_H
#define TRANSCRIPT_STANDING_H

#include "base/status.h"
#include "session/event.h"

struct standing {
    struct standing_key *key; /* indexed by key number, from 1 */
    uint64_t last[SIDES][PARTIES];
    bool over_return;
    uint64_t taken;   /* number of removed keys */
    uint64_t returns; /* number of removed Returns */
};

/* Prepares for keys numbered 1 to count. BL_NOMEM. standing_free() also takes a zeroed struct. */
enum bl_status standing_begin(struct standing *standing, uint64_t count, bool over_return);
void standing_free(struct standing *standing);

/* Takes the next key in order, with the caller's number for it. Point 0: a missing key. */
void standing_take(struct standing *standing, uint64_t number, enum side side, enum party party,
                   uint32_t point);

/* True if the key stands, after all keys were taken. False for a BackSpace. */
bool standing_is(const struct standing *standing, uint64_t number);

#endif
