#include "sim/chip/pump.h"

#include "sim/chip/chip.h"

#include <math.h>

#define PUMP_SHARE 0.6   /* share of the difference that a rising edge moves */
#define PUMP_TAU   0.015 /* s: the coil discharges with this time constant */
#define PULL_IN    0.7
#define DROP_OUT   0.35

static void pump_age(struct pump *pump, uint64_t now, uint32_t clock_hz)
{
    if (pump->volts > 0) {
        pump->volts *= exp(-(double)(now - pump->last_cycle) / (PUMP_TAU * clock_hz));
        if (pump->volts < DROP_OUT)
            pump->closed = false;
    }
    pump->last_cycle = now;
}

void pump_drive(struct pump *pump, bool level, uint64_t now, uint32_t clock_hz)
{
    if (pump->stuck != CHIP_FREE)
        level = pump->stuck;
    if (level == pump->level)
        return;
    pump->level = level;
    pump->edge = now;
    if (!level)
        return;
    pump_age(pump, now, clock_hz);
    pump->volts += (1 - pump->volts) * PUMP_SHARE;
    if (pump->volts > PULL_IN)
        pump->closed = true;
}

bool pump_closed(struct pump *pump, uint64_t now, uint32_t clock_hz)
{
    pump_age(pump, now, clock_hz);
    return pump->closed;
}
