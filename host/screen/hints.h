/* The keys that do something now, for a screen's last line. Pure. */
#ifndef SCREEN_HINTS_H
#define SCREEN_HINTS_H

#include "screen/past.h"
#include "session/screen_model.h"

#define HINTS 16

struct hint {
    const char *key, *does;
    bool spare; /* a narrow screen may leave it out */
};

/* back: older rows are looked at. Returns how many. */
unsigned hint_list(const struct screen_model *model, bool kiosk, bool back,
                   struct hint hints[HINTS]);

/* The reach of a partner, in two words. */
const char *hint_reach(bool insecure, enum reach reach);

/* Behind the mark of the side typed to, longest first; NULL after the last. */
const char *const *hint_here(enum party role);

/* At the clock's side: a part's last 30 or 10 seconds; for an Entry's attendant, the lack of a
 * controller to enforce the time; or "". */
const char *hint_time(const struct screen_model *model);

/* Of a replay. */
unsigned hint_past(const struct past *past, struct hint hints[HINTS]);

#endif
