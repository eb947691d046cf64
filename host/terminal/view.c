#include "terminal/view.h"

static bool has_waiting(const struct screen_model *model, enum side side, enum party party)
{
    return party == model->role && model->side[side].pending_count > 0;
}

unsigned view_rows(const struct screen_model *model, enum side side, enum party party)
{
    const struct screen_side *shown = &model->side[side];
    unsigned rows = page_rows(shown->page, party);
    if (has_waiting(model, side, party))
        rows +=
            page_preview(shown->page, party, shown->pending, shown->pending_count, 0, NULL, 0) - 1;
    return rows;
}

/* How far back a pane can be looked. */
static unsigned most_back(const struct screen_model *model, const struct layout *layout,
                          enum side side, enum party party)
{
    unsigned rows = view_rows(model, side, party);
    return rows > layout->pane[party].rows ? rows - layout->pane[party].rows : 0;
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

void view_follow(struct view *view, const struct screen_model *model, const struct layout *layout)
{
    for (enum side side = 0; side < model->sides; side++) {
        if (model->side[side].active && !view->active[side])
            view->focus = side;
        view->active[side] = model->side[side].active;
        for (enum party party = 0; party < PARTIES; party++) {
            unsigned *back = &view->pane[side][party].back;
            unsigned most = most_back(model, layout, side, party);
            uint64_t end =
                page_dropped(model->side[side].page, party) + view_rows(model, side, party);
            if (*back > 0 && end > view->pane[side][party].end)
                *back += (unsigned)(end - view->pane[side][party].end);
            if (*back > most)
                *back = most;
            view->pane[side][party].end = end;
        }
    }
    if (view->focus >= model->sides)
        view->focus = SIDE_LEFT;
}

void view_scroll(struct view *view, const struct screen_model *model, const struct layout *layout,
                 enum view_move move)
{
    for (enum party party = 0; party < PARTIES; party++) {
        unsigned *back = &view->pane[view->focus][party].back;
        unsigned most = most_back(model, layout, view->focus, party);
        unsigned step = layout->pane[party].rows > 1 ? layout->pane[party].rows - 1 : 1;
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
