/* The keys that have an effect now, for a screen's last line. Pure. */
#ifndef SCREEN_HINTS_H
#define SCREEN_HINTS_H

#include "screen/past.h"
#include "session/screen_model.h"

#define HINTS 16

struct hint {
    const char *key, *does;
    bool spare; /* a narrow screen may omit this hint */
};

/* Lists the keys; back: the view is scrolled back. Returns their number. */
unsigned hint_list(const struct screen_model *model, bool kiosk, bool back,
                   struct hint hints[HINTS]);

/* The words for the partner's reach. */
const char *hint_reach(bool insecure, enum reach reach);

/* The marks for the side that receives typing, the longest first, for screens of different widths.
 * NULL ends them. */
const char *const *hint_here(enum party role);

/* The text beside the clock: the last 30 or 10 seconds of a part; for an Entry's attendant, that no
 * controller enforces the time; or "". */
const char *hint_time(const struct screen_model *model);

/* The keys of a replay. */
unsigned hint_past(const struct past *past, struct hint hints[HINTS]);

#endif
