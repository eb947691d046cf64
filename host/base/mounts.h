/* Watches the mounts of this machine. */
#ifndef BASE_MOUNTS_H
#define BASE_MOUNTS_H

/* Opens a descriptor on which uv_poll reports UV_PRIORITIZED after a change of mounts; the caller
 * closes the descriptor. -1 if the descriptor cannot be opened. */
int mounts_open(void);

#endif
