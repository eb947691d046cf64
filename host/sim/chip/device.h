/* The simulated controller's connections: its USB port as a pty with modem lines in shared memory,
 * so the preloaded shim shows it to libserialport, and the cables in which its relays are. */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEVICE_BAUD 38400

struct device;

/* Makes the pty, its link, and the shared memory where a file is named. Ends the program at a
 * failure. */
struct device *device_open(const char *link, const char *shm, bool reset_on_open);
void device_close(struct device *device);

/* Bytes from the host; garbage when its rate is not DEVICE_BAUD. */
size_t device_get(struct device *device, uint8_t *bytes, size_t room);

/* A byte for the host: collected, and written by device_flush. Bytes unread by a host are lost. */
void device_put(struct device *device, uint8_t byte);
void device_flush(struct device *device);

/* True if the board is reset: DTR has risen since the last call, and reset_on_open is set. */
bool device_opened(struct device *device);

struct contact;

/* Opens the control socket of a simulated cable; NULL: no cable. The relay is open at first. */
struct contact *contact_open(const char *path);
void contact_set(struct contact *contact, bool joined); /* the relay, not the cable */

#endif
