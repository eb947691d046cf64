#include "booth/judge_lpp.h"

#include "base/utf8.h"
#include "booth/judge_booth_private.h"
#include "booth/messages.h"
#include "entity/lpp.h"
#include "entity/partner.h"

#include <stdlib.h>
#include <string.h>

struct judge_lpp {
    struct booth_line *line;
    struct judge_end *end;
    enum starts starts;
    struct lpp *lpp; /* NULL: the practice partner answers */
    struct partner partner;
    uint64_t heard; /* number of the order up to which the partner has heard the judge's keys */
    uint64_t sent, acked;
    struct wire offer, closing; /* the end's messages that wait for an answer; kind 0: none */
};

const char *judge_lpp_folder(const char *address)
{
    if (strcmp(address, JUDGE_PRACTICE) == 0)
        return "";
    return strncmp(address, "lpp:", 4) == 0 ? address + 4 : NULL;
}

/* The end's messages. The answers come from judge_lpp_run(). */

static enum bl_status on_send(void *ctx, const uint8_t *record, size_t length)
{
    struct judge_lpp *j = ((struct booth_line *)ctx)->folder;
    struct wire wire;
    if (!j || wire_decode(&wire, record, length))
        return BL_DOWN;
    j->sent++;
    if (wire.kind == WIRE_OFFER)
        j->offer = wire;
    else if (wire.kind == WIRE_CLOSE)
        j->closing = wire;
    return BL_OK;
}

static uint64_t on_sent(void *ctx)
{
    const struct judge_lpp *j = ((struct booth_line *)ctx)->folder;
    return j ? j->sent : 0;
}

static uint64_t on_acked(void *ctx)
{
    const struct judge_lpp *j = ((struct booth_line *)ctx)->folder;
    return j ? j->acked : 0;
}

void judge_lpp_callbacks(struct end_callbacks *callbacks)
{
    callbacks->link = NULL;
    callbacks->send = on_send;
    callbacks->sent = on_sent;
    callbacks->acked = on_acked;
}

static struct bl_time now_at(const struct judge_lpp *j)
{
    return booth_now(&j->line->booth->clock);
}

static void give(struct judge_lpp *j, const struct wire *wire)
{
    uint8_t record[WIRE_MAX];
    size_t length = wire_encode(wire, record);
    judge_end_record(j->end, record, length, now_at(j));
}

/* A folder has no record, so the judge's order counts. */
static void answer_offer(struct judge_lpp *j)
{
    const struct sequence *sequence = judge_end_sequence(j->end);
    struct wire resume = {.kind = WIRE_RESUME,
                          .epoch = j->offer.epoch,
                          .n = sequence->count,
                          .chain = sequence_chain(sequence, sequence->count)};
    struct wire ready = {.kind = WIRE_READY};
    memcpy(resume.session, j->offer.session, sizeof resume.session);
    j->offer.kind = 0;
    give(j, &resume);
    give(j, &ready);
}

static void answer_closing(struct judge_lpp *j)
{
    struct wire ack = j->closing;
    ack.kind = WIRE_CLOSE_ACK;
    j->closing.kind = 0;
    give(j, &ack);
}

static bool may_type(const struct judge_lpp *j, uint64_t *by_entity)
{
    const struct judge_end_view *view = judge_end_view(j->end);
    *by_entity = view->by_entity;
    return view->sync == SYNC_LIVE && view->segment == SEGMENT_OPEN &&
           (j->starts == STARTS_EITHER || view->by_judge > 0);
}

static enum handed on_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    (void)pressed_us;
    struct judge_lpp *j = ctx;
    uint8_t text[UTF8_MAX];
    struct wire key = {.kind = WIRE_NEW_KEYS, .text = text};
    uint64_t before, after;
    key.length = utf8_encode(point, text);
    if (!may_type(j, &before))
        return HANDED_BACK;
    give(j, &key);
    may_type(j, &after);
    return after > before ? HANDED_ON : HANDED_BACK;
}

static uint64_t on_keys(void *ctx)
{
    uint64_t by_entity;
    may_type(ctx, &by_entity);
    return by_entity;
}

static uint32_t on_judge_key(void *ctx, uint64_t n)
{
    const struct judge_lpp *j = ctx;
    const struct sequence *sequence = judge_end_sequence(j->end);
    const struct key_event *event = &sequence->event[n - 1];
    return n <= sequence->count && event->party == PARTY_JUDGE ? event->point : 0;
}

static void on_event(void *ctx, enum lpp_event event, uint32_t count, const char *text)
{
    const struct judge_lpp *j = ctx;
    char words[NOTE_MAX + 16];
    booth_note(j->line->booth, j->line->side,
               event == LPP_NOT_A_KEY || event == LPP_PASSED ? NOTE_IGNORED : NOTE_ENTRY, count,
               text);
    snprintf(words, sizeof words, "%s: %s",
             judge_side_words((struct judge_booth *)j->line->booth, j->line->side), text);
    if (event != LPP_WATCHES && event != LPP_FIRST)
        booth_say(j->line->booth, words);
}

enum bl_status judge_lpp_open(struct judge_lpp **out, struct booth_line *line, const char *folder,
                              struct judge_end *end, enum starts starts, struct bl_diag *diag)
{
    const struct lpp_callbacks callbacks = {on_key, on_keys, on_judge_key, on_event};
    struct lpp_options options = {.folder = folder};
    struct judge_lpp *j = calloc(1, sizeof *j);
    char dir[PATH_MAX];
    enum bl_status status = booth_journal_dir(line->booth->options, dir, diag);
    *out = NULL;
    if (!j)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    j->line = line;
    j->end = end;
    j->starts = starts;
    options.state_dir = dir;
    partner_begin(&j->partner);
    if (!status && *folder)
        status = lpp_open(&j->lpp, &line->booth->loop, &options, &callbacks, j, diag);
    if (status) {
        free(j);
        return status;
    }
    line->folder = j;
    *out = j;
    return BL_OK;
}

void judge_lpp_begin(struct judge_lpp *j, const char *session)
{
    if (j->lpp)
        lpp_session(j->lpp, session, 0);
    j->heard = judge_end_sequence(j->end)->count;
    judge_end_link(j->end, true, now_at(j));
}

/* Runs the practice partner. Returns the time of the partner's next key. */
static uint64_t run_partner(struct judge_lpp *j)
{
    const struct sequence *sequence = judge_end_sequence(j->end);
    uint64_t now_us = now_at(j).mono_us, by_entity;
    uint32_t point;
    while (j->heard < sequence->count) {
        const struct key_event *event = &sequence->event[j->heard++];
        if (event->party == PARTY_JUDGE)
            partner_hear(&j->partner, event->point, now_us);
    }
    if (!may_type(j, &by_entity))
        return BL_NEVER; /* the partner's keys wait */
    while ((point = partner_key(&j->partner, now_us)))
        on_key(j, point, now_us);
    return j->partner.due_us;
}

uint64_t judge_lpp_run(struct judge_lpp *j)
{
    uint64_t before, after;
    while (j->offer.kind || j->closing.kind || j->acked != j->sent) {
        if (j->offer.kind)
            answer_offer(j);
        if (j->closing.kind)
            answer_closing(j);
        j->acked = j->sent;
        judge_end_progress(j->end, now_at(j));
    }
    if (!j->lpp)
        return run_partner(j);
    lpp_allow(j->lpp, may_type(j, &before) ? END_UNCONFIRMED_MAX : 0);
    lpp_order(j->lpp, judge_end_sequence(j->end)->count);
    may_type(j, &after);
    return after - before >= END_UNCONFIRMED_MAX ? 0 : BL_NEVER;
}

void judge_lpp_close(struct judge_lpp *j)
{
    if (!j)
        return;
    j->line->folder = NULL;
    if (j->lpp)
        lpp_close(j->lpp);
    free(j);
}
