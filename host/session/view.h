/* A person's view: the side, and the distance back in its pages. One for each viewer. */
#ifndef SESSION_VIEW_H
#define SESSION_VIEW_H

#include "session/screen_model.h"

/* Rows that a pane has room for where it is drawn; 0: absent. */
struct view_room {
    unsigned rows[PANES];
};

enum view_move { VIEW_BACK, VIEW_ON, VIEW_FIRST, VIEW_LAST };

struct view {
    enum side focus; /* the side of looking back */
    bool active[SIDES];
    bool met[SIDES]; /* the partner was reached once */
    struct {
        unsigned back; /* rows between the end and the last one shown */
        uint64_t end;  /* the pane's number of rows at the count */
    } pane[SIDES][PANES];
};

/* Notes who was reached. To be called before view_reach. */
void view_meet(struct view *view, const struct screen_model *model);

/* Keeps the rows in view in their place at new ones, and turns to a newly active side. To be called
 * before each drawing. */
void view_follow(struct view *view, const struct screen_model *model, struct view_room room);

/* A side's reach as shown: a partner who has to be connected again is as good as gone, and must not
 * be overlooked. */
enum reach view_reach(const struct view *view, const struct screen_model *model, enum side side);

/* Moves both panes of the focused side, by a row less than they show. */
void view_scroll(struct view *view, const struct screen_model *model, struct view_room room,
                 enum view_move move);

/* True if other rows than the newest of the focused side are looked at. */
static inline bool view_is_back(const struct view *view)
{
    return view->pane[view->focus][PANE_LOWER].back || view->pane[view->focus][PANE_UPPER].back;
}

/* The side of keys typed now, else the one looked at. */
enum side view_side(const struct view *view, const struct screen_model *model);

/* The drawn part of a pane: its rows, and among them those of waiting keys, if any. */
struct view_rows {
    unsigned rows;            /* of both */
    unsigned first;           /* of the pane, on the screen */
    unsigned wait_row, waits; /* rows of waiting keys, the first of which may share one with
                                 placed keys; none: 0 */
    unsigned shared;          /* 1 if so, else 0 */
    struct page_place place;  /* view_place() */
    const struct style *style;
};
struct view_rows view_rows(const struct screen_model *model, enum side side, unsigned pane);

/* The place of the screen's next key, by its rows of the pane. */
struct page_place view_place(const struct screen_model *model, enum side side);

/* For a row with more than waiting keys: its number in the pane, and its placed text. */
unsigned view_placed_row(const struct view_rows *rows, unsigned row);
void view_placed(const struct screen_model *model, enum side side, unsigned pane,
                 const struct view_rows *rows, unsigned row, struct page_row *out);

#endif
