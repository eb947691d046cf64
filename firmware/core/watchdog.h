/* The watchdog: owns the time of a session and joins the lines only while the plan and the host's
 * heartbeat both say so. A state machine without registers, clock or allocation; its needs of the
 * board are in board_io.h. Contract: DESIGN.md, "Controller", points 1 to 6. Sentences and states
 * are described in firmware/README.md, the stored records in ledger.c.
 *
 * watchdog_tick() runs in the timer's interrupt every WATCHDOG_TICK_MS and makes the cut itself;
 * everything else runs in the main loop and may hang without delaying it. */
#ifndef CORE_WATCHDOG_H
#define CORE_WATCHDOG_H

#include "firmware/core/board_io.h"
#include "firmware/core/sentence.h"

#define WATCHDOG_VERSION 1

#define WATCHDOG_TICK_MS   2
#define WATCHDOG_TICKS(ms) ((ms) / WATCHDOG_TICK_MS)
#define WATCHDOG_SLOW                                                                              \
    8 /* every so many ticks comes the slow work: inputs, lease, main
                                 loop */
#define WATCHDOG_SLOW_MS    (WATCHDOG_SLOW * WATCHDOG_TICK_MS)
#define WATCHDOG_SEGMENTS   12
#define WATCHDOG_PLAN_MIN_S 5     /* all segments together */
#define WATCHDOG_PLAN_MAX_S 28800 /* 8 hours; also of one segment, whose least is 1 s */
#define WATCHDOG_CONNECT_S  10    /* longest connect phase */
#define WATCHDOG_BUDGET_S   3600  /* longest budget of pauses */
#define WATCHDOG_LEASE_MS   3000  /* silence of the host that opens the lines */
#define WATCHDOG_NOTICE_MS  500   /* CLOSING comes so long before the cut */

/* Flags of a segment, as SEG carries them. */
#define SEGMENT_A          0x01 /* line closed */
#define SEGMENT_B          0x02
#define SEGMENT_WORD       0x04 /* waits, lines open, for the steward's word: RUN or the button */
#define SEGMENT_LAMP_A     0x08
#define SEGMENT_LAMP_B     0x10
#define SEGMENT_LAMP_BREAK 0x20
#define SEGMENT_FLAGS      0x3f
#define SEGMENT_LINES      (SEGMENT_A | SEGMENT_B)

/* The bits of STA's field `inputs`. */
#define STATUS_A          0x01 /* line driven closed */
#define STATUS_B          0x02
#define STATUS_KEY_SWITCH 0x04 /* the key switch stands at RUN */
#define STATUS_BUTTON     0x08 /* pressed */

/* CAL carries the calibration biased by this; one unit is a 4,096,000th (0.244 ppm), and more means
 * a longer tick, for a clock that is too fast. */
#define WATCHDOG_CAL_BIAS 32768U
#define WATCHDOG_CAL_UNIT 4096000L
#define WATCHDOG_CAL_MAX  24576U /* 0.6 %, either way: a ceramic resonator has 0.5 % */

#define WATCHDOG_EVENTS 8
#define WATCHDOG_PLAN   (4 + 5 * WATCHDOG_SEGMENTS)

struct watchdog_event {
    uint8_t what; /* enum sentence_word */
    uint8_t segment;
    uint32_t left;
};

/* Times are in ticks. State that the tick may change is changed elsewhere only under io_lock(). The
 * caller gives the memory, which should survive a reset without being cleared, and reads `drive`;
 * all else is the watchdog's. */
struct watchdog {
    uint32_t left; /* of the segment */
    uint8_t drive; /* SEGMENT_LINES bits: the relays to be driven now */
    uint8_t state; /* SAY_IDLE to SAY_OVER */
    uint8_t segment;
    uint8_t fault;  /* SAY_NONE or why */
    uint8_t inputs; /* STATUS_KEY_SWITCH and STATUS_BUTTON, debounced */
    uint8_t inputs_before;
    uint8_t hold;     /* time for which the button has been held while paused */
    uint8_t beep;     /* rest of a sound */
    uint8_t test;     /* rest of a lamp test */
    bool call;        /* the steward is called, as the host says */
    bool pressed;     /* the button, not yet seen by the main loop */
    bool abort;       /* the steward wants it, not yet done */
    bool charge;      /* the budget of pauses is running */
    bool turned;      /* the key switch stood at PAUSE since the fault latched */
    bool word;        /* the steward's word for this segment was given */
    bool charged;     /* the connect phase is over and the first of its time stored as spent */
    bool due;         /* the main loop has something to do */
    uint16_t lease;   /* until the host counts as silent */
    uint8_t ticks;    /* since the last slow one */
    uint16_t connect; /* left of the connect phase, in slow ticks */
    uint32_t clock;   /* slow ticks since the reset */
    uint16_t warm;    /* inverse of the low half of `left`: was it being changed at a reset? */
    uint32_t floor;   /* the rest by the stored record */
    uint32_t next;    /* the value of `left` at which something happens */
    uint32_t warn;
    uint32_t budget, budget_floor; /* in slow ticks */

    struct io_store store;
    uint8_t area;                /* the copy of the plan the newest record uses */
    uint8_t latched;             /* the state that is stored is a fault */
    uint8_t filled;              /* segments of the plan that have been given */
    uint16_t total_s;            /* of these */
    bool fixed;                  /* the plan is complete and stored */
    uint8_t plan[WATCHDOG_PLAN]; /* as it is stored */
    uint16_t plan_id;
    uint16_t calibration; /* biased, as in CAL */

    uint8_t reset; /* SAY_POWER to SAY_WATCHDOG */
    uint16_t nonce;
    uint8_t heard; /* the reader's last result, enum sentence_result */
    uint8_t event_first, event_count;
    struct watchdog_event event[WATCHDOG_EVENTS];
    struct sentence_reader reader;
    struct sentence_writer writer;
};

/* After a reset for the reason given (SAY_POWER to SAY_WATCHDOG): reads the store and, if memory
 * has kept its contents, the rest of the time. Nothing is driven before the host has answered. */
void watchdog_start(struct watchdog *w, enum sentence_word reset);

/* One tick, with the state of the inputs, STATUS_KEY_SWITCH and STATUS_BUTTON, not debounced. True:
 * watchdog_work() is to be called. */
bool watchdog_tick(struct watchdog *w, uint8_t inputs);

/* Does the pending work; may wait for the store. Call it also when bytes have come. */
void watchdog_work(struct watchdog *w);

#endif
