/* The preliminary round of 2003, r32 to r37: the judges' Entries, and the choice of the
 * finalists. */
#include "contest/selection_private.h"

#include <string.h>

/* Indices of the rules that the ruleset cites for its method; 2003: r32, r34, r36, r37. */
enum { ALL, LISTS, MEANS, TIES };

#define RESERVES 2 /* without a ruleset's number: 2003 r36, one or two */

static int by_mean_rank(const struct selecting *s, unsigned a, unsigned b)
{
    return fraction_compare(s->selection->mean_rank[a], s->selection->mean_rank[b]);
}

/* Checks a judge's list: the ranks 1 to its length, each once, of different Entries. An Entry that
 * has left keeps its rank. */
static enum bl_status check_list(const struct selecting *s, unsigned judge, unsigned *length,
                                 struct bl_diag *diag)
{
    const struct selection_input *in = s->input;
    bool rank[SELECTION_ENTRIES_MAX + 1] = {false}, entry[SELECTION_ENTRIES_MAX] = {false};
    unsigned count = 0, highest = 0;
    for (unsigned i = 0; i < in->ranks; i++) {
        const struct selection_rank *r = &in->rank[i];
        if (r->judge != judge)
            continue;
        if (r->entry >= in->entries || entry[r->entry])
            return bl_fail(diag, BL_DATA,
                           "preliminary judge %u: there is no E%u, or it is ranked twice",
                           judge + 1, r->entry + 1U);
        if (r->rank == 0 || r->rank > SELECTION_ENTRIES_MAX || rank[r->rank])
            return bl_fail(diag, BL_DATA,
                           "preliminary judge %u: rank %u is out of range, or is given twice",
                           judge + 1, r->rank);
        entry[r->entry] = rank[r->rank] = true;
        highest = r->rank > highest ? r->rank : highest;
        count++;
    }
    if (highest != count)
        return bl_fail(diag, BL_DATA, "preliminary judge %u: expected ranks 1 to %u, each once",
                       judge + 1, count);
    *length = count;
    return BL_OK;
}

static enum bl_status check_lists(const struct selecting *s, struct bl_diag *diag)
{
    unsigned most = (unsigned)s->input->ruleset->judge_load_most, shortest = 0, longest = 0;
    for (unsigned judge = 0; judge < 256; judge++) {
        unsigned length = 0;
        enum bl_status status = check_list(s, judge, &length, diag);
        if (status != BL_OK)
            return status;
        if (most && length > most)
            return bl_fail(diag, BL_DATA,
                           "preliminary judge %u evaluates %u Entries; %u is the most (%s)",
                           judge + 1, length, most, selection_rule(s, "judge-load-most", 0).text);
        shortest = length && (!shortest || length < shortest) ? length : shortest;
        longest = length > longest ? length : longest;
    }
    if (shortest != longest)
        result_step(&s->steps, selection_rule(s, "method", MEANS).text,
                    "the lists have %u to %u Entries, and the rule takes the means of their ranks "
                    "as they are",
                    shortest, longest);
    return BL_OK;
}

static enum bl_status count_ranks(struct selecting *s, const struct entries *all,
                                  struct bl_diag *diag)
{
    unsigned least = (unsigned)s->input->ruleset->entry_judges_least;
    for (unsigned i = 0; i < s->input->ranks; i++) {
        struct fraction *mean = &s->selection->mean_rank[s->input->rank[i].entry];
        mean->numerator += s->input->rank[i].rank;
        mean->denominator++;
    }
    for (unsigned i = 0; i < all->count; i++) {
        const struct fraction *mean = &s->selection->mean_rank[all->entry[i]];
        if (mean->denominator < (int64_t)least || mean->denominator == 0)
            return bl_fail(diag, BL_DATA, "E%u has %d preliminary judges; %u is the least (%s)",
                           all->entry[i] + 1U, (int)mean->denominator, least ? least : 1,
                           selection_rule(s, "entry-judges-least", 0).text);
        result_step(&s->steps, selection_rule(s, "method", MEANS).text, "E%u: mean rank %d/%d",
                    all->entry[i] + 1U, (int)mean->numerator, (int)mean->denominator);
    }
    return BL_OK;
}

/* A reserve replaces a lost finalist; without one, a further confederate does (r16, r22). `rest`
 * are the reserves, the best first. */
static void replace_lost(struct selecting *s, struct entries *finalists, struct entries *rest)
{
    struct entries kept = {.count = 0};
    unsigned next = 0;
    for (unsigned i = 0; i < finalists->count; i++) {
        unsigned entry = finalists->entry[i];
        if (!s->input->lost[entry]) {
            kept.entry[kept.count++] = (uint8_t)entry;
            continue;
        }
        s->selection->stage[entry] = STAGE_OUT;
        while (next < rest->count && s->input->lost[rest->entry[next]])
            s->selection->stage[rest->entry[next++]] = STAGE_OUT;
        if (next < rest->count) {
            result_step(&s->steps, selection_rule(s, "reserves", 1).text,
                        "E%u is lost: the reserve E%u takes its place", entry + 1,
                        rest->entry[next] + 1U);
            kept.entry[kept.count++] = rest->entry[next++];
        } else {
            result_step(&s->steps, selection_rule(s, "reserves", 1).text,
                        "E%u is lost and no reserve is left: a further confederate takes its "
                        "place",
                        entry + 1);
            s->selection->more_confederates++;
        }
    }
    for (; next < rest->count; next++) {
        bool lost = s->input->lost[rest->entry[next]];
        s->selection->stage[rest->entry[next]] = lost ? STAGE_OUT : STAGE_RESERVE;
    }
    *finalists = kept;
}

/* The order of a and b in the reserve: the better mean; of equals the panel's choice (r37). */
static int by_reserve(const struct selecting *s, unsigned a, unsigned b)
{
    int order = by_mean_rank(s, a, b);
    return order ? order : s->input->chosen[b] - s->input->chosen[a];
}

/* Reports equals in the reserve, or just outside it, which a panel may settle (r37). */
static void tell_equals(const struct selecting *s, const struct entries *sorted,
                        const struct entries *finalists, const struct entries *reserves)
{
    for (unsigned i = 0; i < reserves->count; i++) {
        struct entries equal = {.count = 0};
        char names[128];
        for (unsigned k = 0; k < sorted->count; k++)
            if (!selection_has(finalists, sorted->entry[k]) &&
                by_reserve(s, sorted->entry[k], reserves->entry[i]) == 0)
                equal.entry[equal.count++] = sorted->entry[k];
        if (equal.count < 2 || equal.entry[0] != reserves->entry[i])
            continue;
        selection_names(&equal, names, sizeof names);
        result_step(&s->steps, selection_rule(s, "method", TIES).text,
                    "%s are equal for the reserve, and stand in the order of their numbers "
                    "until a panel chooses",
                    names);
    }
}

/* Finds the reserves: the best Entries except the finalists. */
static void find_reserves(struct selecting *s, struct entries *sorted,
                          const struct entries *finalists, struct entries *reserves)
{
    int said = s->input->ruleset->reserves;
    unsigned room = said ? (unsigned)said : RESERVES;
    reserves->count = 0;
    selection_sort(s, sorted, by_reserve);
    for (unsigned i = 0; i < sorted->count && reserves->count < room; i++)
        if (!selection_has(finalists, sorted->entry[i]))
            reserves->entry[reserves->count++] = sorted->entry[i];
}

enum bl_status selection_by_ranks(struct selecting *s, struct entries *all, struct bl_diag *diag)
{
    unsigned eight = selection_most(s->input->ruleset->entries_most);
    struct entries sorted, reserves = {.count = 0};
    char names[64];
    enum bl_status status;
    if (all->count <= eight) {
        result_step(&s->steps, selection_rule(s, "method", ALL).text,
                    "%u Entries: all go to the final round", all->count);
        replace_lost(s, all, &reserves);
        selection_finish(s, all, selection_rule(s, "method", ALL).text);
        return BL_OK;
    }
    result_step(&s->steps, selection_rule(s, "method", ALL).text,
                "%u Entries: a preliminary round selects %u", all->count, eight);
    selection_move(s, all, STAGE_PRELIM);
    if (s->input->ranks == 0 || s->input->lists_missing) {
        s->selection->outcome = SELECTION_WANTS_PRELIM;
        result_step(&s->steps, selection_rule(s, "method", LISTS).text,
                    s->input->ranks ? "lists of judges who were allotted Entries are missing"
                                    : "the judges' ranks are missing");
        return BL_OK;
    }
    status = check_lists(s, diag);
    if (status == BL_OK)
        status = count_ranks(s, all, diag);
    if (status != BL_OK)
        return status;
    selection_sort(s, all, by_mean_rank);
    sorted = *all;
    if (!selection_cut(s, all, eight, by_mean_rank, selection_rule(s, "method", TIES).text))
        return BL_OK;
    find_reserves(s, &sorted, all, &reserves);
    selection_move(s, &reserves, STAGE_RESERVE);
    tell_equals(s, &sorted, all, &reserves);
    selection_names(&reserves, names, sizeof names);
    result_step(&s->steps, selection_rule(s, "method", MEANS).text, "in reserve: %s", names);
    replace_lost(s, all, &reserves);
    selection_finish(s, all, selection_rule(s, "method", MEANS).text);
    return BL_OK;
}

enum bl_status selection_allot(struct allotment *allotment, unsigned entries, unsigned judges,
                               unsigned least, unsigned most, struct bl_diag *diag)
{
    unsigned each = judges ? (entries * least + judges - 1) / judges : 0;
    memset(allotment, 0, sizeof *allotment);
    most = most && most < entries ? most : entries;
    if (entries == 0 || entries > SCHEDULE_ENTRIES_MAX || judges > SCHEDULE_ENTRIES_MAX)
        return bl_fail(diag, BL_DATA, "expected 1 to %d Entries and judges, not %u and %u",
                       SCHEDULE_ENTRIES_MAX, entries, judges);
    each = each ? each : 1;
    if (judges < least || each > most) {
        unsigned wanted = (entries * least + most - 1) / most;
        return bl_fail(diag, BL_DATA,
                       "%u judges are too few: with %u Entries for %u judge%s each, and %u Entries "
                       "a judge at most, %u are needed",
                       judges, entries, least, BL_S(least), most, wanted > least ? wanted : least);
    }
    allotment->judges = judges;
    allotment->each = each;
    /* Each list goes on where the list before ended, round the Entries. No list is longer than a
     * round. */
    for (unsigned j = 0; j < judges; j++) {
        allotment->judge[j] = (uint8_t)j;
        for (unsigned k = 0; k < each; k++)
            allotment->entry[j][k] = (uint8_t)((j * each + k) % entries);
    }
    return BL_OK;
}
