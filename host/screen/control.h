/* The effects of keys at a screen, on a terminal or in a browser: dialogs, commands, looking back,
 * typing. Pure. */
#ifndef SCREEN_CONTROL_H
#define SCREEN_CONTROL_H

#include "screen/dialog.h"
#include "screen/screen.h"
#include "session/view.h"

/* The drawer's services; ctx is the control's screen. */
struct control_callbacks {
    void (*changed)(void *screen); /* draw the changes */
    /* Look back or on; NULL: the screen does that by itself. */
    void (*scroll)(void *screen, enum view_move move);
    void (*anew)(void *screen); /* forget the drawing, and draw all */
};

struct screen_control {
    struct screen_options options;
    struct screen_callbacks callbacks;
    void *ctx; /* the callbacks' */
    const struct control_callbacks *drawing;
    void *screen;
    const struct screen_model *model; /* NULL: none yet, and no key does anything */
    struct dialog dialog;
    struct view view;
    const char *note; /* the screen's own line of advice, shown if the model has none */
};

void control_key(struct screen_control *control, enum input_what what, uint32_t point);

/* True if there is no way out by a key. */
static inline bool control_is_kiosk(const struct screen_control *control)
{
    return control->options.kiosk && !control->options.leave;
}

#endif
