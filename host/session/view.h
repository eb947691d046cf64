/* A viewer's state: the side, and how far its panes are scrolled back. */
#ifndef SESSION_VIEW_H
#define SESSION_VIEW_H

#include "session/screen_model.h"

/* The number of rows on the screen for each pane; 0: the pane is not shown. */
struct view_room {
    unsigned rows[PANES];
};

enum view_move { VIEW_BACK, VIEW_ON, VIEW_FIRST, VIEW_LAST };

struct view {
    enum side focus; /* the side that view_scroll() moves */
    bool active[SIDES];
    bool met[SIDES]; /* the partner was reached once */
    struct {
        unsigned back; /* number of rows between the end and the last row shown */
        uint64_t end;  /* number of the pane's rows, dropped ones included, at the last
                        * view_follow() */
    } pane[SIDES][PANES];
};

/* Notes the partners that were reached. Called before view_reach(). */
void view_meet(struct view *view, const struct screen_model *model);

/* Keeps the visible rows in place when new rows come, and turns to a newly active side. Called
 * before each drawing. */
void view_follow(struct view *view, const struct screen_model *model, struct view_room room);

/* A side's reach as shown. A partner who was reached before and is being connected again counts as
 * REACH_NO. */
enum reach view_reach(const struct view *view, const struct screen_model *model, enum side side);

/* Scrolls both panes of the focused side by a row less than they show, or to an end. */
void view_scroll(struct view *view, const struct screen_model *model, struct view_room room,
                 enum view_move move);

/* True if the focused side is scrolled back. */
static inline bool view_is_back(const struct view *view)
{
    return view->pane[view->focus][PANE_LOWER].back || view->pane[view->focus][PANE_UPPER].back;
}

/* The side for typed keys; if there is none, the focused side. */
enum side view_side(const struct view *view, const struct screen_model *model);

/* The rows of a pane as a screen shows them, with the rows of waiting keys. */
struct view_rows {
    unsigned rows;            /* number of rows, those of waiting keys included */
    unsigned first;           /* the pane's first row that the viewer may see */
    unsigned wait_row, waits; /* first row of waiting keys; number of such rows, 0: none */
    unsigned shared;          /* 1: the row wait_row has placed keys, too; 0: not */
    struct page_place place;
    const struct style *style;
};
struct view_rows view_rows(const struct screen_model *model, enum side side, unsigned pane);

/* The position of the next key, in rows of struct view_rows. */
struct page_place view_place(const struct screen_model *model, enum side side);

/* Writes the placed text of a row of view_rows(), which must not be a row of waiting keys alone. */
void view_placed(const struct screen_model *model, enum side side, unsigned pane,
                 const struct view_rows *rows, unsigned row, struct page_row *out);

#endif
