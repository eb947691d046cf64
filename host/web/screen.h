/* A screen (screen/screen.h) in a browser on this machine: a page over one WebSocket. The address
 * has a token; page and server prove that they know it before anything else. The browser sends the
 * bytes of a terminal's keyboard, which are parsed by the same rules, and draws the messages. Only
 * the latest browser is connected. */
#ifndef WEB_SCREEN_H
#define WEB_SCREEN_H

#include "screen/screen.h"
#include "web/door.h"

struct web_options {
    unsigned port;    /* 0: the last one, or any */
    int listening;    /* > 0: a socket of door_listen() with the same file; the caller's */
    const char *file; /* the file of the address */
    /* Called with the address when it is known, and with the file. */
    void (*tell)(void *ctx, const char *address, const char *file);
};

/* Errors of door_open(). Only libwebsockets allocates later. A closed browser can return and finds
 * the page. */
enum bl_status web_open(struct screen **out, uv_loop_t *loop, const struct web_options *web,
                        const struct screen_options *options,
                        const struct screen_callbacks *callbacks, void *ctx, struct bl_diag *diag);

#endif
