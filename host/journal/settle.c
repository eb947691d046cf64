#include "journal/settle.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

/* The line of an entity's journal. */
static const struct order *line_of(const struct order_set *entity)
{
    return &entity->side[SIDE_LEFT];
}

static bool known(const struct order *order, uint64_t n)
{
    return n <= order->count && order->event[n - 1].point != 0;
}

static bool same(const struct key_event *a, const struct key_event *b)
{
    return a->point == b->point && a->party == b->party && a->posted_us == b->posted_us;
}

/* The number of the first key that both orders have and that differs; 0: none. */
static uint64_t first_difference(const struct order *a, const struct order *b)
{
    uint64_t both = a->count < b->count ? a->count : b->count;
    for (uint64_t n = 1; n <= both; n++)
        if (known(a, n) && known(b, n) && !same(&a->event[n - 1], &b->event[n - 1]))
            return n;
    return 0;
}

enum bl_status settle_side(const struct order_set *judge, const struct order_set *entity,
                           enum side *side)
{
    const struct order *line = line_of(entity);
    uint64_t differs[SIDES];
    bool left = judge->side[SIDE_LEFT].present, right = judge->side[SIDE_RIGHT].present;
    for (unsigned i = 0; i < SIDES; i++)
        differs[i] = first_difference(&judge->side[i], line);
    *side = right && !left ? SIDE_RIGHT : SIDE_LEFT;
    if (!left || !right)
        return BL_OK;
    if (differs[SIDE_LEFT] && differs[SIDE_RIGHT]) {
        *side = differs[SIDE_LEFT] >= differs[SIDE_RIGHT] ? SIDE_LEFT : SIDE_RIGHT;
        return BL_DATA;
    }
    if (differs[SIDE_LEFT] || differs[SIDE_RIGHT]) {
        *side = differs[SIDE_LEFT] ? SIDE_RIGHT : SIDE_LEFT;
        return BL_OK;
    }
    /* Both sides match. If one of them has keys, the entity's keys are of that side. */
    if (line->count && !judge->side[SIDE_LEFT].count != !judge->side[SIDE_RIGHT].count) {
        *side = judge->side[SIDE_LEFT].count ? SIDE_LEFT : SIDE_RIGHT;
        return BL_OK;
    }
    return BL_USAGE;
}

/* True if by the journal the segment has ended. */
static bool is_over(const struct order *order, uint32_t generation)
{
    if (order->closed && order->close_generation == generation)
        return true;
    return order->generation == generation &&
           (order->state == SEGMENT_CLOSING || order->state == SEGMENT_CLOSED ||
            order->state == SEGMENT_FINISHED);
}

/* True if by the journal both ends agreed on n keys at the segment's end. */
static bool is_agreed(const struct order *order, uint32_t generation, uint64_t n)
{
    return order->closed && order->close_generation == generation && order->close_n == n &&
           (order->outcome == CLOSE_AGREED || order->outcome == CLOSE_SETTLED);
}

void settle_plan(struct settle_plan *plan, const struct order_set *judge, enum side side,
                 const struct order_set *entity)
{
    const struct order *j = &judge->side[side], *e = line_of(entity);
    bool over;
    memset(plan, 0, sizeof *plan);
    plan->side = side;
    plan->n = j->count > e->count ? j->count : e->count;
    plan->differs = first_difference(j, e);
    if (plan->differs && j->epoch > e->epoch) {
        plan->differs = 0;
        plan->anew = true;
        plan->n = j->count;
    }
    for (uint64_t n = 1; n <= plan->n; n++) {
        bool at_judge = known(j, n), at_entity = known(e, n) && !plan->anew;
        plan->lacks[PARTY_JUDGE] += !at_judge && at_entity;
        plan->lacks[PARTY_ENTITY] += at_judge && !at_entity;
        if (!at_judge && !at_entity && !plan->unknown)
            plan->unknown = n;
    }
    plan->generation = j->generation > e->generation ? j->generation : e->generation;
    over = is_over(j, plan->generation) || is_over(e, plan->generation);
    plan->close[PARTY_JUDGE] = over && !is_agreed(j, plan->generation, plan->n);
    plan->close[PARTY_ENTITY] = over && !is_agreed(e, plan->generation, plan->n);
}

bool settle_is_done(const struct settle_plan *plan)
{
    return !plan->anew && !plan->lacks[PARTY_JUDGE] && !plan->lacks[PARTY_ENTITY] &&
           !plan->close[PARTY_JUDGE] && !plan->close[PARTY_ENTITY];
}

/* Fills a KEYS record with missing keys of one party and one time from n on, as many as have room.
 * Returns the number after the last. */
static uint64_t fill_keys(struct journal_record *record, uint8_t text[JOURNAL_TEXT_MAX],
                          const struct order *from, const struct order *to, uint64_t n)
{
    const struct key_event *head = &from->event[n - 1];
    size_t length = 0;
    *record = (struct journal_record){
        .kind = JOURNAL_KEYS,
        .wall_us = head->posted_us,
        .as.keys = {.epoch = from->epoch, .first = n, .party = head->party, .run.text = text}};
    while (known(from, n) && !(to && known(to, n)) && length + UTF8_MAX <= JOURNAL_TEXT_MAX) {
        const struct key_event *event = &from->event[n - 1];
        if (event->party != head->party || event->posted_us != head->posted_us)
            break;
        length += utf8_encode(event->point, text + length);
        n++;
    }
    record->as.keys.run.length = length;
    return n;
}

enum bl_status settle_write(const struct settle_plan *plan, const struct order_set *judge,
                            const struct order_set *entity, enum party end, const uint8_t digest[8],
                            uint64_t now_us,
                            enum bl_status (*write)(void *ctx, const struct journal_record *record),
                            void *ctx)
{
    const struct order *j = &judge->side[plan->side], *e = line_of(entity);
    const struct order *from = end == PARTY_JUDGE ? e : j;
    const struct order *to = end == PARTY_JUDGE ? j : plan->anew ? NULL : e;
    enum side side = end == PARTY_JUDGE ? plan->side : SIDE_LEFT;
    uint8_t text[JOURNAL_TEXT_MAX];
    char words[NOTE_MAX];
    enum bl_status status = BL_OK;
    struct journal_record record;
    if (plan->anew && end == PARTY_ENTITY) {
        record = (struct journal_record){.kind = JOURNAL_EPOCH, .side = side, .wall_us = now_us};
        record.as.epoch.epoch = j->epoch;
        status = write(ctx, &record);
    }
    for (uint64_t n = 1; status == BL_OK && n <= from->count && plan->lacks[end];) {
        if (!known(from, n) || (to && known(to, n))) {
            n++;
            continue;
        }
        n = fill_keys(&record, text, from, to, n);
        record.side = side;
        status = write(ctx, &record);
    }
    if (status == BL_OK && plan->close[end]) {
        record = (struct journal_record){.kind = JOURNAL_CLOSE, .side = side, .wall_us = now_us};
        record.as.close.generation = plan->generation;
        record.as.close.n = plan->n;
        record.as.close.outcome = CLOSE_SETTLED;
        for (uint64_t n = 1; n <= plan->n; n++)
            record.as.close.placed += (known(j, n) ? j : e)->event[n - 1].party == PARTY_ENTITY;
        memcpy(record.as.close.digest, digest, sizeof record.as.close.digest);
        status = write(ctx, &record);
    }
    if (status != BL_OK)
        return status;
    snprintf(
        words, sizeof words, "settled with the other end's journal: %llu key%s added, %llu now",
        (unsigned long long)plan->lacks[end], BL_S(plan->lacks[end]), (unsigned long long)plan->n);
    record = (struct journal_record){.kind = JOURNAL_NOTE, .side = side, .wall_us = now_us};
    record.as.note.code = NOTE_SETTLED;
    record.as.note.count = plan->lacks[end] < UINT32_MAX ? (uint32_t)plan->lacks[end] : UINT32_MAX;
    record.as.note.text = words;
    return write(ctx, &record);
}
