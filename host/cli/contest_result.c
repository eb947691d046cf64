/* The verbs that tell of a contest: show, log, result, export. */
#include "base/utf8.h"
#include "cli/contest.h"
#include "contest/result_json.h"
#include "rules/ballot_kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void print_people(const struct contest *contest, enum contest_role role)
{
    for (unsigned i = 0; i < contest->people[role]; i++) {
        const struct person *person = &contest->person[role][i];
        bool entry = role == CONTEST_ENTRY, out = entry && contest->disqualified[i];
        char line[CONTEST_DELIVERED_LINE], before[CONTEST_SITTER_LINE];
        bool early = entry && contest->final && !contest->finalist[i];
        command_print("  %c%-3u %s%s%s%s%s%s\n", CONTEST_LETTERS[role], i + 1, person->name,
                      person->submitter[0] ? ", by " : "", person->submitter,
                      person->withdrawn ? " (withdrawn)"
                      : person->chief   ? ", chief judge"
                                        : "",
                      out ? " (disqualified)" : "", early ? " (not in the final round)" : "");
        for (unsigned s = 0; s < contest->sitters; s++)
            if (contest_sits(contest, &contest->sitter[s], role) && contest->sitter[s].number == i)
                command_print("       in the place of %s\n",
                              contest_tell_sitter(&contest->sitter[s], before));
        if (entry && contest_tell_delivered(contest, i, line))
            command_print("       %s\n", line);
        if (entry && contest_tell_present(contest, i, line))
            command_print("       %s\n", line);
        if (role == CONTEST_CONFEDERATE && contest->limit[i][0])
            command_print("       limited (%s): %s\n",
                          ruleset_rule(&contest->ruleset, "session", "referees-limit", 0).text,
                          contest->limit[i]);
    }
}

static void print_meetings(const struct contest *contest)
{
    char code[SCHEDULE_CODE_MAX];
    bool waits =
        contest->games && (!contest->drawn || contest->undrawn); /* the games wait for the draw */
    for (unsigned r = 0; !waits && r < contest->schedule.rounds; r++) {
        if (contest->trials)
            printf("  trial %u,", contest_trial_of(contest, r) + 1);
        printf("  round %u%s:", r + 1, r < contest->begun ? ", begun" : "");
        for (unsigned i = 0; i < contest->schedule.count; i++) {
            const struct meeting *m = &contest->schedule.meeting[i];
            if (m->round != r)
                continue;
            schedule_code(m->entry, contest->people[CONTEST_ENTRY], code);
            printf(" J%u%s", m->judge + 1U, code);
            if (m->confederate != PERSON_NOBODY)
                printf("C%u", m->confederate + 1U);
            const struct ballot *ballot = contest_ballot_of(contest, m);
            if (ballot)
                printf("*%s", ballot->late ? "late" : "");
            else if (contest_excluded(contest, m))
                printf("-excluded");
        }
        putchar('\n');
    }
    for (unsigned i = 0; i < contest->repeats; i++) {
        const struct meeting meeting = {.round = contest->repeat[i].round,
                                        .judge = contest->repeat[i].judge};
        char name[CONTEST_SESSION_MAX];
        contest_session(contest, &meeting, name);
        printf("  r%u-j%u was spoiled: %s counts\n", meeting.round + 1U, meeting.judge + 1U, name);
    }
}

/* Prints that the Entries are to be erased from the machines after the contest (2003 r28). */
static void print_erasing(const struct contest *contest)
{
    unsigned left = 0;
    if (contest->ruleset.erase != WORD_YES || !contest->sealed)
        return;
    printf("  to be erased from the machines, unless agreed otherwise (%s):",
           ruleset_rule(&contest->ruleset, "register", "erase", 0).text);
    for (unsigned e = 0; e < contest->people[CONTEST_ENTRY]; e++) {
        if (!contest->erased[e]) {
            printf(" E%u", e + 1);
            left++;
        }
    }
    printf(left ? "\n" : " none is left\n");
}

/* A ballot as JSON. A candidate met alone is written as an Entry or a confederate. */
static json_t *ballot_json(const struct contest *contest, const struct ballot *b)
{
    unsigned entries = contest->people[CONTEST_ENTRY];
    unsigned confederate = b->entry < entries ? b->confederate : b->entry - entries;
    json_t *json = json_pack("{s:i}", "judge", b->judge + 1);
    if (contest->ruleset.trials_least)
        json_object_set_new(json, "trial", json_integer(b->trial + 1));
    if (b->entry < entries)
        json_object_set_new(json, "entry", json_integer(b->entry + 1));
    if (confederate != PERSON_NOBODY)
        json_object_set_new(json, "confederate", json_integer((json_int_t)confederate + 1));
    ballot_row(contest->ruleset.ballot)->to_json(b, json);
    if (b->late)
        json_object_set_new(json, "late", json_true());
    return json;
}

static void print_json(const struct contest *contest)
{
    json_t *ballots = json_array();
    for (unsigned i = 0; i < contest->ballots; i++)
        json_array_append_new(ballots, ballot_json(contest, &contest->ballot[i]));
    command_json(json_pack("{s:s,s:b,s:o}", "name", contest->name, "sealed", contest->sealed,
                           "ballots", ballots),
                 JSON_INDENT(2));
}

static enum bl_status contest_show(const struct command_call *call, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    enum bl_status status = contest_file_open(&file, call, diag);
    const struct contest_options *options = call->options;
    if (status == BL_OK && options->json) {
        print_json(file.contest);
    } else if (status == BL_OK) {
        const struct contest *c = file.contest;
        command_print("%s, rules of %s (%lld act%s)\n", c->name, c->ruleset.title,
                      (long long)c->acts, BL_S(c->acts));
        for (unsigned r = 0; r < CONTEST_ROLES; r++)
            print_people(c, (enum contest_role)r);
        print_meetings(c);
        printf("  %u of %u ballot%s (*), %s; sides: %s%s\n", c->ballots,
               c->ballots + contest_missing(c, c->schedule.rounds),
               BL_S(c->ballots + contest_missing(c, c->schedule.rounds)),
               c->sealed ? "all sealed" : "not all sealed",
               c->undrawn     ? "of the rounds to come, to be drawn anew"
               : c->drawn     ? "drawn"
               : c->committed ? "committed to, not yet drawn"
                              : "not drawn",
               !c->committed       ? ""
               : c->public_name[0] ? ", with a public value"
                                   : ", no public value named");
        print_erasing(c);
        contest_next(c, call->word[0]);
    }
    contest_file_close(&file);
    return status;
}

static enum bl_status print_act(void *ctx, const struct act *act, struct bl_diag *diag)
{
    time_t seconds = (time_t)(act->at_us / 1000000);
    struct tm tm;
    char when[32] = "";
    (void)ctx;
    (void)diag;
    if (gmtime_r(&seconds, &tm))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &tm);
    /* The first act has the whole ruleset. */
    command_print("%lld %s %s %s %.160s%s\n", (long long)act->number, when, act->author, act->kind,
                  act->body, strlen(act->body) > 160 ? "..." : "");
    return BL_OK;
}

static enum bl_status contest_log(const struct command_call *call, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    enum bl_status status = contest_file_open(&file, call, diag);
    if (status == BL_OK)
        status = store_read(file.store, 0, print_act, NULL, diag);
    contest_file_close(&file);
    return status;
}

static void print_step(void *ctx, const char *rule, const char *text)
{
    (void)ctx;
    command_print("[%s] %s\n", rule, text);
}

static void add_step(void *ctx, const char *rule, const char *text)
{
    json_array_append_new(ctx, json_pack("{s:s,s:s}", "rule", rule, "text", text));
}

static enum bl_status contest_result(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct result *result = malloc(sizeof *result);
    struct result_input input;
    json_t *steps = json_array();
    enum bl_status status =
        result ? contest_file_open(&file, call, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK) {
        contest_result_input(file.contest, &input);
        result_make(result, &input, options->json ? add_step : print_step, steps);
        if (options->json)
            command_json(result_json(file.contest, result, steps), JSON_INDENT(2));
        else if (result->winner >= 0)
            command_print("%s\n", file.contest->person[CONTEST_ENTRY][result->winner].name);
        if (!options->json)
            contest_next_result(file.contest, call->word[0]);
    }
    json_decref(steps);
    contest_file_close(&file);
    free(result);
    return status;
}

static enum bl_status add_act(void *ctx, const struct act *act, struct bl_diag *diag)
{
    json_t *body = json_loads(act->body, 0, NULL);
    char hash[2 * ACT_HASH_BYTES + 1], author[ACT_AUTHOR_MAX + 1];
    contest_hex(act->hash, ACT_HASH_BYTES, hash);
    (void)diag;
    /* In files of earlier versions the author need not be UTF-8. */
    utf8_plain(author, sizeof author, act->author, strlen(act->author));
    json_array_append_new(ctx,
                          json_pack("{s:I,s:I,s:s,s:s,s:o,s:s}", "number", (json_int_t)act->number,
                                    "at_us", (json_int_t)act->at_us, "author", author, "kind",
                                    act->kind, "body", body, "hash", hash));
    return BL_OK;
}

static enum bl_status contest_export(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    struct contest_file file = {.store = NULL};
    enum bl_status status = BL_OK;
    if (!options->json)
        status = bl_fail(diag, BL_USAGE, "missing --json");
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    if (status == BL_OK) {
        json_t *acts = json_array();
        status = store_read(file.store, 0, add_act, acts, diag);
        command_json(json_pack("{s:s,s:o}", "name", file.contest->name, "acts", acts),
                     JSON_INDENT(2));
    }
    contest_file_close(&file);
    return status;
}

static const struct command_option result_options[] = {
    OPTION_JSON(struct contest_options, "print one JSON object"),
    {0},
};

static const struct command_option export_options[] = {
    OPTION_JSON(struct contest_options, "all acts, as one JSON object"),
    {0},
};

static const struct command_option show_options[] = {
    OPTION_JSON(struct contest_options, "the ballots that count, as one JSON object"),
    {0},
};

const struct command contest_result_verbs[] = {
    {
        .name = "contest show",
        .synopsis = "FILE [--json]",
        .help = "people, rounds and ballots as they stand, and what comes next",
        .text = "Also lists the Entries that are still on the machines when the contest is over. "
                "With --json the ballots that count, before the seal too: judge, entry or "
                "confederate or both, trial where the rules have several, and the vote.",
        .options = show_options,
        .size = sizeof(struct contest_options),
        .least = 1,
        .most = 1,
        .run = contest_show,
    },
    {
        .name = "contest log",
        .synopsis = "FILE",
        .help = "all acts, with their times and authors",
        .text = "One on a line, as they are on the record.",
        .size = sizeof(struct contest_options),
        .least = 1,
        .most = 1,
        .run = contest_log,
    },
    {
        .name = "contest result",
        .synopsis = "FILE [--json]",
        .help = "who wins, each step with its rule",
        .text =
            "From the ballots that are on the record; what is missing is named, and nobody wins "
            "before the last one is there or the contest is sealed.",
        .examples = "boothlink contest result c.db",
        .options = result_options,
        .size = sizeof(struct contest_options),
        .least = 1,
        .most = 1,
        .run = contest_result,
    },
    {
        .name = "contest export",
        .synopsis = "FILE --json",
        .help = "the acts for other programs",
        .text = "The acts are in boothlink-contest(5).",
        .options = export_options,
        .size = sizeof(struct contest_options),
        .least = 1,
        .most = 1,
        .run = contest_export,
    },
    {0},
};
