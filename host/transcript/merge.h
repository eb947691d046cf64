/* The keys and marks of all lines of a session in the order of time, which keeps the order of each
 * line whatever its clock did. Private to host/transcript. */
#ifndef TRANSCRIPT_MERGE_H
#define TRANSCRIPT_MERGE_H

#include "transcript/transcript.h"

struct merge {
    const struct transcript *transcript;
    struct {
        uint64_t key, mark; /* next ones */
        uint64_t at_us;     /* never falls */
    } side[SIDES];
};

struct merge_item {
    enum side side;
    uint64_t index;                     /* from 0: of the key, or of the mark */
    const struct key_event *key;        /* NULL: it is a mark */
    const struct transcript_mark *mark; /* NULL: it is a key */
    uint64_t at_us;
};

/* Start with {.transcript = ...}. false: that was all. */
bool merge_next(struct merge *merge, struct merge_item *item);

/* Is there anything of this line? And how many lines are there? */
bool merge_has(const struct transcript *transcript, enum side side);
unsigned merge_sides(const struct transcript *transcript);

#endif
