/* Statistics of the parties' typing. Pure. Timing tells a program from a person: a person's gaps
 * vary by 0.7 to 1.2, and BackSpaces remove 1 to 11 % of a person's keys. */
#ifndef TRANSCRIPT_STATS_H
#define TRANSCRIPT_STATS_H

#include "transcript/history.h"

/* A longer gap is a pause, and does not count as typing. */
#define STATS_PAUSE_US 2000000u

struct stats_party {
    uint64_t keys, backspaces, returns;
    uint64_t words; /* words of the final text: runs without a blank */
    /* Number of gaps between successive keys of a party on one side, without gaps after a Return,
     * pauses, and steps back in time. */
    uint64_t gaps;
    uint64_t median_us; /* 0 if there are no gaps */
    double variation;   /* standard deviation divided by mean; 0 for fewer than two gaps */
};

struct stats {
    struct stats_party of[SIDES][PARTIES];
};

/* Computes the statistics of a history. BL_NOMEM. */
enum bl_status stats_compute(const struct history *history, struct stats *stats);

/* Share of BackSpaces among all keys, 0 to 1. */
double stats_backspace_share(const struct stats_party *party);

#endif
