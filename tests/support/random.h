/* Seeded dice for tests: the seed is printed, and SEED in the environment repeats a run. */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include <stdint.h>

struct dice {
    uint64_t state;
};

/* SEED of the environment or one from the clock; prints "# SEED=n (name)". */
uint64_t dice_seed(const char *name);

struct dice dice_make(uint64_t seed);

uint64_t dice_next(struct dice *dice);

/* 0 to below - 1; below is at least 1. */
uint64_t dice_below(struct dice *dice, uint64_t below);

#endif
