/* The ways to break a tie, in the ruleset's order. */
#include "contest/result_private.h"

#include <sodium/crypto_shorthash.h>
#include <stdio.h>
#include <string.h>

struct tie_way {
    const char *word, *what;
    struct fraction (*value)(const struct judging *,
                             unsigned); /* NULL: the way compares no values */
};

static const struct fraction none = {0, 0};

static struct fraction points_of(const struct judging *j, unsigned candidate)
{
    return (struct fraction){j->of[candidate].points, 1};
}

static struct fraction prelim_of(const struct judging *j, unsigned candidate)
{
    return candidate < j->input->entries ? j->input->prelim[candidate] : none;
}

static struct fraction rank_of(const struct judging *j, unsigned candidate)
{
    return j->of[candidate].mean;
}

/* Keeps the Entries with the highest value. False, without a change: one of them has no value. */
static bool keep_highest(const struct judging *j, struct set *equal,
                         struct fraction (*value)(const struct judging *, unsigned))
{
    struct set best = {.count = 0};
    for (unsigned i = 0; i < equal->count; i++)
        if (value(j, equal->member[i]).denominator == 0)
            return false;
    for (unsigned i = 0; i < equal->count; i++) {
        int order =
            best.count ? fraction_compare(value(j, equal->member[i]), value(j, best.member[0])) : 0;
        if (order > 0)
            best.count = 0;
        if (order >= 0)
            best.member[best.count++] = equal->member[i];
    }
    *equal = best;
    return true;
}

/* True if this way breaks the tie by ranks, and some are still to come (2009 §3b). */
static bool awaits_ranks(const struct judging *j, const struct set *equal,
                         const struct tie_way *way)
{
    bool awaits = false;
    for (unsigned i = 0; i < equal->count; i++)
        awaits = awaits ||
                 (equal->member[i] < j->input->entries && j->input->rank_awaited[equal->member[i]]);
    return way->value == rank_of && awaits && !j->input->closed;
}

/* Reports the deciding values: "E1 150, E3 7 / 3". */
static void tell_values(const struct judging *j, const struct set *equal, const struct tie_way *way,
                        const char *rule)
{
    char text[192] = "";
    size_t length = 0;
    for (unsigned i = 0; i < equal->count && length < sizeof text; i++) {
        const struct set one = {.count = 1, .member = {equal->member[i]}};
        struct fraction value = way->value(j, equal->member[i]);
        char name[8];
        result_name_set(j, &one, name, sizeof name);
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%s ", i ? ", " : "", name);
        if (length < sizeof text && value.denominator == 0)
            length += (size_t)snprintf(text + length, sizeof text - length, "none");
        else if (length < sizeof text && value.denominator == 1)
            length += (size_t)snprintf(text + length, sizeof text - length, "%lld",
                                       (long long)value.numerator);
        else if (length < sizeof text)
            length += (size_t)snprintf(text + length, sizeof text - length, "%lld / %lld",
                                       (long long)value.numerator, (long long)value.denominator);
    }
    result_step(&j->steps, rule, "%s: %s", way->what, text);
}

static uint64_t bits_of(const struct set *set)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < set->count; i++)
        bits |= UINT64_C(1) << set->member[i];
    return bits;
}

static void keep_one(struct set *set, unsigned entry)
{
    set->count = 1;
    set->member[0] = (person_number)entry;
}

/* The last decision, of the coin or of the judges, for these equals; NULL: none. */
static const struct result_decision *find_decision(const struct judging *j, const struct set *equal,
                                                   bool coin)
{
    uint64_t set = bits_of(equal);
    for (unsigned i = j->input->decisions; i-- > 0;) {
        const struct result_decision *d = &j->input->decision[i];
        if (d->coin == coin && (d->chosen ? (set & ~d->among) == 0 && set_has(equal, d->chosen - 1U)
                                          : set == d->among))
            return d;
    }
    return NULL;
}

/* Applies the judges' decision. *split: a conference about these Entries had no majority. */
static bool keep_conferred(const struct judging *j, struct set *equal, unsigned place, bool *split)
{
    const struct result_decision *decision = find_decision(j, equal, false);
    unsigned chosen = decision ? decision->chosen : j->input->conferred[place - 1];
    *split = decision ? !chosen : j->input->split[place - 1];
    if (chosen == 0 || !set_has(equal, chosen - 1))
        return false;
    *split = false;
    keep_one(equal, chosen - 1);
    return true;
}

/* An old contest's coin: a keyed hash of the place under a committed seed. The tied Entries are in
 * the order of their numbers. */
static bool keep_old_coin(const struct judging *j, struct set *equal, unsigned place)
{
    uint8_t hash[crypto_shorthash_BYTES];
    const uint8_t tossed[1] = {(uint8_t)place};
    uint64_t number = 0;
    unsigned lot[SCHEDULE_ENTRIES_MAX], count = 0;
    if (!j->input->coin_tossed)
        return false;
    _Static_assert(RESULT_SEED_BYTES == crypto_shorthash_KEYBYTES, "the seed is the hash's key");
    crypto_shorthash(hash, tossed, sizeof tossed, j->input->coin);
    for (unsigned i = 0; i < sizeof hash; i++)
        number = number << 8 | hash[i];
    for (unsigned c = 0; c < j->input->entries; c++)
        if (set_has(equal, c))
            lot[count++] = c;
    keep_one(equal, lot[number % count]);
    return true;
}

/* Applies the coin's decision; with `old`, also an old contest's coin. */
static bool keep_coin(const struct judging *j, struct set *equal, unsigned place, bool old)
{
    const struct result_decision *decision = find_decision(j, equal, true);
    if (!decision)
        return old && keep_old_coin(j, equal, place);
    keep_one(equal, decision->chosen - 1U);
    return true;
}

static const struct tie_way ways[] = {
    {"points", "by the total of the points", points_of},
    {"prelim", "by the preliminary round", prelim_of},
    {"mean-rank", "by the mean of the ranks from those who judged it non-human", rank_of},
    {"confer", "by the judges in conference", NULL},
    {"coin", "by the coin", NULL},
};

static const struct tie_way *find_way(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (strlen(ways[i].word) == length && strncmp(ways[i].word, word, length) == 0)
            return &ways[i];
    return NULL; /* manager */
}

void result_break_tie(struct judging *j, struct set *equal, unsigned place)
{
    char names[128];
    int number = 0;
    bool waits = false; /* waits for the judges' conference before the coin */
    for (const char *at = j->input->ruleset->ties; *(at += strspn(at, " ,")); number++) {
        const struct rule rule = result_rule(j, "ties", number);
        size_t length = strcspn(at, " ,");
        const struct tie_way *way = find_way(at, length);
        bool known, split = false;
        at += length;
        if (equal->count < 2 || !way)
            return;
        result_name_set(j, equal, names, sizeof names);
        if (way->value) {
            tell_values(j, equal, way, rule.text);
            known = !awaits_ranks(j, equal, way) && keep_highest(j, equal, way->value);
        } else if (strcmp(way->word, "confer") == 0) {
            j->equal[place - 1] = bits_of(equal);
            known = keep_conferred(j, equal, place, &split);
            waits = !known && j->input->coin_waits && !split;
        } else {
            j->equal[place - 1] = bits_of(equal) | j->equal[place - 1];
            known = keep_coin(j, equal, place, !waits);
        }
        if (split) {
            result_step(&j->steps, rule.text,
                        "%s are equal for place %u; the judges conferred, without a majority",
                        names, place);
            continue;
        }
        if (!known) {
            result_step(&j->steps, rule.text,
                        "%s are equal for place %u; %s, it cannot be decided yet", names, place,
                        way->what);
            continue;
        }
        char left[128];
        result_name_set(j, equal, left, sizeof left);
        result_step(&j->steps, rule.text, "%s are equal for place %u; %s: %s", names, place,
                    way->what, left);
    }
}
