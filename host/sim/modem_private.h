#ifndef SIM_MODEM_PRIVATE_H
#define SIM_MODEM_PRIVATE_H

#include "sim/lines.h"
#include "sim/loop.h"
#include "sim/modem.h"
#include "sim/uart.h"

/* One end: a pty whose slave a program opens by the symbolic link. */
struct sim_port {
    struct sim_source source; /* events of the master */
    struct modem *modem;
    int end;
    const char *link; /* NULL: none */
    char path[64];    /* path of the pty */
    int master;       /* -1: removed */
    int watch;        /* inotify's watch of opens and closes */
    bool open;        /* a program has the port open, as of the last look */
};

#define WIRE_FIFO 16
#define WIRE_BULK 4096

struct wire_stats {
    uint64_t bytes_sent;      /* taken from the sender */
    uint64_t bytes_delivered; /* handed to the receiver */
    uint64_t bits_flipped;    /* number of flipped bits, of ten bits in a frame */
    uint32_t flips_digest;    /* hash over the flipped bits, to compare two runs */
    uint64_t bytes_hit;       /* number of frames with a flipped bit */
    uint64_t bytes_garbled;   /* number of frames received at another rate */
    uint64_t bytes_lost;      /* lost: cable out, not wired, or no device at the far end */
    uint64_t bytes_overrun;   /* number of bytes lost in a full receiver without flow control */
    uint64_t bytes_noise;     /* injected bytes */
    uint64_t bytes_unheard;   /* bytes that the third plug did not take */
    uint64_t late_ns, late_max_ns;
};

/* One direction: carries the bytes of the end `from`. */
struct sim_wire {
    struct sim_source source; /* events of the timer */
    struct modem *modem;
    int from;
    int timer;
    bool idle;                /* there is nothing to send */
    bool held;                /* CTS is low: the wire waits for a change of the modem lines */
    bool blocked;             /* the receiver is full: the wire waits until it is writable */
    bool starting;            /* the next byte has not begun, so CTS still counts */
    bool restart;             /* lost time is not caught up with */
    uint64_t start_ns, slots; /* start of the run; number of frames sent in it */
    uint64_t stalled_until_ns;
    uint32_t pace_baud, tx_baud, rx_baud;
    bool tx_rtscts, rx_rtscts;
    bool hung_up; /* one of the ends is hung up */
    struct uart uart;
    uint64_t dice_base, noise_base;
    uint64_t index; /* number of frames since the beginning, for dice() */
    uint8_t fifo[WIRE_BULK];
    size_t next, length;
    bool noise; /* the fifo has injected bytes */
    uint64_t noise_left, noise_made;
    uint8_t out[WIRE_BULK + 1024];
    size_t out_length;
    int out_end;
    int listener; /* device at a Y-cable's third plug, which hears the same; -1: none */
    struct wire_stats stats;
};

struct modem {
    int loop;
    struct sim_port port[SIM_ENDS];
    struct sim_wire wire[SIM_ENDS];
    struct sim_source attend; /* events of inotify: programs' use of the ports */
    int attend_fd;
    struct sim_shared *shared;
    const char *shared_path;   /* NULL: the memory is private, and the lines count as driven */
    uint32_t breaks[SIM_ENDS]; /* number of breaks that were passed on */
    bool as_switched_on, unpaced, keep;
    uint32_t rx_trigger;
    uint32_t baud;
    double error_rate;
    uint64_t error_threshold;
    uint64_t seed;
};

/* Changes the modem lines by sim_change(), and lets both wires look at them. */
void modem_change(struct modem *modem, uint32_t clear, uint32_t set);
/* Lets both wires look at the modem lines. */
void modem_changed(struct modem *modem);

/* Makes the pty and its link. Returns 0 or an errno. */
int port_open(struct sim_port *port);
/* Closes the pty and removes its link. */
void port_close(struct sim_port *port);
/* Changes the port's settings, as another program with the port open does: lines instead of bytes,
 * at the rate. */
void port_meddle(struct sim_port *port, uint32_t baud);

struct port_settings {
    uint32_t baud;
    bool rtscts;
    bool hupcl;   /* the last close drops the outputs */
    bool hung_up; /* B0: neither sends nor hears */
};
struct port_settings port_settings(const struct sim_port *port);

/* Attend to programs that open and close a port, and to the shim's news (with shared memory).
 * Return 0 or an errno. */
int attend_open(struct modem *modem);
int attend_port(struct sim_port *port);
void attend_port_end(struct sim_port *port);

/* True if a program has the port open right now. */
bool attend_is_open(struct sim_port *port);

/* Makes a wire. Returns 0 or an errno. */
int wire_init(struct sim_wire *wire, struct modem *modem, int from);

/* Sends the due bytes. Called when there may be bytes to send, or the modem lines have changed. */
void wire_run(struct sim_wire *wire);

/* Drops the unsent bytes of a lost device. */
void wire_reset(struct sim_wire *wire);

/* The receiver at an end can take bytes again, or is lost. */
void wire_unblock(struct sim_wire *wire);

void wire_stall(struct sim_wire *wire, uint64_t ms);

/* Injects noise: random bytes arrive at the far end, even without a cable. Their seed is the
 * errors' unless wire_seed_noise() sets another. */
void wire_seed_noise(struct sim_wire *wire, uint64_t seed);
void wire_noise(struct sim_wire *wire, uint64_t bytes);

/* Passes a break on as Linux shows it by default: one NUL byte. */
void wire_break(struct sim_wire *wire);

void modem_set_error_rate(struct modem *modem, double rate);

#endif
