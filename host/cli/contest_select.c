/* "boothlink contest select" and "allot": which Entries come into the final round, and who judges
 * them before. */
#include "cli/contest.h"

#include "contest/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The input, with the ranks that it points at. */
struct data {
    struct selection_input input;
    struct selection_rank rank[SELECTION_RANKS_MAX];
};

/* The number of an Entry, from 0; -1: it is none. */
static int entry_of(const struct data *data, const json_t *value)
{
    json_int_t number = json_integer_value(value);
    return number >= 1 && number <= (json_int_t)data->input.entries ? (int)number - 1 : -1;
}

static enum bl_status read_flags(const struct data *data, const json_t *list, const char *name,
                                 bool *flag, struct bl_diag *diag)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        int entry = entry_of(data, json_array_get(list, i));
        if (entry < 0)
            return bl_fail(diag, BL_DATA, "'%s': numbers of Entries, 1 to %u, are wanted", name,
                           data->input.entries);
        flag[entry] = true;
    }
    return BL_OK;
}

static enum bl_status read_scores(struct data *data, const json_t *list, struct bl_diag *diag)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *pair = json_array_get(list, i), *score = json_array_get(pair, 1);
        int entry = entry_of(data, json_array_get(pair, 0));
        if (entry < 0 || !json_is_integer(score) || json_integer_value(score) < -1000000 ||
            json_integer_value(score) > 1000000)
            return bl_fail(diag, BL_DATA,
                           "'screening': [[ENTRY, SCORE], ...] is wanted, with "
                           "whole scores");
        data->input.screening[entry] = (struct fraction){json_integer_value(score), 1};
    }
    return BL_OK;
}

static enum bl_status read_ranks(struct data *data, const json_t *lists, struct bl_diag *diag)
{
    if (json_array_size(lists) > SCHEDULE_PEOPLE_MAX)
        return bl_fail(diag, BL_DATA, "'ranks': more than %d judges", SCHEDULE_PEOPLE_MAX);
    for (size_t j = 0; j < json_array_size(lists); j++) {
        const json_t *list = json_array_get(lists, j);
        if (json_array_size(list) > SCHEDULE_PEOPLE_MAX)
            return bl_fail(diag, BL_DATA, "'ranks': more than %d Entries", SCHEDULE_PEOPLE_MAX);
        for (size_t k = 0; k < json_array_size(list); k++) {
            int entry = entry_of(data, json_array_get(list, k));
            if (entry < 0)
                return bl_fail(diag, BL_DATA,
                               "'ranks': [[ENTRY, ...], ...] is wanted, the best "
                               "first");
            data->rank[data->input.ranks++] =
                (struct selection_rank){(uint8_t)j, (uint8_t)entry, (uint8_t)(k + 1)};
        }
    }
    return BL_OK;
}

static enum bl_status read_data(struct data *data, const json_t *body, struct bl_diag *diag)
{
    const char *key;
    json_t *value;
    enum bl_status status = BL_OK;
    struct selection_input *in = &data->input;
    if (!json_is_object(body))
        return bl_fail(diag, BL_DATA, "a JSON object is wanted");
    json_object_foreach((json_t *)(uintptr_t)body, key, value)
    {
        if (!json_is_array(value))
            status = bl_fail(diag, BL_DATA, "'%.20s': a list is wanted", key);
        else if (strcmp(key, "screening") == 0)
            status = read_scores(data, value, diag);
        else if (strcmp(key, "ranks") == 0)
            status = read_ranks(data, value, diag);
        else if (strcmp(key, "invited") == 0)
            status = read_flags(data, value, key, in->invited, diag);
        else if (strcmp(key, "chosen") == 0)
            status = read_flags(data, value, key, in->chosen, diag);
        else if (strcmp(key, "lost") == 0)
            status = read_flags(data, value, key, in->lost, diag);
        else
            status = bl_fail(diag, BL_DATA,
                             "'%.20s': screening, ranks, invited, chosen or lost is wanted", key);
        if (status != BL_OK)
            return status;
    }
    return status;
}

static enum bl_status load_data(struct data *data, const char *path, struct bl_diag *diag)
{
    char *text = NULL;
    json_error_t error;
    struct bl_diag why;
    enum bl_status status = contest_read_file(&text, path, diag);
    if (status != BL_OK)
        return status;
    json_t *body = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!body)
        return bl_fail(diag, BL_DATA, "%s:%d: %s", path, error.line, error.text);
    status = read_data(data, body, &why);
    json_decref(body);
    return status == BL_OK ? BL_OK : bl_fail(diag, status, "%s: %s", path, why.text);
}

/* The points of an Entry's screening, once each of its answers has some. */
static struct fraction screening_of(const struct contest *contest, unsigned entry)
{
    struct fraction sum = {0, 0};
    for (unsigned q = 0; q < CONTEST_QUESTIONS; q++) {
        if (!contest->answered[entry][q])
            continue;
        if (contest->score[entry][q] < 0)
            return (struct fraction){0, 0};
        sum.numerator += contest->score[entry][q];
        sum.denominator = 1;
    }
    return sum;
}

static void fill(struct data *data, const struct contest *contest)
{
    struct selection_input *in = &data->input;
    in->ruleset = &contest->ruleset;
    in->entries = contest->people[CONTEST_ENTRY];
    in->rank = data->rank;
    memcpy(in->prelim, contest->prelim, sizeof in->prelim);
    for (unsigned i = 0; i < in->entries; i++) {
        in->out[i] = contest->person[CONTEST_ENTRY][i].withdrawn || contest->disqualified[i];
        in->screening[i] = screening_of(contest, i);
        in->received_us[i] = contest->person[CONTEST_ENTRY][i].received_us;
    }
}

static const char *const outcomes[] = {"",
                                       "final",
                                       "no-entry",
                                       "only-one",
                                       "wants-screening",
                                       "wants-preliminary-round",
                                       "wants-choice"};
static const char *const stages[] = {
    "out", "not looked at further", "screened", "preliminary", "reserve", "finalist"};

static void on_step(void *ctx, const char *rule, const char *text)
{
    json_t *steps = ctx;
    if (steps)
        json_array_append_new(steps, json_pack("{s:s,s:s}", "rule", rule, "text", text));
    else
        printf("%-10s %s\n", rule, text);
}

static void print_stages(const struct contest *contest, const struct selection *selection)
{
    for (unsigned i = 0; i < contest->people[CONTEST_ENTRY]; i++)
        printf("  E%-3u %-22s %s\n", i + 1, stages[selection->stage[i]],
               contest->person[CONTEST_ENTRY][i].name);
    if (selection->more_confederates)
        printf("  and %u more confederates\n", selection->more_confederates);
}

static void print_json(const struct contest *contest, const struct selection *selection,
                       json_t *steps)
{
    json_t *entries = json_array();
    for (unsigned i = 0; i < contest->people[CONTEST_ENTRY]; i++)
        json_array_append_new(entries, json_string(stages[selection->stage[i]]));
    json_t *object =
        json_pack("{s:s,s:o,s:i,s:O}", "outcome", outcomes[selection->outcome], "entries", entries,
                  "more_confederates", (int)selection->more_confederates, "steps", steps);
    json_dumpf(object, stdout, JSON_PRESERVE_ORDER | JSON_COMPACT);
    putchar('\n');
    json_decref(object);
}

enum bl_status contest_select(const struct contest_args *args, struct bl_diag *diag)
{
    struct contest_file file = {.store = NULL};
    struct data *data = calloc(1, sizeof *data);
    struct selection selection;
    json_t *steps = args->json ? json_array() : NULL;
    enum bl_status status =
        data ? contest_file_open(&file, args, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK) {
        fill(data, file.contest);
        if (args->data)
            status = load_data(data, args->data, diag);
    }
    if (status == BL_OK)
        status = selection_make(&selection, &data->input, on_step, steps, diag);
    if (status == BL_OK && steps)
        print_json(file.contest, &selection, steps);
    else if (status == BL_OK)
        print_stages(file.contest, &selection);
    json_decref(steps);
    free(data);
    contest_file_close(&file);
    return status;
}

enum bl_status contest_allot(const struct contest_args *args, struct bl_diag *diag)
{
    struct ruleset *ruleset = malloc(sizeof *ruleset);
    struct allotment allotment;
    enum bl_status status = ruleset ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK && (args->entries < 0 || args->judges < 0 || !args->ruleset))
        status = bl_fail(diag, BL_USAGE, "give --entries N, --judges N and --ruleset NAME");
    if (status == BL_OK)
        status = contest_load_ruleset(ruleset, args->ruleset, diag);
    if (status == BL_OK)
        status = selection_allot(&allotment, (unsigned)args->entries, (unsigned)args->judges,
                                 (unsigned)ruleset->entry_judges_least,
                                 (unsigned)ruleset->judge_load_most, diag);
    for (unsigned j = 0; status == BL_OK && j < allotment.judges; j++) {
        printf("judge %u:", j + 1);
        for (unsigned k = 0; k < allotment.each; k++)
            printf(" E%u", allotment.entry[j][k] + 1U);
        putchar('\n');
    }
    free(ruleset);
    return status;
}
