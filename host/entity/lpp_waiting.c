#include "entity/lpp_waiting.h"

#include "base/crc32c.h"

#include <stdlib.h>
#include <string.h>

struct slot {
    struct lpp_item item;
    uint32_t hash;
    bool restarted; /* of a counter that began again */
};

struct lpp_waiting {
    unsigned room, count;
    struct slot *slots;
    unsigned *order; /* indices of slots, the first key last; behind `count` the free ones */
    bool sorted;
    bool more;
    struct slot least_left; /* `more`: the first that was left out */
    struct lpp_item last;   /* relayed; its name "" if none was */
    uint64_t restart_ns;    /* when the first not above that was made; UINT64_MAX: none is there */
};

struct lpp_waiting *lpp_waiting_create(unsigned room)
{
    struct lpp_waiting *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->room = room;
    w->slots = calloc(room, sizeof *w->slots);
    w->order = calloc(room, sizeof *w->order);
    if (!w->slots || !w->order) {
        lpp_waiting_destroy(w);
        return NULL;
    }
    lpp_waiting_clear(w);
    return w;
}

void lpp_waiting_destroy(struct lpp_waiting *waiting)
{
    if (!waiting)
        return;
    free(waiting->slots);
    free(waiting->order);
    free(waiting);
}

void lpp_waiting_clear(struct lpp_waiting *w)
{
    for (unsigned i = 0; i < w->room; i++)
        w->order[i] = i;
    w->count = 0;
    w->sorted = true;
    w->more = false;
    w->restart_ns = UINT64_MAX;
    w->last.name[0] = '\0';
}

static int compare(const struct slot *a, const struct slot *b)
{
    const struct lpp_item *x = &a->item, *y = &b->item;
    int by_number;
    if (a->restarted != b->restarted)
        return a->restarted ? 1 : -1;
    by_number = lpp_number_compare(x->name, &x->read, y->name, &y->read);
    if (by_number)
        return by_number;
    if (x->born_ns != y->born_ns)
        return x->born_ns < y->born_ns ? -1 : 1;
    if (x->serial != y->serial)
        return x->serial < y->serial ? -1 : 1;
    return (x->inode > y->inode) - (x->inode < y->inode);
}

static bool is_before(const struct lpp_waiting *w, unsigned a, unsigned b)
{
    return compare(&w->slots[a], &w->slots[b]) < 0;
}

/* Lets the entry at `top` of the first count ones sink to where none below is an earlier key. */
static void sink(struct lpp_waiting *w, unsigned top, unsigned count)
{
    unsigned sinking = w->order[top], child;
    while ((child = 2 * top + 1) < count) {
        if (child + 1 < count && is_before(w, w->order[child + 1], w->order[child]))
            child++;
        if (!is_before(w, w->order[child], sinking))
            break;
        w->order[top] = w->order[child];
        top = child;
    }
    w->order[top] = sinking;
}

/* Heap sort: in place, for qsort() may take memory. The first key comes last. */
static void sort_order(struct lpp_waiting *w)
{
    for (unsigned top = w->count / 2; top-- > 0;)
        sink(w, top, w->count);
    for (unsigned end = w->count; end > 1; end--) {
        unsigned first = w->order[0];
        w->order[0] = w->order[end - 1];
        w->order[end - 1] = first;
        sink(w, 0, end - 1);
    }
}

/* Not above the last relayed one? */
static bool steps_back(const struct lpp_waiting *w, const struct lpp_item *item)
{
    return w->last.name[0] &&
           lpp_number_compare(item->name, &item->read, w->last.name, &w->last.read) <= 0;
}

static void note_restart(struct lpp_waiting *w, const struct lpp_item *item)
{
    if (item->born_ns < w->restart_ns && steps_back(w, item))
        w->restart_ns = item->born_ns;
}

/* When the counter began again, by what is known now. */
static void find_restart(struct lpp_waiting *w)
{
    w->restart_ns = UINT64_MAX;
    for (unsigned i = 0; i < w->count; i++)
        note_restart(w, &w->slots[w->order[i]].item);
    if (w->more)
        note_restart(w, &w->least_left.item);
    w->sorted = false;
}

void lpp_waiting_last(struct lpp_waiting *w, const char *name)
{
    lpp_name_read(name, &w->last.read);
    w->last.name[0] = '\0';
    if (w->last.read.kind == LPP_KEY)
        memcpy(w->last.name, name, strlen(name) + 1);
    find_restart(w);
}

static bool is_restarted(const struct lpp_waiting *w, const struct lpp_item *item)
{
    return item->born_ns > w->restart_ns || steps_back(w, item);
}

static void sort(struct lpp_waiting *w)
{
    if (w->sorted)
        return;
    for (unsigned i = 0; i < w->count; i++) {
        struct slot *slot = &w->slots[w->order[i]];
        slot->restarted = is_restarted(w, &slot->item);
    }
    sort_order(w);
    w->sorted = true;
}

/* Half of them go, the last ones; they are still in the folder. */
static void make_room(struct lpp_waiting *w)
{
    unsigned gone = w->room / 2;
    sort(w);
    w->least_left = w->slots[w->order[gone - 1]];
    w->more = true;
    for (unsigned i = 0; i < w->count - gone; i++) {
        unsigned free_slot = w->order[i];
        w->order[i] = w->order[i + gone];
        w->order[i + gone] = free_slot;
    }
    w->count -= gone;
}

void lpp_waiting_add(struct lpp_waiting *w, const struct lpp_item *item)
{
    struct slot *slot;
    if (w->count == w->room)
        make_room(w);
    slot = &w->slots[w->order[w->count]];
    slot->item = *item;
    slot->hash = crc32c(0, item->name, strlen(item->name));
    note_restart(w, item);
    slot->restarted = is_restarted(w, item);
    w->least_left.restarted = w->more && is_restarted(w, &w->least_left.item);
    if (w->more && compare(slot, &w->least_left) >= 0)
        return; /* after those that were left out: it is left out, too */
    w->count++;
    w->sorted = w->count == 1;
}

bool lpp_waiting_has(const struct lpp_waiting *w, const struct lpp_item *item)
{
    uint32_t hash = crc32c(0, item->name, strlen(item->name));
    for (unsigned i = 0; i < w->count; i++) {
        const struct slot *slot = &w->slots[w->order[i]];
        if (slot->hash == hash && slot->item.inode == item->inode &&
            slot->item.born_ns == item->born_ns && strcmp(slot->item.name, item->name) == 0)
            return true;
    }
    return false;
}

const struct lpp_item *lpp_waiting_first(struct lpp_waiting *w)
{
    sort(w);
    return w->count ? &w->slots[w->order[w->count - 1]].item : NULL;
}

void lpp_waiting_drop(struct lpp_waiting *w)
{
    const struct lpp_item *first = lpp_waiting_first(w);
    bool back = first && steps_back(w, first);
    if (!first)
        return;
    w->last = *first;
    w->count--;
    if (back)
        find_restart(w);
}

unsigned lpp_waiting_count(const struct lpp_waiting *waiting)
{
    return waiting->count;
}

bool lpp_waiting_look_again(struct lpp_waiting *w)
{
    bool again = w->count == 0 && w->more;
    if (again)
        w->more = false;
    return again;
}
