/* A host at the simulated chip: beats, says sentences and keeps what it is told. */
#ifndef SIM_RIG_H
#define SIM_RIG_H

#include "firmware/core/watchdog.h"
#include "sim/chip/chip.h"

#define RIG_NONCE  0x1234
#define RIG_EVENTS 64

struct rig_event {
    enum sentence_word what;
    unsigned segment;
    uint32_t left_ms;
    uint64_t at; /* cycle */
};

struct rig {
    struct chip *chip;
    bool silent;       /* does not beat */
    uint32_t since_ms; /* since the last beat */
    uint16_t nonce;

    /* the last answer: its type; of ACK and NAK what was asked and why it was refused (SAY_COUNT)
     */
    enum sentence_word answer, asked, why;
    unsigned answers;

    /* the last STA */
    enum sentence_word state, fault;
    unsigned segment, inputs;
    uint32_t left_ms, budget_ms, clock_ms;

    /* the last HEL */
    enum sentence_word reset;
    uint32_t plan, calibration;

    struct rig_event event[RIG_EVENTS]; /* the newest, of all since the beginning */
    unsigned events;
    struct sentence_reader reader;
    unsigned damaged; /* sentences that reached the host so */
};

struct rig_segment {
    unsigned seconds, flags, warn;
};

/* A chip with power, and a host that has not claimed it. Fails the test when there is no ELF. */
void rig_open(struct rig *rig);
void rig_close(struct rig *rig);

/* The share of a test that is played on a chip that is slow to simulate: a tenth, but all under
 * SOAK in the environment. */
unsigned rig_share(unsigned count);

/* Says "TTT,NONCE" and, where there is more, ",MORE"; does not wait. */
void rig_say(struct rig *rig, const char *type, const char *more);

/* Says it and lets time pass until it is answered by ACK, NAK, HEL, STA or, to FIX, by READY.
 * Returns why it was refused, or SAY_COUNT. Fails the test when nothing answers. */
enum sentence_word rig_ask(struct rig *rig, const char *type, const char *more);

/* Lets time pass, beating every half second. */
void rig_pass(struct rig *rig, uint32_t ms);

/* Lets time pass until the event, for so long at most. */
bool rig_wait(struct rig *rig, enum sentence_word event, uint32_t ms);

/* Claims the controller and gives it a plan. */
void rig_plan(struct rig *rig, const struct rig_segment *segment, unsigned count,
              unsigned connect_s, unsigned budget_s);
void rig_run(struct rig *rig); /* says RUN for the present segment and waits for its CONNECT */

/* What the firmware's own memory says, to the millisecond and now. */
uint32_t rig_left_ms(const struct rig *rig);

/* Lets time pass, without beating, until what is driven changes, or until the segment's clock makes
 * its next tick; for so long at most. */
bool rig_run_to_drive(struct rig *rig, uint32_t ms);
bool rig_run_to_tick(struct rig *rig, uint32_t ms);

/* Both relays' contacts, as SEGMENT_LINES bits. */
unsigned rig_closed(struct rig *rig);

#endif
