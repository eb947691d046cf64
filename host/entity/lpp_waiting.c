#include "entity/lpp_waiting.h"

#include "base/crc32c.h"

#include <stdlib.h>
#include <string.h>

struct slot {
    struct lpp_item item;
    uint32_t hash;
    unsigned generation; /* number of the counter's restarts before this key; valid during a
                          * sorting */
};

struct lpp_waiting {
    unsigned room, count;
    struct slot *slots;
    unsigned *order; /* indices of slots, the first key last; then the free slots */
    bool sorted;
    bool plain; /* each key was made after the key before it and has a greater number; implies
                 * `sorted` */
    bool more;
    struct slot least_left; /* with `more`: the earliest of the left-out items */
    struct lpp_item last;   /* the last relayed item; name "": none */
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
    w->plain = true;
    w->more = false;
    w->last.name[0] = '\0';
}

static int compare_numbers(const struct slot *a, const struct slot *b)
{
    return lpp_number_compare(a->item.name, &a->item.read, b->item.name, &b->item.read);
}

/* Compares by the order in which the items were seen; of one look, by inode. */
static int compare_seen(const struct lpp_item *x, const struct lpp_item *y)
{
    if (x->serial != y->serial)
        return x->serial < y->serial ? -1 : 1;
    return (x->inode > y->inode) - (x->inode < y->inode);
}

/* Compares by the time of making, and by number within one step of the coarse clock of files. */
static int compare_born(const struct slot *a, const struct slot *b)
{
    int by_number;
    if (a->item.born_ns != b->item.born_ns)
        return a->item.born_ns < b->item.born_ns ? -1 : 1;
    by_number = compare_numbers(a, b);
    return by_number ? by_number : compare_seen(&a->item, &b->item);
}

static int compare_keys(const struct slot *a, const struct slot *b)
{
    int by_number;
    if (a->generation != b->generation)
        return a->generation < b->generation ? -1 : 1;
    by_number = compare_numbers(a, b);
    if (by_number)
        return by_number;
    if (a->item.born_ns != b->item.born_ns)
        return a->item.born_ns < b->item.born_ns ? -1 : 1;
    return compare_seen(&a->item, &b->item);
}

typedef int compare_slots(const struct slot *a, const struct slot *b);

/* Lets the slot at `top` sink among the first `count` slots until none below it comes earlier. */
static void sink(struct lpp_waiting *w, compare_slots *compare, unsigned top, unsigned count)
{
    unsigned sinking = w->order[top], child;
    while ((child = 2 * top + 1) < count) {
        if (child + 1 < count &&
            compare(&w->slots[w->order[child + 1]], &w->slots[w->order[child]]) < 0)
            child++;
        if (compare(&w->slots[w->order[child]], &w->slots[sinking]) >= 0)
            break;
        w->order[top] = w->order[child];
        top = child;
    }
    w->order[top] = sinking;
}

/* Sorts in place, by heap sort: qsort() may take memory. The slot that compares first is put
 * last. */
static void sort_by(struct lpp_waiting *w, compare_slots *compare)
{
    for (unsigned top = w->count / 2; top-- > 0;)
        sink(w, compare, top, w->count);
    for (unsigned end = w->count; end > 1; end--) {
        unsigned first = w->order[0];
        w->order[0] = w->order[end - 1];
        w->order[end - 1] = first;
        sink(w, compare, 0, end - 1);
    }
}

/* True if the number is not above the last relayed one. */
static bool steps_back(const struct lpp_waiting *w, const struct lpp_item *item)
{
    return w->last.name[0] &&
           lpp_number_compare(item->name, &item->read, w->last.name, &w->last.read) <= 0;
}

/* Finds each key's generation. Requires the keys in order of their making. */
static void find_generations(struct lpp_waiting *w)
{
    const struct slot *highest = NULL, *before = NULL;
    unsigned generation = 0;
    for (unsigned i = w->count; i-- > 0;) {
        struct slot *slot = &w->slots[w->order[i]];
        bool back = generation == 0 && steps_back(w, &slot->item);
        bool drops = highest && compare_numbers(slot, highest) <= 0 &&
                     slot->item.born_ns - before->item.born_ns > LPP_PAUSE_NS;
        before = slot;
        if (back || drops)
            generation++;
        if (back || drops || !highest || compare_numbers(slot, highest) > 0)
            highest = slot;
        slot->generation = generation;
    }
}

static void sort(struct lpp_waiting *w)
{
    if (w->sorted)
        return;
    sort_by(w, compare_born);
    find_generations(w);
    sort_by(w, compare_keys);
    w->sorted = true;
}

/* True if the slot comes after all others. This usual case needs no sorting, which would delay a
 * key. */
static bool is_plain_with(const struct lpp_waiting *w, const struct slot *slot)
{
    const struct slot *newest = &w->slots[w->order[0]];
    if (w->count == 0)
        return !w->more && !steps_back(w, &slot->item);
    return w->plain && !w->more && compare_born(slot, newest) > 0 &&
           compare_numbers(slot, newest) > 0;
}

static void put_last(struct lpp_waiting *w)
{
    unsigned added = w->order[w->count];
    memmove(w->order + 1, w->order, w->count++ * sizeof *w->order);
    w->order[0] = added;
    w->slots[added].generation = 0;
    w->plain = w->sorted = true;
}

void lpp_waiting_last(struct lpp_waiting *w, const char *name)
{
    lpp_name_read(name, &w->last.read);
    w->last.name[0] = '\0';
    if (w->last.read.kind == LPP_KEY)
        memcpy(w->last.name, name, strlen(name) + 1);
    w->sorted = w->plain = false;
}

/* Leaves out the half that was made last; those names stay in the folder. The last half in the
 * order of keys is unknown until all names are known. */
static void make_room(struct lpp_waiting *w)
{
    unsigned gone = w->room / 2;
    sort_by(w, compare_born);
    w->least_left = w->slots[w->order[gone - 1]];
    w->more = true;
    for (unsigned i = 0; i < w->count - gone; i++) {
        unsigned free_slot = w->order[i];
        w->order[i] = w->order[i + gone];
        w->order[i + gone] = free_slot;
    }
    w->count -= gone;
    w->sorted = w->plain = false;
}

void lpp_waiting_add(struct lpp_waiting *w, const struct lpp_item *item)
{
    struct slot *slot;
    if (w->count == w->room)
        make_room(w);
    slot = &w->slots[w->order[w->count]];
    slot->item = *item;
    slot->hash = crc32c(0, item->name, strlen(item->name));
    if (w->more && compare_born(slot, &w->least_left) >= 0)
        return; /* made after the first left-out item */
    if (is_plain_with(w, slot)) {
        put_last(w);
        return;
    }
    w->count++;
    w->sorted = w->count == 1;
    w->plain = false;
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
    if (!first)
        return;
    w->last = *first;
    w->count--;
}

unsigned lpp_waiting_count(const struct lpp_waiting *waiting)
{
    return waiting->count;
}

bool lpp_waiting_any(const struct lpp_waiting *waiting)
{
    return waiting->count || waiting->more;
}

bool lpp_waiting_look_again(struct lpp_waiting *w)
{
    bool again = w->count == 0 && w->more;
    if (again)
        w->more = false;
    return again;
}
