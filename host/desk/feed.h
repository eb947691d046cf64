/* The keys that an audience may see, or without a delay a referee: those of judges' journals in the
 * desk's folder that have been there for the delay, or of rounds whose ballots are sealed. No key
 * is read before its time: each look notes the lengths of the files, and reads up to the lengths
 * that are old enough. So the age of a key counts from its arrival, also for a desk that was
 * started again. The keys come without people's names. A booth chooses its journals' names, so it
 * may pass keys of its own off as those of a sealed round. */
#ifndef DESK_FEED_H
#define DESK_FEED_H

#include "base/json.h"
#include "base/status.h"
#include "base/time.h"
#include "session/event.h"

#define FEED_LINE   5120       /* bytes of a line of keys: the longest record's fits, and a name */
#define FEED_WHO    400        /* bytes of the name of a side's entity */
#define FEED_SEALED UINT64_MAX /* as delay: no key before its round is sealed */

struct feed;

/* Some keys of a side, placed at one instant. */
struct feed_keys {
    const char *place;
    const char *session;
    enum side side;
    enum party party;
    uint64_t first;   /* number of the first key in the order, from 1 */
    const char *text; /* UTF-8 with Return, BackSpace and Tab; a C string */
};

/* False: the keys are not taken, and come again at the next look. */
typedef bool feed_give(void *ctx, const struct feed_keys *keys);

/* `contest`: the id of the desk's (rules/contest_id.h), "" as long as it is not known; no keys of
 * another one are given. It must stay. BL_NOMEM, BL_USAGE. */
enum bl_status feed_create(struct feed **out, const char *inbox, const char *contest,
                           uint64_t delay_us, struct bl_diag *diag);

/* Adds a place; only judges' places count. */
void feed_add(struct feed *feed, const char *place);

/* Gives the keys that have become old enough. `sealed`: number of sealed rounds. */
void feed_look(struct feed *feed, struct bl_time now, unsigned sealed, feed_give *give, void *ctx);

/* Writes the keys as a line of JSON; `who` names the side's entity, NULL: nobody may know. */
void feed_write(const struct feed_keys *keys, const char *who, struct json_text *out);

/* Makes the next look give all keys again, for a new reader. */
void feed_rewind(struct feed *feed);

/* NULL is allowed. */
void feed_destroy(struct feed *feed);

#endif
