#include "link/port.h"

#include <stdio.h>
#include <string.h>

#define LINE_DEFAULT "line"

const char *const port_kinds[] = {[PORT_SERIAL] = "serial", [PORT_ETHER] = "ether"};

enum bl_status port_parse_ether(const char *name, char interface[IF_NAMESIZE],
                                char line[ETHER_LINE_MAX + 1], struct bl_diag *diag)
{
    const char *slash = strchr(name, '/');
    size_t length = slash ? (size_t)(slash - name) : strlen(name);
    const char *said = slash ? slash + 1 : LINE_DEFAULT;
    if (length == 0 || length >= IF_NAMESIZE || !ether_line_good(said))
        return bl_fail(diag, BL_USAGE,
                       "ether:%s: expected ether:INTERFACE[/LINE], LINE being 1 to %d letters, "
                       "digits, '.', '_' or '-', as in ether:eth0/left",
                       name, ETHER_LINE_MAX);
    snprintf(interface, IF_NAMESIZE, "%.*s", (int)length, name);
    snprintf(line, ETHER_LINE_MAX + 1, "%s", said);
    return BL_OK;
}

enum bl_status port_parse(struct port *port, const char *text, struct bl_diag *diag)
{
    static const char serial[] = "serial:", ether[] = "ether:";
    memset(port, 0, sizeof *port);
    if (strncmp(text, serial, sizeof serial - 1) == 0) {
        port->name = text + sizeof serial - 1;
        return serial_parse(port->name, port->device, &port->baud, diag);
    }
    if (strncmp(text, ether, sizeof ether - 1) != 0)
        return bl_fail(diag, BL_USAGE,
                       "port '%s': a port is written serial:DEVICE[@BAUD] or "
                       "ether:INTERFACE[/LINE], as in serial:/dev/ttyUSB0 or ether:eth0/left",
                       text);
    port->kind = PORT_ETHER;
    port->name = text + sizeof ether - 1;
    return port_parse_ether(port->name, port->device, port->line, diag);
}
