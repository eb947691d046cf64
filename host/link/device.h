/* What the system knows about a serial device, and how to say what is wrong with it. For serial.c
 * and ports.c. Nothing here opens the device. */
#ifndef LINK_DEVICE_H
#define LINK_DEVICE_H

#include "base/status.h"

#include <stdbool.h>

/* Names who else has the device open, "picocom (pid 123), minicom (pid 99)", or whose lock file
 * there is for it, or whose terminal it is. path is canonical. False, and an empty text, if nobody
 * can be seen; what processes of other users have open is seen by root only. */
bool device_holders(const char *path, char *text, size_t size);

/* Whether a program that keeps lock files (minicom, uucp) says that it has the device. */
bool device_locked(const char *path);

/* Whether this very process has the device open. */
bool device_is_ours(const char *path);

/* One line that says who has it, and what to do. Returns BL_BUSY. */
enum bl_status device_busy(const char *path, struct bl_diag *diag);

/* One line that says why this user may not open it, and the command that changes that. Returns
 * BL_NOPERM. */
enum bl_status device_denied(const char *path, struct bl_diag *diag);

/* The group that owns it, by name if it has one. False if the device is not there. */
bool device_group(const char *path, char *text, size_t size);

/* Reads a number that the driver keeps for the device, "latency_timer" (ms, FTDI) or
 * "rx_trig_bytes" (UARTs); -1 if it has none. */
int device_attribute(const char *path, const char *name);

/* Sets both so that a lone byte is not kept waiting. What is not there or not permitted is left. */
void device_hurry(const char *path);

/* The name of its driver, "ftdi_sio". False if it has none. */
bool device_driver(const char *path, char *text, size_t size);

#endif
