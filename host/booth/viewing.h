/* A screen without a line: shows pages from files on the judge's screen until the user leaves. */
#ifndef BOOTH_VIEWING_H
#define BOOTH_VIEWING_H

#include "base/loop.h"
#include "booth/booth.h"
#include "booth/screens.h"

struct viewing_callbacks {
    /* All input comes here first. True: taken; false: the screen gets it. See screen.h. */
    bool (*first)(void *ctx, enum input_what what, uint32_t point);
    /* A key that the screen leaves to the page. NULL: such a key has no effect. */
    void (*key)(void *ctx, uint32_t point);
    /* The screen is open: the caller starts its own work on the loop. NULL: there is none. */
    enum bl_status (*begin)(void *ctx, uv_loop_t *loop, struct bl_diag *diag);
    /* Brings the model to this time (monotonic); returns the time of the next call. */
    uint64_t (*look)(void *ctx, struct screen_model *model, uint64_t now_us);
    /* The screen is closed: the caller ends its work on the loop. NULL: there is none. */
    void (*end)(void *ctx);
};

/* Zeroed is the start; private to viewing.c. */
struct viewing {
    const struct viewing_callbacks *callbacks;
    void *ctx;
    uv_loop_t loop;
    struct bl_timer timer;
    struct booth_signals signals;
    struct screen *screen;
    struct screen_model model;
};

/* Shows the pages until viewing_stop(), a signal or the terminal's end. callbacks stay valid.
 * Errors: those of screens_open() and begin(), BL_IO. */
enum bl_status viewing_run(struct viewing *viewing, const struct screens_options *which, bool kiosk,
                           bool small, const struct viewing_callbacks *callbacks, void *ctx,
                           struct bl_diag *diag);

/* Something has changed: calls look() and draws the model. No effect once the screen is closed. */
void viewing_look(struct viewing *viewing);
void viewing_stop(struct viewing *viewing);

#endif
