/* The effects of keys on a screen, on a terminal or in a browser: dialogs, commands, scrolling,
 * typing. Pure. */
#ifndef SCREEN_CONTROL_H
#define SCREEN_CONTROL_H

#include "screen/dialog.h"
#include "screen/screen.h"
#include "session/view.h"

/* Calls to the code that draws the screen. Each gets screen_control.screen. */
struct control_callbacks {
    void (*changed)(void *screen); /* draw the changes */
    /* Scrolls the pages; NULL: the screen scrolls them itself. */
    void (*scroll)(void *screen, enum view_move move);
    void (*anew)(void *screen); /* redraw everything */
};

struct screen_control {
    struct screen_options options;
    struct screen_callbacks callbacks;
    void *ctx; /* the callbacks' ctx */
    const struct control_callbacks *drawing;
    void *screen;
    const struct screen_model *model; /* NULL: none yet, and keys have no effect */
    struct dialog dialog;
    struct view view;
    const char *note; /* the screen's own advice, shown if the model has no message */
};

void control_key(struct screen_control *control, enum input_what what, uint32_t point);

/* True if no key leaves the screen. */
static inline bool control_is_kiosk(const struct screen_control *control)
{
    return control->options.kiosk && !control->options.leave;
}

#endif
