/* Runs the exchange of probe.h on a serial port. */
#ifndef LINK_PROBE_PORT_H
#define LINK_PROBE_PORT_H

#include "base/status.h"
#include "link/probe.h"

/* Told about once a second and at each change. trying: the speed being tried; 0: still calling, for
 * left_s seconds more. signal: a signal line of the cable was up. False: call no longer, the
 * outcome is that of the calls so far. */
typedef bool probe_progress(void *ctx, uint32_t trying, unsigned left_s, bool signal);

/* Opens DEVICE[@BAUD] (the part after "serial:"), calls for the other end and runs the whole
 * exchange. Blocks until the exchange is over. settings->self.baud is the speed in the name. Errors
 * as link_open; BL_IO: the device was lost. */
enum bl_status probe_port(const char *name, const struct probe_settings *settings,
                          probe_progress *progress, void *ctx, struct probe_result *result,
                          struct bl_diag *diag);

#endif
