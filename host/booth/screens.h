/* The screen of a terminal: its console, or a page in a browser on this machine. */
#ifndef BOOTH_SCREENS_H
#define BOOTH_SCREENS_H

#include "screen/screen.h"

#include <limits.h>
#include <uv.h>

struct screens_options {
    /* NULL or "console"; or "web" with any of ":PORT", "#SOCKET" (a listening descriptor) and
     * "@FILE" (the file for the page's address). */
    const char *screen;
    const char *dir;  /* folder for the file with the page's address, without @FILE; NULL: the
                      * user's */
    const char *name; /* name of that file without ".url" */
};

#define SCREENS_PATH (PATH_MAX + 32)

/* Listens for the pages of all later screens, and writes their address to the file `path`. The
 * caller closes *fd, which is -1 for a console. Errors: those of door_listen(). */
enum bl_status screens_listen(int *fd, const struct screens_options *which, char path[SCREENS_PATH],
                              struct bl_diag *diag);

/* Checks the option. BL_USAGE names the right form. */
enum bl_status screens_check(const char *screen, struct bl_diag *diag);

/* True if the screen is a page in a browser. */
bool screens_is_web(const char *screen);

/* Opens the screen by terminal_open() or web_open(). Standard error names a page's address, or the
 * file with it. */
enum bl_status screens_open(struct screen **out, uv_loop_t *loop,
                            const struct screens_options *which,
                            const struct screen_options *options,
                            const struct screen_callbacks *callbacks, void *ctx,
                            struct bl_diag *diag);

#endif
