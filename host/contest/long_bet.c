/* The two tests of the long bet for each trial, and their verdict on a session: II ¶3, ¶4, ¶13 to
 * ¶16. */
#include "contest/result_private.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    uint8_t x = *(const uint8_t *)a, y = *(const uint8_t *)b;
    return (x > y) - (x < y);
}

/* The median of a candidate's ranks, perhaps a half. */
static struct fraction median_rank(const struct result_input *in, unsigned trial,
                                   unsigned candidate)
{
    uint8_t rank[256];
    unsigned count = 0;
    for (unsigned i = 0; i < in->rankings && count < sizeof rank; i++)
        if (in->ranking[i].trial == trial && in->ranking[i].candidate == candidate)
            rank[count++] = in->ranking[i].rank;
    if (count == 0)
        return (struct fraction){0, 0};
    qsort(rank, count, 1, by_value);
    return (struct fraction){rank[(count - 1) / 2] + rank[count / 2], 2};
}

static const char *half(struct fraction median)
{
    return median.numerator % 2 ? ".5" : "";
}

/* II ¶13: two or more of the three judges take the computer for a human. */
static void determine(const struct judging *j, unsigned trial, struct trial_result *result)
{
    const struct result_input *in = j->input;
    for (unsigned i = 0; i < in->ballots; i++)
        result->humans += in->ballot[i].trial == trial && in->ballot[i].entry == j->computer &&
                          in->ballot[i].entry_human;
    result->determined = result->humans >= LONG_BET_LEAST;
    result_step(&j->steps, result_rule(j, "scoring", 0).text,
                "trial %u: %u judge%s took the computer for a human; two are needed: %s", trial + 1,
                result->humans, BL_S(result->humans), result->determined ? "passed" : "not passed");
}

/* II ¶14: the computer's median rank is at least that of two or more of the three foils. */
static void rank(const struct judging *j, unsigned trial, struct trial_result *result)
{
    const struct result_input *in = j->input;
    struct fraction computer = median_rank(in, trial, j->computer);
    for (unsigned c = 0; c < in->confederates; c++) {
        struct fraction foil = median_rank(in, trial, in->entries + c);
        if (!computer.denominator || !foil.denominator)
            continue;
        result->foils += fraction_compare(computer, foil) >= 0;
        result_step(&j->steps, result_rule(j, "scoring", 1).text,
                    "trial %u: median rank %lld%s, that of foil %u is %lld%s", trial + 1,
                    (long long)computer.numerator / 2, half(computer), c + 1,
                    (long long)foil.numerator / 2, half(foil));
    }
    result->ranked = result->foils >= LONG_BET_LEAST;
    result_step(&j->steps, result_rule(j, "scoring", 1).text,
                "trial %u: at least that of %u foil%s; two are needed: %s", trial + 1,
                result->foils, BL_S(result->foils), result->ranked ? "passed" : "not passed");
}

static bool has_judged(const struct result_input *in, unsigned trial, unsigned judge,
                       unsigned candidate)
{
    bool voted = false, ranked = false;
    for (unsigned i = 0; i < in->ballots; i++)
        voted = voted || (in->ballot[i].trial == trial && in->ballot[i].judge == judge &&
                          in->ballot[i].entry == candidate);
    for (unsigned i = 0; i < in->rankings; i++)
        ranked = ranked || (in->ranking[i].trial == trial && in->ranking[i].judge == judge &&
                            in->ranking[i].candidate == candidate);
    return voted && ranked;
}

/* Counts the missing ballots of a trial, and the missing ranks of its candidates with a vote, also
 * after the seal. A judge who has left gives no more ranks. */
static unsigned count_missing(const struct result_input *in, unsigned trial)
{
    unsigned ballots = 0, ranks = 0, excused = 0, wanted = in->trial_wanted[trial];
    for (unsigned i = 0; i < in->ballots; i++) {
        const struct ballot *b = &in->ballot[i];
        ballots += b->trial == trial;
        excused += b->trial == trial && in->judge_gone[b->judge] &&
                   !has_judged(in, trial, b->judge, b->entry);
    }
    for (unsigned i = 0; i < in->rankings; i++)
        ranks += in->ranking[i].trial == trial;
    if (wanted == 0)
        return 1;
    return (wanted > ballots ? wanted - ballots : 0) +
           (wanted > ranks + excused ? wanted - ranks - excused : 0);
}

/* Counts the judges who have met the computer and the required number of foils, and have voted on
 * and ranked all of these (II
 *
 * 8,
 *
 * 13,
 *
 * 14). */
static unsigned count_judges(const struct judging *j, unsigned trial)
{
    const struct result_input *in = j->input;
    unsigned judges = 0;
    for (unsigned judge = 0; judge < SCHEDULE_PEOPLE_MAX; judge++) {
        unsigned foils = 0;
        for (unsigned c = 0; c < in->confederates; c++)
            foils += has_judged(in, trial, judge, in->entries + c);
        judges += foils >= (unsigned)in->ruleset->confederates_least &&
                  has_judged(in, trial, judge, j->computer);
    }
    return judges;
}

/* Joins the trials' verdicts. II
 *
 * 4: at least three trials. The number of trials to pass is not printed; the committee sets it (II
 *
 * 3), as a ruleset's trials-needed. */
static enum result_outcome join(const struct judging *j, unsigned finished, unsigned passed)
{
    unsigned least = (unsigned)j->input->ruleset->trials_least;
    unsigned needed = (unsigned)j->input->ruleset->trials_needed;
    if (finished < least || finished == 0) {
        result_step(&j->steps, ruleset_rule(j->input->ruleset, "numbers", "trials-least", 0).text,
                    "%u trial%s %s finished, and a session has %u at least: it is open", finished,
                    BL_S(finished), BL_ARE(finished), least);
        return RESULT_OPEN;
    }
    if (needed) {
        result_step(&j->steps, ruleset_rule(j->input->ruleset, "numbers", "trials-needed", 0).text,
                    "%u of %u trial%s %s passed; the committee asks for %u: the session is %s",
                    passed, finished, BL_S(finished), BL_ARE(passed), needed,
                    passed >= needed ? "passed" : "not passed");
        return passed >= needed ? RESULT_PASSED : RESULT_FAILED;
    }
    if (passed == finished || passed == 0) {
        result_step(&j->steps, result_rule(j, "scoring", 2).text,
                    "%u of %u trial%s %s passed: the session is %s", passed, finished,
                    BL_S(finished), BL_ARE(passed), passed ? "passed" : "not passed");
        return passed ? RESULT_PASSED : RESULT_FAILED;
    }
    result_step(&j->steps, ruleset_rule(j->input->ruleset, "numbers", "trials-needed", 0).text,
                "%u of %u trial%s %s passed, and the rules do not say how many a session needs: "
                "that is the committee's (trials-needed)",
                passed, finished, BL_S(finished), BL_ARE(passed));
    return RESULT_OPEN;
}

/* Reports one trial's outcome. False: it is not finished. */
static bool try_trial(const struct judging *j, unsigned t, struct trial_result *trial)
{
    const struct rule rule = ruleset_rule(j->input->ruleset, "numbers", "trials-least", 1);
    unsigned least = (unsigned)j->input->ruleset->judges_least, judges = count_judges(j, t);
    determine(j, t, trial);
    rank(j, t, trial);
    trial->missing = count_missing(j->input, t);
    trial->finished = !trial->missing && judges >= least;
    if (trial->missing)
        result_step(&j->steps, rule.text,
                    "trial %u is not finished: missing are %u ballot%s or rank%s", t + 1,
                    trial->missing, BL_S(trial->missing), BL_S(trial->missing));
    else if (!trial->finished)
        result_step(&j->steps, rule.text,
                    "trial %u cannot be finished: %u judge%s %s voted on the computer and %d "
                    "foils and ranked them, and %u are needed: another trial takes its place",
                    t + 1, judges, BL_S(judges), BL_HAVE(judges),
                    j->input->ruleset->confederates_least, least);
    return trial->finished;
}

/* The Entry that is the session's computer: the first that has not withdrawn; otherwise the last.
 * Only finalists not disqualified count. -1: none. */
static int find_computer(const struct result_input *in)
{
    int left = -1;
    for (unsigned e = in->entries; e-- > 0;)
        if (!in->disqualified[e] && !in->unaccepted[e] && !in->not_final[e] &&
            (left < 0 || !in->withdrawn[e]))
            left = (int)e;
    return left;
}

/* Reports the consequence (II
 *
 * 16), and whether a pass was in time. */
static void tell_wager(const struct judging *j, enum result_outcome outcome)
{
    const struct ruleset *rules = j->input->ruleset;
    char day[RULESET_DATE_MAX];
    if (outcome == RESULT_PASSED && rules->after_pass[0])
        result_step(&j->steps, result_rule(j, "after-pass", RULE_ALL).text, "%s",
                    rules->after_pass);
    if (outcome == RESULT_FAILED && rules->after_fail[0])
        result_step(&j->steps, result_rule(j, "after-fail", RULE_ALL).text, "%s",
                    rules->after_fail);
    if (outcome != RESULT_PASSED || !rules->pass_by[0] || j->input->voted_us == 0)
        return;
    ruleset_day_text(j->input->voted_us, day);
    result_step(&j->steps, result_rule(j, "pass-by", RULE_ALL).text,
                "the last vote was recorded on %s, and a pass counts until %s: it came %s", day,
                rules->pass_by, strcmp(day, rules->pass_by) > 0 ? "too late" : "in time");
}

void result_long_bet(struct judging *j, struct result *result)
{
    unsigned finished = 0, passed = 0;
    int computer = find_computer(j->input);
    if (computer < 0) {
        result->outcome = RESULT_NO_ENTRY;
        if (j->input->entries)
            result_step(&j->steps, "manager", "the computer is disqualified");
        return;
    }
    j->computer = (unsigned)computer;
    result->trials = j->input->trials ? j->input->trials : 1;
    for (unsigned t = 0; t < result->trials; t++) {
        struct trial_result *trial = &result->trial[t];
        if (!try_trial(j, t, trial))
            continue;
        finished++;
        passed += trial->determined && trial->ranked;
        result_step(&j->steps, result_rule(j, "scoring", 2).text,
                    "trial %u: both tests are needed: %s", t + 1,
                    trial->determined && trial->ranked ? "passed" : "not passed");
    }
    result->outcome = join(j, finished, passed);
    tell_wager(j, result->outcome);
}
