/* The screen and keyboard of a person, whatever draws it: a console (terminal/screen.h) or a page
 * in a browser (web/screen.h). It shows a model; it knows nothing of links. The caller fills the
 * model and asks for a drawing; keys and commands come back through the callbacks. Source:
 * DESIGN.md, "Page styles" and "Session". */
#ifndef SCREEN_SCREEN_H
#define SCREEN_SCREEN_H

#include "session/input.h"
#include "session/screen_model.h"

enum screen_command {
    SCREEN_BEGIN,      /* F9: begin the plan */
    SCREEN_STEWARD,    /* F12: call the steward, or take it back */
    SCREEN_OTHER_SIDE, /* F2: type to the other side (where the plan does not decide) */
    SCREEN_TAKE,       /* F8, where this is a spare machine's: take the session over */
    SCREEN_EPOCH,      /* F8, confirmed by typing a word: open a new epoch */
    SCREEN_LEAVE,      /* F10, confirmed likewise */
};

/* Called from the loop; it may call screen_dirty and screen_close. F9 and F2 are passed on whatever
 * the model says of them, F8 and F10 only when they are offered. */
struct screen_callbacks {
    void (*key)(void *ctx, uint32_t point);
    void (*command)(void *ctx, enum screen_command command);
    void (*ignored)(void *ctx); /* input that is no key */
    void (*lost)(void *ctx);    /* the terminal itself went away (hang-up) */
    /* The keys that follow were kept by a page while nobody read them; NULL: no matter. */
    void (*kept)(void *ctx);
};

struct screen_options {
    bool kiosk;    /* no way out by keyboard */
    bool leave;    /* F10 leaves in spite of that: only to a screen of ours */
    bool small;    /* small type, also where the console has larger */
    bool no_color; /* NO_COLOR is set */

    /* Of a replay, a ballot and a board, which have keys of their own: is given each before the
     * screen, unless a dialog is open, with the callbacks' context; true: it was one of them. NULL:
     * none. */
    bool (*first)(void *ctx, enum input_what what, uint32_t point);
};

/* The head of each kind of screen. */
struct screen {
    const struct screen_kind *kind;
};

struct screen_kind {
    void (*dirty)(struct screen *screen, const struct screen_model *model);
    void (*draw)(struct screen *screen, const struct screen_model *model);
    void (*hold)(struct screen *screen, bool hold);
    void (*close)(struct screen *screen);
};

/* Asks for a drawing of the model as it is in the loop's next turn, which comes without a wait; it
 * may be called from any callback, also from one that runs before the loop waits. model, and all
 * that it points to, must stay valid until another is given. A countdown moves only when this is
 * called: once a second is enough. */
static inline void screen_dirty(struct screen *screen, const struct screen_model *model)
{
    screen->kind->dirty(screen, model);
}

/* Draws the model at once, before this returns, if no flood is held back and the screen takes it;
 * else as screen_dirty. For changes that must be on the screen before the caller goes on. */
static inline void screen_draw(struct screen *screen, const struct screen_model *model)
{
    screen->kind->draw(screen, model);
}

/* Stops taking from the keyboard, or takes again: text pasted faster than the line carries it waits
 * at its source. Up to SCREEN_BURST keys may come at once. Meanwhile no key does anything, so hold
 * only a flow that is sure to go on. */
#define SCREEN_BURST 1024
static inline void screen_hold(struct screen *screen, bool hold)
{
    screen->kind->hold(screen, hold);
}

/* Gives the screen back. The memory goes when the loop has closed the handles, so run it once more;
 * takes NULL. */
static inline void screen_close(struct screen *screen)
{
    if (screen)
        screen->kind->close(screen);
}

#endif
