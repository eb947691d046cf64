/* The controller's serial port on the loop, at 38,400 baud, for this program alone. The loss and
 * return of the adapter is no error: the client asks again for lost answers. */
#ifndef LINK_CONTROLLER_PORT_H
#define LINK_CONTROLLER_PORT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

#define CONTROLLER_BAUD 38400u

struct controller_port;

/* Both callbacks come from the loop, never from within a call of this module. */
struct controller_port_callbacks {
    void (*bytes)(void *ctx, const char *bytes, size_t length);
    /* The port has become usable, or was lost. reason is one line for a person, valid during the
     * call. */
    void (*usable)(void *ctx, bool usable, const char *reason);
};

/* Opens DEVICE or serial:DEVICE. Errors, with the line in diag: BL_USAGE, BL_NOINPUT, BL_NOPERM,
 * BL_BUSY (names the holder), BL_IO. */
enum bl_status controller_port_open(struct controller_port **out, uv_loop_t *loop, const char *name,
                                    const struct controller_port_callbacks *callbacks, void *ctx,
                                    struct bl_diag *diag);

/* Hands bytes to the system. Bytes without room are lost, as on a line. */
void controller_port_send(struct controller_port *port, const char *bytes, size_t length);

/* Closes the port; the memory is freed once the loop has run. NULL is allowed. */
void controller_port_close(struct controller_port *port);

#endif
