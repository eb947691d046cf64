/* The judge's directories that the Entry has not yet removed, their ages, and the messages about
 * them. Pure; bounded. Source: Loebner Prize 2009 rules, section 2 ("then must remove or delete the
 * judge's sub-directory"); DESIGN.md, "Entrants" (2016: keys had piled up unread). */
#ifndef ENTITY_LPP_LAG_H
#define ENTITY_LPP_LAG_H

#include "base/time.h"

#include <stdbool.h>
#include <stddef.h>

#define LPP_LAG_ROOM 4096     /* most directories that are followed singly; any more are counted */
#define LPP_LAG_US   5000000  /* age at which a directory is reported */
#define LPP_DEAD_US  30000000 /* time without a sign of life of the Entry, before a report */
#define LPP_MUTE_US  60000000 /* time without an answer, all directories removed, until a report */

struct lpp_lag_item {
    uint64_t number, made_us;
    bool seen;
};

/* All zeros at the start. */
struct lpp_lag {
    struct lpp_lag_item item[LPP_LAG_ROOM];
    unsigned count;
    uint64_t more; /* number of directories that are not followed singly */
    uint64_t removed;
    uint64_t life_us;  /* time of the Entry's last sign of life: a removal or a key */
    uint64_t asked_us; /* time of the judge's last key since the Entry typed; 0: no answer is
                        * owed */
    bool lag_told, dead_told, mute_told;
    bool as_entry; /* this end is the Entry, and the judge's program is observed */
};

void lpp_lag_made(struct lpp_lag *lag, uint64_t number, uint64_t now_us);

void lpp_lag_unmade(struct lpp_lag *lag, uint64_t number);

/* The Entry has removed a directory. False: the directory is not followed. */
bool lpp_lag_removed(struct lpp_lag *lag, uint64_t number, uint64_t now_us);

void lpp_lag_typed(struct lpp_lag *lag, uint64_t now_us);

/* The Entry may not type now: it owes no answer. */
void lpp_lag_hush(struct lpp_lag *lag);

/* For a look at the whole folder. Called at its beginning, for each directory in the folder (false:
 * not followed), and at its end. */
void lpp_lag_look_begin(struct lpp_lag *lag);
bool lpp_lag_look_seen(struct lpp_lag *lag, uint64_t number);
void lpp_lag_look_end(struct lpp_lag *lag, uint64_t now_us);

uint64_t lpp_lag_count(const struct lpp_lag *lag);

enum lpp_lag_word {
    LPP_LAG_NOTHING,
    LPP_LAG_NOT_READY, /* the Entry has neither removed a directory nor typed */
    LPP_LAG_NEVER,     /* the Entry types, but has removed no directory */
    LPP_LAG_BEHIND,    /* the Entry removes directories, but late */
    LPP_LAG_DEAD,      /* the Entry shows no sign of life any more */
    LPP_LAG_MUTE,      /* the Entry has removed all directories, and does not type */
    LPP_LAG_TYPES,     /* after LPP_LAG_MUTE: the Entry types again */
    LPP_LAG_CAUGHT_UP  /* after LPP_LAG_NOT_READY to LPP_LAG_DEAD: the Entry has removed all */
};

/* Returns the message that is due, each once. text: one line. */
enum lpp_lag_word lpp_lag_tell(struct lpp_lag *lag, uint64_t now_us, char *text, size_t size);

/* The time at which lpp_lag_tell() may have a message without an event; BL_NEVER: never. */
uint64_t lpp_lag_due(const struct lpp_lag *lag);

#endif
