/* The Entry's directories that were seen and not yet relayed, in the order of their keys. Pure;
 * bounded.
 *
 * The directories' numbers give the order (2009 rules, section 2), but a restarted counter begins
 * again with low numbers. A number that is not above the last relayed one shows a restart: its key
 * comes after the waiting keys of the old counter. Among waiting directories in the order of their
 * making, a number that is not above the highest so far shows a restart if its directory was made
 * after a pause. Without a pause the batch was made out of order, and the numbers hold. Keys made
 * after a restart come after all keys made before it. Equal numbers: the order of their making. */
#ifndef ENTITY_LPP_WAITING_H
#define ENTITY_LPP_WAITING_H

#include "entity/lpp_name.h"

#define LPP_PAUSE_NS                                                                               \
    UINT64_C(20000000) /* a longer gap is a pause: no batch has one, and every restart of an Entry
                        * takes longer */

struct lpp_item {
    char name[LPP_NAME_MAX + 1];
    struct lpp_name read;
    uint64_t inode, born_ns; /* identify the directory among those of its name; inode 0: it was lost
                              * before the look */
    uint64_t serial;         /* number of the look or event that showed the directory; all names of
                              * a look have one number */
    uint64_t seen_us;        /* time of the look or event (monotonic) */
};

struct lpp_waiting;

/* room: number of directories. NULL: no memory. Nothing is allocated afterwards. */
struct lpp_waiting *lpp_waiting_create(unsigned room);
void lpp_waiting_destroy(struct lpp_waiting *waiting);

void lpp_waiting_clear(struct lpp_waiting *waiting);

/* Sets the name of the last key that an earlier terminal relayed. */
void lpp_waiting_last(struct lpp_waiting *waiting, const char *name);

/* Adds a copy of the item. Without room the items made last are left out; see
 * lpp_waiting_look_again(). */
void lpp_waiting_add(struct lpp_waiting *waiting, const struct lpp_item *item);

/* True if this item waits: the same name, inode and birth. */
bool lpp_waiting_has(const struct lpp_waiting *waiting, const struct lpp_item *item);

/* The next key, valid until another call; NULL: none. lpp_waiting_drop() removes it after it was
 * relayed. */
const struct lpp_item *lpp_waiting_first(struct lpp_waiting *waiting);
void lpp_waiting_drop(struct lpp_waiting *waiting);

unsigned lpp_waiting_count(const struct lpp_waiting *waiting);

/* True if a key waits or was left out. */
bool lpp_waiting_any(const struct lpp_waiting *waiting);

/* True, once, if items were left out and all others are relayed. The caller then looks at the
 * folder again. */
bool lpp_waiting_look_again(struct lpp_waiting *waiting);

#endif
