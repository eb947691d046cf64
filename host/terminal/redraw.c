#include "terminal/redraw.h"

#include "terminal/clock.h"
#include "terminal/form_draw.h"

#include <stddef.h>
#include <string.h>

#define SHAPE_HEAD offsetof(struct redraw_shape, words)

static void add_words(struct redraw_shape *shape, const char *words)
{
    size_t length = words ? strlen(words) + 1 : 1;
    if (shape->length + length <= sizeof shape->words)
        memcpy(shape->words + shape->length, words ? words : "", length);
    shape->length += length;
}

/* Fills the scene's shape, and `changes` with the pages' change counters. */
static void take_shape(struct redraw_shape *shape, uint64_t changes[SIDES][PANES],
                       const struct draw_scene *scene, unsigned rows, unsigned columns)
{
    const struct screen_model *model = scene->model;
    memset(shape, 0, SHAPE_HEAD); /* clears the padding, which same_shape() compares */
    shape->rows = rows;
    shape->columns = columns;
    shape->sides = model->sides;
    shape->dialog = scene->dialog->kind;
    shape->role = model->role;
    shape->focus = scene->view->focus;
    shape->kiosk = scene->kiosk;
    shape->timed = model->remaining_us != UINT64_MAX;
    shape->enforced = model->enforced;
    shape->may_begin = model->may_begin;
    shape->may_switch = model->may_switch;
    shape->may_take = model->may_take;
    shape->may_epoch = model->may_epoch;
    shape->form = model->form && model->form->rules.kind;
    shape->form_up = model->form && form_rows(model->form) > 0;
    add_words(shape, model->segment);
    add_words(shape, model->standing);
    add_words(shape, model->message);
    add_words(shape, model->entry);
    add_words(shape, scene->note);
    if (shape->timed) {
        char time[CLOCK_TEXT];
        clock_text(model->remaining_us, time);
        add_words(shape, time);
    }
    for (enum side side = 0; side < model->sides; side++) {
        const struct screen_side *shown = &model->side[side];
        shape->side[side].page = shown->page;
        shape->side[side].reach = shown->reach;
        shape->side[side].insecure = shown->insecure;
        shape->side[side].active = shown->active;
        shape->side[side].steward_here = shown->steward_here;
        shape->side[side].steward_there = shown->steward_there;
        shape->side[side].waiting = shown->pending_count > 0;
        add_words(shape, shown->title);
        add_words(shape, shown->reason);
        add_words(shape, shown->state);
        struct page_extent extent[PANES];
        page_extents(shown->page, extent);
        for (unsigned pane = 0; pane < PANES; pane++) {
            shape->side[side].back |= scene->view->pane[side][pane].back > 0;
            shape->side[side].page_rows[pane] = extent[pane].rows;
            shape->side[side].dropped[pane] = extent[pane].dropped;
            changes[side][pane] = extent[pane].changes;
        }
    }
}

/* True if the drawings of the two shapes can differ only in the newest rows. */
static bool same_shape(const struct redraw_shape *a, const struct redraw_shape *b)
{
    if (a->rows == 0 || a->dialog != DIALOG_NONE || a->form_up || a->length > sizeof a->words)
        return false;
    for (enum side side = 0; side < a->sides; side++) {
        if (a->side[side].waiting || a->side[side].back)
            return false;
    }
    return memcmp(a, b, SHAPE_HEAD) == 0 && memcmp(a->words, b->words, a->length) == 0;
}

bool redraw_scene(struct redraw *redraw, const struct draw_scene *scene, unsigned rows,
                  unsigned columns, struct layout *layout, struct frame *frame)
{
    const struct screen_model *model = scene->model;
    bool changed[SIDES][PANES] = {0}, enough;
    struct redraw_shape shape;
    uint64_t changes[SIDES][PANES];
    take_shape(&shape, changes, scene, rows, columns);
    enough = layout->fit != LAYOUT_NOTHING && same_shape(&redraw->shape, &shape);
    for (enum side side = 0; side < model->sides; side++) {
        for (unsigned pane = 0; pane < PANES; pane++) {
            changed[side][pane] = changes[side][pane] != redraw->changes[side][pane];
            enough = enough && changes[side][pane] - redraw->changes[side][pane] <= 1;
            redraw->changes[side][pane] = changes[side][pane];
        }
    }
    if (!enough) {
        draw_scene(scene, rows, columns, layout, frame);
        /* Taken again: draw_scene() may have scrolled a page or changed the focused side. */
        take_shape(&redraw->shape, changes, scene, rows, columns);
        return false;
    }
    for (enum side side = 0; side < model->sides; side++) {
        for (unsigned pane = 0; pane < PANES; pane++) {
            if (changed[side][pane] && layout->side[side].shown)
                draw_newest(scene, layout, side, pane, frame);
        }
    }
    return true;
}
