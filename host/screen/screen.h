/* A person's screen and keyboard: a console (terminal/screen.h) or a page in a browser
 * (web/screen.h). The caller fills a model and requests a drawing. Keys and commands come back
 * through callbacks. Source: DESIGN.md, "Page styles" and "Session". */
#ifndef SCREEN_SCREEN_H
#define SCREEN_SCREEN_H

#include "session/input.h"
#include "session/screen_model.h"

enum screen_command {
    SCREEN_BEGIN,      /* F9: begin the plan */
    SCREEN_STEWARD,    /* F12: call the steward, or cancel the call */
    SCREEN_OTHER_SIDE, /* F2: type to the other side, if the plan leaves the choice */
    SCREEN_TAKE,       /* F8 on a spare machine: take the session over */
    SCREEN_EPOCH,      /* F8, confirmed by a typed word: open a new epoch */
    SCREEN_LEAVE,      /* F10, confirmed by a typed word */
};

/* Called by the loop. The callbacks may call screen_dirty() and screen_close(). The screen passes
 * F9 and F2 on even without an effect, F8 if the model offers it, and F10 unless no key leaves the
 * screen. */
struct screen_callbacks {
    void (*key)(void *ctx, uint32_t point);
    void (*command)(void *ctx, enum screen_command command);
    void (*ignored)(void *ctx); /* input that is not a key */
    void (*lost)(void *ctx);    /* the terminal is gone (hang-up) */
    /* Called before keys that were typed in a page without a terminal; may be NULL. */
    void (*kept)(void *ctx);
};

struct screen_options {
    bool kiosk;    /* no key leaves the screen */
    bool leave;    /* F10 leaves anyway, to return to a screen of ours */
    bool small;    /* small type, even if the console has a larger one */
    bool no_color; /* NO_COLOR is set */

    /* For a replay, a ballot or a board, which have keys of their own. Gets each key first, with
     * the callbacks' ctx, unless a dialog is open. True: the key is used. May be NULL. */
    bool (*first)(void *ctx, enum input_what what, uint32_t point);
};

/* The common start of all kinds of screen. */
struct screen {
    const struct screen_kind *kind;
};

struct screen_kind {
    void (*dirty)(struct screen *screen, const struct screen_model *model);
    void (*draw)(struct screen *screen, const struct screen_model *model);
    void (*hold)(struct screen *screen, bool hold);
    void (*close)(struct screen *screen);
};

/* Asks for a drawing of the model in the loop's next turn, which comes without a wait. May be
 * called from any callback. model and its contents must stay valid until another model is given. A
 * countdown moves with such calls: one per second is enough. */
static inline void screen_dirty(struct screen *screen, const struct screen_model *model)
{
    screen->kind->dirty(screen, model);
}

/* Draws the model before it returns. Acts as screen_dirty() on a page in a browser, while the rate
 * of drawings is limited, or if the terminal accepts no output. For changes to be seen before the
 * caller continues. */
static inline void screen_draw(struct screen *screen, const struct screen_model *model)
{
    screen->kind->draw(screen, model);
}

/* Stops or resumes reading the keyboard: pasted text then waits at its source. Up to SCREEN_BURST
 * keys may still come. While the keyboard is held no key works, so the caller must resume. */
#define SCREEN_BURST 1024
static inline void screen_hold(struct screen *screen, bool hold)
{
    screen->kind->hold(screen, hold);
}

/* Restores and closes the screen. The loop must run once more to free the memory. NULL is
 * allowed. */
static inline void screen_close(struct screen *screen)
{
    if (screen)
        screen->kind->close(screen);
}

#endif
