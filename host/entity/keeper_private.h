/* Messages with descriptors, between a keeper and its terminal. */
#ifndef ENTITY_KEEPER_PRIVATE_H
#define ENTITY_KEEPER_PRIVATE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define KEEPER_FDS_MAX 8  /* descriptors in one message */
#define KEEPER_HIDDEN  16 /* paths */

/* Sends one packet. has: part of the message, a byte for each descriptor; not sent where -1. Never
 * blocks. */
ssize_t keeper_send(int socket, const void *message, size_t size, uint8_t *has, const int *fds,
                    size_t count);

/* Takes one packet without blocking. Descriptors are counted by `has`, which is part of the message
 * as it comes, or stand in order if it is NULL; a missing one is -1. Others are closed. */
ssize_t keeper_take(int socket, void *message, size_t size, const uint8_t *has, int *fds,
                    size_t count);

#endif
