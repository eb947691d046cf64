/* "boothlink journal": shows and checks journals; makes the journals of a line's two ends equal. */
#include "command/command.h"

#include "base/loop.h"
#include "booth/journal_show.h"
#include "journal/settle.h"
#include "journal/journal.h"
#include "session/page.h"
#include "transcript/iso.h"
#include "transcript/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void on_text(void *ctx, const struct journal_record *record)
{
    journal_show_text(ctx, record);
}

static void on_json(void *ctx, const struct journal_record *record)
{
    journal_show_json(ctx, record);
}

/* Reports skipped stretches on standard error. */
static void warn_of(const struct command *command, const char *path,
                    const struct journal_report *report)
{
    if (report->damaged)
        fprintf(stderr,
                "boothlink %s: %s: %" PRIu64 " damaged place%s, the first at byte %" PRIu64 "\n",
                command->name, path, report->damaged, BL_S(report->damaged), report->first_damage);
    if (report->torn_bytes)
        fprintf(stderr, "boothlink %s: %s: its last %" PRIu64 " byte%s %s torn\n", command->name,
                path, report->torn_bytes, BL_S(report->torn_bytes), BL_ARE(report->torn_bytes));
}

struct journal_options {
    bool json;
    const char *side;
};

static enum bl_status show_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct journal_options *options = call->options;
    struct journal_report report;
    enum bl_status status = journal_read(&disk_real, call->word[0],
                                         options->json ? on_json : on_text, stdout, &report, diag);
    if (status == BL_OK)
        warn_of(call->command, call->word[0], &report);
    return status;
}

/* Prints the ends of parts when they come, and collects the others. */
struct journal_check {
    struct order_set set;
    uint64_t notes;
};

static void on_check(void *ctx, const struct journal_record *e)
{
    struct journal_check *check = ctx;
    order_feed(&check->set, e);
    if (e->kind == JOURNAL_CLOSE)
        printf("%s: part %u ended %s, %" PRIu64 " key%s\n", words_side(e->side),
               check->set.side[e->side].part, words_close(e->as.close.outcome), e->as.close.n,
               BL_S(e->as.close.n));
    if (e->kind == JOURNAL_NOTE)
        check->notes++;
}

static enum bl_status check_run(const struct command_call *call, struct bl_diag *diag)
{
    const char *path = call->word[0];
    struct journal_check check = {.notes = 0};
    struct journal_report report;
    bool sound;
    enum bl_status status = journal_read(&disk_real, path, on_check, &check, &report, diag);
    if (status == BL_OK && check.set.status != BL_OK)
        status = bl_fail(diag, check.set.status, "%s: %s", path, bl_status_text(check.set.status));
    if (status != BL_OK) {
        order_free(&check.set);
        return status;
    }
    if (check.set.headed)
        printf("session %s, %s's end\n", check.set.session, words_party(check.set.role));
    sound = report.damaged == 0 && check.set.headed;
    for (unsigned i = 0; i < SIDES; i++) {
        const struct order *order = &check.set.side[i];
        uint64_t by[PARTIES] = {0};
        if (!order->present)
            continue;
        for (uint64_t n = 0; n < order->count; n++)
            by[order->event[n].party] += order->event[n].point != 0;
        printf("%s: %" PRIu64 " key%s, %" PRIu64 " of the judge, %" PRIu64
               " of the entity, %" PRIu64 " missing, %" PRIu64 " contradicted\n",
               words_side((enum side)i), order->count - order->holes,
               BL_S(order->count - order->holes), by[PARTY_JUDGE], by[PARTY_ENTITY], order->holes,
               order->conflicts);
        sound = sound && order->holes == 0 && order->conflicts == 0;
    }
    printf("%" PRIu64 " record%s, %" PRIu64 " note%s, %" PRIu64 " damaged place%s, %" PRIu64
           " torn byte%s: %s\n",
           report.records, BL_S(report.records), check.notes, BL_S(check.notes), report.damaged,
           BL_S(report.damaged), report.torn_bytes, BL_S(report.torn_bytes),
           sound ? "sound" : "damaged");
    order_free(&check.set);
    return sound ? BL_OK : command_told(BL_DATA, diag);
}

struct settle_end {
    struct journal *journal;
    struct order_set set;
};

static enum bl_status open_end(struct settle_end *end, const char *path, struct bl_diag *diag)
{
    enum bl_status status =
        journal_open(&end->journal, &disk_real, path, NULL, order_feed, &end->set, NULL, diag);
    if (status == BL_OK && end->set.status != BL_OK)
        status = bl_fail(diag, end->set.status, "%s: %s", path, bl_status_text(end->set.status));
    return status;
}

static enum bl_status on_write(void *ctx, const struct journal_record *record)
{
    return journal_append(ctx, record);
}

/* The digest of the page that both ends have after settling. */
static enum bl_status page_of(const struct order_set *judge, const struct order_set *entity,
                              const struct settle_plan *plan, uint8_t digest[DIGEST_SIZE],
                              struct bl_diag *diag)
{
    const struct order *j = &judge->side[plan->side], *e = &entity->side[SIDE_LEFT];
    struct style style;
    enum bl_status status = style_read(&style, judge->style, diag);
    if (status != BL_OK)
        return status;
    struct page *page = page_create(&style);
    if (!page)
        return bl_fail(diag, BL_NOMEM, "%s", bl_status_text(BL_NOMEM));
    for (uint64_t n = 0; n < plan->n; n++)
        page_apply(page, n < j->count && j->event[n].point ? &j->event[n] : &e->event[n]);
    page_digest(page, digest);
    page_destroy(page);
    return BL_OK;
}

static enum bl_status fail_at(struct bl_diag *diag, const struct settle_plan *plan,
                              const struct order_set *judge, const struct order_set *entity)
{
    char key[PARTIES][WORDS_KEY_MAX], time[PARTIES][ISO_LENGTH + 1];
    const struct key_event *event[PARTIES];
    int length[PARTIES];
    if (plan->unknown)
        return bl_fail(diag, BL_DATA,
                       "key %" PRIu64 " is damaged in both journals; nothing was changed",
                       plan->unknown);
    event[PARTY_JUDGE] = &judge->side[plan->side].event[plan->differs - 1];
    event[PARTY_ENTITY] = &entity->side[SIDE_LEFT].event[plan->differs - 1];
    for (unsigned i = 0; i < PARTIES; i++) {
        length[i] = (int)words_key(event[i]->point, key[i]);
        iso_write(event[i]->posted_us, time[i]);
    }
    return bl_fail(diag, BL_DATA,
                   "the journals differ at key %" PRIu64 ": the judge's has %.*s of the %s, %s; "
                   "the entity's has %.*s of the %s, %s; nothing was changed",
                   plan->differs, length[0], key[0], words_party(event[0]->party), time[0],
                   length[1], key[1], words_party(event[1]->party), time[1]);
}

static enum bl_status settle_ends(struct settle_end end[PARTIES], const char *side_word,
                                  struct bl_diag *diag)
{
    const struct order_set *judge = &end[PARTY_JUDGE].set, *entity = &end[PARTY_ENTITY].set;
    const uint64_t now_us = bl_now().wall_us;
    uint8_t digest[DIGEST_SIZE];
    struct settle_plan plan;
    enum side side;
    enum bl_status status = settle_side(judge, entity, &side);
    if (side_word)
        words_find_side(side_word, strlen(side_word), &side);
    else if (status == BL_USAGE)
        return bl_fail(diag, status,
                       "both sides of the judge's journal go with the entity's; say which it is "
                       "with --side left or --side right");
    settle_plan(&plan, judge, side, entity);
    if (plan.differs || plan.unknown)
        return fail_at(diag, &plan, judge, entity);
    if (settle_is_done(&plan)) {
        printf("already equal: %" PRIu64 " key%s on the %s\n", plan.n, BL_S(plan.n),
               words_side(side));
        return BL_OK;
    }
    status = page_of(judge, entity, &plan, digest, diag);
    if (status != BL_OK)
        return status;
    for (unsigned i = 0; i < PARTIES; i++) {
        status = settle_write(&plan, judge, entity, (enum party)i, digest, now_us, on_write,
                              end[i].journal);
        if (status != BL_OK)
            return bl_fail(diag, status, "%s: %s; settle again when that is mended",
                           journal_path(end[i].journal), bl_status_text(status));
    }
    if (plan.anew)
        puts("the entity's order was made anew from the judge's, as the steward had decided");
    printf("settled the %s: %" PRIu64 " key%s added to the judge's journal, %" PRIu64
           " to the entity's, %" PRIu64 " in both now\n",
           words_side(side), plan.lacks[PARTY_JUDGE], BL_S(plan.lacks[PARTY_JUDGE]),
           plan.lacks[PARTY_ENTITY], plan.n);
    return BL_OK;
}

static enum bl_status settle_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct journal_options *options = call->options;
    const char *a = call->word[0], *b = call->word[1];
    struct settle_end first = {.journal = NULL}, second = {.journal = NULL};
    struct settle_end end[PARTIES];
    enum bl_status status;
    if (strcmp(a, b) == 0)
        return bl_fail(diag, BL_USAGE, "give the journals of the two ends, not one twice");
    status = open_end(&first, a, diag);
    if (status == BL_OK)
        status = open_end(&second, b, diag);
    if (status == BL_OK && first.set.role == second.set.role)
        status = bl_fail(diag, BL_DATA, "%s and %s are both of the %s's end; give one of each", a,
                         b, words_party(first.set.role));
    if (status == BL_OK && strcmp(first.set.session, second.set.session) != 0)
        status = bl_fail(diag, BL_DATA, "%s is of session %s, %s of session %s; give one session's",
                         a, first.set.session, b, second.set.session);
    end[first.set.role] = first;
    end[!first.set.role] = second;
    if (status == BL_OK)
        status = settle_ends(end, options->side, diag);
    journal_close(first.journal);
    journal_close(second.journal);
    order_free(&first.set);
    order_free(&second.set);
    return status;
}

static const struct command_option show_options[] = {
    OPTION_JSON(struct journal_options, "print one JSON object for each record"),
    {0},
};

static const struct command_option settle_options[] = {
    OPTION_ROW("--side", "left|right", "the line's side at the judge's end, where it is not clear",
               OPTION_WORD, struct journal_options, side),
    {0},
};

static const struct command journal_verbs[] = {
    {
        .name = "journal show",
        .synopsis = "FILE [--json]",
        .help = "print a journal, a record on a line",
        .text = "What is damaged is left out, and named on standard error.",
        .options = show_options,
        .size = sizeof(struct journal_options),
        .least = 1,
        .most = 1,
        .run = show_run,
    },
    {
        .name = "journal check",
        .synopsis = "FILE",
        .help = "say what a journal has and what is damaged",
        .text = "How many records and keys it has, how its parts closed, and what is damaged "
                "(exit status 65).",
        .examples = "boothlink journal check r1-j2-judge.journal",
        .least = 1,
        .most = 1,
        .run = check_run,
    },
    {
        .name = "journal settle",
        .synopsis = "FILE FILE [--side left|right]",
        .help = "make the journals of the two ends of a line equal",
        .text =
            "Takes the journals in any order: keys that one has and the other lost, or never got, "
            "are added to the other, and a part's close is recorded as settled in both. If "
            "the two contradict each other, it names the first key that differs and changes "
            "nothing (exit status 65). Settling again does no harm. Neither end may be running.",
        .examples = "boothlink journal settle r1-j2-judge.journal r1-j2-entity.journal",
        .options = settle_options,
        .size = sizeof(struct journal_options),
        .least = 2,
        .most = 2,
        .run = settle_run,
    },
    {0},
};

const struct command command_journal = {
    .name = "journal",
    .synopsis = "show|check|settle FILE ...",
    .help = "show, check and settle journals",
    .text = "A journal is the record of a session that a terminal keeps, one at each end of a "
            "line.",
    .examples = "boothlink journal check r1-j2-judge.journal\n"
                "boothlink journal settle r1-j2-judge.journal r1-j2-entity.journal",
    .verbs = (const struct command *const[]){journal_verbs, NULL},
};
