#include "transcript/merge.h"

bool merge_has(const struct transcript *t, enum side side)
{
    return t->side[side].count || t->side[side].marks;
}

unsigned merge_sides(const struct transcript *t)
{
    return (unsigned)merge_has(t, SIDE_LEFT) + (unsigned)merge_has(t, SIDE_RIGHT);
}

static bool peek(const struct merge *merge, enum side side, struct merge_item *item)
{
    const struct transcript_side *line = &merge->transcript->side[side];
    uint64_t key = merge->side[side].key, mark = merge->side[side].mark, at_us;
    *item = (struct merge_item){.side = side};
    if (mark < line->marks && (line->mark[mark].n <= key || key >= line->count)) {
        item->mark = &line->mark[mark];
        item->index = mark;
        at_us = item->mark->at_us;
    } else if (key < line->count) {
        item->key = &line->event[key];
        item->index = key;
        at_us = item->key->posted_us;
    } else {
        return false;
    }
    item->at_us = at_us > merge->side[side].at_us ? at_us : merge->side[side].at_us;
    return true;
}

bool merge_next(struct merge *merge, struct merge_item *item)
{
    struct merge_item right;
    bool has_left = peek(merge, SIDE_LEFT, item), has_right = peek(merge, SIDE_RIGHT, &right);
    if (!has_left && !has_right)
        return false;
    if (!has_left || (has_right && right.at_us < item->at_us))
        *item = right;
    merge->side[item->side].at_us = item->at_us;
    if (item->key)
        merge->side[item->side].key++;
    else
        merge->side[item->side].mark++;
    return true;
}
