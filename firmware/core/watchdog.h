/* The watchdog: owns the time of a session and closes the lines only while the plan and the host's
 * heartbeat both say so. A state machine without registers, clock or allocation; what it needs of
 * the board is in port.h. Contract: design, "Controller", points 1 to 6. Sentences, states and the
 * stored records are described in firmware/README.md.
 *
 * watchdog_tick() runs in the timer's interrupt every WATCHDOG_TICK_MS and makes the cut itself;
 * everything else runs in the main loop and may hang without delaying it. */
#ifndef CORE_WATCHDOG_H
#define CORE_WATCHDOG_H

#include "firmware/core/sentence.h"

#define WATCHDOG_VERSION 1

#define WATCHDOG_TICK_MS    2
#define WATCHDOG_TICKS(ms)  ((ms) / WATCHDOG_TICK_MS)
#define WATCHDOG_SEGMENTS   12
#define WATCHDOG_PLAN_MIN_S 5     /* all segments together */
#define WATCHDOG_PLAN_MAX_S 28800 /* 8 hours; also of one segment, whose least is 1 s */
#define WATCHDOG_CONNECT_S  10    /* longest connect phase */
#define WATCHDOG_BUDGET_S   3600  /* longest budget of pauses */
#define WATCHDOG_LEASE_MS   3000  /* silence of the host that opens the lines */
#define WATCHDOG_NOTICE_MS  500   /* CLOSING comes so long before the cut */

/* Flags of a segment, as SEG carries them. */
#define SEGMENT_LEFT       0x01 /* line closed */
#define SEGMENT_RIGHT      0x02
#define SEGMENT_WORD       0x04 /* waits, lines open, for the steward's word: RUN or the button */
#define SEGMENT_LAMP_LEFT  0x08
#define SEGMENT_LAMP_RIGHT 0x10
#define SEGMENT_LAMP_BREAK 0x20
#define SEGMENT_FLAGS      0x3f
#define SEGMENT_LINES      (SEGMENT_LEFT | SEGMENT_RIGHT)

/* The bits of STA's field `inputs`. */
#define STATUS_LEFT   0x01 /* line driven closed */
#define STATUS_RIGHT  0x02
#define STATUS_KEY    0x04 /* the key switch stands at RUN */
#define STATUS_BUTTON 0x08 /* pressed */

/* CAL carries the calibration biased by this; one unit is a 4,096,000th (0.244 ppm), and more means
 * a longer tick, for a clock that is too fast. */
#define WATCHDOG_CAL_BIAS 32768
#define WATCHDOG_CAL_UNIT 4096000

#endif
