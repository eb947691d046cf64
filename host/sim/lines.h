/* The modem lines of a simulated cable: the wiring, and the shared memory in which the simulator
 * and the preloaded shim of each program keep their levels.
 *
 * * All levels follow from one 32-bit word, changed by compare-and-swap, so that a killed program
 * leaves no lock. */
#ifndef SIM_LINES_H
#define SIM_LINES_H

#include "base/cables.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_ENDS     2
#define SIM_MAGIC    0x426c536du
#define SIM_LINK_MAX 512

/* Bits of sim_shared.state for one end (0 is A, 1 is B). */
#define SIM_RTS(end)        (1u << ((end)*4))
#define SIM_DTR(end)        (2u << ((end)*4))
#define SIM_PRESENT(end)    (4u << ((end)*4)) /* the device exists */
#define SIM_THROTTLED(end)  (8u << ((end)*4)) /* the end's receiver is full and holds RTS low */
#define SIM_PLUGGED         (1u << 8)
#define SIM_WIRING(index)   ((uint32_t)(index) << 16)
#define SIM_WIRING_MASK     SIM_WIRING(0xff)
#define SIM_OPENS(end)      (1u << (24 + (end)*4)) /* counts opens, in four bits that wrap */
#define SIM_OPENS_MASK(end) (0xfu << (24 + (end)*4))

struct sim_shared {
    uint32_t magic;
    _Atomic uint32_t closed;              /* the simulator has ended */
    _Atomic uint32_t state;               /* the bits SIM_... */
    _Atomic uint32_t changes;             /* futex: counts changes of any input */
    _Atomic uint32_t counts[SIM_ENDS][4]; /* each end's counts of changes of CTS, DSR, DCD, RI */
    _Atomic uint32_t breaks[SIM_ENDS];    /* number of breaks sent by each end */
    _Atomic uint64_t device[SIM_ENDS];    /* st_rdev of the pty's slave; 0: removed */
    _Atomic uint64_t made_ns[SIM_ENDS];   /* time at which the pty was made, by sim_now_ns() */
    _Atomic uint32_t kick;                /* written through the file: wakes the simulator */
    char link[SIM_ENDS][SIM_LINK_MAX];    /* names that the simulator gave the ptys */
};

/* A wiring is a row of cables[], which wiring/cables.txt has; the first row is the default. An
 * input wired to two outputs is up if both are up: a level between the two counts as down. */

/* Index of a cable in the table; -1: unknown name. */
int sim_wiring_find(const char *name);

/* The end that hears `from`; -1: not wired, not plugged in, or no device there. */
int sim_hears(uint32_t state, int from);

/* An end's inputs, as TIOCM_CTS, TIOCM_DSR, TIOCM_CD and TIOCM_RI bits. */
int sim_inputs(uint32_t state, int end);

/* An end has a new pty. device: the slave's st_rdev; now_ns: time by sim_now_ns(). */
void sim_made(struct sim_shared *shared, int end, uint64_t device, uint64_t now_ns);

/* Changes the state, counts the changed inputs and wakes their waiters. */
void sim_change(struct sim_shared *shared, uint32_t clear, uint32_t set);

/* A program has opened the port of an end: its outputs rise, as at a real port. */
void sim_opened(struct sim_shared *shared, int end);

/* The last program has closed the port: its outputs fall. False, without effect: the state is no
 * longer `seen`, as after an open at the same moment. */
bool sim_hung_up(struct sim_shared *shared, int end, uint32_t seen);

/* Waits until one of an end's inputs in `mask` (TIOCM_ bits) has changed. Returns 0, or an errno:
 * EINTR after a signal, EIO if the end's device is no longer `device`. */
int sim_wait(struct sim_shared *shared, int end, int mask, uint64_t device);

#endif
