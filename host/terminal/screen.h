/* A screen (screen/screen.h) on a terminal, with ncursesw. */
#ifndef TERMINAL_SCREEN_H
#define TERMINAL_SCREEN_H

#include "screen/screen.h"

#include <uv.h>

/* Takes over the terminal on standard input and output; one screen at a time in a process.
 * BL_UNAVAIL, with the remedy: standard input or output is not a terminal, TERM is unknown or
 * cannot position the cursor, or there is no UTF-8 locale. screen_close(), exit() and every fatal
 * signal except SIGKILL restore the terminal; the caller's signal handlers stay. Allocates nothing
 * later, except after a resize. Keys arrive one at a time. A single change is drawn at once, a
 * flood at most 50 times per second. */
enum bl_status terminal_open(struct screen **out, uv_loop_t *loop,
                             const struct screen_options *options,
                             const struct screen_callbacks *callbacks, void *ctx,
                             struct bl_diag *diag);

#endif
