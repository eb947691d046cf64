/* One viewer's state: the side, and the distance back in its pages. */
#ifndef SESSION_VIEW_H
#define SESSION_VIEW_H

#include "session/screen_model.h"

/* Rows for a pane on the screen; 0: not shown. */
struct view_room {
    unsigned rows[PANES];
};

enum view_move { VIEW_BACK, VIEW_ON, VIEW_FIRST, VIEW_LAST };

struct view {
    enum side focus; /* the side that view_scroll() moves */
    bool active[SIDES];
    bool met[SIDES]; /* the partner was reached once */
    struct {
        unsigned back; /* rows between the end and the last one shown */
        uint64_t end;  /* rows of the pane so far, as last counted by view_follow() */
    } pane[SIDES][PANES];
};

/* Notes which partners were reached. Called before view_reach. */
void view_meet(struct view *view, const struct screen_model *model);

/* Keeps the visible rows in place when new rows come, and turns to a newly active side. Called
 * before each drawing. */
void view_follow(struct view *view, const struct screen_model *model, struct view_room room);

/* A side's reach as shown: a partner who must be connected again counts as gone, so that nobody
 * overlooks the loss. */
enum reach view_reach(const struct view *view, const struct screen_model *model, enum side side);

/* Moves both panes of the focused side: by a row less than they show, or to an end. */
void view_scroll(struct view *view, const struct screen_model *model, struct view_room room,
                 enum view_move move);

/* True if the focused side shows other rows than the newest. */
static inline bool view_is_back(const struct view *view)
{
    return view->pane[view->focus][PANE_LOWER].back || view->pane[view->focus][PANE_UPPER].back;
}

/* The side of keys typed now, else the one looked at. */
enum side view_side(const struct view *view, const struct screen_model *model);

/* The visible part of a pane: its rows, and the rows of waiting keys among them. */
struct view_rows {
    unsigned rows;            /* number of rows of placed and of waiting keys */
    unsigned first;           /* first row of the pane on the screen */
    unsigned wait_row, waits; /* first row of waiting keys, and their number of rows; 0: none */
    unsigned shared;          /* 1 if that first row has placed keys, too; else 0 */
    struct page_place place;  /* view_place() */
    const struct style *style;
};
struct view_rows view_rows(const struct screen_model *model, enum side side, unsigned pane);

/* The place of the next key, in rows of the pane's part on the screen. */
struct page_place view_place(const struct screen_model *model, enum side side);

/* The placed text of a row of view_rows(); not for a row of waiting keys alone. */
void view_placed(const struct screen_model *model, enum side side, unsigned pane,
                 const struct view_rows *rows, unsigned row, struct page_row *out);

#endif
