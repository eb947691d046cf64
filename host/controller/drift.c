#include "controller/drift.h"

#define LEAST_SPAN_US 10000000u

void drift_take(struct drift *drift, uint32_t clock_ms, uint32_t modulus_ms, uint64_t now_us)
{
    if (drift->count > 0)
        drift->run_us += (uint64_t)((clock_ms + modulus_ms - drift->clock_ms) % modulus_ms) * 1000;
    drift->clock_ms = clock_ms;
    struct drift_reading reading = {.offset_us = (int64_t)now_us - (int64_t)drift->run_us,
                                    .at_us = now_us};
    if (drift->count == 0 ||
        (drift->count < DRIFT_WINDOW && reading.offset_us < drift->first.offset_us))
        drift->first = reading;
    drift->ring[drift->count++ % DRIFT_WINDOW] = reading;
}

bool drift_tell(const struct drift *drift, int64_t *ppb, uint64_t *span_us)
{
    if (drift->count < 2 * DRIFT_WINDOW)
        return false;
    struct drift_reading last = drift->ring[0];
    for (unsigned i = 1; i < DRIFT_WINDOW; i++)
        if (drift->ring[i].offset_us < last.offset_us)
            last = drift->ring[i];
    if (last.at_us < drift->first.at_us + LEAST_SPAN_US)
        return false;
    *span_us = last.at_us - drift->first.at_us;
    *ppb = (drift->first.offset_us - last.offset_us) * 1000000 / (int64_t)(*span_us / 1000);
    return true;
}
