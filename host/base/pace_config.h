/* The pace of an entity's keys, in tickets and venues' files; entity/pace.h explains its effect.
 * Pure. */
#ifndef BASE_PACE_CONFIG_H
#define BASE_PACE_CONFIG_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

#define PACE_TEXT_MAX    64 /* bytes with the NUL */
#define PACE_HOLD_MAX_MS 10000

enum pace_mode { PACE_OWN, PACE_KEYS, PACE_MESSAGE };

/* The names that tickets and venues' files have for the modes, in the enum's order; NULL ends the
 * names. */
extern const char *const pace_modes[];

/* A pace of keys; zeroed, its mode is PACE_OWN. */
struct pace_config {
    enum pace_mode mode;
    uint32_t interval_us, spread_us;
    uint32_t after_us; /* PACE_MESSAGE: the time from the judge's Return to the first key */
    uint32_t hold_us;  /* in each mode: the least time from a key's press to its sending */
};

/* Parses MS, MS±MS (also MS+-MS), keys [MS[±MS]] or message [MS[±MS]] [after MS]. An interval is 1
 * to 10000 ms, a deviation at most the interval, and `after` at most 120000 ms. hold_us is
 * unchanged. BL_DATA: another form. */
enum bl_status pace_parse(struct pace_config *config, const char *text, struct bl_diag *diag);

/* The longest time for which an Entry's prompt filter holds a key. In a contest with such a filter
 * all entities' keys are held as long. */
#define PACE_PROMPT_HOLD_MS 100

#endif
