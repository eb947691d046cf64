/* The screen and keyboard of a terminal (ncursesw). It reads pages; it knows nothing of links. The
 * caller fills a model and asks for a drawing; keys and commands come back through the handler.
 * Source: DESIGN.md, "Page styles" and "Session". */
#ifndef TERMINAL_SCREEN_H
#define TERMINAL_SCREEN_H

#include "base/status.h"
#include "session/screen_model.h"
#include "session/input.h"

#include <uv.h>

enum screen_command {
    SCREEN_BEGIN,      /* F9: begin the plan */
    SCREEN_STEWARD,    /* F12: call the steward, or take it back */
    SCREEN_OTHER_SIDE, /* F2: type to the other side (where the plan does not decide) */
    SCREEN_EPOCH,      /* F8, confirmed by typing a word: open a new epoch */
    SCREEN_LEAVE,      /* F10, confirmed likewise */
};

struct screen_handler {
    void (*key)(void *ctx, uint32_t point);
    void (*command)(void *ctx, enum screen_command command);
    void (*ignored)(void *ctx); /* input that is no key */
    void (*lost)(void *ctx);    /* the terminal itself went away (hang-up) */
};

struct screen_options {
    bool kiosk;    /* no way out by keyboard */
    bool leave;    /* F10 leaves in spite of that: only to a screen of ours */
    bool small;    /* small type, also where the console has larger */
    bool no_color; /* NO_COLOR is set */

    /* Of a replay, a ballot and a board, which have keys of their own: is given each before the
     * screen, unless a dialog is open, with the handler's context; true: it was one of them. NULL:
     * none. */
    bool (*first)(void *ctx, enum input_what what, uint32_t point);
};

struct screen;

/* Takes over the terminal on standard input and output; one screen at a time in a process.
 * BL_UNAVAIL: standard input or output is no terminal, TERM is not known or cannot place the
 * cursor, or there is no UTF-8 locale; the diag says what would be right. The terminal is restored
 * by screen_close, by exit() and by every signal that ends the process but SIGKILL: what the caller
 * handles itself stays the caller's. Nothing is allocated afterwards, except by a resize.
 *
 * What is typed comes one key at a time, the handler's calls come from the loop, and it may call
 * screen_dirty and screen_close. F9 and F2 are passed on whatever the model says of them, F8 and
 * F10 only when they are offered. */
enum bl_status screen_open(struct screen **out, uv_loop_t *loop,
                           const struct screen_options *options,
                           const struct screen_handler *handler, void *ctx, struct bl_diag *diag);

/* Asks for a drawing of the model as it is in the loop's next turn, which comes without a wait; it
 * may be called from any callback, also from one that runs before the loop waits. model, and all
 * that it points to, must stay valid until another is given. A lone change is drawn at once; a
 * flood is drawn at most 50 times a second. A countdown moves only when this is called: once a
 * second is enough. */
void screen_dirty(struct screen *screen, const struct screen_model *model);

/* Draws the model at once, before this returns, if no flood is held back and the terminal takes it;
 * else as screen_dirty. For what must be on the screen before the caller goes on. */
void screen_draw(struct screen *screen, const struct screen_model *model);

/* Stops taking from the keyboard, or takes again: what is pasted faster than the line carries it
 * waits in the terminal. Up to SCREEN_BURST keys may come at once. Meanwhile no key does anything,
 * so hold only what is sure to flow on. */
#define SCREEN_BURST 1024
void screen_hold(struct screen *screen, bool hold);

/* Gives the terminal back. The memory goes when the loop has closed the handles, so run it once
 * more; takes NULL. */
void screen_close(struct screen *screen);

#endif
