/* Changes of this machine's mounts. */
#ifndef BASE_MOUNTS_H
#define BASE_MOUNTS_H

/* A descriptor that polls as UV_PRIORITIZED after each change of the mounts, once; the caller's to
 * close. -1: nothing tells. */
int mounts_open(void);

#endif
