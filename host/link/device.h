/* The system's knowledge about a serial device, and its faults in words. For serial.c and ports.c.
 * Nothing here opens the device. */
#ifndef LINK_DEVICE_H
#define LINK_DEVICE_H

#include "base/status.h"

#include <stdbool.h>

/* Names the other processes with the device open, "picocom (pid 123), minicom (pid 99)", with a
 * lock file for it, or with it as their terminal. path is canonical. False, and an empty text, if
 * nobody can be seen; files other users' processes have open are seen by root only. */
bool device_holders(const char *path, char *text, size_t size);

/* True if a program with lock files (minicom, uucp) claims the device. */
bool device_locked(const char *path);

/* True if the process itself has the device open. */
bool device_is_ours(const char *path);

/* One line with the holder and the remedy. Returns BL_BUSY. */
enum bl_status device_busy(const char *path, struct bl_diag *diag);

/* One line with the reason against the user's opening it, and the remedy's command. Returns
 * BL_NOPERM. */
enum bl_status device_denied(const char *path, struct bl_diag *diag);

/* The device's group, by name if there is one. False if the device is not there. */
bool device_group(const char *path, char *text, size_t size);

/* Reads a number the driver keeps for the device, "latency_timer" (ms, FTDI) or "rx_trig_bytes"
 * (UARTs); -1 if none. */
int device_attribute(const char *path, const char *name);

/* Sets both so a lone byte is not kept waiting. A missing or forbidden setting is left. */
void device_hurry(const char *path);

/* The name of its driver, "ftdi_sio". False if none. */
bool device_driver(const char *path, char *text, size_t size);

#endif
