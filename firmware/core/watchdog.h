/* The watchdog: owns the time of a session and joins the lines only while the plan and the host's
 * heartbeat both say so. A state machine without registers, clock or allocation, on top of
 * board_io.h. Contract: DESIGN.md, "Controller", points 1 to 6. Sentences and states are described
 * in firmware/README.md, the stored records in ledger.c.
 *
 * * watchdog_tick() runs in the timer's interrupt every WATCHDOG_TICK_MS and opens the relays
 * itself, so that the main loop cannot delay a cut. */
#ifndef CORE_WATCHDOG_H
#define CORE_WATCHDOG_H

#include "firmware/core/board_io.h"
#include "firmware/core/sentence.h"

#define WATCHDOG_VERSION 1

#define WATCHDOG_TICK_MS    2
#define WATCHDOG_TICKS(ms)  ((ms) / WATCHDOG_TICK_MS)
#define WATCHDOG_SLOW       8 /* ticks between slow work: inputs, lease, main loop */
#define WATCHDOG_SLOW_MS    (WATCHDOG_SLOW * WATCHDOG_TICK_MS)
#define WATCHDOG_SEGMENTS   12
#define WATCHDOG_PLAN_MIN_S 5 /* least length of all segments together */
#define WATCHDOG_PLAN_MAX_S                                                                        \
    28800                       /* 8 hours; also the limit of a segment, which lasts at least 1 s */
#define WATCHDOG_CONNECT_S 10   /* longest connect phase */
#define WATCHDOG_BUDGET_S  3600 /* largest budget of pauses */
#define WATCHDOG_LEASE_MS  3000 /* silence of the host after which the lines open */
#define WATCHDOG_NOTICE_MS 500  /* time from CLOSING to the cut */

/* Flags of a segment, as in SEG. */
#define SEGMENT_A          0x01 /* line A is closed */
#define SEGMENT_B          0x02
#define SEGMENT_WORD       0x04 /* waits with open lines for the steward: RUN or the button */
#define SEGMENT_LAMP_A     0x08
#define SEGMENT_LAMP_B     0x10
#define SEGMENT_LAMP_BREAK 0x20
#define SEGMENT_FLAGS      0x3f
#define SEGMENT_LINES      (SEGMENT_A | SEGMENT_B)

/* The bits of the field `inputs` of STA. */
#define STATUS_A          0x01 /* line A is driven closed */
#define STATUS_B          0x02
#define STATUS_KEY_SWITCH 0x04 /* the key switch is at RUN */
#define STATUS_BUTTON     0x08 /* pressed */

/* CAL has the calibration plus this bias. A unit is a 4,096,000th (0.244 ppm); more lengthens the
 * tick, for a clock that is too fast. */
#define WATCHDOG_CAL_BIAS 32768U
#define WATCHDOG_CAL_UNIT 4096000L
#define WATCHDOG_CAL_MAX  24576U /* 0.6 % in either direction: a ceramic resonator has 0.5 % */

#define WATCHDOG_EVENTS 8
#define WATCHDOG_PLAN   (4 + 5 * WATCHDOG_SEGMENTS)

struct watchdog_event {
    uint8_t what; /* enum sentence_word */
    uint8_t segment;
    uint32_t left;
};

/* Times are in ticks. State that the tick may change is changed elsewhere under io_lock(). The
 * caller owns the memory, which should survive a reset uncleared, and reads `drive`; all other
 * members are private. */
struct watchdog {
    uint32_t left; /* left in the segment */
    uint8_t drive; /* SEGMENT_LINES bits: the relays to drive now */
    uint8_t state; /* SAY_IDLE to SAY_OVER */
    uint8_t segment;
    uint8_t fault;  /* SAY_NONE, or the reason */
    uint8_t inputs; /* STATUS_KEY_SWITCH and STATUS_BUTTON, debounced */
    uint8_t inputs_before;
    uint8_t hold;     /* time for which the button has been held while paused */
    uint8_t beep;     /* remaining time of a sound */
    uint8_t test;     /* remaining time of a lamp test */
    bool call;        /* the host says that the steward is called */
    bool pressed;     /* the button was pressed; the main loop has not seen that yet */
    bool abort;       /* the steward aborts the session; not done yet */
    bool charge;      /* the budget of pauses is being used */
    bool turned;      /* the key switch was at PAUSE since the fault latched */
    bool word;        /* the steward has started this segment */
    bool charged;     /* the connect phase is over and its first time is stored as spent */
    bool due;         /* the main loop has work */
    uint16_t lease;   /* time until the host counts as silent */
    uint8_t ticks;    /* ticks since the last slow work */
    uint16_t connect; /* rest of the connect phase, in slow ticks */
    uint32_t clock;   /* slow ticks since the reset */
    uint16_t warm; /* complement of the low half of `left`; shows if a reset interrupted a change */
    uint32_t floor; /* time left according to the stored record */
    uint32_t next;  /* the next value of `left` at which something happens */
    uint32_t warn;
    uint32_t budget, budget_floor; /* slow ticks */

    struct io_store store;
    uint8_t area;                /* the copy of the plan that the newest record uses */
    uint8_t latched;             /* the stored state is a fault */
    uint8_t filled;              /* segments of the plan received so far */
    uint16_t total_s;            /* seconds of these segments */
    bool fixed;                  /* the plan is complete and stored */
    uint8_t plan[WATCHDOG_PLAN]; /* plan in the format of the store */
    uint16_t plan_id;
    uint16_t calibration; /* calibration with its bias, as in CAL */

    uint8_t reset; /* SAY_POWER to SAY_WATCHDOG */
    uint16_t nonce;
    uint8_t heard; /* the reader's last result, enum sentence_result */
    uint8_t event_first, event_count;
    struct watchdog_event event[WATCHDOG_EVENTS];
    struct sentence_reader reader;
    struct sentence_writer writer;
};

/* Starts after a reset for the given reason (SAY_POWER to SAY_WATCHDOG): reads the store and, if
 * the memory was kept, the time left. No relay is driven before the host has answered. */
void watchdog_start(struct watchdog *w, enum sentence_word reset);

/* Runs one tick with the raw inputs, STATUS_KEY_SWITCH and STATUS_BUTTON. True: watchdog_work()
 * must be called. */
bool watchdog_tick(struct watchdog *w, uint8_t inputs);

/* Does the pending work; may wait for the store. To be called also after received bytes. */
void watchdog_work(struct watchdog *w);

#endif
