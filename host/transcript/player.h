/* Plays a transcript on the judge's pages. Pure: the caller has the clock. The film's time begins
 * with the record's first key and follows the record's times. A key whose time steps back comes at
 * once. After a step of more than PLAYER_STEP_US, as by a set clock, the film continues from the
 * new time. */
#ifndef TRANSCRIPT_PLAYER_H
#define TRANSCRIPT_PLAYER_H

#include "session/page.h"
#include "transcript/history.h"

#define PLAYER_STEP_US 60000000u
#define PLAYER_ONE     100u /* speed in hundredths */
#define PLAYER_SLOWEST 25u
#define PLAYER_FASTEST 5000u

struct player;

/* Creates a paused player at the start. The history must outlive it. NULL if out of memory. */
struct player *player_create(const struct history *history, const struct style *style);
void player_destroy(struct player *player);

/* Plays up to now. True if a page changed. */
bool player_run(struct player *player, uint64_t mono_us);
/* The time for the next player_run(); BL_NEVER if paused or at the end. */
uint64_t player_due(const struct player *player);

void player_pause(struct player *player, bool pause, uint64_t mono_us);
/* Sets the speed within its limits. The film goes on from its present position. */
void player_speed(struct player *player, unsigned hundredths, uint64_t mono_us);
/* Jumps to a time of the film; the pages show the part of that time. */
void player_seek(struct player *player, uint64_t at_us, uint64_t mono_us);
/* Skips a pause: jumps to the next key, if there is one. */
void player_next(struct player *player, uint64_t mono_us);

struct player_view {
    const struct page *page[SIDES];
    bool used[SIDES]; /* the side has keys in the whole transcript */
    uint64_t at_us, length_us;
    uint64_t wall_us; /* time in the record */
    size_t part;
    size_t keys; /* number of the whole transcript's keys that were shown */
    unsigned speed;
    bool paused, ended;
    enum side side; /* side of the judge's last key */
};
void player_view(const struct player *player, uint64_t mono_us, struct player_view *view);

/* The next higher, or lower, speed of 0.25, 0.5, 1, 2, 4, 8, 16, 32 and 50. */
unsigned player_faster(unsigned hundredths);
unsigned player_slower(unsigned hundredths);

#endif
