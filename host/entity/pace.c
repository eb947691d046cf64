#include "entity/pace.h"

#include <string.h>

#define PACE_MAX_MS 10000u

/* Reads digits; false if there are none or the number is above PACE_MAX_MS. */
static bool parse_ms(const char **text, uint32_t *ms)
{
    const char *p = *text;
    uint32_t value = 0;
    while (*p >= '0' && *p <= '9' && value <= PACE_MAX_MS)
        value = value * 10 + (uint32_t)(*p++ - '0');
    if (p == *text || value > PACE_MAX_MS)
        return false;
    *text = p;
    *ms = value;
    return true;
}

enum bl_status pace_parse(struct pace *pace, const char *text, struct bl_diag *diag)
{
    const char *p = text;
    uint32_t interval = 0, spread = 0;
    bool good = parse_ms(&p, &interval) && interval > 0;
    if (good && *p) {
        if (strncmp(p, "\xC2\xB1", 2) == 0 || strncmp(p, "+-", 2) == 0) {
            p += 2;
            good = parse_ms(&p, &spread) && *p == '\0';
        } else {
            good = false;
        }
    }
    if (!good)
        return bl_fail(diag, BL_DATA,
                       "pace \"%.40s\": not MS or MS\xC2\xB1MS in milliseconds, 1 to %u, "
                       "for example 110 or 110+-30",
                       text, PACE_MAX_MS);
    if (spread > interval)
        return bl_fail(diag, BL_DATA,
                       "pace \"%.40s\": the deviation %u ms is more than the interval %u ms; "
                       "it may be at most as long",
                       text, spread, interval);
    *pace = (struct pace){.interval_us = interval * 1000u, .spread_us = spread * 1000u};
    return BL_OK;
}

uint64_t pace_due(const struct pace *pace, uint64_t now_us)
{
    return now_us > pace->next_us ? now_us : pace->next_us;
}

void pace_went(struct pace *pace, uint64_t now_us, uint32_t random)
{
    /* Counted from when the key really went: a late key never makes the next ones follow faster,
     * because a burst after a stall would tell that a program stood behind it. */
    uint64_t span = 2u * (uint64_t)pace->spread_us + 1u;
    uint64_t offset = (random * span) >> 32;
    pace->next_us = now_us + pace->interval_us - pace->spread_us + offset;
}
