/* Measures the rate of a controller's clock against this machine's. Pure: both times are
 * arguments. */
#ifndef CONTROLLER_DRIFT_H
#define CONTROLLER_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#define DRIFT_WINDOW   8
#define DRIFT_ERROR_US 3000 /* error over any time: ticks of 2 ms, and transmission */

/* Readings of the clocks. A reading may be delayed by the serial line and this machine, but is
 * never early. So the least delayed of the first few readings, and of the last few, is used. All
 * zeros at the start. */
struct drift {
    uint32_t clock_ms; /* clock as last received, modulo the counter's range */
    uint64_t run_us;   /* time by the controller since the first reading */
    uint64_t count;
    struct drift_reading {
        int64_t offset_us; /* our time minus the controller's */
        uint64_t at_us;    /* time by our clock */
    } first, ring[DRIFT_WINDOW];
};

/* Takes a reading of the controller's clock, in ms modulo modulus_ms, received at now_us of our
 * clock. */
void drift_take(struct drift *drift, uint32_t clock_ms, uint32_t modulus_ms, uint64_t now_us);

/* False: too few readings. ppb: parts in 10^9 by which the controller's clock is fast (negative:
 * slow). span_us: time of the measurement, whose error is DRIFT_ERROR_US. */
bool drift_tell(const struct drift *drift, int64_t *ppb, uint64_t *span_us);

#endif
