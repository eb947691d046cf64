#include "contest/result_json.h"

#include "base/word.h"
#include "rules/ballot_kind.h"

static const char *outcome_name(enum result_outcome outcome)
{
    static const char *const words[] = {
        [RESULT_WON] = "won",
        [RESULT_TIED] = "tied",
        [RESULT_NO_ENTRY] = "no entry",
        [RESULT_ONLY_ONE] = "only one",
        [RESULT_PASSED] = "passed",
        [RESULT_FAILED] = "failed",
        [RESULT_OPEN] = "open",
        [RESULT_COUNTED] = "counted",
        [RESULT_PROVISIONAL] = "provisional",
    };
    return WORD_OF(words, outcome, "");
}

static json_t *standing_json(const struct contest *contest, const struct result_standing *s)
{
    unsigned entries = contest->people[CONTEST_ENTRY];
    json_t *o = json_pack(
        "{s:s,s:i,s:i,s:i,s:I}", "role", s->candidate < entries ? "entry" : "confederate", "number",
        (int)(s->candidate < entries ? s->candidate : s->candidate - entries) + 1, "place",
        (int)s->place, "ballots", (int)s->ballots, "points", (json_int_t)s->points);
    json_object_set_new(o, "wins", json_integer(s->wins));
    json_object_set_new(o, "mean",
                        s->mean.denominator ? json_pack("[I,I]", (json_int_t)s->mean.numerator,
                                                        (json_int_t)s->mean.denominator)
                                            : json_null());
    return o;
}

static json_t *trials_json(const struct result *result)
{
    json_t *trials = json_array();
    for (unsigned t = 0; t < result->trials; t++) {
        const struct trial_result *trial = &result->trial[t];
        json_array_append_new(trials, json_pack("{s:b,s:i,s:b,s:i,s:b}", "finished",
                                                trial->finished, "humans", (int)trial->humans,
                                                "determination", trial->determined, "foils",
                                                (int)trial->foils, "rank_order", trial->ranked));
    }
    return trials;
}

/* The unit of a standing's "mean", an exact fraction. */
static const char *mean_unit(const struct contest *contest)
{
    if (ballot_row(contest->ruleset.ballot)->rated)
        return "[sum in thousandths of a rating, number of ratings]";
    return contest->ruleset.ranks == RANKS_NON_HUMAN ? "[sum of ranks, number of ranks]" : "none";
}

json_t *result_json(const struct contest *contest, const struct result *result, json_t *steps)
{
    json_t *o = json_pack("{s:s,s:b,s:i}", "outcome", outcome_name(result->outcome), "silver",
                          result->silver, "ballots_missing", (int)result->ballots_missing);
    json_t *standings = json_array();
    const int human = result->most_human_human;
    json_object_set_new(o, "winner",
                        result->winner < 0 ? json_null() : json_integer(result->winner + 1));
    json_object_set_new(o, "leader",
                        result->leader < 0 ? json_null() : json_integer(result->leader + 1));
    json_object_set_new(o, "medal", json_boolean(result->medal));
    json_object_set_new(o, "most_human_human",
                        human < 0 || human >= SCHEDULE_PEOPLE_MAX ? json_null()
                                                                  : json_integer(human + 1));
    json_object_set_new(o, "most_human_human_name",
                        human < 0 ? json_null()
                                  : json_string(contest_sitter_name(contest, CONTEST_CONFEDERATE,
                                                                    (unsigned)human)));
    json_object_set_new(o, "units",
                        json_pack("{s:s,s:s,s:s}", "points", "of the 100 of each session", "wins",
                                  "sessions", "mean", mean_unit(contest)));
    if (contest->excludeds)
        json_object_set_new(o, "excluded", json_integer(contest->excludeds));
    for (unsigned i = 0; i < result->count; i++)
        json_array_append_new(standings, standing_json(contest, &result->standing[i]));
    json_object_set_new(o, "standings", standings);
    if (result->trials)
        json_object_set_new(o, "trials", trials_json(result));
    json_object_set(o, "steps", steps);
    return o;
}

static const char *const stages[] = {
    "out", "not looked at further", "screened", "preliminary", "reserve", "finalist"};

const char *selection_stage_name(enum selection_stage stage)
{
    return stages[stage];
}

json_t *selection_json(const struct contest *contest, const struct selection *selection,
                       json_t *steps)
{
    static const char *const outcomes[] = {"",
                                           "final",
                                           "no-entry",
                                           "only-one",
                                           "wants-screening",
                                           "wants-preliminary-round",
                                           "wants-choice"};
    json_t *entries = json_array();
    for (unsigned i = 0; i < contest->people[CONTEST_ENTRY]; i++)
        json_array_append_new(entries, json_string(stages[selection->stage[i]]));
    return json_pack("{s:s,s:b,s:o,s:i,s:O}", "outcome", outcomes[selection->outcome], "recorded",
                     contest->final, "entries", entries, "more_confederates",
                     (int)selection->more_confederates, "steps", steps);
}
