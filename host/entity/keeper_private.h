/* Messages with descriptors, between a keeper and its terminal. */
#ifndef ENTITY_KEEPER_PRIVATE_H
#define ENTITY_KEEPER_PRIVATE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define KEEPER_FDS_MAX 8  /* descriptors in one message */
#define KEEPER_HIDDEN  16 /* paths */

/* Sends one packet without blocking. has: a part of the message with a byte for each descriptor; 0:
 * that descriptor is -1, and is not sent. */
ssize_t keeper_send(int socket, const void *message, size_t size, uint8_t *has, const int *fds,
                    size_t count);

/* Takes one packet without blocking. `has`, a part of the message, has the descriptors that came;
 * NULL: the descriptors come in order. A missing descriptor is -1; a surplus one is closed. */
ssize_t keeper_take(int socket, void *message, size_t size, const uint8_t *has, int *fds,
                    size_t count);

#endif
