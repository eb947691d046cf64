/* Redraws only what has changed. After a key that is usually the newest row of a pane: the drawing
 * delays the key's way to the page. Pure. */
#ifndef TERMINAL_REDRAW_H
#define TERMINAL_REDRAW_H

#include "terminal/draw.h"

#define REDRAW_WORDS 1024 /* bytes of texts; with more, everything is redrawn */

/* Everything that the frame depends on, except the rows of the pages. */
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
    char words[REDRAW_WORDS]; /* must be last: only `length` bytes are filled */
};

/* One for each frame; zeroed at the start. */
struct redraw {
    struct redraw_shape shape;
    uint64_t changes[SIDES][PANES]; /* change counters of the pages */
};

/* As draw_scene(), always into the same frame and layout; unchanged rows are not written. True if
 * only the newest rows were drawn. */
bool redraw_scene(struct redraw *redraw, const struct draw_scene *scene, unsigned rows,
                  unsigned columns, struct layout *layout, struct frame *frame);

#endif
