/* The Entry's directories that were seen and not yet relayed, in the order in which they are keys.
 * Pure; bounded.
 *
 * The number gives the order (2009 rules, section 2), but a counter that was restarted begins again
 * with low numbers. A number that is not above the last relayed one shows that; it comes after all
 * that waits of the old counter. Among those that wait, a number that is not above the highest so
 * far is a restart if its directory was made after a pause, else the batch was made out of order;
 * all that was made after the pause comes after all that was made before it. Equal numbers: in the
 * order in which they were made. */
#ifndef ENTITY_LPP_WAITING_H
#define ENTITY_LPP_WAITING_H

#include "entity/lpp_name.h"

#define LPP_PAUSE_NS                                                                               \
    UINT64_C(20000000) /* no Entry is started anew in less, no batch has longer ones */

struct lpp_item {
    char name[LPP_NAME_MAX + 1];
    struct lpp_name read;
    uint64_t inode, born_ns; /* tell it from another of its name; inode 0: gone at once */
    uint64_t serial;         /* number of the look or event that showed it; one for a whole look */
    uint64_t seen_us;        /* time of that look or event (monotonic) */
};

struct lpp_waiting;

/* room for this many; NULL: no memory. Nothing is allocated afterwards. */
struct lpp_waiting *lpp_waiting_create(unsigned room);
void lpp_waiting_destroy(struct lpp_waiting *waiting);

/* Forgets all. */
void lpp_waiting_clear(struct lpp_waiting *waiting);

/* The name of the last relayed key, in an earlier life. */
void lpp_waiting_last(struct lpp_waiting *waiting, const char *name);

/* Takes a copy. Without room those made last are left out: see lpp_waiting_look_again(). */
void lpp_waiting_add(struct lpp_waiting *waiting, const struct lpp_item *item);

/* True if this very item waits. */
bool lpp_waiting_has(const struct lpp_waiting *waiting, const struct lpp_item *item);

/* The next key, NULL if none; valid until another call. Its removal after it was relayed. */
const struct lpp_item *lpp_waiting_first(struct lpp_waiting *waiting);
void lpp_waiting_drop(struct lpp_waiting *waiting);

unsigned lpp_waiting_count(const struct lpp_waiting *waiting);

/* True if a key waits, here or among those left out. */
bool lpp_waiting_any(const struct lpp_waiting *waiting);

/* Some were left out, and all others have been relayed: look at the folder again. True once. */
bool lpp_waiting_look_again(struct lpp_waiting *waiting);

#endif
