/* The command line of the programs that play seeds one after the other, session and day: a failure
 * is one line that plays it again, with --shrink the fewest mishaps with which it still fails. */
#ifndef WORLD_SEEDS_H
#define WORLD_SEEDS_H

#include "alone.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

/* One play: its seed, and its mishaps. */
struct seed {
    uint64_t seed;
    unsigned faults; /* mishaps in 20 s at most; 0: none */
    uint64_t only;   /* bits of the mishaps that happen; UINT64_MAX: all */
};

struct seed_result {
    char wrong[ALONE_WRONG]; /* "": all is well; else the oracle's name, a colon, and its words */
    uint64_t hash, us, keys, counted;
    unsigned mishaps; /* that the seed has drawn */
};

struct seeds {
    const char *usage;           /* of its own options */
    const struct option *option; /* of these, each with a letter as its value; ends with NULL */
    unsigned faults;             /* if --faults does not say */
    const char *unit, *counted;  /* for the last line: "sessions", and what `counted` is of */
    /* Takes an option of its own. False: its value is none. */
    bool (*take)(int letter, const char *value);
    /* Prints its own options as they are to be given again. */
    void (*tell)(void);
    void (*play)(const struct seed *seed, struct seed_result *result);
    /* The i-th mishap of a seed, in words. */
    void (*mishap)(const struct seed *seed, unsigned i, char text[120]);
};

/* Returns what to exit with. */
int seeds_main(const struct seeds *seeds, int argc, char **argv);

#endif
