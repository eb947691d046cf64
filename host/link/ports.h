/* The serial ports of this machine, and the faults of each. The ports are not opened. */
#ifndef LINK_PORTS_H
#define LINK_PORTS_H

#include "base/status.h"

#include <stdbool.h>

#define PORT_TEXT         128
#define PORT_PROBLEMS_MAX 6

/* One port. Unknown texts are empty. */
struct port_info {
    char device[PORT_TEXT]; /* the kernel's name, /dev/ttyUSB0 */
    char stable[288];       /* a name that stays with the adapter, /dev/serial/by-id/... */
    char description[PORT_TEXT];
    bool usb;
    int usb_vendor, usb_product; /* USB ids, valid if usb */
    char usb_manufacturer_name[PORT_TEXT], usb_product_name[PORT_TEXT], usb_serial[PORT_TEXT];
    char driver[PORT_TEXT];
    char group[PORT_TEXT];   /* group that owns the device */
    char holders[PORT_TEXT]; /* "picocom (pid 123)" */
    bool may_open;           /* this user may open the device */
    bool console;            /* the kernel or a login uses the port */
    int latency_ms;          /* latency timer of the adapter; -1: none */
    int rx_trigger;          /* bytes that the UART collects; -1: not adjustable */
    /* Faults, each a line with its remedy. */
    unsigned problems;
    char problem[PORT_PROBLEMS_MAX][320];
};

/* Calls each() for every port, by name; info is valid during the call. BL_NOMEM: no memory.
 * BL_UNAVAIL: the system has no list of ports. */
enum bl_status ports_list(void (*each)(void *ctx, const struct port_info *info), void *ctx,
                          struct bl_diag *diag);

#endif
