/* Draws the changes. After a key they are mostly the newest row of a pane, which is drawn alone: a
 * key on its way to the page waits for its drawing. Pure. */
#ifndef TERMINAL_REDRAW_H
#define TERMINAL_REDRAW_H

#include "terminal/draw.h"

#define REDRAW_WORDS 1024 /* of texts; above, all is drawn each time */

/* The source of the frame, but for the pages' rows. */
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
    char words[REDRAW_WORDS]; /* stays the last: only `length` of them are filled */
};

/* Zeroed is the start. One for each frame. */
struct redraw {
    struct redraw_shape shape;
    uint64_t changes[SIDES][PANES]; /* of the pages */
};

/* As draw_scene, into the same frame and layout each time, whose rows that did not change stay
 * untouched. Returns whether newest rows were enough. */
bool redraw_scene(struct redraw *redraw, const struct draw_scene *scene, unsigned rows,
                  unsigned columns, struct layout *layout, struct frame *frame);

#endif
