/* A serial port prepared for frames: 8N1 at one speed, opened exclusively. */
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
    int fd;       /* non-blocking, close-on-exec; for waiting */
    uint32_t baud;
    bool rtscts;
    struct termios set; /* the settings in force, with the driver's changes */
    struct termios before;
    bool restores; /* nothing was written so far: closing restores `before` */
};

/* Splits DEVICE[@BAUD]. BL_USAGE: diag has the right form. */
enum bl_status serial_parse(const char *name, char device[SERIAL_PATH_MAX], uint32_t *baud,
                            struct bl_diag *diag);

/* Opens and prepares the device. On any error nothing is left open, and diag has the line for a
 * person: BL_NOINPUT, BL_NOPERM, BL_BUSY, BL_IO; BL_USAGE: the port does not have the speed. */
enum bl_status serial_port_open(struct serial_port *port, const char *device, uint32_t baud,
                                bool rtscts, struct bl_diag *diag);

/* Changes the speed, once all sent bytes have gone out. Sets both outputs, as opening does.
 * BL_USAGE: the port does not have the speed, and may be at any speed. */
enum bl_status serial_port_rate(struct serial_port *port, uint32_t baud, struct bl_diag *diag);

/* Restores settings that another program has changed. True: they were changed. */
bool serial_port_renew(struct serial_port *port);

/* The modem lines, as LEVEL_ bits of cable.h. A port without modem lines has no effect, and reads 0
 * and false. */
void serial_port_outputs(struct serial_port *port, unsigned levels);
bool serial_port_inputs(struct serial_port *port, unsigned *levels);

/* Read and write without waiting. Return the number of bytes; 0: no bytes, or no room; -1: the
 * device was lost. */
ssize_t serial_port_read(struct serial_port *port, void *bytes, size_t size);
ssize_t serial_port_write(struct serial_port *port, const void *bytes, size_t length);

/* The number of bytes that the system has taken and not sent yet. False: the port does not tell. */
bool serial_port_waiting(struct serial_port *port, size_t *bytes);

/* Closes at once; bytes still held by the system are dropped. A port without writes gets its former
 * settings back. */
void serial_port_close(struct serial_port *port);

#endif
