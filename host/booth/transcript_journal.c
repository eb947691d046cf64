#include "booth/messages.h"
#include "booth/transcript_source.h"

#include "journal/settle.h"
#include "journal/journal.h"

#include <stdlib.h>
#include <string.h>

/* Takes the marks of a journal for the transcript. An entity's journal dates marks by another
 * clock, so each mark gets the time of the key before it, or of the first key. */
static enum bl_status take_marks(struct transcript_side *side, const struct order *order,
                                 enum party role)
{
    uint64_t n = 0;
    struct transcript_mark *mark = calloc((size_t)order->marks + 1, sizeof *mark);
    if (!mark)
        return BL_NOMEM;
    side->mark = mark;
    for (uint64_t i = 0; i < order->marks; i++) {
        const struct order_mark *from = &order->mark[i];
        struct transcript_mark *to = &mark[side->marks];
        if (from->kind == JOURNAL_CLOSE)
            to->kind = MARK_CLOSE;
        else if (from->state == SEGMENT_OPEN)
            to->kind = MARK_OPENED;
        else if (from->state == SEGMENT_CLOSED || from->state == SEGMENT_FINISHED)
            to->kind = MARK_SEGMENT_OVER;
        else
            continue;
        /* Numbers must not fall, but at a new epoch the order may begin lower. */
        if (from->n > n)
            n = from->n < order->count ? from->n : order->count;
        to->n = n;
        to->at_us = from->wall_us;
        if (role == PARTY_ENTITY && order->count)
            to->at_us = order->event[n ? n - 1 : 0].posted_us;
        to->part = from->part;
        to->outcome = from->outcome;
        side->marks++;
    }
    return BL_OK;
}

/* Takes the times at which the entity's keys of one side were pressed, from the entity's
 * journal. */
static enum bl_status take_presses(struct transcript_side *side, const struct order_set *entity)
{
    struct order_join join = {.set = entity};
    uint64_t *pressed_us = calloc((size_t)side->count + 1, sizeof *pressed_us);
    if (!pressed_us)
        return BL_NOMEM;
    for (uint64_t n = 0; n < side->count; n++)
        if (side->event[n].party == PARTY_ENTITY)
            pressed_us[n] = order_join_next(&join, side->event[n].point);
    side->pressed_us = pressed_us;
    return BL_OK;
}

struct loading {
    struct order_set *set;
    struct requests *requests;
};

static void feed(void *ctx, const struct journal_record *record)
{
    struct loading *l = ctx;
    order_feed(l->set, record);
    if (record->kind == JOURNAL_NOTE && record->as.note.code == NOTE_ENTRY &&
        requests_take(l->requests, record->as.note.text) != BL_OK)
        l->set->status = BL_NOMEM;
}

static enum bl_status load(struct transcript_journal *journal, struct order_set *set,
                           const char *path, struct journal_report *report, struct bl_diag *diag)
{
    struct loading loading = {set, &journal->requests};
    enum bl_status status = journal_read(&disk_real, path, feed, &loading, report, diag);
    if (status == BL_OK && set->status != BL_OK)
        status = bl_fail(diag, set->status, "%s: %s", path, bl_status_text(set->status));
    requests_end(&journal->requests);
    return status;
}

/* Finds the side of the judge's journal to which the entity's journal belongs. */
static enum bl_status join(struct transcript *t, const struct order_set *judge,
                           const struct order_set *entity, const struct transcript_request *request,
                           struct bl_diag *diag)
{
    enum side side = request->side;
    enum bl_status status;
    if (judge->role != PARTY_JUDGE || entity->role != PARTY_ENTITY ||
        strcmp(judge->session, entity->session) != 0)
        return bl_fail(diag, BL_DATA, say_fail_is_not_the_entity_journal_of,
                       request->entity_journal, request->file);
    if (!request->one_side) {
        status = settle_side(judge, entity, &side);
        if (status == BL_DATA)
            return bl_fail(diag, status, say_fail_contradicts_both_sides_of_see_journal,
                           request->entity_journal, request->file);
        if (status == BL_USAGE)
            return bl_fail(diag, status, say_fail_goes_with_both_sides_of_say,
                           request->entity_journal, request->file);
    }
    status = take_presses(&t->side[side], entity);
    return status == BL_OK ? status : bl_fail(diag, status, "%s", bl_status_text(status));
}

enum bl_status transcript_journal_open(struct transcript_journal *journal,
                                       const struct transcript_request *request,
                                       struct bl_diag *diag)
{
    struct transcript *t = &journal->transcript;
    struct order_set *set = &journal->set, *entity = &journal->entity;
    struct journal_report report;
    enum bl_status status = load(journal, set, request->file, &report, diag);
    if (status != BL_OK)
        return status;
    t->session = set->session;
    t->role = set->role;
    t->header = request->header;
    t->headers = request->headers;
    t->damaged = report.damaged + (report.torn_bytes > 0);
    /* A journal without its header can still be read. */
    style_default(&t->style);
    if (set->headed && style_read(&t->style, set->style, diag) != BL_OK)
        return BL_DATA;
    for (unsigned i = 0; i < SIDES; i++) {
        const struct order *order = &set->side[i];
        if (request->one_side && i != request->side)
            continue;
        t->side[i].event = order->event;
        t->side[i].count = order->count;
        status = take_marks(&t->side[i], order, set->role);
        if (status != BL_OK)
            return bl_fail(diag, status, "%s", bl_status_text(status));
    }
    if (request->entity_journal) {
        status = load(journal, entity, request->entity_journal, NULL, diag);
        return status == BL_OK ? join(t, set, entity, request, diag) : status;
    }
    if (set->role == PARTY_ENTITY)
        status = take_presses(&t->side[SIDE_LEFT], set);
    return status == BL_OK ? status : bl_fail(diag, status, "%s", bl_status_text(status));
}

void transcript_journal_close(struct transcript_journal *journal)
{
    for (unsigned i = 0; i < SIDES; i++) {
        free((void *)journal->transcript.side[i].mark);
        free((void *)journal->transcript.side[i].pressed_us);
    }
    requests_free(&journal->requests);
    order_free(&journal->set);
    order_free(&journal->entity);
}
