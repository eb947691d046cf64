/* A screen without a line. Shows the caller's pages on a screen like the judge's, until the user
 * leaves. */
#ifndef BOOTH_VIEWING_H
#define BOOTH_VIEWING_H

#include "base/loop.h"
#include "booth/booth.h"
#include "booth/screens.h"

struct viewing_callbacks {
    /* Gets all input before the screen. True: the input is taken. See screen.h. */
    bool (*first)(void *ctx, enum input_what what, uint32_t point);
    /* Gets a key that the screen does not use. NULL: such keys have no effect. */
    void (*key)(void *ctx, uint32_t point);
    /* Called once the screen is open: starts the caller's own work on the loop. NULL: there is
     * none. */
    enum bl_status (*begin)(void *ctx, uv_loop_t *loop, struct bl_diag *diag);
    /* Fills in the model for this time (monotonic). Returns the time of the next call. */
    uint64_t (*look)(void *ctx, struct screen_model *model, uint64_t now_us);
    /* Called once the screen is closed: ends the caller's work on the loop. NULL: there is none. */
    void (*end)(void *ctx);
};

/* All zeros at the start; private to viewing.c. */
struct viewing {
    const struct viewing_callbacks *callbacks;
    void *ctx;
    uv_loop_t loop;
    struct bl_timer timer;
    struct booth_signals signals;
    struct screen *screen;
    struct screen_model model;
};

/* Shows the pages until viewing_stop(), a signal or the terminal's end. callbacks must stay valid.
 * Errors: those of screens_open() and begin(); BL_IO. */
enum bl_status viewing_run(struct viewing *viewing, const struct screens_options *which, bool kiosk,
                           bool small, const struct viewing_callbacks *callbacks, void *ctx,
                           struct bl_diag *diag);

/* Calls look() and draws the model. No effect once the screen is closed. */
void viewing_look(struct viewing *viewing);
void viewing_stop(struct viewing *viewing);

#endif
