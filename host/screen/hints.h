/* The keys that do something now, for a screen's last line. Pure. */
#ifndef SCREEN_HINTS_H
#define SCREEN_HINTS_H

#include "screen/past.h"
#include "session/screen_model.h"

#define HINTS 16

struct hint {
    const char *key, *does;
};

/* back: older rows are looked at. Returns how many. */
unsigned hint_list(const struct screen_model *model, bool kiosk, bool back,
                   struct hint hints[HINTS]);

/* How a partner can be reached, in two words. */
const char *hint_reach(bool insecure, enum reach reach);

/* Of a replay. */
unsigned hint_past(const struct past *past, struct hint hints[HINTS]);

#endif
