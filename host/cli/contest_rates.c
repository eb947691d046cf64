/* The verbs of rates: the share of judges who took each entity for a human, the number of games
 * that distinguishes two rates, and chance in the long bet. */
#include "cli/contest.h"
#include "contest/odds.h"
#include "contest/rates.h"
#include "rules/ballot_kind.h"

#include <stdio.h>
#include <stdlib.h>

#define CHANCE 0.5 /* each question of a ballot with a rate has two answers */

struct power_options {
    struct contest_options common;
    unsigned rate, other, power, games;
};

struct odds_options {
    struct contest_options common;
    struct odds_wanted wanted;
    unsigned human;
};

/* Prints `count` of `games`, as a line or a member of the list. */
static void tell_rate(json_t *list, const char *code, const char *name, unsigned count,
                      unsigned games)
{
    if (games == 0)
        return;
    struct rate_interval wilson = rate_wilson(count, games), exact = rate_exact(count, games);
    double by_chance = rate_test(count, games, CHANCE);
    if (list)
        json_array_append_new(list, json_pack("{s:s,s:s,s:i,s:i,s:f,s:[f,f],s:[f,f],s:f}", "who",
                                              code, "name", name, "count", (int)count, "games",
                                              (int)games, "rate", (double)count / games, "wilson",
                                              wilson.low, wilson.high, "exact", exact.low,
                                              exact.high, "chance", by_chance));
    else
        command_print("%-5s %4u of %-4u %5.1f %%   %5.1f to %5.1f   %5.1f to %5.1f   %6.4f  %s\n",
                      code, count, games, 100.0 * count / games, 100 * wilson.low,
                      100 * wilson.high, 100 * exact.low, 100 * exact.high, by_chance, name);
}

/* Prints the rates of each entity, of Entries and confederates as groups, and each judge's share of
 * right verdicts. */
static void tell_rates(const struct contest *c, const struct result_input *in,
                       const struct result *result, json_t *taken, json_t *right)
{
    unsigned count[2] = {0, 0}, games[2] = {0, 0};
    for (unsigned i = 0; i < result->count; i++) {
        const struct result_standing *s = &result->standing[i];
        bool person = s->candidate >= in->entries;
        char code[SCHEDULE_CODE_MAX];
        schedule_code(s->candidate, in->entries, code);
        tell_rate(taken, code, contest_candidate(c, s->candidate)->name, s->wins, s->ballots);
        count[person] += s->wins;
        games[person] += s->ballots;
    }
    tell_rate(taken, "E", "all Entries", count[0], games[0]);
    tell_rate(taken, "C", "all confederates", count[1], games[1]);
    if (!right)
        printf("\nWho was right, judge by judge:\n");
    for (unsigned j = 0; j < c->people[CONTEST_JUDGE]; j++) {
        char code[16];
        unsigned good = 0, all = 0;
        for (unsigned i = 0; i < in->ballots; i++) {
            struct ballot_worth worth[2];
            if (in->ballot[i].judge != j)
                continue;
            ballot_row(c->ruleset.ballot)->worth(&in->ballot[i], worth);
            good += worth[0].win == (in->ballot[i].entry >= in->entries);
            all++;
        }
        snprintf(code, sizeof code, "J%u", j + 1U);
        tell_rate(right, code, c->person[CONTEST_JUDGE][j].name, good, all);
    }
}

static enum bl_status contest_rates(const struct command_call *call, struct bl_diag *diag)
{
    const struct contest_options *options = call->options;
    struct contest_file file = {.store = NULL};
    struct result *result = malloc(sizeof *result);
    struct result_input input;
    enum bl_status status =
        result ? contest_file_open(&file, call, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    if (status == BL_OK && ballot_row(file.contest->ruleset.ballot)->rated)
        status = bl_fail(diag, BL_DATA,
                         "a ballot of %s is a rating: \"boothlink contest result\" has the means",
                         file.contest->ruleset.title);
    if (status == BL_OK) {
        json_t *taken = options->json ? json_array() : NULL;
        json_t *right = options->json ? json_array() : NULL;
        contest_result_input(file.contest, &input);
        result_make(result, &input, NULL, NULL);
        if (!options->json)
            printf(
                "Taken for a human, with intervals of 95 %%; chance: how often votes by coin are\n"
                "at least as improbable\n"
                "              of      rate    Wilson           exact            chance\n");
        tell_rates(file.contest, &input, result, taken, right);
        if (options->json)
            command_json(json_pack("{s:o,s:o}", "human", taken, "right", right), JSON_INDENT(2));
    }
    contest_file_close(&file);
    free(result);
    return status;
}

static void start_power(void *options)
{
    *(struct power_options *)options = (struct power_options){.rate = 60, .other = 50, .power = 80};
}

static enum bl_status contest_power(const struct command_call *call, struct bl_diag *diag)
{
    const struct power_options *options = call->options;
    double rate = options->rate / 100.0, other = options->other / 100.0;
    unsigned games =
        options->games ? options->games : rate_games(rate, other, options->power / 100.0);
    if (options->rate == options->other)
        return bl_fail(diag, BL_USAGE, "--rate and --other are the same: nothing tells them apart");
    if (games == 0)
        return bl_fail(diag, BL_DATA,
                       "more than %d games: rates that are further apart are easier "
                       "to tell",
                       RATES_GAMES_MAX / 10);
    double power = rate_power(games, rate, other);
    if (options->common.json)
        command_json(json_pack("{s:i,s:f}", "games", (int)games, "power", power), JSON_INDENT(2));
    else
        printf("%u game%s: a true rate of %u %% gives an exact interval of 95 %% without %u %% in "
               "%.1f %% of all cases\n",
               games, BL_S(games), options->rate, options->other, 100 * power);
    return BL_OK;
}

static void start_odds(void *options)
{
    *(struct odds_options *)options =
        (struct odds_options){.wanted = {.judges = 3, .foils = 3, .trials = 3}, .human = 67};
}

static enum bl_status contest_odds(const struct command_call *call, struct bl_diag *diag)
{
    const struct odds_options *options = call->options;
    struct odds_wanted wanted = options->wanted;
    struct odds odds;
    wanted.human = options->human / 100.0;
    enum bl_status status = odds_make(&odds, &wanted, diag);
    if (status != BL_OK)
        return status;
    if (options->common.json) {
        json_t *list = json_array();
        for (unsigned n = 0; n <= wanted.trials; n++)
            json_array_append_new(list, json_real(odds.at_least[n]));
        command_json(json_pack("{s:f,s:f,s:f,s:o}", "determination", odds.determined, "rank_order",
                               odds.ranked, "trial", odds.trial, "at_least", list),
                     JSON_INDENT(2));
        return BL_OK;
    }
    printf(
        "A computer that nobody can tell from a person, before %u judge%s with %u foil%s each:\n"
        "%.2f  its determination test: two judges or more take it for a human, each at a rate of "
        "%u %%\n"
        "%.2f  its rank order test: two foils or more are not above it, ranks in any order\n"
        "%.2f  both, which is one trial\n",
        wanted.judges, BL_S(wanted.judges), wanted.foils, BL_S(wanted.foils), odds.determined,
        options->human, odds.ranked, odds.trial);
    for (unsigned n = 1; n <= wanted.trials; n++)
        printf("%.2f  at least %u of %u trial%s\n", odds.at_least[n], n, wanted.trials,
               BL_S(wanted.trials));
    return BL_OK;
}

static const struct command_option rates_options[] = {
    OPTION_JSON(struct contest_options, "print one JSON object"),
    {0},
};

static const struct command_option power_options[] = {
    OPTION_RANGE("--games", "N", "the power of so many games (default: how many are needed)",
                 OPTION_NUMBER, struct power_options, games, 1, RATES_GAMES_MAX),
    OPTION_RANGE("--other", "PERCENT", "the rate it is told from (default 50)", OPTION_NUMBER,
                 struct power_options, other, 1, 99),
    OPTION_RANGE("--power", "PERCENT", "how often it is told (default 80)", OPTION_NUMBER,
                 struct power_options, power, 1, 99),
    OPTION_RANGE("--rate", "PERCENT", "the true rate (default 60)", OPTION_NUMBER,
                 struct power_options, rate, 1, 99),
    OPTION_JSON(struct contest_options, "print one JSON object"),
    {0},
};

static const struct command_option odds_options[] = {
    OPTION_RANGE("--foils", "N", "of a trial (default 3)", OPTION_NUMBER, struct odds_options,
                 wanted.foils, 1, 7),
    OPTION_RANGE("--human", "PERCENT", "how often a person is taken for a human (default 67)",
                 OPTION_NUMBER, struct odds_options, human, 0, 100),
    OPTION_RANGE("--judges", "N", "of a trial (default 3)", OPTION_NUMBER, struct odds_options,
                 wanted.judges, 1, 8),
    OPTION_RANGE("--trials", "N", "of a session (default 3)", OPTION_NUMBER, struct odds_options,
                 wanted.trials, 1, RESULT_TRIALS_MAX),
    OPTION_JSON(struct contest_options, "print one JSON object"),
    {0},
};

const struct command contest_rates_verbs[] = {
    {
        .name = "contest rates",
        .synopsis = "FILE [--json]",
        .help = "how often each entity was taken for a human, with intervals",
        .text = "Out of the ballots that count: 51 points or more, the vote for the human, or the "
                "verdict \"human\". The intervals are Wilson's and the exact one of Clopper and "
                "Pearson, both of 95 %; the last number is how often votes by coin would be at "
                "least as improbable. Below stands how often each judge was right.",
        .examples = "boothlink contest rates c.db",
        .options = rates_options,
        .size = sizeof(struct contest_options),
        .least = 1,
        .most = 1,
        .run = contest_rates,
    },
    {
        .name = "contest power",
        .synopsis = "[--rate PERCENT] [--other PERCENT] [--power PERCENT | --games N]",
        .help = "how many games tell one rate from another",
        .text = "The number from which on the exact interval of 95 % of what is counted is without "
                "the other rate in that share of all cases. Needs no contest.",
        .examples = "boothlink contest power --rate 60 --other 50",
        .options = power_options,
        .size = sizeof(struct power_options),
        .start = start_power,
        .run = contest_power,
    },
    {
        .name = "contest odds",
        .synopsis = "[--human PERCENT] [--judges N] [--foils N] [--trials N]",
        .help = "what chance does in the long bet",
        .text =
            "How many trials a session needs is the committee's to set (trials-needed): this is "
            "what a computer that nobody can tell from a person reaches under the numbers "
            "chosen. The model: a person, and so the computer, is taken for a human at the "
            "rate of --human, each vote by itself; ranks come in any order, each equally "
            "likely, and do not hang on the votes. Needs no contest.",
        .examples = "boothlink contest odds --trials 5",
        .options = odds_options,
        .size = sizeof(struct odds_options),
        .start = start_odds,
        .run = contest_odds,
    },
    {0},
};
