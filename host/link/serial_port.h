/* A serial port made ready for frames: 8N1 at one speed, for us alone. For steady_port.c and
 * probe_port.c. */
#ifndef LINK_SERIAL_PORT_H
#define LINK_SERIAL_PORT_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#define SERIAL_BAUD_DEFAULT 115200u
#define SERIAL_BAUD_LEAST   9600u
#define SERIAL_BAUD_MOST    921600u
#define SERIAL_PATH_MAX     256

struct serial_port {
    void *handle; /* libserialport's */
    int fd;       /* non-blocking, close-on-exec: to be waited for, and for nothing else */
    uint32_t baud;
    bool rtscts;
    struct termios set; /* as they were set, with the driver's changes */
    struct termios before;
    bool restores; /* closing sets them as before: nothing was written */
};

/* Splits DEVICE[@BAUD]. BL_USAGE with the right form in diag. */
enum bl_status serial_parse(const char *name, char device[SERIAL_PATH_MAX], uint32_t *baud,
                            struct bl_diag *diag);

/* Opens and sets up the device. On any error nothing is left open, and diag has the line for a
 * person: BL_NOINPUT, BL_NOPERM, BL_BUSY, BL_IO, or BL_USAGE if it cannot do the speed. */
enum bl_status serial_port_open(struct serial_port *port, const char *device, uint32_t baud,
                                bool rtscts, struct bl_diag *diag);

/* Another speed, once all sent bytes have gone out. Sets both outputs, as opening does. BL_USAGE if
 * the port cannot; it may then have any speed. */
enum bl_status serial_port_rate(struct serial_port *port, uint32_t baud, struct bl_diag *diag);

/* Sets the port's settings again if another program has changed them: true if so. One system call
 * if not. */
bool serial_port_renew(struct serial_port *port);

/* The modem lines, as LEVEL_ bits of cable.h. A port that has none reads 0, and false. */
void serial_port_outputs(struct serial_port *port, unsigned levels);
bool serial_port_inputs(struct serial_port *port, unsigned *levels);

/* Reads and writes without a wait: the number of bytes, 0 if there are none or no room, -1 if the
 * device has gone. */
ssize_t serial_port_read(struct serial_port *port, void *bytes, size_t size);
ssize_t serial_port_write(struct serial_port *port, const void *bytes, size_t length);

/* Bytes that the system has taken and not sent yet. False: the port does not say. */
bool serial_port_waiting(struct serial_port *port, size_t *bytes);

/* Closes at once: bytes the system still keeps are dropped. A port that was only listened at gets
 * its settings of before. */
void serial_port_close(struct serial_port *port);

#endif
