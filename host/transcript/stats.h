/* The typing of a transcript's parties. Pure. The reason: typed key by key, timing tells a program
 * from a person, whose gaps vary by 0.7 to 1.2 and who takes 1 to 11 % of the keys back. */
#ifndef TRANSCRIPT_STATS_H
#define TRANSCRIPT_STATS_H

#include "transcript/history.h"

/* A longer gap is a pause in which somebody reads or thinks, not typing. */
#define STATS_PAUSE_US 2000000u

struct stats_party {
    uint64_t keys, backspaces, returns;
    uint64_t words; /* of the text left by BackSpaces: runs without a blank */
    /* Gaps between one key and the next of the party on the same side within a line: not after its
     * Return, not pauses, not steps back in time. */
    uint64_t gaps;
    uint64_t median_us; /* 0 without gaps */
    double variation;   /* standard deviation over mean; 0 with fewer than two gaps */
};

struct stats {
    struct stats_party of[SIDES][PARTIES];
};

/* BL_NOMEM. */
enum bl_status stats_compute(const struct history *history, struct stats *stats);

/* BackSpaces of all its keys, 0 to 1. */
double stats_backspace_share(const struct stats_party *party);

#endif
