#include "rules/ballot.h"

#include "rules/ballot_kind.h"

static bool is_met(const struct schedule *schedule, const struct ballot *b)
{
    for (unsigned i = 0; i < schedule->count; i++) {
        const struct meeting *meeting = &schedule->meeting[i];
        if (meeting->judge == b->judge && meeting->entry == b->entry &&
            meeting->confederate == b->confederate)
            return true;
    }
    return false;
}

bool ballot_is_same(const struct ballot *one, const struct ballot *other)
{
    return one->confederate == other->confederate && one->entry_points == other->entry_points &&
           one->confederate_points == other->confederate_points &&
           one->entry_human == other->entry_human && one->rating == other->rating &&
           one->fields == other->fields;
}

enum bl_status ballot_check(const struct ballot *ballot, const struct ruleset *ruleset,
                            const struct schedule *schedule, const struct ballot *cast,
                            unsigned count, struct bl_diag *diag)
{
    struct vote_rules rules = ruleset_vote(ruleset);
    struct bl_diag why;
    if (!is_met(schedule, ballot))
        return bl_fail(diag, BL_DATA,
                       "judge %u has no session with %s in this contest; contest show lists them",
                       ballot->judge + 1U,
                       ballot->confederate == PERSON_NOBODY ? "this candidate" : "these two");
    for (unsigned i = 0; i < count; i++)
        if (cast[i].judge == ballot->judge && cast[i].entry == ballot->entry &&
            cast[i].confederate == ballot->confederate && cast[i].trial == ballot->trial)
            return bl_fail(diag, BL_DATA,
                           "judge %u has voted on this session already; --correct replaces it",
                           ballot->judge + 1U);
    rules.asked.count = 0; /* the values of the fields are checked elsewhere */
    if (ballot_check_vote(ballot, &rules, &why))
        return bl_fail(diag, BL_DATA, "%s (%s)", why.text,
                       ruleset_rule(ruleset, "ballot", ruleset->kind_key, RULE_ALL).text);
    return BL_OK;
}

/* True if the judge may rank the candidate, after a meeting. If only the non-human are ranked, one
 * of the judge's ballots must call the candidate non-human. */
static bool may_rank(const struct ranking *of, unsigned candidate, const struct ruleset *ruleset,
                     const struct ballot *cast, unsigned ballots, unsigned entries)
{
    for (unsigned i = 0; i < ballots; i++) {
        const struct ballot *b = &cast[i];
        if (b->judge != of->judge || b->trial != of->trial)
            continue;
        if (ruleset->ranks == RANKS_CANDIDATES) {
            if (b->entry == candidate)
                return true;
        } else if ((b->entry == candidate && !b->entry_human) ||
                   (entries + b->confederate == candidate && b->entry_human)) {
            return true;
        }
    }
    return false;
}

enum bl_status ranking_check(const struct ranking *ranking, unsigned count,
                             const struct ruleset *ruleset, const struct ballot *cast,
                             unsigned ballots, unsigned entries, struct bl_diag *diag)
{
    bool used[256] = {false};
    unsigned wanted = 0;
    if (count == 0 || ruleset->ranks == RANKS_NONE || ruleset->ranks == 0)
        return bl_fail(diag, BL_DATA, "no ranks are asked for");
    for (unsigned c = 0; c < sizeof used; c++)
        wanted += may_rank(&ranking[0], c, ruleset, cast, ballots, entries);
    if (count != wanted)
        return bl_fail(diag, BL_DATA, "%u ranks: expected %u, one for each that was %s", count,
                       wanted,
                       ruleset->ranks == RANKS_NON_HUMAN ? "judged non-human" : "interviewed");
    for (unsigned i = 0; i < count; i++) {
        const struct ranking *r = &ranking[i];
        if (r->judge != ranking[0].judge || r->trial != ranking[0].trial)
            return bl_fail(diag, BL_DATA, "ranks of two judges, or of two trials, at once");
        if (r->rank < 1 || r->rank > count || used[r->rank])
            return bl_fail(diag, BL_DATA, "rank %u: expected 1 to %u, each once", r->rank, count);
        used[r->rank] = true;
        if (!may_rank(r, r->candidate, ruleset, cast, ballots, entries))
            return bl_fail(diag, BL_DATA,
                           ruleset->ranks == RANKS_NON_HUMAN
                               ? "one of these was not judged non-human"
                               : "one of these was not interviewed");
        for (unsigned k = 0; k < i; k++)
            if (ranking[k].candidate == r->candidate)
                return bl_fail(diag, BL_DATA, "one of these has two ranks");
    }
    return BL_OK;
}
