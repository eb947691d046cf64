#include "session/view.h"

struct page_place view_place(const struct screen_model *model, enum side side)
{
    const struct page *page = model->side[side].page;
    struct page_place place = page_place(page, model->role);
    place.row -= page_part(page, place.pane, model->role).first;
    return place;
}

struct view_rows view_rows(const struct screen_model *model, enum side side, unsigned pane)
{
    const struct screen_side *shown = &model->side[side];
    struct page_place place = view_place(model, side);
    struct page_part part = page_part(shown->page, pane, model->role);
    struct view_rows rows = {
        .rows = part.rows, .first = part.first, .place = place, .style = page_style(shown->page)};
    if (pane != place.pane || shown->pending_count == 0)
        return rows;
    rows.wait_row = place.row;
    rows.shared = place.shown;
    rows.waits =
        page_preview(shown->page, model->role, shown->pending, shown->pending_count, 0, NULL, 0);
    rows.rows += rows.waits - rows.shared;
    return rows;
}

static unsigned view_placed_row(const struct view_rows *rows, unsigned row)
{
    if (rows->waits && row >= rows->wait_row + rows->waits)
        row += rows->shared - rows->waits;
    return rows->first + row;
}

void view_placed(const struct screen_model *model, enum side side, unsigned pane,
                 const struct view_rows *rows, unsigned row, struct page_row *out)
{
    page_row(model->side[side].page, pane, view_placed_row(rows, row), out);
}

/* The greatest distance that a pane can be scrolled back. */
static unsigned most_back(const struct screen_model *model, struct view_room room, enum side side,
                          unsigned pane)
{
    unsigned rows = view_rows(model, side, pane).rows;
    return rows > room.rows[pane] ? rows - room.rows[pane] : 0;
}

void view_meet(struct view *view, const struct screen_model *model)
{
    for (enum side side = 0; side < model->sides; side++) {
        enum reach reach = model->side[side].reach;
        view->met[side] = reach == REACH_YES || (view->met[side] && reach != REACH_CUT);
    }
}

enum reach view_reach(const struct view *view, const struct screen_model *model, enum side side)
{
    enum reach reach = model->side[side].reach;
    return reach == REACH_CONNECTING && view->met[side] ? REACH_NO : reach;
}

void view_follow(struct view *view, const struct screen_model *model, struct view_room room)
{
    for (enum side side = 0; side < model->sides; side++) {
        if (model->side[side].active && !view->active[side])
            view->focus = side;
        view->active[side] = model->side[side].active;
        for (unsigned pane = 0; pane < PANES; pane++) {
            unsigned *back = &view->pane[side][pane].back;
            unsigned most = most_back(model, room, side, pane);
            uint64_t end =
                page_dropped(model->side[side].page, pane) + view_rows(model, side, pane).rows;
            uint64_t before = view->pane[side][pane].end;
            if (*back > 0 && end > before)
                *back += (unsigned)(end - before);
            else if (*back > 0)
                *back -= before - end < *back ? (unsigned)(before - end) : *back;
            if (*back > most)
                *back = most;
            view->pane[side][pane].end = end;
        }
    }
    if (view->focus >= model->sides)
        view->focus = SIDE_LEFT;
}

void view_scroll(struct view *view, const struct screen_model *model, struct view_room room,
                 enum view_move move)
{
    for (unsigned pane = 0; pane < PANES; pane++) {
        unsigned *back = &view->pane[view->focus][pane].back;
        unsigned most = most_back(model, room, view->focus, pane);
        unsigned step = room.rows[pane] > 1 ? room.rows[pane] - 1 : 1;
        switch (move) {
        case VIEW_BACK:
            *back = most - *back > step ? *back + step : most;
            break;
        case VIEW_ON:
            *back = *back > step ? *back - step : 0;
            break;
        case VIEW_FIRST:
            *back = most;
            break;
        case VIEW_LAST:
            *back = 0;
            break;
        }
    }
}

enum side view_side(const struct view *view, const struct screen_model *model)
{
    for (enum side side = 0; side < model->sides; side++) {
        if (model->side[side].active)
            return side;
    }
    return view->focus;
}
