/* A simulated null-modem cable between two serial ports: two ptys, and a wire from each to the
 * other. A byte takes its time at the sender's rate, and suffers the faults of cables.
 *
 * * Bytes for a port that is not open are lost, as are bytes while the cable is out. Bytes at
 * another rate than the receiver's are garbled as by its UART. Without the preloaded shim a program
 * sees no modem lines: all count as up. */
#ifndef SIM_MODEM_H
#define SIM_MODEM_H

#include "base/status.h"
#include "sim/lines.h"

struct modem_options {
    const char *link[SIM_ENDS];     /* symbolic links to make to the ptys; NULL: none */
    const char *listener[SIM_ENDS]; /* the device of a listener at a Y-cable's third plug; NULL:
                                     * none */
    const char *shared_path;        /* file of the modem lines, for the shim; NULL: none */
    int wiring;                     /* sim_wiring_find() */
    bool as_switched_on; /* ports are as the kernel leaves them, by lines and with echo; false:
                          * raw */
    bool unpaced;        /* bytes are passed on at once */
    bool keep;           /* bytes for a port that is not open wait; a real port loses them */
    uint32_t rx_trigger; /* bytes in a receiver's FIFO before its interrupt; 0: 1 */
    uint32_t baud;       /* forced rate; 0: the ends' own rates */
    double error_rate;   /* share of wrong bits */
    uint64_t seed; /* seed of the errors: an equal seed flips the same bits of the same bytes */
};

struct modem;

/* Opens a modem, plugged in, on the loop (sim/loop.h). The options' strings must outlive the
 * modem. */
enum bl_status modem_open(struct modem **out, int loop, const struct modem_options *options,
                          struct bl_diag *diag);

/* Ends the modem, and removes its links and its shared file. NULL is allowed. */
void modem_close(struct modem *modem);

/* Removes the links and the shared file, instead of modem_close(). */
void modem_unlink(struct modem *modem);

/* Gives a port the state of a machine that was just switched on, by a new pty: a pty keeps a
 * program's settings, also TIOCEXCL. Returns 0 or an errno. */
int modem_renew(struct modem *modem, int end);

/* The path of an end's pty. */
const char *modem_device(const struct modem *modem, int end);

/* True if a program has the port open. */
bool modem_is_open(struct modem *modem, int end);

void modem_plug(struct modem *modem, bool plugged);

/* Lets noise arrive at an end, plugged in or not. seed: decides the bytes' values. */
void modem_noise(struct modem *modem, int end, uint64_t seed, uint64_t bytes);

/* The number of bytes that an end has sent. */
uint64_t modem_sent(const struct modem *modem, int end);

#endif
