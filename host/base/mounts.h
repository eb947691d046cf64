/* Watches the mounts of this machine. */
#ifndef BASE_MOUNTS_H
#define BASE_MOUNTS_H

/* A descriptor that polls as UV_PRIORITIZED once after each change of mounts; the caller closes it.
 * -1 if the system cannot tell. */
int mounts_open(void);

#endif
