/* Redraws only what has changed, as drawing delays a key's way to the screen. After a key, usually
 * only the newest row of a pane has changed. Pure. */
#ifndef TERMINAL_REDRAW_H
#define TERMINAL_REDRAW_H

#include "terminal/draw.h"

#define REDRAW_WORDS 1024 /* bytes of a scene's texts; with more bytes, everything is redrawn */

/* All that the frame's contents depend on, except the rows of the pages. */
struct redraw_shape {
    unsigned rows, columns, sides, dialog;
    enum party role;
    enum side focus;
    bool kiosk, timed, enforced, may_begin, may_switch, may_take, may_epoch, form, form_up;
    struct {
        const struct page *page;
        enum reach reach;
        bool active, insecure, steward_here, steward_there, waiting, back;
        unsigned page_rows[PANES];
        uint64_t dropped[PANES];
    } side[SIDES];
    size_t length;
    char words[REDRAW_WORDS]; /* the last member, as only `length` bytes of it are filled */
};

/* The state of redrawing one frame; the caller zeroes it at the start. */
struct redraw {
    struct redraw_shape shape;
    uint64_t changes[SIDES][PANES]; /* the pages' change counters at the last drawing */
};

/* As draw_scene(), but the caller always gives the same frame and layout. If only newest rows have
 * changed, draws only those. True if so. */
bool redraw_scene(struct redraw *redraw, const struct draw_scene *scene, unsigned rows,
                  unsigned columns, struct layout *layout, struct frame *frame);

#endif
