/* A serial port on the loop that outlives its adapter. Reports the loss of the device, watches for
 * its return, and goes on. */
#ifndef LINK_STEADY_PORT_H
#define LINK_STEADY_PORT_H

#include "link/serial_port.h"

#include "base/loop.h"

#include <sys/types.h>

struct steady_port;

/* Called from the loop, or from steady_port_read(); never from within another call of this
 * module. */
struct steady_port_callbacks {
    /* Bytes are waiting: steady_port_read() is expected. */
    void (*readable)(void *ctx);
    /* There is room again, after UV_WRITABLE was requested. May be NULL. */
    void (*writable)(void *ctx);
    /* The port has become usable, or unusable with the reason: one line for a person, valid during
     * the call. */
    void (*usable)(void *ctx, bool usable, const char *reason);
};

struct steady_port {
    struct serial_port port; /* fd -1: the device is gone */
    int polled;              /* watched events: UV_READABLE, UV_WRITABLE */

    /* Private members of steady_port.c. */
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
    char watched[SERIAL_PATH_MAX];    /* name watched in the directory */
    char watched_in[SERIAL_PATH_MAX]; /* the watched directory's own name */
    bool closing;
    void (*closed)(void *ctx);
    unsigned open_handles;
};

/* Opens the device; errors as serial_port_open. Waits a moment for a program that was just killed
 * to close the port. The first callback is usable(true), from the loop; the port is then watched
 * for input. `what` precedes the device's name in messages ("", or "the controller's port "). The
 * string and *port stay valid until the port is closed. */
enum bl_status steady_port_open(struct steady_port *port, uv_loop_t *loop, const char *what,
                                const char *device, uint32_t baud, bool rtscts,
                                const struct steady_port_callbacks *callbacks, void *ctx,
                                struct bl_diag *diag);

/* Watches for UV_READABLE, UV_WRITABLE, both or nothing. No system call without a change. */
void steady_port_poll(struct steady_port *port, int events);

/* Reads the waiting bytes and returns their number; 0: none; -1: the device was lost, as usable()
 * has reported. */
ssize_t steady_port_read(struct steady_port *port, void *bytes, size_t size);

/* Restores settings that another program has changed. True: they were changed. */
bool steady_port_renew(struct steady_port *port);

/* Closes the port at once. closed (may be NULL) is called from the loop when the memory may be
 * freed. */
void steady_port_close(struct steady_port *port, void (*closed)(void *ctx));

#endif
