/* A serial device as the system describes it, and its faults in words. The device is not opened. */
#ifndef LINK_DEVICE_H
#define LINK_DEVICE_H

#include "base/status.h"

#include <stdbool.h>

/* Lists the other processes that have the device open, have a lock file for it, or have it as their
 * terminal: "picocom (pid 123), minicom (pid 99)". path is canonical. False, and an empty text:
 * none is found. Other users' open files are only visible to root. */
bool device_holders(const char *path, char *text, size_t size);

/* True if another program (minicom, uucp) has a lock file for the device. */
bool device_locked(const char *path);

/* True if this process has the device open. */
bool device_is_ours(const char *path);

/* Fills diag with a line: the holder, or the command that names it. Returns BL_BUSY. */
enum bl_status device_busy(const char *path, struct bl_diag *diag);

/* Fills diag with a line: the reason why the user may not open the device, and the command that
 * helps. Returns BL_NOPERM. */
enum bl_status device_denied(const char *path, struct bl_diag *diag);

/* The device's group, by name if the group has one. False: there is no such device. */
bool device_group(const char *path, char *text, size_t size);

/* Reads a numeric attribute of the driver: "latency_timer" (ms, FTDI) or "rx_trig_bytes" (UARTs).
 * -1: none. */
int device_attribute(const char *path, const char *name);

/* Sets both attributes so that the driver passes on single bytes at once. A missing or forbidden
 * attribute is skipped. */
void device_hurry(const char *path);

/* The name of the device's driver, such as "ftdi_sio". False: none. */
bool device_driver(const char *path, char *text, size_t size);

#endif
