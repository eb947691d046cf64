/* The way out of a sandbox, to one server and nowhere else: a process outside its network, which
 * passes on bytes between each connection at a socket in the sandbox and a new one to that server.
 * A connected socket itself is not handed in: who has one of TCP can connect it to somebody else.
 *
 * Where nobody answers, the connection in the sandbox is reset (ECONNRESET) once it has sent
 * something; whatever else ends one is its end. */
#ifndef ENTITY_RELAY_H
#define ENTITY_RELAY_H

#include "base/status.h"

#include <sys/types.h>

#define RELAY_PLACE "/dev/server" /* the address of that socket, in the sandbox */

/* Starts the relay. listener: a listening socket of the sandbox, which the caller keeps. address:
 * http://HOST[:PORT][/...], https://, or unix:PATH; a name is looked up here, once. The relay ends
 * with the starting thread, or by relay_end(). BL_USAGE: not an address; BL_NOINPUT: an unknown
 * host; BL_IO. */
enum bl_status relay_start(pid_t *pid, int listener, const char *address, struct bl_diag *diag);

/* Tests the server: connects once, and waits up to 5 s for that. BL_UNAVAIL: no answer, with the
 * reason; else as relay_start(). */
enum bl_status relay_try(const char *address, struct bl_diag *diag);

/* Kills it, and waits until it has gone. */
void relay_end(pid_t pid);

#endif
