/* The decisions of the draw's seed: each entity's side, booth and cable, and the order of the
 * rounds if entities are met singly. Pure.
 *
 * * The key of all draws is the committed seed. If the commitment names a public value, the key is
 * BLAKE2b-256 of the seed's 32 bytes followed by that value's text, as draw_value() writes it.
 * Rounds scheduled after a draw have a draw of their own. Older contests (contest->draw 1) keep the
 * first version's order, booths in later trials, and cables. */
#ifndef CONTEST_DRAW_H
#define CONTEST_DRAW_H

#include "contest/contest.h"
#include "session/event.h"

/* The parts drawn at present; a commitment names its version. */
#define DRAW_VERSION 2

/* The public value in its one form: lower-case ASCII letters and digits, one blank for the bytes
 * between them, none at the ends; bytes above ASCII unchanged. False: nothing is left, or it
 * exceeds `size`. */
bool draw_value(char *out, size_t size, const char *text);

/* The key of a round's draws; round from 0. */
void draw_key(const struct contest *contest, unsigned round, uint8_t key[CONTEST_SEED]);

/* The last committed draw, without numbers and times of acts. */
struct contest_draw draw_last(const struct contest *contest);

/* Adds the last draw to contest->past. The draw counts from the next round on. `late`: rounds were
 * scheduled after the draw under its key, as in old contests. Without room it replaces the last
 * draw there. */
void draw_keep(struct contest *contest, bool late);

/* The rounds, from `from` (from 0) to before `to`, for which a draw counts. False: none, since
 * another replaced it. */
bool draw_rounds(const struct contest *contest, unsigned draw, unsigned *from, unsigned *to);

/* Writes the times at which the parts of a draw were known, and their proofs. */
#define DRAW_PROOF_MAX 800
void draw_tell(const struct contest_draw *draw, char out[DRAW_PROOF_MAX]);

/* True if the Entry sits on the left of a meeting, by a keyed hash of its round and judge. Requires
 * `drawn`. 2009 §3a: on a random basis. */
bool contest_entry_left(const struct contest *contest, const struct meeting *meeting);

/* The number of the candidate on a side; a candidate met alone is on both. */
unsigned contest_candidate_at(const struct contest *contest, const struct meeting *meeting,
                              enum side side);

/* Orders the rounds from `first` on by the seed, if entities are met singly. For a judge who knows
 * the schedule every order of meetings is equally likely. No effect if the rounds are not drawn, or
 * judges meet pairs. */
void draw_order(const struct contest *contest, struct schedule *schedule, unsigned first);

#define BOOTH_NONE 255

/* The booths of all candidates in a trial; numbers from 0. */
struct booths {
    unsigned count; /* number of booths; under a design the most games of a round */
    uint8_t of[SCHEDULE_ENTRIES_MAX]; /* booth of an Entry or candidate; BOOTH_NONE: no finalist */
};

/* BL_DATA: the seed is not known yet, or there are more than SCHEDULE_ENTRIES_MAX candidates. */
enum bl_status booths_draw(struct booths *booths, const struct contest *contest, unsigned trial,
                           struct bl_diag *diag);

/* The most meetings of a round. */
unsigned booths_at_once(const struct contest *contest);

/* The booth of a meeting, from 0: its candidate's; under a design, the position of the game in its
 * round. BOOTH_NONE: no finalist's. `booths` are those of its trial. */
unsigned booth_of_meeting(const struct contest *contest, const struct booths *booths,
                          const struct meeting *meeting);

/* True if the Entry is at cable B of a booth. One draw for the contest; if the booth's machines can
 * serve `either` kind, one draw for each round. */
bool booth_entry_on_b(const struct contest *contest, unsigned booth, unsigned round, bool either);

#endif
