/* The way out of a sandbox, to one server alone. A process outside the sandbox's network joins each
 * connection to a socket in the sandbox with a new connection to that server. No TCP socket enters
 * the sandbox, where it could be connected to another server.
 *
 * * If the server does not answer, the connection in the sandbox is reset (ECONNRESET) after its
 * first bytes. Any other end closes the connection. */
#ifndef ENTITY_RELAY_H
#define ENTITY_RELAY_H

#include "base/status.h"

#include <sys/types.h>

#define RELAY_PLACE "/dev/server" /* path of the socket in the sandbox */

/* Starts the relay. listener: a listening socket of the sandbox, which the caller keeps. address:
 * http://HOST[:PORT][/...], https://, or unix:PATH; HOST is looked up once, here. The relay ends
 * with the starting thread, or by relay_end(). BL_USAGE: not an address; BL_NOINPUT: an unknown
 * host; BL_IO. */
enum bl_status relay_start(pid_t *pid, int listener, const char *address, struct bl_diag *diag);

/* Tests the server: connects once, within 5 s. BL_UNAVAIL: no answer, with the reason; other errors
 * as of relay_start(). */
enum bl_status relay_try(const char *address, struct bl_diag *diag);

void relay_end(pid_t pid);

#endif
