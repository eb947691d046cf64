/* The line between the two ends of a communications program: a null-modem cable between two serial
 * ports, or an Ethernet hub, simulated, with what happens to lines at contests.
 *
 * A serial port is a pty: it starts as the kernel leaves a port (9,600 baud, by lines, with echo),
 * paces the bytes at the rate that the sender has set, loses what comes while nobody has it open,
 * and makes noise of what comes at another rate. It has no modem lines.
 * Source: 2004 A6, "two computers with a cable having standard plugs or connecting each to an
 * Ethernet hub"; design, "Measured on Debian 12". */
#ifndef VALIDATE_CABLE_H
#define VALIDATE_CABLE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

enum cable_end { CABLE_JUDGE, CABLE_ENTITY, CABLE_ENDS };

struct cable;

/* Both live in the loop until cable_close(), plugged in. BL_IO: no pty; BL_NOMEM. */
enum bl_status cable_open_serial(struct cable **out, uv_loop_t *loop, struct bl_diag *diag);
enum bl_status cable_open_hub(struct cable **out, uv_loop_t *loop, struct bl_diag *diag);

/* Ends it; its memory goes when the loop has run. NULL is allowed. */
void cable_close(struct cable *cable);

/* Makes a serial port as a machine has it that was just switched on: a pty keeps for its whole life
 * what a program has set, even that it is the only one who may open it. No program has it open. */
enum bl_status cable_renew(struct cable *cable, enum cable_end end, struct bl_diag *diag);

/* The path of a serial port; "" on a hub. */
const char *cable_device(const struct cable *cable, enum cable_end end);

/* Has a program the port open? False on a hub. */
bool cable_is_open(const struct cable *cable, enum cable_end end);

/* A hub's port: a TAP descriptor that does not block, which stays the caller's; -1 takes it out,
 * which must be done before it is closed. */
void cable_join(struct cable *cable, enum cable_end end, int tap);

/* Pulls the cable at both ends, or plugs it in. */
void cable_plug(struct cable *cable, bool plugged);

/* Noise to both ends: that many bytes, or frames on a hub; the seed decides what they are. */
void cable_noise(struct cable *cable, uint64_t seed, unsigned count);

/* Bytes that an end has sent so far; on a hub without the frames' headers. */
uint64_t cable_sent(const struct cable *cable, enum cable_end end);

#endif
