/* Redraws the changed part of a screen, since drawing delays a key. After a key usually one pane's
 * newest row has changed. Pure. */
#ifndef TERMINAL_REDRAW_H
#define TERMINAL_REDRAW_H

#include "terminal/draw.h"

#define REDRAW_WORDS 1024 /* bytes of a scene's texts; with more, everything is redrawn */

/* The input of a frame's contents, without the rows of the pages. */
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
    char words[REDRAW_WORDS]; /* last member: `length` bytes of it are filled */
};

/* The state of redrawing one frame; the caller zeroes it at the start. */
struct redraw {
    struct redraw_shape shape;
    uint64_t changes[SIDES][PANES]; /* the pages' change counters at the last drawing */
};

/* As draw_scene(), always with the same frame and layout. True: only newest rows have changed, and
 * only those were drawn. */
bool redraw_scene(struct redraw *redraw, const struct draw_scene *scene, unsigned rows,
                  unsigned columns, struct layout *layout, struct frame *frame);

#endif
