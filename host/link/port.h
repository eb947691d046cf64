/* Parses the name of a line's port. For link_open(), and for writers of tickets. */
#ifndef LINK_PORT_H
#define LINK_PORT_H

#include "link/ether_frame.h"
#include "link/serial_port.h"

#include <net/if.h>

enum port_kind { PORT_SERIAL, PORT_ETHER };

extern const char *const port_kinds[]; /* "serial", "ether" */

struct port {
    enum port_kind kind;
    const char *name;             /* behind "serial:" or "ether:", within the text */
    char device[SERIAL_PATH_MAX]; /* the device, or the interface */
    uint32_t baud;                /* speed of a serial port */
    char line[ETHER_LINE_MAX + 1];
};

/* Parses serial:DEVICE[@BAUD] or ether:INTERFACE[/LINE]; opens nothing. BL_USAGE with the right
 * form in diag. */
enum bl_status port_parse(struct port *port, const char *text, struct bl_diag *diag);

/* As port_parse(), for INTERFACE[/LINE]. */
enum bl_status port_parse_ether(const char *name, char interface[IF_NAMESIZE],
                                char line[ETHER_LINE_MAX + 1], struct bl_diag *diag);

#endif
