/* A server of Engine.IO 3 with the packets of Socket.IO in it (engine_io.h), on host/http: its
 * clients come by polling, over a WebSocket, or change from the one to the other. It knows nothing
 * of the packets' meaning.
 *
 * Each packet that is sent may have a mark. A mark is certain when the client has got all packets
 * up to it: its next poll says so, or the pong of its WebSocket. */
#ifndef ADAPTER_ENGINE_H
#define ADAPTER_ENGINE_H

#include "base/status.h"
#include "adapter/engine_io.h"

#include <uv.h>

#define ENGINE_CLIENTS  8      /* one more takes the place of the one silent for longest */
#define ENGINE_SEND_MAX 98304  /* bytes of a packet */
#define ENGINE_ROOM     131072 /* of the packets waiting for a client */

struct engine;
struct engine_client;

struct engine_options {
    const char *address; /* see http_options */
    unsigned port;
    int listening;
    bool pages; /* clients that are pages in a browser are let in */
    bool own;   /* none but this user's programs, and root's, are let in */
};

/* Called from the loop. No client may be sent to or dropped but with the functions below. */
struct engine_callbacks {
    /* JSON of an event of the namespace "/". */
    void (*event)(void *ctx, struct engine_client *client, const char *json, size_t length);
    /* All packets up to this mark have certainly come. */
    void (*certain)(void *ctx, struct engine_client *client, uint64_t mark);
    /* It is not there any more. */
    void (*gone)(void *ctx, struct engine_client *client);
    /* Somebody was not let in, or something not taken. */
    void (*refused)(void *ctx, const char *text);
};

/* callbacks are copied. Errors as http_open(). */
enum bl_status engine_open(struct engine **out, uv_loop_t *loop,
                           const struct engine_options *options,
                           const struct engine_callbacks *callbacks, void *ctx,
                           struct bl_diag *diag);

unsigned engine_port(const struct engine *engine);

/* Sends a packet of ASCII; mark 0: none. false: it has no room, and is dropped as one who does not
 * read. */
bool engine_send(struct engine_client *client, const char *packet, uint64_t mark);

/* Has all that was sent left here? */
bool engine_sent(const struct engine_client *client);

/* True if the client can make marks certain. Unknown of a WebSocket without an answer to a ping. */
bool engine_is_sure(const struct engine_client *client);

/* "polling" or "WebSocket". */
const char *engine_transport(const struct engine_client *client);

/* Until this client has gone, no new one takes its place. NULL: no client is protected so. */
void engine_keep(struct engine *engine, struct engine_client *client);

/* Ends its connection soon; gone() is called. */
void engine_drop(struct engine_client *client);

/* closed is told when it is done, with the callbacks' ctx; NULL is allowed, and tells nobody. */
void engine_close(struct engine *engine, void (*closed)(void *ctx));

#endif
