/* The parts of a null modem as they see each other: two ports, a wire from each, one loop. */
#ifndef SIM_MODEM_PRIVATE_H
#define SIM_MODEM_PRIVATE_H

#include "sim/lines.h"
#include "sim/loop.h"
#include "sim/modem.h"
#include "sim/uart.h"

/* One end: a pty whose slave a program opens by the symbolic link. */
struct sim_port {
    struct sim_source source; /* the master */
    struct modem *modem;
    int end;
    const char *link; /* NULL: none */
    char path[64];    /* path of the pty */
    int master;       /* -1 while removed */
    int watch;        /* watch of opens and closes */
    bool open;        /* open in a program, at the last look */
};

#define WIRE_FIFO 16
#define WIRE_BULK 4096

struct wire_stats {
    uint64_t bytes_sent;      /* taken from the sender */
    uint64_t bytes_delivered; /* handed to the receiver */
    uint64_t bits_flipped;    /* flipped bits, of the ten bits of each frame */
    uint32_t flips_digest;    /* hash over the flipped bits, so two runs can be compared */
    uint64_t bytes_hit;       /* frames with a flipped bit */
    uint64_t bytes_garbled;   /* frames received at another rate */
    uint64_t bytes_lost;      /* cable out, not wired, or no device at the far end */
    uint64_t bytes_overrun;   /* the receiver was full and has no flow control */
    uint64_t bytes_noise;     /* injected */
    uint64_t bytes_unheard;   /* bytes that the third plug did not take */
    uint64_t late_ns, late_max_ns;
};

/* One direction: the bytes of the end `from`. */
struct sim_wire {
    struct sim_source source; /* the timer */
    struct modem *modem;
    int from;
    int timer;
    bool idle;                /* nothing to send */
    bool held;                /* CTS is low: waits for a change of the modem lines */
    bool blocked;             /* the receiver is full: waits until writable */
    bool starting;            /* the next byte has not begun: CTS still counts */
    bool restart;             /* time was lost, not to be caught up with */
    uint64_t start_ns, slots; /* the run's beginning, and frames sent since then */
    uint64_t stalled_until_ns;
    uint32_t pace_baud, tx_baud, rx_baud;
    bool tx_rtscts, rx_rtscts;
    bool hung_up; /* one of the ends is hung up */
    struct uart uart;
    uint64_t dice_base, noise_base;
    uint64_t index; /* frames since the beginning: the place in the dice */
    uint8_t fifo[WIRE_BULK];
    size_t next, length;
    bool noise; /* the fifo holds injected bytes */
    uint64_t noise_left, noise_made;
    uint8_t out[WIRE_BULK + 1024];
    size_t out_length;
    int out_end;
    int listener; /* a Y-cable's third plug: hears the same; -1: there is none */
    struct wire_stats stats;
};

struct modem {
    int loop;
    struct sim_port port[SIM_ENDS];
    struct sim_wire wire[SIM_ENDS];
    struct sim_source attend; /* programs' use of the ports, told by inotify */
    int attend_fd;
    struct sim_shared *shared;
    const char *shared_path;   /* NULL: private memory, and the lines count as driven */
    uint32_t breaks[SIM_ENDS]; /* breaks passed on */
    bool as_switched_on, unpaced, keep;
    uint32_t rx_trigger;
    uint32_t baud;
    double error_rate;
    uint64_t error_threshold; /* error rate as a fraction of 2^64 */
    uint64_t seed;
};

/* Changes the modem lines (sim_change) and lets both wires look at them. */
void modem_change(struct modem *modem, uint32_t clear, uint32_t set);
/* Lets both wires look at the modem lines. */
void modem_changed(struct modem *modem);

/* Makes the pty and its link. Returns 0 or an errno. */
int port_open(struct sim_port *port);
/* Ends the pty and its link. */
void port_close(struct sim_port *port);
/* Sets the port like another program with the port open, too: lines instead of bytes, at the
 * speed. */
void port_meddle(struct sim_port *port, uint32_t baud);

/* The settings of the end's program. */
struct port_settings {
    uint32_t baud;
    bool rtscts;
    bool hupcl;   /* the last close drops the outputs */
    bool hung_up; /* B0: neither sends nor hears */
};
struct port_settings port_settings(const struct sim_port *port);

/* Attends to programs' opening and closing of a port, and to the shim's news, which need shared
 * memory; without one there are no modem lines. They return 0 or an errno. */
int attend_open(struct modem *modem);
int attend_port(struct sim_port *port);
void attend_port_end(struct sim_port *port);

/* True if a program has the port open right now. */
bool attend_is_open(struct sim_port *port);

/* Returns 0 or an errno. */
int wire_init(struct sim_wire *wire, struct modem *modem, int from);

/* Sends the due bytes. Call when there may be something to send, or the modem lines changed. */
void wire_run(struct sim_wire *wire);

/* Drops the unsent bytes, which are gone with their device. */
void wire_reset(struct sim_wire *wire);

/* The receiver at an end can take bytes again, or is gone. */
void wire_unblock(struct sim_wire *wire);

void wire_stall(struct sim_wire *wire, uint64_t ms);

/* Noise: random bytes that nobody sent arrive at the far end, also without a cable. Their seed is
 * that of the errors unless wire_seed_noise() sets another. */
void wire_seed_noise(struct sim_wire *wire, uint64_t seed);
void wire_noise(struct sim_wire *wire, uint64_t bytes);

/* A break as shown by Linux to the far end by default: one NUL byte. */
void wire_break(struct sim_wire *wire);

void modem_set_error_rate(struct modem *modem, double rate);

#endif
