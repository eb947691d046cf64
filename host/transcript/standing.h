/* The keys that stand when all has been typed: those that no BackSpace has taken back. A BackSpace
 * takes back its party's last key on its side; its own Return only where the page let it (see
 * style.h). Private to host/transcript. Pure. */
#ifndef TRANSCRIPT_STANDING_H
#define TRANSCRIPT_STANDING_H

#include "base/status.h"
#include "session/event.h"

struct standing {
    struct standing_key *key; /* by its number, from 1 */
    uint64_t last[SIDES][PARTIES];
    bool over_return;
    uint64_t taken;   /* keys that were taken back */
    uint64_t returns; /* and how many of them were Returns */
};

/* For keys numbered 1 to count. BL_NOMEM. standing_free() takes one that was begun or zeroed. */
enum bl_status standing_begin(struct standing *standing, uint64_t count, bool over_return);
void standing_free(struct standing *standing);

/* The next key in their order; numbers are the caller's, each once. A point of 0 is no key. */
void standing_take(struct standing *standing, uint64_t number, enum side side, enum party party,
                   uint32_t point);

/* Does the key with that number stand, when all have been taken? A BackSpace never does. */
bool standing_is(const struct standing *standing, uint64_t number);

#endif
