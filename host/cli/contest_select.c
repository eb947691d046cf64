/* "boothlink contest select" and "allot": the Entries of the final round, and the Entries of each
 * preliminary judge. */
#include "cli/contest.h"

#include "contest/bulk.h"
#include "contest/next.h"
#include "contest/result_json.h"
#include "contest/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contest_select_options {
    struct contest_options common;
    const char *data;
    bool final, correct;
};

struct contest_allot_options {
    struct contest_options common;
    int entries, judges; /* -1: not given */
    const char *ruleset;
};

static enum bl_status take_data(struct contest_file *file, const struct command_call *call,
                                struct bl_diag *diag)
{
    const struct contest_select_options *options = call->options;
    const char *why = options->common.why ? options->common.why : "entered from a file";
    char *text = NULL;
    json_error_t error;
    struct bl_diag fault;
    struct act_batch acts;
    enum bl_status status = contest_read_file(&text, options->data, diag);
    if (status != BL_OK)
        return status;
    json_t *body = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!body)
        return bl_fail(diag, BL_DATA, "%s:%d: %s", options->data, error.line, error.text);
    status = bulk_acts(file->contest, body, why, options->correct, &acts, &fault);
    json_decref(body);
    if (status != BL_OK)
        status = bl_fail(diag, status, "%s: %s", options->data, fault.text);
    else
        status = contest_file_append_all(file, &acts, diag);
    act_batch_free(&acts);
    return status;
}

static void on_step(void *ctx, const char *rule, const char *text)
{
    json_t *steps = ctx;
    if (steps)
        json_array_append_new(steps, json_pack("{s:s,s:s}", "rule", rule, "text", text));
    else
        command_print("%-10s %s\n", rule, text);
}

static void print_stages(const struct contest *contest, const struct selection *selection)
{
    for (unsigned i = 0; i < contest->people[CONTEST_ENTRY]; i++)
        command_print("  E%-3u %-22s %s\n", i + 1, selection_stage_name(selection->stage[i]),
                      contest->person[CONTEST_ENTRY][i].name);
    if (selection->more_confederates)
        printf("  and %u more confederate%s\n", selection->more_confederates,
               BL_S(selection->more_confederates));
}

/* Prints the people to be informed of the selection, and the day: 1996 r13, 2003 r39, 2009 §1. */
static void print_notices(const struct contest *contest, const struct selection *selection)
{
    char line[CONTEST_DATE_LINE];
    if (!contest_tell_date(contest, DATE_NOTIFIED, line))
        return;
    command_print("To be told, %s:\n", line);
    for (unsigned i = 0; i < contest->people[CONTEST_ENTRY]; i++) {
        const struct person *entry = &contest->person[CONTEST_ENTRY][i];
        enum selection_stage stage = selection->stage[i];
        if (stage == STAGE_FINAL || stage == STAGE_RESERVE)
            command_print("  %s: E%u, %s, is a %s\n",
                          entry->submitter[0] ? entry->submitter : "its submitter", i + 1,
                          entry->name, selection_stage_name(stage));
    }
}

static enum bl_status record_final(struct contest_file *file, const struct selection *selection,
                                   const char *why, struct bl_diag *diag)
{
    struct act_body act = {.kind = ACT_FINAL, .final = {.why = why}};
    struct act_entries *entries = &act.final.entries;
    for (unsigned i = 0; i < file->contest->people[CONTEST_ENTRY]; i++)
        if (selection->stage[i] == STAGE_FINAL)
            entries->entry[entries->count++] = (uint8_t)(i + 1);
    return contest_file_append(file, &act, diag);
}

static enum bl_status contest_select(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_select_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct selection_input input;
    struct selection selection;
    json_t *steps = options->common.json ? json_array() : NULL;
    enum bl_status status = contest_file_open(&file, call, diag);
    if (status == BL_OK && options->data)
        status = take_data(&file, call, diag);
    if (status == BL_OK) {
        contest_selection_input(file.contest, &input);
        status = selection_make(&selection, &input, on_step, steps, diag);
    }
    if (status == BL_OK && options->final)
        status = record_final(&file, &selection, options->common.why, diag);
    if (status == BL_OK && steps) {
        command_json(selection_json(file.contest, &selection, steps), JSON_COMPACT);
    } else if (status == BL_OK) {
        print_stages(file.contest, &selection);
        if (options->final)
            print_notices(file.contest, &selection);
        contest_selection_next(file.contest, &selection, call->word[0]);
    }
    json_decref(steps);
    contest_file_close(&file);
    return status;
}

/* Prints an act of struct act_selected, read as `invite`: all such acts have equal members. */
static void tell_flag(const struct contest_making *m, const char *done)
{
    printf("%s is %s%s\n", m->call->word[1], m->act->invite.undo ? "no longer " : "", done);
}

static bool next_select(const struct contest *contest, const char *path)
{
    char word[CONTEST_WORD_MAX];
    (void)contest;
    contest_next_word(word, path);
    command_print("Next: boothlink contest select %s\n", word);
    return true;
}

static bool tell_invite(const struct contest_making *m)
{
    tell_flag(m, "invited for outstanding merit");
    return false;
}

static bool tell_choose(const struct contest_making *m)
{
    tell_flag(m, m->act->choose.final ? "chosen for the final round" : "chosen");
    return false;
}

static bool tell_lose(const struct contest_making *m)
{
    tell_flag(m, "lost for the final round");
    return m->contest->final;
}

/* Loses a finalist. If the finalists are on record, a reserve replaces it at once: 2003 r16, r22,
 * r36. */
static enum bl_status contest_lose(const struct command_call *call, struct bl_diag *diag)
{
    static const struct contest_verb lose = {
        .kind = ACT_LOSE, .words = {"entry"}, .why = true, .tell = tell_lose, .next = next_select};
    struct contest_file file = {.store = NULL};
    struct selection_input input;
    struct selection selection;
    bool before[SCHEDULE_ENTRIES_MAX];
    enum bl_status status = contest_act_of(&lose, call, diag);
    if (status == BL_OK)
        status = contest_file_open(&file, call, diag);
    if (status == BL_OK && file.contest->final) {
        memcpy(before, file.contest->finalist, sizeof before);
        contest_selection_input(file.contest, &input);
        status = selection_make(&selection, &input, NULL, NULL, diag);
        if (status == BL_OK)
            status = record_final(&file, &selection, NULL, diag);
        for (unsigned i = 0; status == BL_OK && i < file.contest->people[CONTEST_ENTRY]; i++)
            if (file.contest->finalist[i] != before[i])
                printf("E%u %s\n", i + 1, before[i] ? "leaves the final round" : "comes in");
        if (status == BL_OK && selection.more_confederates)
            printf("No reserve is left: %u further confederate%s the place of an Entry\n",
                   selection.more_confederates,
                   selection.more_confederates == 1 ? " takes" : "s take");
        if (status == BL_OK)
            contest_schedule_anew(file.contest, call->word[0]);
    }
    contest_file_close(&file);
    return status;
}

static void print_allotment(const char *who, const struct allotment *allotment, unsigned judge)
{
    printf("%s%u:", who, allotment->judge[judge] + 1U);
    for (unsigned k = 0; k < allotment->each; k++)
        printf(" E%u", allotment->entry[judge][k] + 1U);
    putchar('\n');
}

/* Records the allotments of all preliminary judges, or none. */
static enum bl_status record_allotment(const struct command_call *call, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    struct allotment allotment = {.judges = 0};
    struct act_batch acts = {.with = NULL};
    enum bl_status status = contest_file_open(&file, call, diag);
    if (status == BL_OK)
        status = contest_allotment(file.contest, &allotment, diag);
    if (status == BL_OK)
        status = act_batch_begin(&acts, file.contest, diag);
    for (unsigned j = 0; status == BL_OK && j < allotment.judges; j++) {
        struct act_body act = {
            .kind = ACT_ALLOT,
            .allot = {.judge = allotment.judge[j] + 1, .entries = {.count = allotment.each}}};
        for (unsigned k = 0; k < allotment.each; k++)
            act.allot.entries.entry[k] = (uint8_t)(allotment.entry[j][k] + 1);
        status = act_batch_add(&acts, &act, 0, diag);
    }
    if (status == BL_OK)
        status = contest_file_append_all(&file, &acts, diag);
    for (unsigned j = 0; status == BL_OK && j < allotment.judges; j++)
        print_allotment("P", &allotment, j);
    act_batch_free(&acts);
    contest_file_close(&file);
    return status;
}

static enum bl_status contest_allot(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_allot_options *options = call->options;
    if (call->words)
        return record_allotment(call, diag);
    struct ruleset *ruleset = malloc(sizeof *ruleset);
    struct allotment allotment = {.judges = 0};
    struct bl_diag why;
    enum bl_status status = ruleset ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK && (options->entries < 0 || options->judges < 0 || !options->ruleset))
        status = bl_fail(diag, BL_USAGE, "missing --entries N, --judges N and --ruleset NAME");
    if (status == BL_OK)
        status = contest_load_ruleset(ruleset, options->ruleset, diag);
    if (status == BL_OK) {
        status = selection_allot(&allotment, (unsigned)options->entries, (unsigned)options->judges,
                                 (unsigned)ruleset->entry_judges_least,
                                 (unsigned)ruleset->judge_load_most, &why);
        if (status != BL_OK)
            bl_fail(diag, status, "%s (%s)", why.text,
                    ruleset_rule(ruleset, "selection", "judge-load-most", 0).text);
    }
    for (unsigned j = 0; status == BL_OK && j < allotment.judges; j++)
        print_allotment("judge ", &allotment, j);
    free(ruleset);
    return status;
}

static const struct command_option select_options[] = {
    OPTION_ROW("--final", NULL, "record these finalists: from then on only they are scheduled",
               OPTION_FLAG, struct contest_select_options, final),
    OPTION_ROW("--data", "FILE", "scores, ranks and choices as JSON, which are recorded",
               OPTION_TEXT, struct contest_select_options, data),
    OPTION_ROW("--correct", NULL, "with --data: in the place of lists that were given", OPTION_FLAG,
               struct contest_select_options, correct),
    CONTEST_WHY_OF("with --data, or with --final after its day: the reason"),
    OPTION_JSON(struct contest_options, "print one JSON object"),
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option flag_options[] = {
    CONTEST_MEMBER("--undo", NULL, "take it back", OPTION_FLAG, invite.undo),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option choose_options[] = {
    CONTEST_MEMBER("--final", NULL, "at the cut to the finalists, where there was one before it",
                   OPTION_FLAG, choose.final),
    CONTEST_MEMBER("--undo", NULL, "take it back", OPTION_FLAG, choose.undo),
    CONTEST_WHY,
    CONTEST_AUTHOR,
    {0},
};

static const struct command_option allot_options[] = {
    OPTION_RANGE("--entries", "N", "so many Entries", OPTION_NUMBER, struct contest_allot_options,
                 entries, 0, SCHEDULE_ENTRIES_MAX),
    OPTION_RANGE("--judges", "N", "so many judges of the preliminary round", OPTION_NUMBER,
                 struct contest_allot_options, judges, 0, SCHEDULE_ENTRIES_MAX),
    OPTION_ROW("--ruleset", "NAME|FILE", "the rules", OPTION_TEXT, struct contest_allot_options,
               ruleset),
    CONTEST_AUTHOR,
    {0},
};

static void start_allot(void *at)
{
    struct contest_allot_options *options = at;
    options->entries = options->judges = -1;
}

const struct command contest_select_verbs[] = {
    {
        .name = "contest select",
        .synopsis = "FILE [--data SCORES] [--final]",
        .help = "which Entries come into the final round, and by which rule",
        .text = "--data enters much of it at once, from a JSON object with any of: screening, "
                "[[ENTRY, SCORE], ...]; invited, chosen and lost, [ENTRY, ...]; ranks, a list for "
                "each preliminary judge, [[ENTRY, ...], ...].",
        .options = select_options,
        .size = sizeof(struct contest_select_options),
        .least = 1,
        .most = 1,
        .run = contest_select,
    },
    {
        .name = "contest invite",
        .synopsis = "FILE E2 --why TEXT",
        .help = "an Entry comes in for outstanding merit",
        .text = "Where the rules know that (2004 A10).",
        .options = flag_options,
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_INVITE, .words = {"entry"}, .why = true, .tell = tell_invite,
                    .next = next_select),
    },
    {
        .name = "contest choose",
        .synopsis = "FILE E2 --why TEXT",
        .help = "a jury or panel takes this Entry",
        .text = "Where equals stand for one place, or the rules leave it to somebody. The rules of "
                "2004 and 2009 cut twice: --final is the choice at the second cut.",
        .options = choose_options,
        .least = 2,
        .most = 2,
        CONTEST_ACT(.kind = ACT_CHOOSE, .words = {"entry"}, .why = true, .tell = tell_choose,
                    .next = next_select),
    },
    {
        .name = "contest lose",
        .synopsis = "FILE E2 --why TEXT",
        .help = "a finalist cannot run",
        .text = "A reserve comes in for it, or a further confederate. Where the finalists are on "
                "record, the new ones are recorded at once.",
        .options = flag_options,
        .size = sizeof(struct contest_options),
        .least = 2,
        .most = 2,
        .run = contest_lose,
    },
    {
        .name = "contest allot",
        .synopsis = "FILE | --entries N --judges N --ruleset NAME",
        .help = "which Entries each preliminary judge gets",
        .text =
            "As evenly as the rules ask for. With FILE it is recorded for the contest's Entries "
            "and preliminary judges, whose lists must then have these Entries and no others.",
        .options = allot_options,
        .size = sizeof(struct contest_allot_options),
        .start = start_allot,
        .least = 0,
        .most = 1,
        .run = contest_allot,
    },
    {0},
};
