/* Draws a screen's model into a frame. Pure: the same scene and size give the same frame. */
#ifndef TERMINAL_DRAW_H
#define TERMINAL_DRAW_H

#include "screen/dialog.h"
#include "screen/hints.h"
#include "session/notice.h"
#include "terminal/frame.h"
#include "terminal/layout.h"

struct draw_scene {
    const struct screen_model *model;
    struct view *view; /* draw_scene() first updates it: see view.h */
    const struct dialog *dialog;
    const char *note; /* the screen's own advice, which is shown if the model has no message */
    bool kiosk;
};

/* Draws the scene for a terminal of rows by columns. *layout receives the positions on the screen,
 * which the caller needs for scrolling. */
void draw_scene(const struct draw_scene *scene, unsigned rows, unsigned columns,
                struct layout *layout, struct frame *frame);

/* Redraws the newest row of a pane, and the cursor if it is in that row, in a frame of
 * draw_scene(). The caller has checked that nothing else has changed, no key waits, and the pane's
 * end is in view. */
void draw_newest(const struct draw_scene *scene, const struct layout *layout, enum side side,
                 unsigned pane, struct frame *frame);

/* Draws as many hints as fit in one row. */
void draw_hints(struct frame *frame, unsigned row, const struct hint *hints, unsigned count);

#endif
