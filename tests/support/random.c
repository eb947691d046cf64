#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

uint64_t dice_seed(const char *name)
{
    const char *given = getenv("SEED");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)now.tv_nsec / 1000u;
    printf("# SEED=%llu (%s)\n", (unsigned long long)seed, name);
    fflush(stdout); /* a crash must not take it along */
    return seed;
}

struct dice dice_make(uint64_t seed)
{
    return (struct dice){.state = seed};
}

/* SplitMix64 (Steele, Lea, Flood 2014): any seed will do, also 0. */
uint64_t dice_next(struct dice *dice)
{
    uint64_t z = dice->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

uint64_t dice_below(struct dice *dice, uint64_t below)
{
    return dice_next(dice) % below;
}
