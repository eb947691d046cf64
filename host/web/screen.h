/* A screen (screen/screen.h) in a browser on this machine: a page over one WebSocket. Page and
 * server first prove their knowledge of the address's token. The browser sends the bytes of a
 * terminal's keyboard, and draws the server's messages. Only the latest browser stays connected. */
#ifndef WEB_SCREEN_H
#define WEB_SCREEN_H

#include "screen/screen.h"
#include "web/door.h"

struct web_options {
    unsigned port;    /* 0: the last one, or any */
    int listening;    /* > 0: a socket of door_listen() with the same file, owned by the caller */
    const char *file; /* the file of the address */
    /* Called by web_open() with the page's address and the address's file. */
    void (*tell)(void *ctx, const char *address, const char *file);
};

/* Opens the screen. Errors of door_open(), and BL_NOMEM. Later, only libwebsockets allocates
 * memory. A browser that was closed can come back. */
enum bl_status web_open(struct screen **out, uv_loop_t *loop, const struct web_options *web,
                        const struct screen_options *options,
                        const struct screen_callbacks *callbacks, void *ctx, struct bl_diag *diag);

#endif
