#ifndef CONTEST_SELECTION_PRIVATE_H
#define CONTEST_SELECTION_PRIVATE_H

#include "contest/result_steps_private.h"
#include "contest/selection.h"

struct entries {
    unsigned count;
    uint8_t entry[SELECTION_ENTRIES_MAX];
};

struct selecting {
    const struct selection_input *input;
    struct selection *selection;
    struct result_steps steps;
};

/* The rule of a line of the ruleset's section [selection]. */
struct rule selection_rule(const struct selecting *s, const char *key, int which);

void selection_names(const struct entries *set, char *out, size_t size);

bool selection_has(const struct entries *set, unsigned entry);
void selection_move(struct selecting *s, const struct entries *set, enum selection_stage stage);

/* The number in the rules; if missing, the greatest possible. */
unsigned selection_most(int most);

/* Sorts the best first; equals keep their order. `order` is negative if a is the better. */
void selection_sort(const struct selecting *s, struct entries *set,
                    int (*order)(const struct selecting *s, unsigned a, unsigned b));

/* Cuts a set, in that order, to `room`. Of equals at the boundary the chosen Entries go on. False:
 * a choice is missing, as reported. */
bool selection_cut(struct selecting *s, struct entries *set, unsigned room,
                   int (*order)(const struct selecting *s, unsigned a, unsigned b),
                   const char *rule);

/* Makes the set's Entries the finalists. */
void selection_finish(struct selecting *s, const struct entries *set, const char *rule);

enum bl_status selection_by_ranks(struct selecting *s, struct entries *all, struct bl_diag *diag);

#endif
