/* The check of the journals of one session, and of its published transcript. */
#include "contest/verify.h"

#include "base/growing.h"
#include "contest/draw.h"
#include "contest/publish.h"
#include "contest/said.h"
#include "journal/settle.h"
#include "rules/opening.h"
#include "session/plan.h"

#include <stdlib.h>
#include <string.h>

/* A segment is reported if its open time differs from the plan by more than this, which allows a
 * restart's cost (PLAN_LOSS_US) and clocks' differences. */
#define SLACK_US 5000000

static const char *side_name(enum side side)
{
    return side == SIDE_LEFT ? "left" : "right";
}

/* The time for which the line was open in a part of the plan, from 1, without pauses and without
 * the absence of the judge's terminal. A power cut may open a part twice. Where a spare machine's
 * record begins, the earlier time counts, too. False: the part is still open. */
static bool open_time(const struct order *order, unsigned part, uint64_t planned_us,
                      uint64_t *open_us)
{
    uint64_t since_us = 0, away_us = 0;
    *open_us = 0;
    for (uint64_t i = 0; i < order->marks; i++) {
        const struct order_mark *mark = &order->mark[i];
        bool is_ours = mark->kind == JOURNAL_SEGMENT && mark->part == part;
        if (is_ours && mark->state == SEGMENT_OPEN && since_us == 0) {
            since_us = mark->wall_us;
            away_us = 0;
            if (mark->taken && mark->left_us < planned_us)
                *open_us += planned_us - mark->left_us;
        } else if (is_ours && (mark->state == SEGMENT_CLOSED || mark->state == SEGMENT_FINISHED)) {
            if (since_us && mark->wall_us > since_us + away_us)
                *open_us += mark->wall_us - since_us - away_us;
            since_us = 0;
        }
        away_us += mark->away_us;
    }
    return since_us == 0;
}

static bool was_held(const struct order *order, unsigned part)
{
    for (uint64_t i = 0; i < order->marks; i++)
        if (order->mark[i].kind == JOURNAL_SEGMENT && order->mark[i].state == SEGMENT_OPEN &&
            order->mark[i].part == part)
            return true;
    return false;
}

/* True if a line may be open for less than its time: the judge may end the session with the
 * ballot. */
static bool may_be_short(const struct verify *verify)
{
    return verify->contest->ruleset.early_verdict == WORD_YES;
}

static void check_times(struct verify *verify, const char *path, enum side side,
                        const struct order *order)
{
    unsigned segment = 0, others = 0;
    struct plan plan = {.count = 0};
    if (!verify->contest->ruleset.plan[0] ||
        plan_parse(&plan, verify->contest->ruleset.plan, NULL) != BL_OK)
        return; /* without a plan a part has no nominal time */
    for (unsigned i = 0; i < plan.count; i++) {
        uint64_t open_us, planned_us = plan.segment[i].seconds * UINT64_C(1000000);
        if (!plan.segment[i].open[side]) {
            others += was_held(order, i + 1);
            continue;
        }
        segment++;
        if (!was_held(order, i + 1) && segment > 1 && may_be_short(verify))
            continue;
        if (!was_held(order, i + 1))
            verify_differs(verify, path, "%s: part %u of the plan was not held", side_name(side),
                           segment);
        else if (!open_time(order, i + 1, planned_us, &open_us))
            verify_differs(verify, path, "%s: part %u was not closed", side_name(side), segment);
        else if (open_us > planned_us + SLACK_US ||
                 (open_us + SLACK_US < planned_us && !may_be_short(verify)))
            verify_differs(verify, path, "%s: part %u was open for %llu s, planned are %u s",
                           side_name(side), segment, (unsigned long long)(open_us / 1000000),
                           plan.segment[i].seconds);
    }
    if (others || order->part > plan.count)
        verify_differs(verify, path, "%s: a part was held that the plan does not have",
                       side_name(side));
}

/* The number of keys placed after a segment's end, up to number `to`. Keys that the other end gave
 * back later follow the segment's end in the record, with their earlier times. */
static uint64_t keys_after(const struct order *order, const struct order_mark *closed, uint64_t to)
{
    uint64_t count = 0;
    for (uint64_t n = closed->n; n < to && n < order->count; n++)
        count += order->event[n].posted_us > closed->wall_us;
    return count;
}

/* Checks that no key is between a close and the next opening, and that the ends agree at the
 * cut. */
static void check_cuts(struct verify *verify, const char *path, enum side side,
                       const struct order *order)
{
    const struct order_mark *closed = NULL, *end = NULL;
    for (uint64_t i = 0; i < order->marks; i++) {
        const struct order_mark *mark = &order->mark[i];
        if (mark->kind == JOURNAL_CLOSE) {
            end = mark;
        } else if (mark->state == SEGMENT_CLOSED || mark->state == SEGMENT_FINISHED) {
            closed = closed ? closed : mark;
        } else if (mark->state == SEGMENT_OPEN) {
            uint64_t after = closed ? keys_after(order, closed, mark->n) : 0;
            if (after)
                verify_differs(verify, path, "%s: %llu key%s %s placed after part %u",
                               side_name(side), (unsigned long long)after, BL_S(after),
                               BL_WERE(after), closed->generation);
            closed = NULL;
        }
    }
    uint64_t after = closed ? keys_after(order, closed, order->count) : 0;
    if (after)
        verify_differs(verify, path, "%s: %llu key%s %s placed after the last part",
                       side_name(side), (unsigned long long)after, BL_S(after), BL_WERE(after));
    if (closed && !end)
        verify_differs(verify, path, "%s: it has no close that was agreed", side_name(side));
    else if (end && end->outcome == CLOSE_UNCONFIRMED)
        verify_differs(verify, path,
                       "%s: its close is unconfirmed; 'journal settle' with the entity's journal",
                       side_name(side));
}

/* The name approved for the entity of a side (2004 A3); "": none. */
static const char *approved_name(const struct contest *contest, const struct meeting *meeting,
                                 enum side side)
{
    return contest_candidate(contest, contest_candidate_at(contest, meeting, side))->approved;
}

/* The length of a text's shown part: at most `most`, in whole characters. */
static int shown(const char *text, size_t length, size_t most)
{
    if (length <= most)
        return (int)length;
    while (most && (text[most] & 0xc0) == 0x80)
        most--;
    return (int)most;
}

bool verify_opening(struct verify *verify, const char *path, const struct meeting *meeting,
                    enum side side, const struct history *history)
{
    const char *opening = verify->contest->ruleset.opening;
    const char *approved =
        verify->contest->drawn ? approved_name(verify->contest, meeting, side) : "";
    char name[OPENING_NAME_MAX], words[SAID_MAX];
    if (!opening[0] || history->parts == 0 || !said_first(history, 0, (unsigned)side, words))
        return true;
    switch (opening_check(opening, &approved, approved[0] != '\0', words, name)) {
    case OPENING_HELD:
        break;
    case OPENING_NAME:
        verify_differs(
            verify, path, "%s: the entity gave the name '%s', approved is '%s' (%s)",
            side_name(side), name, approved,
            ruleset_rule(&verify->contest->ruleset, "session", "opening", RULE_ALL).text);
        break;
    case OPENING_OTHER:
        verify_differs(verify, path, "%s: the entity began with other words than it must: %.*s",
                       side_name(side), shown(words, strlen(words), 60), words);
        break;
    case OPENING_NOTHING:
        return false;
    }
    return true;
}

/* Checks the page style against the rules' one style. A record older than word wrap, or than the
 * hiding of unsent text, is checked by the style of its time. */
static void check_style(struct verify *verify, const char *path, const struct style *style,
                        unsigned sides)
{
    const struct ruleset *rules = &verify->contest->ruleset;
    struct style wanted;
    if (rules->one_style != WORD_YES || !rules->style[0] ||
        (style->whole_words ? style_parse(&wanted, rules->style, sides, NULL)
                            : style_read(&wanted, rules->style, NULL)) != BL_OK)
        return;
    wanted.own_field = wanted.own_field && style->own_field;
    if (memcmp(&wanted, style, sizeof wanted) != 0)
        verify_differs(verify, path, "the page style is not '%.60s', which the rules want for all",
                       rules->style);
}

void verify_judge(struct verify *verify, const char *path, const struct meeting *meeting,
                  const struct order_set *set, const struct transcript *transcript,
                  const struct history *history)
{
    if (transcript->damaged)
        verify_differs(verify, path, "it is damaged in %llu place%s",
                       (unsigned long long)transcript->damaged, BL_S(transcript->damaged));
    check_style(verify, path, &transcript->style,
                meeting->confederate == PERSON_NOBODY ? 1 : SIDES);
    for (enum side side = 0; side < SIDES; side++) {
        const struct order *order = &set->side[side];
        if (!order->present) {
            if (meeting->confederate != PERSON_NOBODY)
                verify_differs(verify, path, "%s: there is nothing of this side", side_name(side));
            continue;
        }
        if (order->holes || order->conflicts)
            verify_differs(verify, path, "%s: %llu key%s %s missing, %llu %s there twice",
                           side_name(side), (unsigned long long)order->holes, BL_S(order->holes),
                           BL_ARE(order->holes), (unsigned long long)order->conflicts,
                           BL_ARE(order->conflicts));
        check_times(verify, path, side, order);
        check_cuts(verify, path, side, order);
        if (!verify->opened[side] && !verify_opening(verify, path, meeting, side, history))
            verify_differs(verify, path, "%s: the entity said nothing", side_name(side));
    }
}

static uint64_t lacking(const struct settle_plan *plan)
{
    return plan->lacks[PARTY_JUDGE] + plan->lacks[PARTY_ENTITY];
}

void verify_entity(struct verify *verify, const char *path, const struct order_set *judge,
                   const struct order_set *entity, uint64_t damaged)
{
    struct settle_plan plan, other;
    enum side side = SIDE_LEFT;
    enum bl_status status;
    if (entity->role != PARTY_ENTITY || strcmp(entity->session, judge->session) != 0) {
        verify_differs(verify, path, "it is not the entity's journal of session %s",
                       judge->session);
        return;
    }
    if (damaged)
        verify_differs(verify, path, "it is damaged in %llu place%s", (unsigned long long)damaged,
                       BL_S(damaged));
    status = settle_side(judge, entity, &side);
    settle_plan(&plan, judge, side, entity);
    if (status == BL_USAGE) { /* try both sides: a key may be missing in the other side's journal */
        settle_plan(&other, judge, SIDE_RIGHT, entity);
        if (verify->given_side[SIDE_LEFT] ||
            (lacking(&other) < lacking(&plan) && !verify->given_side[SIDE_RIGHT]))
            plan = other;
    }
    verify->given_side[plan.side] = true;
    if (status == BL_DATA || plan.differs)
        verify_differs(verify, path, "key %llu is not that of the judge's journal",
                       (unsigned long long)plan.differs);
    else if (plan.lacks[PARTY_JUDGE] || plan.lacks[PARTY_ENTITY])
        verify_differs(verify, path,
                       "of the %llu key%s it lacks %llu, the judge's journal %llu; 'journal "
                       "settle' makes them equal",
                       (unsigned long long)plan.n, BL_S(plan.n),
                       (unsigned long long)plan.lacks[PARTY_ENTITY],
                       (unsigned long long)plan.lacks[PARTY_JUDGE]);
}

static size_t line_length(const char *at)
{
    return strcspn(at, "\n");
}

/* A note of an older version: "left: segment 2 opened". */
static bool is_older(const char *is, const char *must)
{
    size_t head = 0;
    while (is[head] == must[head] && is[head] != '\0' && is[head] != '\n')
        head++;
    if (strncmp(is, "*** ", 4) != 0 || strncmp(is + head, "segment ", 8) != 0 ||
        strncmp(must + head, "part ", 5) != 0)
        return false;
    is += head + 8 + strspn(is + head + 8, "0123456789");
    must += head + 5 + strspn(must + head + 5, "0123456789");
    return line_length(is) == line_length(must) && memcmp(is, must, line_length(is)) == 0;
}

void verify_published(struct verify *verify, const char *path, const char *is, const char *must)
{
    unsigned line = 1;
    while (*is && strncmp(is, "*** session ", 12) != 0) {
        is += line_length(is);
        is += *is == '\n';
        line++;
    }
    for (; *is || *must; line++) {
        size_t has = line_length(is), wants = line_length(must);
        if ((has != wants || memcmp(is, must, has) != 0) && !is_older(is, must)) {
            verify_differs(verify, path, "line %u is '%.*s', by the journal '%.*s'", line,
                           shown(is, has, 80), is, shown(must, wants, 80), must);
            return;
        }
        is += has + (is[has] == '\n');
        must += wants + (must[wants] == '\n');
    }
}

static void put(void *ctx, const char *bytes, size_t length)
{
    growing_put(ctx, bytes, length);
}

enum bl_status verify_publish(const struct contest *contest, const struct transcript *transcript,
                              char **text)
{
    struct growing whole = {.length = 0}, public = {.length = 0};
    const struct out out = {.write = put, .ctx = &whole};
    enum bl_status status = transcript_text(transcript, &out);
    if (status == BL_OK && whole.bytes)
        publish_text(contest, whole.bytes, whole.length, put, &public);
    if (whole.failed || public.failed)
        status = BL_NOMEM;
    free(whole.bytes);
    if (status == BL_OK && !public.bytes)
        put(&public, "", 0);
    *text = public.bytes;
    return status == BL_OK && !*text ? BL_NOMEM : status;
}
