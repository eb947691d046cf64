/* Which screen a terminal has: the console it runs on, or a page in a browser on this machine. */
#ifndef BOOTH_SCREENS_H
#define BOOTH_SCREENS_H

#include "screen/screen.h"

#include <uv.h>

struct screens_options {
    const char *screen; /* NULL or "console"; "web", "web:PORT", "web@FILE" or "web:PORT@FILE" */
    const char *dir;    /* where the page's address is kept if no FILE says so; NULL: the user's */
    const char *name;   /* "judge": its address is in judge.url there */
};

/* Checks it. BL_USAGE says what would be right. */
enum bl_status screens_check(const char *screen, struct bl_diag *diag);

/* Whether it is a page in a browser. */
bool screens_is_web(const char *screen);

/* Opens it, as terminal_open() or web_open(). The address of a page is told on standard error. */
enum bl_status screens_open(struct screen **out, uv_loop_t *loop,
                            const struct screens_options *which,
                            const struct screen_options *options,
                            const struct screen_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag);

#endif
