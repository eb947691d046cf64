/* libserialport, loaded late. */
#ifndef LATE_SERIALPORT_H
#define LATE_SERIALPORT_H

#include "late/late.h"

#include <libserialport.h>

/* clang-format off */
#define LATE_SERIALPORT(_) \
    _(sp_, close) \
    _(sp_, free_config) \
    _(sp_, free_port) \
    _(sp_, free_port_list) \
    _(sp_, get_config) \
    _(sp_, get_config_baudrate) \
    _(sp_, get_package_version_string) \
    _(sp_, get_port_by_name) \
    _(sp_, get_port_description) \
    _(sp_, get_port_handle) \
    _(sp_, get_port_name) \
    _(sp_, get_port_transport) \
    _(sp_, get_port_usb_manufacturer) \
    _(sp_, get_port_usb_product) \
    _(sp_, get_port_usb_serial) \
    _(sp_, get_port_usb_vid_pid) \
    _(sp_, get_signals) \
    _(sp_, last_error_code) \
    _(sp_, list_ports) \
    _(sp_, new_config) \
    _(sp_, open) \
    _(sp_, set_config) \
    _(sp_, set_config_baudrate) \
    _(sp_, set_config_bits) \
    _(sp_, set_config_cts) \
    _(sp_, set_config_dsr) \
    _(sp_, set_config_dtr) \
    _(sp_, set_config_parity) \
    _(sp_, set_config_rts) \
    _(sp_, set_config_stopbits) \
    _(sp_, set_config_xon_xoff) \
    _(sp_, set_dtr) \
    _(sp_, set_rts)
/* clang-format on */

extern struct late_serialport {
    LATE_SERIALPORT(LATE_MEMBER)
} late_serialport;

#endif
