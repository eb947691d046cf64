/* The pace of an entity's keys as written in tickets and venues' files; entity/pace.h explains the
 * effect. Pure. */
#ifndef BASE_PACE_CONFIG_H
#define BASE_PACE_CONFIG_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define PACE_TEXT_MAX    64 /* bytes with the NUL */
#define PACE_HOLD_MAX_MS 10000

enum pace_mode { PACE_OWN, PACE_KEYS, PACE_MESSAGE };

/* The names of the modes in tickets and venues' files, in the enum's order; NULL ends them. */
extern const char *const pace_modes[];

/* The pace of keys; zeroed is PACE_OWN. */
struct pace_config {
    enum pace_mode mode;
    uint32_t interval_us, spread_us;
    uint32_t after_us; /* message: from the judge's Return to the first key */
    uint32_t hold_us;  /* any mode: the least time from a key's press to its sending */
};

/* Parses MS, MS±MS (also MS+-MS), keys [MS[±MS]] or message [MS[±MS]] [after MS]: 1 to 10000 ms, a
 * deviation up to the interval, `after` up to 120000 ms. Does not change hold_us. BL_DATA. */
enum bl_status pace_parse(struct pace_config *config, const char *text, struct bl_diag *diag);

/* The longest time for which the filter of an Entry's prompt holds a key. If one entity has such a
 * filter, the keys of both wait as long. */
#define PACE_PROMPT_HOLD_MS 100

#endif
