/* The nats-server of the desk: a child with a configuration of its own. It is started again after
 * its end, and killed when the desk's own messages do not come back through it. It ends with the
 * desk, also if the desk is killed. */
#ifndef DESK_PROGRAM_SERVER_H
#define DESK_PROGRAM_SERVER_H

#include "post/server_config.h"

#include <uv.h>

struct nats_server;

/* Writes FOLDER/nats.conf and starts the program, whose output goes to FOLDER/nats.log. `say` gets
 * a line for the person at the machine. `ended` is called when the server has ended after
 * nats_server_stop(). */
enum bl_status nats_server_open(struct nats_server **out, uv_loop_t *loop, const char *program,
                                const char *folder, const struct post_server *config,
                                void (*say)(const char *line), void (*ended)(void),
                                struct bl_diag *diag);

/* The desk's own message has come back from the server. */
void nats_server_heard(struct nats_server *server);

void nats_server_stop(struct nats_server *server);

#endif
