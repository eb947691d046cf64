/* Rates with their uncertainty: intervals of 95 %, a test against a given rate, and the number of
 * games that tells one rate from another. All are two-sided, at a level of 5 %. Pure.
 *
 * * Sources: E. B. Wilson, JASA 22 (1927) 209; C. J. Clopper and E. S. Pearson, Biometrika 26
 * (1934) 404. */
#ifndef CONTEST_RATES_H
#define CONTEST_RATES_H

#define RATES_GAMES_MAX 100000 /* games in one rate */

/* From `low` to `high`, both from 0 to 1. */
struct rate_interval {
    double low, high;
};

/* The intervals of `count` in `games` (at least 1). rate_wilson(): the score interval. The other:
 * the exact interval, which covers the true rate in at least 95 % of all cases. */
struct rate_interval rate_wilson(unsigned count, unsigned games);
struct rate_interval rate_exact(unsigned count, unsigned games);

/* The exact probability of all counts that are at most as probable as this one, at the true rate
 * `rate` (0 to 1). */
double rate_test(unsigned count, unsigned games, double rate);

/* The probability that `games` of true rate `rate` give an exact interval without `other`. */
double rate_power(unsigned games, double rate, double other);

/* The least number of games from which on the power is at least `power` (below 1). 0: more than
 * RATES_GAMES_MAX / 10, or the rates are equal. */
unsigned rate_games(double rate, double other, double power);

#endif
