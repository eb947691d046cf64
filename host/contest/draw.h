/* The decisions of the draw's seed: the side, the booth and the cable of each, and the order of the
 * rounds if one entity is met at a time. Pure.
 *
 * The key of all draws is the seed committed to; where a public value was named at the commitment,
 * it is BLAKE2b-256 of the seed's 32 bytes followed by that value's text, as draw_value() writes
 * it. Rounds scheduled after a draw have another. Contests of before (contest->draw 1) keep their
 * first order, booths in later trials, and cables. */
#ifndef CONTEST_DRAW_H
#define CONTEST_DRAW_H

#include "contest/contest.h"
#include "session/event.h"

/* The parts drawn at present; a commitment names its version. */
#define DRAW_VERSION 2

/* The value as it is mixed in: ASCII letters in lower case and digits, one blank for the bytes
 * between them, none at the ends; other bytes as they are. So nobody can choose between ways to
 * write it. False: nothing is left, or it is longer than `size`. */
bool draw_value(char *out, size_t size, const char *text);

/* The key of all that is drawn of a round, from 0: of the last draw that counts for it. */
void draw_key(const struct contest *contest, unsigned round, uint8_t key[CONTEST_SEED]);

/* The last draw committed to, with nothing of when. */
struct contest_draw draw_last(const struct contest *contest);

/* Keeps the last draw among those that were made: from the next round on it counts. `late`: rounds
 * were scheduled under its key, as in old contests. Where there is no room the last gives way. */
void draw_keep(struct contest *contest, bool late);

/* The rounds for which a draw counts, from 0, without `to`; false: none, another took its place. */
bool draw_rounds(const struct contest *contest, unsigned draw, unsigned *from, unsigned *to);

/* Tells the times at which the parts of a draw were known, and their proofs. */
#define DRAW_PROOF_MAX 800
void draw_tell(const struct contest_draw *draw, char out[DRAW_PROOF_MAX]);

/* True if the Entry sits on the left of a meeting: a keyed hash of its round and judge. Only once
 * `drawn`. 2009 §3a: on a random basis. */
bool contest_entry_left(const struct contest *contest, const struct meeting *meeting);

/* The candidate on a side: Entries, then confederates. Met alone, he is on both. */
unsigned contest_candidate_at(const struct contest *contest, const struct meeting *meeting,
                              enum side side);

/* Puts the rounds from `first` on in an order of its own for each seed, where entities are met
 * singly: whatever a judge knows of the schedule, each of the orders in which he can meet them is
 * as likely. Does nothing where the rounds are not drawn, or judges meet pairs. */
void draw_order(const struct contest *contest, struct schedule *schedule, unsigned first);

#define BOOTH_NONE 255

/* The booths of all in a trial, of which most contests have one; numbers from 0. */
struct booths {
    unsigned count;                  /* under a design the most games of a round */
    uint8_t of[SCHEDULE_PEOPLE_MAX]; /* an Entry's, or candidate's; BOOTH_NONE: no finalist */
};

/* BL_DATA: the seed is not known yet, or there are more than SCHEDULE_PEOPLE_MAX candidates. */
enum bl_status booths_draw(struct booths *booths, const struct contest *contest, unsigned trial,
                           struct bl_diag *diag);

/* The most meetings of a round. */
unsigned booths_at_once(const struct contest *contest);

/* The booth of a meeting, from 0: its candidate's, or under a design the place of the game in its
 * round. BOOTH_NONE: no finalist's. `booths` are those of its trial. */
unsigned booth_of_meeting(const struct contest *contest, const struct booths *booths,
                          const struct meeting *meeting);

/* True if the Entry is at cable B of a booth, else at A: one draw for the contest, or one for each
 * round where the booth's machines can serve `either` kind. */
bool booth_entry_on_b(const struct contest *contest, unsigned booth, unsigned round, bool either);

#endif
