/* Shared by the verbs of `contest` for rounds, the coin, and schedules without a contest. */
#ifndef CLI_CONTEST_PLAN_H
#define CLI_CONTEST_PLAN_H

#include "cli/contest.h"

/* _commit makes a secret seed of `length` bytes in PATH.KIND and appends `act`, an ACT_COMMIT or
 * ACT_COIN, with the seed's commitment. _reveal appends `act`, an ACT_SEED or ACT_COIN, with the
 * seed. Both complete the act, and print the text to publish. */
enum bl_status contest_seed_commit(struct contest_file *file, const char *path, const char *kind,
                                   size_t length, struct act_body *act, struct bl_diag *diag);
enum bl_status contest_seed_reveal(struct contest_file *file, const char *path, const char *kind,
                                   size_t length, struct act_body *act, struct bl_diag *diag);

/* Prints the open wishes of a schedule found by search, of `rounds` rounds; "impossible" if
 * proven. */
void contest_print_bound(const struct schedule_bound *bound, unsigned rounds);

/* Prints the reason why the last `made` rounds are more than the judges: no two orthogonal squares
 * exist for 2 and 6. */
void contest_print_more(const struct schedule *schedule, unsigned made,
                        const struct schedule_bound *bound);

/* Options of `schedule`, with and without FILE. */
struct contest_schedule_options {
    struct contest_options common;
    const char *ruleset, *start, *breaks, *public;
    const char *key;
    int size, judges, entries, confederates, people, booths; /* -1: not given */
    bool optimal;
};
/* Schedules the rounds to come. `booths`: games at once under a design; 0: as before. `public`,
 * after a draw: another public value, or NULL. */
enum bl_status contest_schedule_now(struct contest_file *file, const char *path, bool optimal,
                                    unsigned booths, const char *public, struct bl_diag *diag);
enum bl_status contest_schedule_file(const struct command_call *call, struct bl_diag *diag);

#endif
