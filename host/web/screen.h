/* A screen (screen/screen.h) in a browser on this machine: one page over one WebSocket, at an
 * address that holds a token. The browser sends the bytes that a terminal's keyboard would, which
 * become keys by the same rules, and draws what it is told. One browser at a time: the latest. */
#ifndef WEB_SCREEN_H
#define WEB_SCREEN_H

#include "screen/screen.h"

#include <uv.h>

struct web_options {
    unsigned port;    /* 0: the one of before, or any */
    const char *file; /* in which the address is kept */
    /* Is told the address when it is known. */
    void (*tell)(void *ctx, const char *address);
};

/* BL_BUSY: somebody else has that port. Nothing is allocated afterwards but by libwebsockets. A
 * browser that is closed is not lost: it may come back, and the page is there. */
enum bl_status web_open(struct screen **out, uv_loop_t *loop, const struct web_options *web,
                        const struct screen_options *options,
                        const struct screen_callbacks *callbacks, void *ctx, struct bl_diag *diag);

#endif
