#include "booth/entity_lpp.h"

#include "base/utf8.h"
#include "booth/messages.h"
#include "entity/lpp.h"

#include <stdlib.h>
#include <string.h>

struct asked {
    uint8_t text[WIRE_TEXT_MAX];
    size_t length;
};

struct entity_lpp {
    struct booth_line *line;
    struct entity_end *end;
    enum starts starts;
    struct lpp *lpp;
    bool begun; /* a session has begun with the folder */
    bool ready; /* the entity's end is ready; until then the judge's keys wait in the folder */
    uint64_t sent, acked;
    bool resumes;                      /* the end has sent WIRE_RESUME, and waits for the answer */
    struct asked ask[END_RECORDS_MAX]; /* keys without a place yet */
    unsigned asks;
};

/* The end's messages. The answers come from entity_lpp_run(). */

static enum bl_status on_send(void *ctx, const uint8_t *record, size_t length)
{
    struct entity_lpp *j = ((struct booth_line *)ctx)->judge;
    struct wire wire;
    if (!j || wire_decode(&wire, record, length))
        return BL_DOWN;
    if (wire.kind == WIRE_NEW_KEYS) {
        if (j->asks == END_RECORDS_MAX || wire.length > WIRE_TEXT_MAX)
            return BL_AGAIN;
        struct asked *asked = &j->ask[j->asks++];
        memcpy(asked->text, wire.text, wire.length);
        asked->length = wire.length;
    }
    j->resumes = j->resumes || wire.kind == WIRE_RESUME;
    j->ready = j->ready || wire.kind == WIRE_READY;
    j->sent++;
    return BL_OK;
}

static uint64_t on_sent(void *ctx)
{
    const struct entity_lpp *j = ((struct booth_line *)ctx)->judge;
    return j ? j->sent : 0;
}

static uint64_t on_acked(void *ctx)
{
    const struct entity_lpp *j = ((struct booth_line *)ctx)->judge;
    return j ? j->acked : 0;
}

void entity_lpp_callbacks(struct end_callbacks *callbacks)
{
    callbacks->link = NULL;
    callbacks->send = on_send;
    callbacks->sent = on_sent;
    callbacks->acked = on_acked;
}

static struct bl_time now_at(const struct entity_lpp *j)
{
    return booth_now(&j->line->booth->clock);
}

static enum bl_status give(struct entity_lpp *j, const struct wire *wire)
{
    uint8_t record[WIRE_MAX];
    size_t length = wire_encode(wire, record);
    return entity_end_record(j->end, record, length, now_at(j));
}

/* A folder has no record, so this end's order counts. The clock of the judge's program is not
 * known, so the one segment stays open until the person leaves. */
static void answer_resume(struct entity_lpp *j)
{
    const struct sequence *sequence = entity_end_sequence(j->end);
    struct wire sync = {.kind = WIRE_SYNC,
                        .generation = 1,
                        .n = sequence->count,
                        .placed = sequence->by[PARTY_ENTITY]};
    struct wire segment = {
        .kind = WIRE_SEGMENT, .generation = 1, .state = SEGMENT_OPEN, .time_us = UINT64_MAX};
    j->resumes = false;
    give(j, &sync);
    give(j, &segment);
}

static enum bl_status place(struct entity_lpp *j, enum wire_kind kind, const uint8_t *text,
                            size_t length)
{
    struct wire mark = {.kind = WIRE_MARK,
                        .n = entity_end_sequence(j->end)->count + 1,
                        .time_us = now_at(j).wall_us};
    struct wire keys = {.kind = kind, .text = text, .length = length};
    enum bl_status status = give(j, &mark);
    return status ? status : give(j, &keys);
}

/* Places the waiting keys. False: the record cannot take a key now. */
static bool place_asked(struct entity_lpp *j)
{
    while (j->asks) {
        struct asked first = j->ask[0];
        if (place(j, WIRE_ENTITY_KEYS, first.text, first.length))
            return false;
        j->asks--;
        memmove(j->ask, j->ask + 1, j->asks * sizeof j->ask[0]);
    }
    return true;
}

static bool is_live(const struct entity_lpp *j)
{
    return entity_end_view(j->end)->sync == SYNC_LIVE;
}

static enum handed on_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    struct entity_lpp *j = ctx;
    uint8_t text[UTF8_MAX];
    (void)pressed_us;
    if (!is_live(j) || place(j, WIRE_JUDGE_KEYS, text, utf8_encode(point, text)))
        return HANDED_BACK;
    return HANDED_ON;
}

static uint64_t on_keys(void *ctx)
{
    const struct entity_lpp *j = ctx;
    return entity_end_sequence(j->end)->by[PARTY_JUDGE];
}

static uint32_t on_own_key(void *ctx, uint64_t n)
{
    const struct entity_lpp *j = ctx;
    const struct sequence *sequence = entity_end_sequence(j->end);
    const struct key_event *event = &sequence->event[n - 1];
    return n <= sequence->count && event->party == PARTY_ENTITY ? event->point : 0;
}

static void on_event(void *ctx, enum lpp_event event, uint32_t count, const char *text)
{
    const struct entity_lpp *j = ctx;
    booth_note(j->line->booth, SIDE_LEFT,
               event == LPP_NOT_A_KEY || event == LPP_PASSED ? NOTE_IGNORED : NOTE_LINE, count,
               text);
    if (event != LPP_WATCHES && event != LPP_FIRST)
        booth_say(j->line->booth, text);
}

enum bl_status entity_lpp_open(struct entity_lpp **out, struct booth_line *line,
                               struct entity_end *end, const struct entity_lpp_options *options,
                               struct bl_diag *diag)
{
    const struct lpp_callbacks callbacks = {on_key, on_keys, on_own_key, on_event};
    const struct lpp_options folder = {.folder = options->folder,
                                       .state_dir = options->state_dir,
                                       .scan_ms = options->scan_ms,
                                       .as_entry = true};
    struct entity_lpp *j = calloc(1, sizeof *j);
    *out = NULL;
    if (!j)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory);
    j->line = line;
    j->end = end;
    j->starts = options->starts;
    enum bl_status status = lpp_open(&j->lpp, &line->booth->loop, &folder, &callbacks, j, diag);
    if (status) {
        free(j);
        return status;
    }
    line->judge = j;
    *out = j;
    return BL_OK;
}

const char *entity_lpp_session(const struct entity_lpp *j)
{
    return lpp_last_session(j->lpp);
}

void entity_lpp_begin(struct entity_lpp *j, const char *session)
{
    const struct entity_end_view *view = entity_end_view(j->end);
    struct wire offer = {
        .kind = WIRE_OFFER, .n = entity_end_sequence(j->end)->count, .starts = (uint8_t)j->starts};
    struct style style;
    style_default(&style);
    style_format(view->session[0] ? page_style(view->page) : &style, offer.style);
    snprintf(offer.session, sizeof offer.session, "%s", view->session[0] ? view->session : session);
    entity_end_link(j->end, true, now_at(j));
    give(j, &offer);
}

void entity_lpp_run(struct entity_lpp *j)
{
    const struct sequence *sequence = entity_end_sequence(j->end);
    while (j->resumes || j->asks || j->acked != j->sent) {
        if (j->resumes)
            answer_resume(j);
        if (!place_asked(j))
            break;
        j->acked = j->sent;
        entity_end_progress(j->end, now_at(j));
    }
    if (!is_live(j))
        return;
    if (!j->begun) {
        j->begun = true;
        lpp_session(j->lpp, entity_end_view(j->end)->session, sequence->count);
    }
    lpp_allow(j->lpp, j->ready ? END_UNCONFIRMED_MAX : 0);
    lpp_order(j->lpp, sequence->count);
}

void entity_lpp_close(struct entity_lpp *j)
{
    if (!j)
        return;
    j->line->judge = NULL;
    lpp_close(j->lpp);
    free(j);
}
