#include "contest/result.h"

#include "contest/rates.h"
#include "contest/result_private.h"
#include "rules/ballot_kind.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int fraction_compare(struct fraction a, struct fraction b)
{
    int64_t left = a.numerator * b.denominator, right = b.numerator * a.denominator;
    return (left > right) - (left < right);
}

void result_step(const struct result_steps *steps, const char *rule, const char *format, ...)
{
    char text[512];
    va_list args;
    if (!steps->say)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    steps->say(steps->ctx, rule, text);
}

/* True if an Entry can have no place. */
static bool is_out(const struct result_input *input, unsigned entry)
{
    return input->disqualified[entry] || input->withdrawn[entry] || input->not_final[entry];
}

void result_name_set(const struct judging *j, const struct set *set, char *out, size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < set->count && length < size; i++) {
        char name[SCHEDULE_CODE_MAX];
        schedule_code(set->member[i], j->input->entries, name);
        length += (size_t)snprintf(out + length, size - length, "%s%s", i ? ", " : "", name);
    }
}

static void add_worth(struct result_standing *standing, const struct ballot_worth *worth)
{
    standing->wins += worth->win;
    standing->points += worth->points;
    if (worth->rating >= 0) {
        standing->mean.numerator += worth->rating;
        standing->mean.denominator++;
    }
    standing->ballots++;
}

static void count_ballot(struct judging *j, const struct ballot *b)
{
    struct ballot_worth worth[2];
    ballot_row(j->input->ruleset->ballot)->worth(b, worth);
    add_worth(&j->of[b->entry], &worth[0]);
    if (b->confederate != PERSON_NOBODY)
        add_worth(&j->of[j->input->entries + b->confederate], &worth[1]);
}

static void count_all(struct judging *j)
{
    const struct result_input *in = j->input;
    for (unsigned i = 0; i < in->entries + in->confederates; i++) {
        j->of[i] = (struct result_standing){.candidate = (person_number)i};
        j->of[i].disqualified = i < in->entries && in->disqualified[i];
        j->of[i].withdrawn = i < in->entries && in->withdrawn[i];
    }
    for (unsigned i = 0; i < in->ballots; i++)
        count_ballot(j, &in->ballot[i]);
    if (in->ruleset->ranks == RANKS_NON_HUMAN) {
        for (unsigned i = 0; i < in->rankings; i++) {
            struct fraction *mean = &j->of[in->ranking[i].candidate].mean;
            mean->numerator += in->ranking[i].rank;
            mean->denominator++;
        }
    }
}

/* Compares by the contest's scoring, before any tie is broken. */
static int compare_score(const struct judging *j, unsigned a, unsigned b)
{
    const struct result_standing *x = &j->of[a], *y = &j->of[b];
    switch ((enum ruleset_scoring)j->input->ruleset->scoring) {
    case SCORING_COLUMNS:
    case SCORING_VOTES:
        return (x->wins > y->wins) - (x->wins < y->wins);
    case SCORING_MEANS:
    case SCORING_HIGHEST:
        if (x->mean.denominator == 0 || y->mean.denominator == 0)
            return (x->mean.denominator > 0) - (y->mean.denominator > 0);
        return fraction_compare(x->mean, y->mean);
    case SCORING_RATES:
    case SCORING_LONG_BET:
        break;
    }
    return 0;
}

struct rule result_rule(const struct judging *j, const char *key, int which)
{
    return ruleset_rule(j->input->ruleset, "result", key, which);
}

static struct rule prize_rule(const struct judging *j, const char *key, int which)
{
    return ruleset_rule(j->input->ruleset, "prize", key, which);
}

/* Reports the share of ballots that took the candidate for the human, with intervals of 95 %. */
static void tell_rate(const struct judging *j, const struct result_standing *s, const char *name)
{
    const char *rule = result_rule(j, "scoring", RULE_ALL).text;
    if (s->ballots == 0) {
        result_step(&j->steps, rule, "%s: no ballots", name);
        return;
    }
    struct rate_interval wilson = rate_wilson(s->wins, s->ballots);
    struct rate_interval exact = rate_exact(s->wins, s->ballots);
    result_step(&j->steps, rule,
                "%s: taken for the human %u of %u time%s, %.1f %%; within 95 %%: Wilson %.1f to "
                "%.1f, exact %.1f to %.1f",
                name, s->wins, s->ballots, BL_S(s->ballots), 100.0 * s->wins / s->ballots,
                100 * wilson.low, 100 * wilson.high, 100 * exact.low, 100 * exact.high);
}

static void tell_score(const struct judging *j, unsigned candidate)
{
    const struct result_standing *s = &j->of[candidate];
    char name[SCHEDULE_CODE_MAX];
    schedule_code(candidate, j->input->entries, name);
    switch ((enum ruleset_scoring)j->input->ruleset->scoring) {
    case SCORING_COLUMNS:
        result_step(&j->steps, result_rule(j, "scoring", RULE_ALL).text,
                    "%s: %u of %u judge%s gave it 51 points or more", name, s->wins, s->ballots,
                    BL_S(s->ballots));
        break;
    case SCORING_VOTES:
        result_step(&j->steps, result_rule(j, "scoring", RULE_ALL).text,
                    "%s: %u of %u judge%s took it for the human", name, s->wins, s->ballots,
                    BL_S(s->ballots));
        break;
    case SCORING_MEANS:
    case SCORING_HIGHEST:
        if (s->mean.denominator == 0)
            result_step(&j->steps, result_rule(j, "scoring", RULE_ALL).text, "%s: no ratings",
                        name);
        else
            result_step(&j->steps, result_rule(j, "scoring", RULE_ALL).text,
                        "%s: mean rating %lld.%03lld, that is %lld.%03lld / %lld", name,
                        (long long)(s->mean.numerator / s->mean.denominator / VOTE_RATING_UNIT),
                        (long long)(s->mean.numerator / s->mean.denominator % VOTE_RATING_UNIT),
                        (long long)(s->mean.numerator / VOTE_RATING_UNIT),
                        (long long)(s->mean.numerator % VOTE_RATING_UNIT),
                        (long long)s->mean.denominator);
        break;
    case SCORING_RATES:
        tell_rate(j, s, name);
        break;
    case SCORING_LONG_BET:
        break;
    }
}

static void best_of(const struct judging *j, const struct set *from, struct set *best)
{
    best->count = 0;
    for (unsigned i = 0; i < from->count; i++) {
        int order = best->count ? compare_score(j, from->member[i], best->member[0]) : 0;
        if (order > 0)
            best->count = 0;
        if (order >= 0)
            best->member[best->count++] = from->member[i];
    }
}

/* Gives places to the set, the best first. Entries in an unbroken tie share a place. Ties are
 * broken for the first place, and for further awarded places. */
static void give_places(struct judging *j, struct set *left)
{
    unsigned place = 1, awarded = (unsigned)j->input->ruleset->awarded;
    j->order.count = 0;
    while (left->count) {
        struct set best, rest = {.count = 0};
        best_of(j, left, &best);
        if (place <= awarded)
            result_break_tie(j, &best, place);
        for (unsigned i = 0; i < best.count; i++) {
            j->of[best.member[i]].place = place;
            j->order.member[j->order.count++] = best.member[i];
        }
        for (unsigned i = 0; i < left->count; i++)
            if (!set_has(&best, left->member[i]))
                rest.member[rest.count++] = left->member[i];
        place += best.count;
        *left = rest;
    }
}

static void tell_own(const struct judging *j, const struct result *result)
{
    const struct ruleset *rules = j->input->ruleset;
    if (!j->input->own[result->winner])
        return;
    if (rules->own_entry == OWN_RESERVED)
        result_step(&j->steps, prize_rule(j, "own-entry", 0).text,
                    "an open-source Entry of the organiser: where nobody deserving can be named "
                    "the money goes to the next year and the Bronze Medal is reserved");
    else if (rules->own_entry == OWN_SILVER_ONLY && !result->silver)
        result_step(&j->steps, prize_rule(j, "own-entry", 0).text,
                    "an open-source Entry of the organiser: no medal this year, the money goes to "
                    "the next");
    else if (rules->own_entry == OWN_SILVER_ONLY)
        result_step(&j->steps, prize_rule(j, "own-entry", 1).text,
                    "an open-source Entry of the organiser: medal and money go to the body that "
                    "developed it, or are held in trust");
}

static struct seat seat_of(const struct result_input *in, unsigned i)
{
    const struct ballot *b = &in->ballot[i];
    struct seat seat = {b->judge, b->confederate};
    if (in->seated)
        return in->seat[i];
    if (b->confederate == PERSON_NOBODY && b->entry >= in->entries)
        seat.confederate = (person_number)(b->entry - in->entries);
    return seat;
}

/* 2004 B2: "rated by two different Judges as more human than two different Confederates". */
static bool is_rated_by_two(const struct judging *j, unsigned entry)
{
    const struct ballot_row *row = ballot_row(j->input->ruleset->ballot);
    for (unsigned i = 0; i < j->input->ballots; i++) {
        const struct ballot *a = &j->input->ballot[i];
        const struct seat seat = seat_of(j->input, i);
        struct ballot_worth worth[2];
        row->worth(a, worth);
        if (a->entry != entry || !worth[0].win)
            continue;
        for (unsigned k = 0; k < i; k++) {
            const struct ballot *b = &j->input->ballot[k];
            const struct seat other = seat_of(j->input, k);
            row->worth(b, worth);
            if (b->entry == entry && worth[0].win && seat.judge != other.judge &&
                seat.confederate != other.confederate)
                return true;
        }
    }
    return false;
}

/* The mean rating of one person as a confederate, also on several places: 2003 r47. */
static struct fraction mean_of_person(const struct result_input *in, unsigned person)
{
    const struct ballot_row *row = ballot_row(in->ruleset->ballot);
    struct fraction mean = {0, 0};
    for (unsigned i = 0; i < in->ballots; i++) {
        struct ballot_worth worth[2];
        if (in->ballot[i].entry < in->entries || seat_of(in, i).confederate != person)
            continue;
        row->worth(&in->ballot[i], worth);
        mean.numerator += worth[0].rating;
        mean.denominator++;
    }
    return mean;
}

/* Reports the prizes that come with the medal. */
static void tell_money(const struct judging *j, const struct result *result)
{
    const struct ruleset *rules = j->input->ruleset;
    if (result->silver) {
        if (rules->prize_silver)
            result_step(&j->steps, prize_rule(j, "silver", RULE_ALL).text,
                        "%d dollars come with the Silver Medal", rules->prize_silver);
        if (rules->after_silver[0])
            result_step(&j->steps, result_rule(j, "after-silver", RULE_ALL).text, "%s",
                        rules->after_silver);
    } else if (rules->prize) {
        result_step(&j->steps, prize_rule(j, "dollars", RULE_ALL).text,
                    "%d dollars come with the Bronze Medal", rules->prize);
    }
}

static void tell_award(const struct judging *j, struct result *result)
{
    const struct ruleset *rules = j->input->ruleset;
    const struct result_standing *winner = &j->of[result->winner];
    unsigned above = 0;
    if (rules->silver == SILVER_COLUMN_TWO) {
        result->silver = is_rated_by_two(j, (unsigned)result->winner);
        result_step(&j->steps, result_rule(j, "silver", RULE_ALL).text, "its score is %u: %s",
                    winner->wins,
                    winner->wins < 2 ? "not 2 or higher, so it is the Bronze Medal"
                    : result->silver ? "2 or higher, so the Silver Medal is awarded"
                                     : "2 or higher, but not by two different judges over two "
                                       "different confederates, so it is the Bronze Medal");
    } else if (rules->silver == SILVER_NO_CONFEDERATE) {
        for (unsigned c = 0; c < 2 * SCHEDULE_PEOPLE_MAX; c++) {
            struct fraction mean = mean_of_person(j->input, c);
            above += mean.denominator &&
                     (winner->mean.denominator == 0 || fraction_compare(mean, winner->mean) > 0);
        }
        result->silver = above == 0;
        result_step(&j->steps, result_rule(j, "silver", RULE_ALL).text,
                    "%u confederate%s ranked higher: the %s Medal", above,
                    above == 1 ? " is" : "s are", result->silver ? "Silver" : "Bronze");
    }
    result->medal =
        !j->input->own[result->winner] || rules->own_entry != OWN_SILVER_ONLY || result->silver;
    if (result->medal)
        tell_money(j, result);
    tell_own(j, result);
}

/* 1996's Most Human Human: the confederate with the highest mean, also if replaced since. -1: none,
 * or several. */
static int most_human_human(const struct judging *j)
{
    const struct result_input *in = j->input;
    struct fraction best = {0, 0};
    int person = -1;
    bool alone = true;
    char name[SCHEDULE_CODE_MAX];
    for (unsigned c = 0; c < 2 * SCHEDULE_PEOPLE_MAX; c++) {
        struct fraction mean = mean_of_person(in, c);
        if (mean.denominator == 0)
            continue;
        int order = person < 0 ? 1 : fraction_compare(mean, best);
        if (order > 0) {
            person = (int)c;
            best = mean;
        }
        alone = order > 0 || (order < 0 && alone);
    }
    if (person < 0)
        return -1;
    if (person < (int)in->confederates)
        schedule_code(in->entries + (unsigned)person, in->entries, name);
    result_step(&j->steps, result_rule(j, "most-human-human", RULE_ALL).text,
                alone ? "%s is the Most Human Human"
                      : "several are the most human human, %s among them: left to the manager",
                person < (int)in->confederates ? name : in->replaced[person - SCHEDULE_PEOPLE_MAX]);
    return alone ? person : -1;
}

/* True if a confederate comes before an Entry or a confederate in the overall ranking. */
static bool is_above(const struct judging *j, unsigned confederate,
                     const struct result_standing *other)
{
    if (other->disqualified || other->withdrawn)
        return true;
    return compare_score(j, confederate, other->candidate) > 0;
}

/* Lists the standings in their shown order. 2003 r47: one ranking of Entries and confederates by
 * their means. */
static void list(struct judging *j, struct result *result)
{
    unsigned entries = j->input->entries, confederates = j->input->confederates;
    int scoring = j->input->ruleset->scoring;
    bool overall = scoring == SCORING_MEANS || scoring == SCORING_HIGHEST;
    result->count = 0;
    for (unsigned i = 0; i < j->order.count; i++)
        result->standing[result->count++] = j->of[j->order.member[i]];
    for (unsigned i = 0; i < entries; i++)
        if (is_out(j->input, i) && !j->input->not_final[i])
            result->standing[result->count++] = j->of[i];
    for (unsigned c = 0; c < confederates; c++) {
        unsigned at = result->count++;
        while (overall && at > 0 && is_above(j, entries + c, &result->standing[at - 1])) {
            result->standing[at] = result->standing[at - 1];
            at--;
        }
        result->standing[at] = j->of[entries + c];
    }
}

/* Reports the awards of the second and third place (2003 r58). */
static void tell_lower_awards(const struct judging *j)
{
    unsigned awarded = (unsigned)j->input->ruleset->awarded;
    for (unsigned i = 0; i < j->order.count; i++) {
        unsigned place = j->of[j->order.member[i]].place;
        if (place > 1 && place <= awarded)
            result_step(&j->steps, result_rule(j, "awarded", RULE_ALL).text,
                        "E%u is in place %u and gets a non-cash award", j->order.member[i] + 1U,
                        place);
    }
}

/* True before the seal if ballots are missing or none was given. */
static bool is_provisional(const struct result_input *in)
{
    return !in->closed && (in->ballots < in->ballots_wanted || in->ballots == 0);
}

static void tell_leader(const struct judging *j, struct result *result)
{
    result->outcome = RESULT_PROVISIONAL;
    if (j->input->ballots == 0 || j->order.count == 0)
        return;
    if (j->order.count > 1 && j->of[j->order.member[1]].place == 1)
        return;
    result->leader = j->order.member[0];
    result_step(&j->steps, "manager", "E%d leads so far; nothing is decided yet",
                result->leader + 1);
}

static void make_ranked(struct judging *j, struct result *result)
{
    const struct result_input *in = j->input;
    struct set all = {.count = 0};
    char names[128];
    for (unsigned i = 0; i < in->entries; i++) {
        if (in->not_final[i]) {
            result_step(&j->steps, "selection", "E%u is not in the final round", i + 1);
            continue;
        }
        tell_score(j, i);
        if (j->of[i].disqualified)
            result_step(&j->steps,
                        in->ruleset->successor == WORD_YES
                            ? result_rule(j, "successor", RULE_ALL).text
                            : "manager",
                        "E%u is disqualified and has no place", i + 1);
        else if (in->withdrawn[i] && in->unaccepted[i])
            result_step(
                &j->steps,
                ruleset_rule(in->ruleset, "register", "communications-program", RULE_ALL).text,
                "E%u is not accepted, for it has no communications program", i + 1);
        else if (in->withdrawn[i])
            result_step(&j->steps, "manager", "E%u is withdrawn and has no place", i + 1);
        else
            all.member[all.count++] = (uint8_t)i;
    }
    if (in->ruleset->scoring == SCORING_MEANS || in->ruleset->scoring == SCORING_HIGHEST)
        for (unsigned c = 0; c < in->confederates; c++)
            tell_score(j, in->entries + c);
    give_places(j, &all);
    memcpy(result->equal, j->equal, sizeof result->equal);
    list(j, result);
    if (is_provisional(in)) {
        tell_leader(j, result);
        return;
    }
    if (in->ruleset->most_human_human == WORD_YES)
        result->most_human_human = most_human_human(j);
    if (j->order.count > 1 && j->of[j->order.member[1]].place == 1) {
        struct set tied = {.count = 0};
        while (tied.count < j->order.count && j->of[j->order.member[tied.count]].place == 1) {
            tied.member[tied.count] = j->order.member[tied.count];
            tied.count++;
        }
        result_name_set(j, &tied, names, sizeof names);
        result->outcome = RESULT_TIED;
        result_step(&j->steps, "manager", "%s stay tied for the first place", names);
        return;
    }
    if (j->order.count == 0) {
        result->outcome = RESULT_NO_ENTRY;
        return;
    }
    result->outcome = RESULT_WON;
    result->winner = j->order.member[0];
    result_step(&j->steps, result_rule(j, "scoring", RULE_ALL).text, "E%d wins",
                result->winner + 1);
    tell_award(j, result);
    tell_lower_awards(j);
}

/* Rates of all finalists and confederates: no places, no winner. */
static void make_rates(struct judging *j, struct result *result)
{
    const struct result_input *in = j->input;
    for (unsigned i = 0; i < in->entries + in->confederates; i++) {
        if (i < in->entries && in->not_final[i])
            continue;
        tell_score(j, i);
        result->standing[result->count++] = j->of[i];
    }
    result->outcome = is_provisional(in) ? RESULT_PROVISIONAL : RESULT_COUNTED;
}

/* Applies the rules for no Entry or one Entry. True: they decide the result. */
static bool is_settled(const struct judging *j, struct result *result)
{
    const struct ruleset *rules = j->input->ruleset;
    unsigned left = 0;
    int only = -1;
    for (unsigned i = 0; i < j->input->entries; i++) {
        if (!j->input->disqualified[i] && !j->input->withdrawn[i]) {
            left++;
            only = (int)i;
        }
    }
    if (left == 0) {
        result->outcome = RESULT_NO_ENTRY;
        if (rules->prize_next_year)
            result_step(&j->steps, prize_rule(j, "next-year", RULE_ALL).text,
                        "no compliant Entry: the prize of %d dollars is added to the next year's, "
                        "which makes it %d",
                        rules->prize, rules->prize_next_year);
        else
            result_step(&j->steps, "manager", "no compliant Entry");
        return true;
    }
    if (left == 1 && rules->single_entry_wins == WORD_YES && j->input->ballots == 0) {
        result->outcome = RESULT_ONLY_ONE;
        result->winner = only;
        result->medal = !j->input->own[only] || rules->own_entry != OWN_SILVER_ONLY;
        result_step(&j->steps, prize_rule(j, "single-entry", RULE_ALL).text,
                    "E%d is the only compliant Entry%s", only + 1,
                    result->medal ? " and gets medal and money" : "");
        tell_own(j, result);
        return true;
    }
    return false;
}

void result_make(struct result *result, const struct result_input *input, result_say *say,
                 void *ctx)
{
    struct judging j = {.input = input, .steps = {say, ctx}};
    memset(result, 0, sizeof *result);
    result->winner = result->leader = result->most_human_human = -1;
    if (input->ballots < input->ballots_wanted) {
        result->ballots_missing = input->ballots_wanted - input->ballots;
        if (input->closed)
            result_step(&j.steps, "manager",
                        "%u of %u ballot%s %s never given: the contest is sealed",
                        result->ballots_missing, input->ballots_wanted, BL_S(input->ballots_wanted),
                        BL_WERE(result->ballots_missing));
        else
            result_step(&j.steps, "manager", "%u of %u ballot%s %s missing: this is provisional",
                        result->ballots_missing, input->ballots_wanted, BL_S(input->ballots_wanted),
                        BL_ARE(result->ballots_missing));
    }
    if (input->excluded)
        result_step(&j.steps, "manager", "%u session%s excluded and count%s for nothing",
                    input->excluded, input->excluded == 1 ? " is" : "s are",
                    input->excluded == 1 ? "s" : "");
    count_all(&j);
    if (input->ruleset->scoring == SCORING_LONG_BET) {
        result_long_bet(&j, result);
        for (unsigned i = 0; i < input->entries + input->confederates; i++)
            result->standing[result->count++] = j.of[i];
    } else if (input->ruleset->scoring == SCORING_RATES) {
        make_rates(&j, result);
    } else if (!is_settled(&j, result)) {
        make_ranked(&j, result);
    }
}
