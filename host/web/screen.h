/* A screen (screen/screen.h) in a browser on this machine: one page over one WebSocket, at an
 * address with a token, of which both prove that they have it before either speaks. The browser
 * sends the bytes a terminal's keyboard would, which become keys by the same rules, and draws the
 * messages. One browser at a time: the latest. */
#ifndef WEB_SCREEN_H
#define WEB_SCREEN_H

#include "screen/screen.h"

#include <uv.h>

struct web_options {
    unsigned port;    /* 0: the one of before, or any */
    int listening;    /* > 0: a socket of web_listen(), of the same file; stays the caller's */
    const char *file; /* in which the address is kept */
    /* Is told the address when it is known, and the file. */
    void (*tell)(void *ctx, const char *address, const char *file);
};

/* Listens at the port asked for, at that of before or at any, and keeps the address. On another
 * port than before the token is new, for a page may still ask a stranger at the old one. The caller
 * closes *fd; held for a whole day, it leaves nobody else the port. Errors of http_listen(). */
enum bl_status web_listen(int *fd, const struct web_options *web, struct bl_diag *diag);

/* Errors of web_listen(); BL_DATA: the socket is not of the file's address. Nothing is allocated
 * afterwards but by libwebsockets. A closed browser may come back, and finds the page. */
enum bl_status web_open(struct screen **out, uv_loop_t *loop, const struct web_options *web,
                        const struct screen_options *options,
                        const struct screen_callbacks *callbacks, void *ctx, struct bl_diag *diag);

#endif
