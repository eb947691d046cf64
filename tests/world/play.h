/* Plays one session by its seed. */
#ifndef WORLD_PLAY_H
#define WORLD_PLAY_H

#include "alone.h"
#include "mishaps.h"

struct play {
    uint64_t seed;
    unsigned seconds; /* that a part of the plan lasts; 0: 20 */
    unsigned faults;  /* mishaps in 20 s at most; 0: none */
    bool secret;      /* encrypted lines */
    bool controller;  /* joins and cuts the lines, and has mishaps of its own */
    uint64_t only;    /* bits of the mishaps that happen; UINT64_MAX: all */
};

struct play_result {
    char wrong[ALONE_WRONG]; /* "": all is well */
    uint64_t hash, us;
    unsigned mishaps;     /* that the seed has drawn */
    unsigned differences; /* sides that a steward had to decide */
    uint64_t keys;
};

/* The mishaps of that session. Returns how many. */
unsigned play_mishaps(const struct play *play, struct mishap mishap[MISHAPS]);

/* Here, with the log if world_logs says so. */
void play_here(const struct play *play, struct play_result *result);

/* In a process of its own. */
void play_apart(const struct play *play, struct play_result *result);

#endif
