/* Plays a transcript on the judge's pages. Pure: the caller has the clock and asks when the next
 * key is due. The time of the film is that of the record, from its first key: a pause lasts as long
 * as it did, at any speed, because each key stands at its own place and no rounding adds up. Where
 * the record's times step back, the key comes at once; after a step of more than PLAYER_STEP_US, as
 * of a clock that was set, time goes on from there. */
#ifndef TRANSCRIPT_PLAYER_H
#define TRANSCRIPT_PLAYER_H

#include "session/page.h"
#include "transcript/history.h"

#define PLAYER_STEP_US 60000000u
#define PLAYER_ONE     100u /* speed, in hundredths */
#define PLAYER_SLOWEST 25u
#define PLAYER_FASTEST 5000u

struct player;

/* The history is the caller's and must stay. It begins paused, at the start. NULL: no memory. */
struct player *player_create(const struct history *history, const struct style *style);
void player_destroy(struct player *player);

/* Goes on to now, and shows the keys that are due. Returns whether a page changed. */
bool player_run(struct player *player, uint64_t mono_us);
/* The time of the next player_run; BL_NEVER while it is paused and at the end. */
uint64_t player_due(const struct player *player);

void player_pause(struct player *player, bool pause, uint64_t mono_us);
/* Clamped to the possible range; the playing goes on from the same place. */
void player_speed(struct player *player, unsigned hundredths, uint64_t mono_us);
/* To a time of the film; a session's pages are those of its part. */
void player_seek(struct player *player, uint64_t at_us, uint64_t mono_us);
/* To the next key, if there is one: over a pause. */
void player_next(struct player *player, uint64_t mono_us);

struct player_view {
    const struct page *page[SIDES];
    bool used[SIDES]; /* is there any key of this side in the whole transcript? */
    uint64_t at_us, length_us;
    uint64_t wall_us; /* of the record */
    size_t part;
    size_t keys; /* shown, of the whole transcript */
    unsigned speed;
    bool paused, ended;
    enum side side; /* of the last key of the judge */
};
void player_view(const struct player *player, uint64_t mono_us, struct player_view *view);

/* The next speed up or down of 0.25, 0.5, 1, 2, 4, 8, 16, 32, 50. */
unsigned player_faster(unsigned hundredths);
unsigned player_slower(unsigned hundredths);

#endif
