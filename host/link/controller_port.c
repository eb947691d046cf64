#include "link/controller_port.h"

#include "link/steady_port.h"

#include <stdlib.h>
#include <string.h>

enum { READ_MAX = 512 };

struct controller_port {
    struct steady_port port;
    struct controller_port_callbacks callbacks;
    void *ctx;
};

static void on_readable(void *ctx)
{
    struct controller_port *p = ctx;
    char bytes[READ_MAX];
    ssize_t n = steady_port_read(&p->port, bytes, sizeof bytes);
    if (n > 0)
        p->callbacks.bytes(p->ctx, bytes, (size_t)n);
}

static void on_usable(void *ctx, bool usable, const char *reason)
{
    struct controller_port *p = ctx;
    p->callbacks.usable(p->ctx, usable, usable ? "" : reason);
}

enum bl_status controller_port_open(struct controller_port **out, uv_loop_t *loop, const char *name,
                                    const struct controller_port_callbacks *callbacks, void *ctx,
                                    struct bl_diag *diag)
{
    static const struct steady_port_callbacks steady = {on_readable, NULL, on_usable};
    static const char prefix[] = "serial:";
    struct controller_port *p;
    enum bl_status status;
    if (strncmp(name, prefix, sizeof prefix - 1) == 0)
        name += sizeof prefix - 1;
    if (!*name || strlen(name) >= SERIAL_PATH_MAX)
        return bl_fail(diag, BL_USAGE,
                       "--controller %.60s: expected a port, as serial:/dev/ttyACM0; 'boothlink "
                       "ports' lists them",
                       name);
    p = calloc(1, sizeof *p);
    if (!p)
        return bl_fail(diag, BL_NOMEM, "%s: out of memory", name);
    p->callbacks = *callbacks;
    p->ctx = ctx;
    status = steady_port_open(&p->port, loop, "the controller's port ", name, CONTROLLER_BAUD,
                              false, &steady, p, diag);
    if (status) {
        free(p);
        return status;
    }
    *out = p;
    return BL_OK;
}

void controller_port_send(struct controller_port *p, const char *bytes, size_t length)
{
    if (p->port.port.fd < 0)
        return;
    steady_port_renew(&p->port);
    (void)serial_port_write(&p->port.port, bytes, length); /* see the header */
}

void controller_port_close(struct controller_port *p)
{
    if (p && !p->port.closing)
        steady_port_close(&p->port, free);
}
