#include "contest/rates.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define LEVEL 0.05
#define Z     1.959963984540054 /* the normal distribution's quantile of 1 - LEVEL / 2 */

/* Sums binomial terms of counts from `from` to `to`, and all terms of at most `bound`; *all is the
 * sum of all terms. The unit is the most probable term, and the sum goes outwards from it, so
 * nothing overflows. The rate is above 0 and below 1. */
static double sum_terms(unsigned games, double rate, unsigned from, unsigned to, double bound,
                        double *all)
{
    double odds = rate / (1 - rate), mode = floor((games + 1.0) * rate), sum = 0, term = 1;
    unsigned middle = mode > games ? games : (unsigned)mode;
    *all = 0;
    for (unsigned n = middle; term > 0; n++) {
        *all += term;
        sum += (n >= from && n <= to) || term <= bound ? term : 0;
        if (n == games)
            break;
        term *= (games - n) / (n + 1.0) * odds;
    }
    term = 1;
    for (unsigned n = middle; n > 0 && term > 0; n--) {
        term *= n / (games - n + 1.0) / odds;
        *all += term;
        sum += (n - 1 >= from && n - 1 <= to) || term <= bound ? term : 0;
    }
    return sum;
}

static double probability(unsigned games, double rate, unsigned from, unsigned to)
{
    if (rate <= 0 || rate >= 1) {
        unsigned sure = rate <= 0 ? 0 : games;
        return from <= sure && sure <= to;
    }
    double all, sum = sum_terms(games, rate, from, to, 0, &all);
    return sum / all;
}

struct rate_interval rate_wilson(unsigned count, unsigned games)
{
    assert(games > 0 && count <= games);
    double n = games, p = count / n, z2 = Z * Z, scale = 1 + z2 / n;
    double middle = (p + z2 / (2 * n)) / scale;
    double half = Z * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / scale;
    return (struct rate_interval){count == 0 ? 0 : middle - half,
                                  count == games ? 1 : middle + half};
}

/* The rate at which the tail from `count`, upwards or downwards, has half the level. */
static double tail_rate(unsigned count, unsigned games, bool upwards)
{
    double low = 0, high = 1;
    for (;;) {
        double rate = (low + high) / 2;
        if (rate <= low || rate >= high)
            return rate;
        double tail =
            upwards ? probability(games, rate, count, games) : probability(games, rate, 0, count);
        if ((tail > LEVEL / 2) == upwards)
            high = rate;
        else
            low = rate;
    }
}

struct rate_interval rate_exact(unsigned count, unsigned games)
{
    assert(games > 0 && games <= RATES_GAMES_MAX && count <= games);
    return (struct rate_interval){count == 0 ? 0 : tail_rate(count, games, true),
                                  count == games ? 1 : tail_rate(count, games, false)};
}

double rate_test(unsigned count, unsigned games, double rate)
{
    assert(games > 0 && games <= RATES_GAMES_MAX && count <= games);
    if (rate <= 0 || rate >= 1)
        return probability(games, rate, count, count);
    double all, own = sum_terms(games, rate, count, count, 0, &all);
    /* Terms of equal probability differ in their last digits. */
    return sum_terms(games, rate, 1, 0, own * (1 + 1e-9), &all) / all;
}

double rate_power(unsigned games, double rate, double other)
{
    /* From `high` on, the upper tail of `other` is at most half the level; below `low`, the lower
     * tail is. */
    unsigned high = 0, low = 0;
    for (unsigned end = games + 1; high < end;) {
        unsigned middle = high + (end - high) / 2;
        if (probability(games, other, middle, games) > LEVEL / 2)
            high = middle + 1;
        else
            end = middle;
    }
    for (unsigned end = games + 1; low < end;) {
        unsigned middle = low + (end - low) / 2;
        if (probability(games, other, 0, middle) > LEVEL / 2)
            end = middle;
        else
            low = middle + 1;
    }
    return (high <= games ? probability(games, rate, high, games) : 0) +
           (low > 0 ? probability(games, rate, 0, low - 1) : 0);
}

unsigned rate_games(double rate, double other, double power)
{
    /* The power is nearly monotonic in the games. So the search goes down from a number that is
     * more than enough by the normal distribution. */
    if (rate == other)
        return 0;
    double spread = fmax(sqrt(rate * (1 - rate)), sqrt(other * (1 - other)));
    double enough = 60 + 2 * pow(spread * (Z + 4) / (rate - other), 2);
    unsigned games = enough > RATES_GAMES_MAX / 10.0 ? RATES_GAMES_MAX / 10 : (unsigned)enough;
    if (rate_power(games, rate, other) < power)
        return 0;
    while (games > 1 && rate_power(games - 1, rate, other) >= power)
        games--;
    return games;
}
