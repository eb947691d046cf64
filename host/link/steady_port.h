/* A serial port on the loop that outlives its adapter. After the loss of the device it reports the
 * loss, watches for the return and goes on, without an error. For the owners of a port: serial.c,
 * controller_port.c, the tap. */
#ifndef LINK_STEADY_PORT_H
#define LINK_STEADY_PORT_H

#include "link/serial_port.h"

#include "base/loop.h"

#include <sys/types.h>

struct steady_port;

/* Called from the loop, or from steady_port_read; never from within another call of this module. */
struct steady_port_callbacks {
    /* Bytes are waiting: steady_port_read() is expected. */
    void (*readable)(void *ctx);
    /* There is room again, if UV_WRITABLE was asked for. May be NULL. */
    void (*writable)(void *ctx);
    /* The port has become usable, or unusable with the reason: one line for a person, valid during
     * the call. */
    void (*usable)(void *ctx, bool usable, const char *reason);
};

struct steady_port {
    struct serial_port port; /* fd -1: the device is gone */
    int polled;              /* UV_READABLE, UV_WRITABLE: the events being watched */

    /* The rest is private. */
    uv_loop_t *loop;
    char device[SERIAL_PATH_MAX];
    const char *what;
    uint32_t baud;
    bool rtscts;
    struct steady_port_callbacks callbacks;
    void *ctx;
    uv_poll_t poll;
    bool poll_open, poll_closing;
    struct bl_timer timer;
    uv_fs_event_t watch;
    bool watching;
    char watched[SERIAL_PATH_MAX];    /* the name in the directory that is watched */
    char watched_in[SERIAL_PATH_MAX]; /* the own name of that directory */
    bool closing;
    void (*closed)(void *ctx);
    unsigned open_handles;
};

/* Opens the device (see serial_port_open for the errors). Waits a moment for a program that was
 * just killed to close the port. The first callback is usable(true), from the loop; the port is
 * then watched for input. `what` is put before the device's name in messages ("", or "the
 * controller's port "). The string and *port must stay valid until the port is closed. */
enum bl_status steady_port_open(struct steady_port *port, uv_loop_t *loop, const char *what,
                                const char *device, uint32_t baud, bool rtscts,
                                const struct steady_port_callbacks *callbacks, void *ctx,
                                struct bl_diag *diag);

/* Watches for UV_READABLE, UV_WRITABLE, both or nothing; no system call without a change. */
void steady_port_poll(struct steady_port *port, int events);

/* Reads the waiting bytes and returns their number: 0 if none, -1 if the device has gone, which
 * usable() has told. */
ssize_t steady_port_read(struct steady_port *port, void *bytes, size_t size);

/* Restores settings that another program has changed, and returns true then. */
bool steady_port_renew(struct steady_port *port);

/* Closes the port at once; closed (may be NULL) is called from the loop when the memory may be
 * freed. */
void steady_port_close(struct steady_port *port, void (*closed)(void *ctx));

#endif
