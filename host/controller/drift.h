/* The rate of a controller's clock against this machine's. Pure: both times come in. */
#ifndef CONTROLLER_DRIFT_H
#define CONTROLLER_DRIFT_H

#include <stdbool.h>
#include <stdint.h>

#define DRIFT_WINDOW   8
#define DRIFT_ERROR_US 3000 /* of the measurement, over any time: ticks of 2 ms, and the way */

/* A reading reaches us late, by its way through the serial line and this machine, and never early.
 * So of the first few readings, and again of the last few, the least late one is used. Zeroed is
 * the start. */
struct drift {
    uint32_t clock_ms; /* as heard last, not unwrapped */
    uint64_t run_us;   /* of the controller, since the first reading */
    uint64_t count;
    struct drift_reading {
        int64_t offset_us; /* ours less the controller's */
        uint64_t at_us;    /* ours */
    } first, ring[DRIFT_WINDOW];
};

/* Takes a reading of the controller's clock, in ms modulo modulus_ms, heard at now_us of ours. */
void drift_take(struct drift *drift, uint32_t clock_ms, uint32_t modulus_ms, uint64_t now_us);

/* False before there is enough to tell. ppb: parts in 10^9 by which the controller's clock is fast
 * (negative: slow); span_us: measured over so long, with an error of DRIFT_ERROR_US in that. */
bool drift_tell(const struct drift *drift, int64_t *ppb, uint64_t *span_us);

#endif
