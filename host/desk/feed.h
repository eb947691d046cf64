/* The keys that an audience, or without a delay a referee, may see: keys of judges' journals that
 * have been in the desk's folder for the delay, or that are of rounds with sealed ballots. Each
 * look notes the lengths of the files, and reads up to the lengths that are old enough. So the age
 * of a key counts from its arrival. The keys come without people's names. A booth chooses its
 * journals' names, so it may pass its own keys off as those of a sealed round. */
#ifndef DESK_FEED_H
#define DESK_FEED_H

#include "base/json.h"
#include "base/status.h"
#include "base/time.h"
#include "session/event.h"

#define FEED_LINE   5120       /* bytes of a line of keys: the longest record, and a name */
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

/* Takes keys. False: not taken; the keys come again at the next look. */
typedef bool feed_give(void *ctx, const struct feed_keys *keys);

/* `contest`: the id of the desk's contest (rules/contest_id.h), owned by the caller; "": not known
 * yet. Keys of another contest are not given. BL_NOMEM, BL_USAGE. */
enum bl_status feed_create(struct feed **out, const char *inbox, const char *contest,
                           uint64_t delay_us, struct bl_diag *diag);

/* Adds a place. Places other than judges' have no effect. */
void feed_add(struct feed *feed, const char *place);

/* Gives the keys that have become old enough. `sealed`: number of sealed rounds. */
void feed_look(struct feed *feed, struct bl_time now, unsigned sealed, feed_give *give, void *ctx);

/* Writes the keys as a line of JSON. `who`: the name of the side's entity; NULL: secret. */
void feed_write(const struct feed_keys *keys, const char *who, struct json_text *out);

/* Makes the next look give all keys again, for a new reader. */
void feed_rewind(struct feed *feed);

/* NULL is allowed. */
void feed_destroy(struct feed *feed);

#endif
