/* The door of a page in a browser on this machine: an HTTP server on 127.0.0.1 with the page's
 * files, and one WebSocket for each browser. The address has a token. The page (door.js) and the
 * server first prove their knowledge of the token over the WebSocket. */
#ifndef WEB_DOOR_H
#define WEB_DOOR_H

#include "base/built_text.h"
#include "http/server.h"
#include "web/address.h"

#define DOOR_PEERS 8

struct door;

/* Called by the loop, about browsers that have proved their knowledge of the token. */
struct door_callbacks {
    void (*admitted)(void *ctx, struct http_peer *peer);
    void (*message)(void *ctx, struct http_peer *peer, bool binary, const uint8_t *bytes,
                    size_t length);
    void (*writable)(void *ctx, struct http_peer *peer); /* see http_callbacks */
    void (*gone)(void *ctx, struct http_peer *peer);
};

struct door_options {
    int listening;                  /* > 0: a socket of door_listen(), which the caller closes */
    unsigned port;                  /* without a socket: the port for door_listen() */
    const char *file;               /* the file of the address */
    const struct built_text *files; /* "page.html" is at "/" */
    size_t in_max, out_max;         /* most bytes of a message from a browser, and of one to it */
};

/* Listens at the given port; for 0, at the last one or any. Writes the address. Another port gets a
 * new token, since another program may listen at the old one. The caller closes *fd, which reserves
 * the port while it is open. Errors of http_listen(). */
enum bl_status door_listen(int *fd, unsigned port, const char *file, struct bl_diag *diag);

/* Opens the door. Errors of door_listen() and http_open(); BL_DATA: the socket is not at the file's
 * address. The callbacks are copied; the files outlive the door. After an error *out is NULL. */
enum bl_status door_open(struct door **out, uv_loop_t *loop, const struct door_options *options,
                         const struct door_callbacks *callbacks, void *ctx, struct bl_diag *diag);

const struct web_address *door_address(const struct door *door);

/* Closes the door and every connection, without calls of gone(). The loop calls `closed` some turns
 * later with the callbacks' ctx. */
void door_close(struct door *door, void (*closed)(void *ctx));

#endif
