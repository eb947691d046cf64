#include "contest/odds.h"

#include "contest/result_private.h"

#include <string.h>

#define MEMBERS_MAX 8 /* most judges, and most candidates: the computer first, then the foils */
#define ORDERS_MAX  20e6

/* All combinations of the judges' orders, taken judge by judge. */
struct rankings {
    unsigned judges, candidates;
    uint8_t rank[MEMBERS_MAX][MEMBERS_MAX]; /* ranks by judge and candidate */
    double orders, passed;
};

/* Twice the median of a candidate's ranks. */
static unsigned median(const struct rankings *all, unsigned candidate)
{
    uint8_t sorted[MEMBERS_MAX] = {0};
    for (unsigned j = 0; j < all->judges; j++) {
        unsigned at = j;
        for (; at > 0 && sorted[at - 1] > all->rank[j][candidate]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = all->rank[j][candidate];
    }
    return (unsigned)sorted[(all->judges - 1) / 2] + sorted[all->judges / 2];
}

/* Tries every order of the judge's ranks from the candidate on, and of the later judges. `taken` is
 * the set of this judge's given ranks. */
static void give_ranks(struct rankings *all, unsigned judge, unsigned candidate, unsigned taken)
{
    if (candidate == all->candidates) {
        judge++;
        candidate = taken = 0;
    }
    if (judge == all->judges) {
        unsigned computer = median(all, 0), foils = 0;
        for (unsigned c = 1; c < all->candidates; c++)
            foils += computer >= median(all, c);
        all->orders++;
        all->passed += foils >= LONG_BET_LEAST;
        return;
    }
    for (unsigned rank = 0; rank < all->candidates; rank++) {
        if (taken & 1U << rank)
            continue;
        all->rank[judge][candidate] = (uint8_t)rank;
        give_ranks(all, judge, candidate + 1, taken | 1U << rank);
    }
}

/* The probability of `least` or more successes in `of` independent trials of probability p. */
static double at_least(unsigned least, unsigned of, double p)
{
    double sum[RESULT_TRIALS_MAX + 2] = {1}; /* sum[k]: probability of exactly k successes */
    double result = 0;
    for (unsigned i = 0; i < of; i++)
        for (unsigned k = i + 1; k <= i + 1; k--)
            sum[k] = sum[k] * (1 - p) + (k ? sum[k - 1] * p : 0);
    for (unsigned k = least; k <= of; k++)
        result += sum[k];
    return result;
}

enum bl_status odds_make(struct odds *odds, const struct odds_wanted *wanted, struct bl_diag *diag)
{
    struct rankings all = {.judges = wanted->judges, .candidates = wanted->foils + 1};
    double orders = 1;
    for (unsigned j = 0; j < all.judges; j++)
        for (unsigned c = 2; c <= all.candidates; c++)
            orders *= c;
    if (all.judges > MEMBERS_MAX || all.candidates > MEMBERS_MAX || orders > ORDERS_MAX)
        return bl_fail(
            diag, BL_DATA,
            "%u judge%s can rank %u foil%s and the computer in more ways than can be gone "
            "through: fewer judges or foils",
            wanted->judges, BL_S(wanted->judges), wanted->foils, BL_S(wanted->foils));
    give_ranks(&all, 0, 0, 0);
    memset(odds, 0, sizeof *odds);
    odds->determined = at_least(LONG_BET_LEAST, all.judges, wanted->human);
    odds->ranked = all.passed / all.orders;
    odds->trial = odds->determined * odds->ranked;
    for (unsigned n = 0; n <= wanted->trials; n++)
        odds->at_least[n] = at_least(n, wanted->trials, odds->trial);
    return BL_OK;
}
