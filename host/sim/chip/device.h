/* The simulated controller's connections. Its USB port is a pty with modem lines in shared memory,
 * which the preloaded shim shows to libserialport. Its relays are in simulated cables. */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEVICE_BAUD 38400

struct device;

/* Makes the pty, its link, and the shared memory, in a file if one is named. A failure ends the
 * program. */
struct device *device_open(const char *link, const char *shm, bool reset_on_open);
void device_close(struct device *device);

/* Takes bytes from the host; garbage if the host's rate is not DEVICE_BAUD. */
size_t device_get(struct device *device, uint8_t *bytes, size_t room);

/* Collects a byte for the host. device_flush() writes the collected bytes. Unread bytes are
 * lost. */
void device_put(struct device *device, uint8_t byte);
void device_flush(struct device *device);

/* True if the board must be reset: reset_on_open is set, and DTR has risen since the last call. */
bool device_opened(struct device *device);

struct contact;

/* Opens the control socket of a simulated cable; NULL: no cable. The relay is open at first. */
struct contact *contact_open(const char *path);
void contact_set(struct contact *contact, bool joined); /* joins or cuts by the relay */

#endif
