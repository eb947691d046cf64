#include "journal/order.h"

#include "base/utf8.h"
#include "journal/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t count_keys(const uint8_t *text, size_t length)
{
    uint64_t keys = 0;
    for (size_t i = 0; i < length; i++)
        keys += (text[i] & 0xC0) != 0x80;
    return keys;
}

/* Makes room in an array for the elements first to first + count - 1, of `size` bytes each, and
 * zeroes new elements. Returns the array, which may have moved. On failure, returns NULL and sets
 * set->status. */
static void *make_room(struct order_set *set, void *array, uint64_t *room, uint64_t first,
                       uint64_t count, size_t size)
{
    uint64_t wanted = *room ? *room : 256;
    if (first > ORDER_MAX || count > ORDER_MAX - first + 1) {
        set->status = BL_FULL;
        return NULL;
    }
    if (first + count - 1 <= *room)
        return array;
    while (wanted < first + count - 1)
        wanted *= 2;
    char *bigger = realloc(array, (size_t)wanted * size);
    if (!bigger) {
        set->status = BL_NOMEM;
        return NULL;
    }
    memset(bigger + (size_t)*room * size, 0, (size_t)(wanted - *room) * size);
    *room = wanted;
    return bigger;
}

static void feed_keys(struct order_set *set, struct order *order, const struct journal_record *e)
{
    const uint8_t *text = e->as.keys.run.text;
    size_t left = e->as.keys.run.length, taken;
    uint64_t n = e->as.keys.first, count = count_keys(text, left);
    struct key_event event = {.posted_us = e->wall_us, .party = (uint8_t)e->as.keys.party};
    struct key_event *events = make_room(set, order->event, &order->room, n, count, sizeof *events);
    if (!events)
        return;
    order->event = events;
    if (n + count - 1 > order->count) {
        order->holes += n + count - 1 - order->count;
        order->count = n + count - 1;
    }
    for (; (taken = utf8_decode(text, left, &event.point)) > 0; n++) {
        struct key_event *at = &order->event[n - 1];
        if (at->point == 0) {
            *at = event;
            order->holes--;
        } else if (at->point != event.point || at->party != event.party ||
                   at->posted_us != event.posted_us) {
            order->conflicts++;
        }
        text += taken;
        left -= taken;
    }
    order->epoch = e->as.keys.epoch;
}

static void feed_pressed(struct order_set *set, const struct journal_record *e)
{
    const uint8_t *text = e->as.pressed.run.text;
    size_t left = e->as.pressed.run.length, taken;
    uint64_t k = e->as.pressed.first, count = count_keys(text, left);
    uint32_t point;
    struct order_press *presses =
        make_room(set, set->press, &set->press_room, k, count, sizeof *presses);
    if (!presses)
        return;
    set->press = presses;
    if (k + count - 1 > set->presses)
        set->presses = k + count - 1;
    for (; (taken = utf8_decode(text, left, &point)) > 0; k++) {
        struct order_press *at = &set->press[k - 1];
        if (at->point == 0) {
            at->point = point;
            at->wall_us = e->wall_us;
        }
        text += taken;
        left -= taken;
    }
}

static void feed_unplaced(struct order_set *set, const struct journal_record *e)
{
    uint64_t first = e->as.unplaced.first, last = e->as.unplaced.last;
    struct order_press *presses =
        make_room(set, set->press, &set->press_room, first, last - first + 1, sizeof *presses);
    if (!presses)
        return;
    set->press = presses;
    if (last > set->presses)
        set->presses = last;
    for (uint64_t k = first; k <= last; k++)
        set->press[k - 1].unplaced = true;
}

static void add_mark(struct order_set *set, struct order *order, const struct journal_record *e)
{
    struct order_mark mark = {.kind = e->kind, .n = order->count, .wall_us = e->wall_us};
    if (e->kind == JOURNAL_SEGMENT) {
        mark.generation = e->as.segment.generation;
        order->part = e->as.segment.index + 1u;
        mark.state = e->as.segment.state;
        mark.left_us = e->as.segment.remaining_us;
        mark.taken = order->taken;
        order->taken = false;
    } else {
        mark.generation = e->as.close.generation;
        mark.outcome = e->as.close.outcome;
    }
    mark.part = order->part;
    struct order_mark *marks =
        make_room(set, order->mark, &order->mark_room, order->marks + 1, 1, sizeof *marks);
    if (!marks)
        return;
    order->mark = marks;
    order->mark[order->marks++] = mark;
}

/* After a restart: adds the time without a terminal, set->gap_us, to each line's last mark. */
static void add_away(struct order_set *set, uint64_t now_us)
{
    for (unsigned side = 0; side < SIDES; side++) {
        struct order *order = &set->side[side];
        if (order->marks)
            order->mark[order->marks - 1].away_us += set->gap_us;
        order->clock_us = order->latest_us = now_us;
        order->quiet_us = 0;
    }
}

static bool is_on(enum segment_state state)
{
    return state == SEGMENT_OPEN || state == SEGMENT_CLOSING;
}

/* Ends a time without a key or a SEGMENT. */
static void end_quiet(struct order *order, uint64_t now_us)
{
    if (now_us > order->latest_us && now_us - order->latest_us > order->quiet_us)
        order->quiet_us = now_us - order->latest_us;
    order->latest_us = now_us;
}

/* Adds a pause to the last mark: the time for which the clock stood between two SEGMENTs of one
 * part. A key shows a running clock, so at most the longest time without a key counts. */
static void add_pause(struct order *order, const struct journal_record *e)
{
    uint64_t left_us = e->as.segment.remaining_us;
    uint64_t counted_us = left_us < order->left_us ? order->left_us - left_us : 0;
    bool same = order->generation == e->as.segment.generation && is_on(order->state);
    end_quiet(order, e->wall_us);
    if (order->marks && same && left_us != UINT64_MAX && e->wall_us > order->clock_us &&
        e->wall_us - order->clock_us > counted_us) {
        uint64_t stood_us = e->wall_us - order->clock_us - counted_us;
        order->mark[order->marks - 1].away_us +=
            stood_us < order->quiet_us ? stood_us : order->quiet_us;
    }
    order->clock_us = e->wall_us;
    order->left_us = left_us;
    order->quiet_us = 0;
}

static void feed(struct order_set *set, const struct journal_record *e)
{
    struct order *order = &set->side[e->side];
    switch (e->kind) {
    case JOURNAL_HEADER:
        set->headed = true;
        set->role = e->as.header.role;
        snprintf(set->session, sizeof set->session, "%s", e->as.header.session);
        snprintf(set->style, sizeof set->style, "%s", e->as.header.style);
        return;
    case JOURNAL_KEYS:
        order->present = true;
        end_quiet(order, e->wall_us);
        feed_keys(set, order, e);
        break;
    case JOURNAL_PRESSED:
        feed_pressed(set, e);
        break;
    case JOURNAL_UNPLACED:
        feed_unplaced(set, e);
        break;
    case JOURNAL_EPOCH:
        order->present = true;
        order->epoch = e->as.epoch.epoch;
        if (set->role == PARTY_ENTITY) {
            if (order->count)
                memset(order->event, 0, (size_t)order->count * sizeof *order->event);
            order->count = order->holes = order->conflicts = 0;
        }
        break;
    case JOURNAL_SEGMENT:
        add_pause(order, e);
        if (!order->present || order->generation != e->as.segment.generation ||
            order->state != e->as.segment.state)
            add_mark(set, order, e);
        order->present = true;
        order->generation = e->as.segment.generation;
        order->state = e->as.segment.state;
        break;
    case JOURNAL_CLOSE:
        add_mark(set, order, e);
        order->present = true;
        order->closed = true;
        order->close_generation = e->as.close.generation;
        order->close_n = e->as.close.n;
        order->outcome = e->as.close.outcome;
        break;
    case JOURNAL_NOTE:
        order->taken = order->taken || e->as.note.code == NOTE_TAKEN;
        if (e->as.note.code == NOTE_RESTART)
            add_away(set, e->wall_us);
        break;
    case JOURNAL_START:
        if (e->wall_us > set->latest_us) /* the START of the first side; the second side's is at the
                                          * same time */
            set->gap_us = e->wall_us - set->latest_us;
        break;
    case JOURNAL_DELIVERED:
    case JOURNAL_SEAL:
        break;
    }
}

void order_feed(void *set, const struct journal_record *e)
{
    struct order_set *to = set;
    feed(to, e);
    to->latest_us = e->wall_us;
    if (e->kind != JOURNAL_START)
        to->gap_us = 0;
}

void order_free(struct order_set *set)
{
    for (unsigned i = 0; i < SIDES; i++) {
        free(set->side[i].event);
        free(set->side[i].mark);
    }
    free(set->press);
    memset(set, 0, sizeof *set);
}

uint64_t order_join_next(struct order_join *join, uint32_t point)
{
    const struct order_set *set = join->set;
    while (join->k < set->presses && set->press[join->k].unplaced)
        join->k++;
    if (join->lost || join->k >= set->presses)
        return 0;
    const struct order_press *press = &set->press[join->k++];
    if (press->point && point && press->point != point) {
        join->lost = true;
        return 0;
    }
    return press->point && point ? press->wall_us : 0;
}

static bool order_load(struct order_set *set, const char *path)
{
    struct bl_diag diag;
    return journal_read(&disk_real, path, order_feed, set, NULL, &diag) == BL_OK &&
           set->status == BL_OK;
}

int64_t order_differing(const char *journal, const char *other)
{
    struct order_set one = {0}, two = {0};
    const struct order *a = &one.side[SIDE_LEFT], *b = &two.side[SIDE_LEFT];
    int64_t differing = -1;
    if (order_load(&one, journal) && order_load(&two, other)) {
        uint64_t most = a->count > b->count ? a->count : b->count;
        differing = 0;
        for (uint64_t i = 0; i < most; i++)
            differing += i >= a->count || i >= b->count || a->event[i].point != b->event[i].point ||
                         a->event[i].party != b->event[i].party ||
                         a->event[i].posted_us != b->event[i].posted_us;
    }
    order_free(&one);
    order_free(&two);
    return differing;
}
