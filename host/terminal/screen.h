/* A screen (screen/screen.h) on a terminal, by ncursesw. */
#ifndef TERMINAL_SCREEN_H
#define TERMINAL_SCREEN_H

#include "screen/screen.h"

#include <uv.h>

/* Takes over the terminal on standard input and output; one screen at a time in a process.
 * BL_UNAVAIL: standard input or output is no terminal, TERM is not known or cannot place the
 * cursor, or there is no UTF-8 locale; the diag names the remedy. The terminal is restored by
 * screen_close, by exit() and by every signal that ends the process but SIGKILL: signals handled by
 * the caller stay the caller's. Nothing is allocated afterwards, except by a resize.
 *
 * What is typed comes one key at a time. A lone change is drawn at once; a flood is drawn at most
 * 50 times a second. */
enum bl_status terminal_open(struct screen **out, uv_loop_t *loop,
                             const struct screen_options *options,
                             const struct screen_callbacks *callbacks, void *ctx,
                             struct bl_diag *diag);

#endif
