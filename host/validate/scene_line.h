/* The line between the two ends of a communications program: a simulated null-modem cable between
 * two serial ports (sim/modem.h), or an Ethernet hub. A serial port is a pty in the kernel's
 * initial state (9,600 baud, canonical, with echo), without modem lines. Source: 2004 A6, "two
 * computers with a cable having standard plugs or connecting each to an Ethernet hub";
 * tests/bench/README.md for ptys. */
#ifndef VALIDATE_SCENE_LINE_H
#define VALIDATE_SCENE_LINE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum line_end { LINE_JUDGE, LINE_ENTITY, LINE_ENDS };

struct scene_line;

/* Opens a plugged-in line. BL_FULL: no pty; BL_IO; BL_NOMEM. */
enum bl_status scene_line_open_serial(struct scene_line **out, struct bl_diag *diag);
enum bl_status scene_line_open_hub(struct scene_line **out, struct bl_diag *diag);

/* NULL is allowed. */
void scene_line_close(struct scene_line *line);

/* Readable when data waits on the line; scene_line_turn() passes it on without blocking. */
int scene_line_fd(const struct scene_line *line);
void scene_line_turn(struct scene_line *line);

/* Resets a serial port to its state after power-on. No program may have it open. */
enum bl_status scene_line_renew(struct scene_line *line, enum line_end end, struct bl_diag *diag);

/* The path of a serial port; "" on a hub. */
const char *scene_line_device(const struct scene_line *line, enum line_end end);

/* True if a program has the port open. False on a hub. */
bool scene_line_is_open(const struct scene_line *line, enum line_end end);

/* Connects a non-blocking TAP descriptor, which the caller owns, to a hub's port; -1 disconnects
 * it, before its owner closes it. */
void scene_line_join(struct scene_line *line, enum line_end end, int tap);

/* Unplugs the cable at both ends, or plugs it in. */
void scene_line_plug(struct scene_line *line, bool plugged);

/* Sends noise to both ends: `count` bytes, or frames on a hub; the seed determines the contents. */
void scene_line_noise(struct scene_line *line, uint64_t seed, unsigned count);

/* The bytes that an end has sent so far; on a hub without the frames' headers. */
uint64_t scene_line_sent(const struct scene_line *line, enum line_end end);

#endif
