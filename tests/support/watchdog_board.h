/* A controller board on this computer: the watchdog's core, with memory for its store and bytes for
 * its serial line. One at a time, for the core asks for its port by name. */
#ifndef SUPPORT_WATCHDOG_BOARD_H
#define SUPPORT_WATCHDOG_BOARD_H

#include "firmware/core/board_io.h"
#include "firmware/core/watchdog.h"
#include "firmware/store/bytes.h"

#include <stddef.h>

struct watchdog_board {
    struct watchdog *watchdog;
    uint8_t store[IO_BYTES];
    uint8_t inputs; /* STATUS_ bits, as they are at the pins */
    uint8_t shown;  /* IO_ bits that were lit or sounded since the caller cleared them */
    char in[512], out[4096];
    size_t in_first, in_count, out_count;
};

/* A board as it comes from the factory, with power on, the key switch at PAUSE. */
void watchdog_board_power(struct watchdog_board *board);

/* A reset for that reason; what is in the store stays. */
void watchdog_board_reset(struct watchdog_board *board, enum sentence_word reason);

void watchdog_board_key_switch(struct watchdog_board *board, bool run);
void watchdog_board_button(struct watchdog_board *board, bool pressed);

/* A byte from the host; what does not fit is lost. */
void watchdog_board_give(struct watchdog_board *board, char byte);

/* Bytes for the host. */
size_t watchdog_board_take(struct watchdog_board *board, char *bytes, size_t size);

/* Time goes on by WATCHDOG_TICK_MS. */
void watchdog_board_tick(struct watchdog_board *board);

#endif
