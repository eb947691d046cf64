/* A relay's charge pump, as the wiring's sheet computes it. Times are cycles of the clock. */
#ifndef SIM_PUMP_H
#define SIM_PUMP_H

#include <stdbool.h>
#include <stdint.h>

struct pump {
    bool level;   /* level of the pin, perhaps stuck */
    int stuck;    /* CHIP_FREE, 0, 1 */
    double volts; /* coil's voltage at last_cycle, as a share of the supply's; a rising edge moves
                   * charge to the coil */
    uint64_t last_cycle;
    uint64_t edge; /* time of the level's last change */
    bool closed;
};

/* Sets the pin's level from `now` on. */
void pump_drive(struct pump *pump, bool level, uint64_t now, uint32_t clock_hz);

/* True if the relay's contacts are closed at `now`. */
bool pump_closed(struct pump *pump, uint64_t now, uint32_t clock_hz);

#endif
