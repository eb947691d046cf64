/* Runs the exchange of probe.h on a serial port. */
#ifndef LINK_PROBE_PORT_H
#define LINK_PROBE_PORT_H

#include "base/status.h"
#include "link/probe.h"

/* Opens DEVICE[@BAUD] (the part after "serial:"), calls for the other end and runs the whole
 * exchange; blocks until it is over. settings->self.baud is the speed in the name. progress is
 * called with the speed being tried (0: still calling, for that many seconds more) at each change,
 * and about once a second. Errors are those of opening, as link_open has them, and BL_IO if the
 * device goes away. */
enum bl_status probe_port(const char *name, const struct probe_settings *settings,
                          void (*progress)(void *ctx, uint32_t trying, unsigned left_s), void *ctx,
                          struct probe_result *result, struct bl_diag *diag);

#endif
