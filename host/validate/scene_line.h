/* The line between the two ends of a communications program: the simulated null-modem cable between
 * two serial ports (sim/modem.h), or an Ethernet hub.
 *
 * A serial port is a pty: it starts as the kernel leaves a port (9,600 baud, by lines, with echo).
 * It has no modem lines.
 * Source: 2004 A6, "two computers with a cable having standard plugs or connecting each to an
 * Ethernet hub"; tests/bench/README.md for ptys. */
#ifndef VALIDATE_SCENE_LINE_H
#define VALIDATE_SCENE_LINE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum line_end { LINE_JUDGE, LINE_ENTITY, LINE_ENDS };

struct scene_line;

/* Plugged in. BL_FULL: no pty; BL_IO; BL_NOMEM. */
enum bl_status scene_line_open_serial(struct scene_line **out, struct bl_diag *diag);
enum bl_status scene_line_open_hub(struct scene_line **out, struct bl_diag *diag);

/* Ends it. NULL is allowed. */
void scene_line_close(struct scene_line *line);

/* Readable when the line has something to pass on, which scene_line_turn() does without waiting. */
int scene_line_fd(const struct scene_line *line);
void scene_line_turn(struct scene_line *line);

/* Makes a serial port as of a machine just switched on. No program has it open. */
enum bl_status scene_line_renew(struct scene_line *line, enum line_end end, struct bl_diag *diag);

/* The path of a serial port; "" on a hub. */
const char *scene_line_device(const struct scene_line *line, enum line_end end);

/* Has a program the port open? False on a hub. */
bool scene_line_is_open(const struct scene_line *line, enum line_end end);

/* A hub's port: a non-blocking TAP descriptor, which stays the caller's; -1 takes the port out,
 * before its closing. */
void scene_line_join(struct scene_line *line, enum line_end end, int tap);

/* Pulls the cable at both ends, or plugs it in. */
void scene_line_plug(struct scene_line *line, bool plugged);

/* Noise to both ends: that many bytes, or frames on a hub; the seed decides their contents. */
void scene_line_noise(struct scene_line *line, uint64_t seed, unsigned count);

/* Bytes that an end has sent so far; on a hub without the frames' headers. */
uint64_t scene_line_sent(const struct scene_line *line, enum line_end end);

#endif
