/* A relay's charge pump as computed on the wiring's sheet. Times are cycles of the clock. */
#ifndef SIM_PUMP_H
#define SIM_PUMP_H

#include <stdbool.h>
#include <stdint.h>

struct pump {
    bool level;   /* level of the pin, perhaps stuck */
    int stuck;    /* CHIP_FREE, 0, 1 */
    double volts; /* at last_cycle, of the supply's 1.0; a rising edge moves charge to the coil */
    uint64_t last_cycle;
    uint64_t edge; /* last change of the level */
    bool closed;
};

/* The pin has a level from `now` on. */
void pump_drive(struct pump *pump, bool level, uint64_t now, uint32_t clock_hz);

/* The relay's contacts at `now`. */
bool pump_closed(struct pump *pump, uint64_t now, uint32_t clock_hz);

#endif
