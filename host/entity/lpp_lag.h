/* The judge's directories that the Entry has not yet removed, their ages, and the messages about
 * them. Pure; bounded. Source: Loebner Prize 2009 rules, section 2 ("then must remove or delete the
 * judge's sub-directory"); DESIGN.md, "Entrants" (2016: keys had piled up unread). */
#ifndef ENTITY_LPP_LAG_H
#define ENTITY_LPP_LAG_H

#include "base/time.h"

#include <stdbool.h>
#include <stddef.h>

#define LPP_LAG_ROOM 4096 /* directories that are followed one by one; further ones are counted */
#define LPP_LAG_US   5000000  /* a directory that is still there after this time is reported */
#define LPP_DEAD_US  30000000 /* the same, without any other sign of life */
#define LPP_MUTE_US  60000000 /* all directories are removed, and nothing was typed for this time */

struct lpp_lag_item {
    uint64_t number, made_us;
    bool seen;
};

/* Zeroed is the start. */
struct lpp_lag {
    struct lpp_lag_item item[LPP_LAG_ROOM];
    unsigned count;
    uint64_t more;     /* directories without room here */
    uint64_t removed;  /* directories that the Entry has removed */
    uint64_t life_us;  /* its last sign of life: a removal or a key */
    uint64_t asked_us; /* the judge's last key since the Entry typed; 0: none, no answer is owed */
    bool lag_told, dead_told, mute_told;
    bool as_entry; /* we are the Entry, and the judge's program is observed */
};

void lpp_lag_made(struct lpp_lag *lag, uint64_t number, uint64_t now_us);

/* The directory was not made after all. */
void lpp_lag_unmade(struct lpp_lag *lag, uint64_t number);

/* The Entry has removed a directory. False: none of ours. */
bool lpp_lag_removed(struct lpp_lag *lag, uint64_t number, uint64_t now_us);

/* The Entry has typed. */
void lpp_lag_typed(struct lpp_lag *lag, uint64_t now_us);

/* The Entry may not type now: nobody waits for it. */
void lpp_lag_hush(struct lpp_lag *lag);

/* For a look at the whole folder: begin, each directory that is there (false: none of ours),
 * end. */
void lpp_lag_look_begin(struct lpp_lag *lag);
bool lpp_lag_look_seen(struct lpp_lag *lag, uint64_t number);
void lpp_lag_look_end(struct lpp_lag *lag, uint64_t now_us);

/* The number of directories that are not removed. */
uint64_t lpp_lag_count(const struct lpp_lag *lag);

enum lpp_lag_word {
    LPP_LAG_NOTHING,
    LPP_LAG_NOT_READY, /* the very first directory is not removed */
    LPP_LAG_NEVER,     /* the Entry types, but removes none */
    LPP_LAG_BEHIND,    /* the Entry removes directories, but late */
    LPP_LAG_DEAD,      /* no sign of life */
    LPP_LAG_MUTE,      /* the Entry has removed all, but types nothing */
    LPP_LAG_TYPES,     /* after LPP_LAG_MUTE: the Entry types again */
    LPP_LAG_CAUGHT_UP  /* after one of the first four: the Entry has removed all */
};

/* The message that is due now, once, with its text in one line. */
enum lpp_lag_word lpp_lag_tell(struct lpp_lag *lag, uint64_t now_us, char *text, size_t size);

/* The time to ask for a message without another event; BL_NEVER: never. */
uint64_t lpp_lag_due(const struct lpp_lag *lag);

#endif
