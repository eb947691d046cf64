/* A server of Engine.IO 3 with Socket.IO packets (engine_io.h) on host/http. Clients poll, use a
 * WebSocket, or upgrade from polling. The caller interprets the events.
 *
 * * A sent packet may have a mark. A mark is certain when the client's next poll, or the pong of
 * its WebSocket, proves that all packets up to the mark were received. */
#ifndef ADAPTER_ENGINE_H
#define ADAPTER_ENGINE_H

#include "base/status.h"
#include "adapter/engine_io.h"

#include <uv.h>

#define ENGINE_CLIENTS  8      /* a further client replaces another, see engine_keep() */
#define ENGINE_SEND_MAX 98304  /* bytes of a packet */
#define ENGINE_ROOM     131072 /* bytes of all packets that wait for a client */

struct engine;
struct engine_client;

struct engine_options {
    const char *address; /* see http_options */
    unsigned port;
    int listening;
    bool pages; /* allows clients that are pages in a browser */
    bool own;   /* allows only programs of this user and root */
};

/* Called from the loop. Only the functions below may send to a client or drop it. */
struct engine_callbacks {
    /* An event of the namespace "/", as JSON. */
    void (*event)(void *ctx, struct engine_client *client, const char *json, size_t length);
    /* The client has received all packets up to this mark. */
    void (*certain)(void *ctx, struct engine_client *client, uint64_t mark);
    /* The client is gone. */
    void (*gone)(void *ctx, struct engine_client *client);
    /* A client, or a message of a client, was refused. */
    void (*refused)(void *ctx, const char *text);
};

/* Opens a server; callbacks are copied. Errors: those of http_open(). */
enum bl_status engine_open(struct engine **out, uv_loop_t *loop,
                           const struct engine_options *options,
                           const struct engine_callbacks *callbacks, void *ctx,
                           struct bl_diag *diag);

/* Queues an ASCII packet; mark 0: no mark. False: the queue is full, and the client is dropped. */
bool engine_send(struct engine_client *client, const char *packet, uint64_t mark);

bool engine_sent(const struct engine_client *client);

/* True if the client can make marks certain. The client of a WebSocket must have answered a
 * ping. */
bool engine_is_sure(const struct engine_client *client);

/* The client's transport, "polling" or "WebSocket". */
const char *engine_transport(const struct engine_client *client);

/* Keeps this client; NULL: none. A new client beyond the limit replaces a dropped client; otherwise
 * the client silent for longest, except the kept one. */
void engine_keep(struct engine *engine, struct engine_client *client);

/* Closes the server. The loop then calls `closed` (may be NULL) with the callbacks' ctx. */
void engine_close(struct engine *engine, void (*closed)(void *ctx));

#endif
