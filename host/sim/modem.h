/* A null-modem cable between two serial ports, simulated: two ptys, and a wire from each to the
 * other, on which each byte takes its time at the sender's rate and meets the faults of cables.
 *
 * Bytes for a port not open are lost, as are bytes while the cable is out; bytes at another rate
 * than the receiver's are garbled as by its UART. A port seen by programs without the preloaded
 * shim has no modem lines: all are up. */
#ifndef SIM_MODEM_H
#define SIM_MODEM_H

#include "base/status.h"
#include "sim/lines.h"

struct modem_options {
    const char *link[SIM_ENDS];     /* symbolic links to the ptys; NULL: none */
    const char *listener[SIM_ENDS]; /* a Y-cable's third plug: the device of a listener; or NULL */
    const char *shared_path;        /* file of the modem lines for the shim; or NULL */
    int wiring;                     /* sim_wiring_find() */
    bool as_switched_on; /* ports as the kernel leaves them, by lines and with echo; else raw */
    bool unpaced;        /* bytes are passed on at once */
    bool keep;           /* bytes for a port not open wait there; a real port loses them */
    uint32_t rx_trigger; /* bytes in a receiver's FIFO before its interrupt; 0 is 1 */
    uint32_t baud;       /* forced rate, 0 follows the ends */
    double error_rate;   /* share of wrong bits */
    uint64_t seed; /* seed of the errors: the same seed flips the same bits of the same bytes */
};

struct modem;

/* Lives in the loop (sim/loop.h), plugged in, until modem_close(). The options' strings must
 * outlive the modem. */
enum bl_status modem_open(struct modem **out, int loop, const struct modem_options *options,
                          struct bl_diag *diag);

/* Ends the modem, and removes its links and its shared file. NULL is allowed. */
void modem_close(struct modem *modem);

/* Removes the links and the shared file alone, before a way out without modem_close(). */
void modem_unlink(struct modem *modem);

/* Puts a port into the state of a machine just switched on, by a new pty: a pty keeps a program's
 * settings, even TIOCEXCL, for its whole life. Returns 0 or an errno. */
int modem_renew(struct modem *modem, int end);

/* The path of the pty. */
const char *modem_device(const struct modem *modem, int end);

/* True if a program has the port open. */
bool modem_is_open(struct modem *modem, int end);

void modem_plug(struct modem *modem, bool plugged);

/* Lets `bytes` bytes that nobody sent arrive at an end, the cable plugged in or not; the seed
 * decides their values. */
void modem_noise(struct modem *modem, int end, uint64_t seed, uint64_t bytes);

/* The number of bytes that an end has sent. */
uint64_t modem_sent(const struct modem *modem, int end);

#endif
