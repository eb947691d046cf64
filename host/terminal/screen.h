/* A screen (screen/screen.h) on a terminal. Uses ncursesw. */
#ifndef TERMINAL_SCREEN_H
#define TERMINAL_SCREEN_H

#include "screen/screen.h"

#include <uv.h>

/* Takes over the terminal on standard input and output; a process has one such screen at a time.
 * BL_UNAVAIL, with the remedy in the message: standard input or output is no terminal, TERM is
 * unknown, the terminal cannot position the cursor, or there is no UTF-8 locale. screen_close(),
 * exit() and every fatal signal except SIGKILL restore the terminal. The caller's signal handlers
 * stay. Nothing is allocated later, except after a resize. Keys arrive one at a time. */
enum bl_status terminal_open(struct screen **out, uv_loop_t *loop,
                             const struct screen_options *options,
                             const struct screen_callbacks *callbacks, void *ctx,
                             struct bl_diag *diag);

#endif
