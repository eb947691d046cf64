/* Parses the name of a line's port. */
#ifndef LINK_PORT_H
#define LINK_PORT_H

#include "link/ether_frame.h"
#include "link/serial_port.h"

#include <net/if.h>

enum port_kind { PORT_SERIAL, PORT_ETHER };

extern const char *const port_kinds[]; /* "serial", "ether" */

struct port {
    enum port_kind kind;
    const char *name;             /* the text after "serial:" or "ether:" */
    char device[SERIAL_PATH_MAX]; /* the device, or the interface */
    uint32_t baud;                /* speed of a serial port */
    char line[ETHER_LINE_MAX + 1];
};

/* Parses serial:DEVICE[@BAUD] or ether:INTERFACE[/LINE]. BL_USAGE: diag has the right form. */
enum bl_status port_parse(struct port *port, const char *text, struct bl_diag *diag);

/* As port_parse(), for INTERFACE[/LINE]. */
enum bl_status port_parse_ether(const char *name, char interface[IF_NAMESIZE],
                                char line[ETHER_LINE_MAX + 1], struct bl_diag *diag);

#endif
