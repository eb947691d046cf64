/* Merges the keys and marks of all lines of a session by time. Each line's own order is kept, also
 * if its times step back. */
#ifndef TRANSCRIPT_MERGE_H
#define TRANSCRIPT_MERGE_H

#include "transcript/transcript.h"

struct merge {
    const struct transcript *transcript;
    struct {
        uint64_t key, mark; /* indexes of the next key and mark */
        uint64_t at_us;     /* never steps back */
    } side[SIDES];
};

struct merge_item {
    enum side side;
    uint64_t index;                     /* index of the key or mark, from 0 */
    const struct key_event *key;        /* NULL for a mark */
    const struct transcript_mark *mark; /* NULL for a key */
    uint64_t at_us;
};

/* Takes the next item; `merge` begins as {.transcript = ...}. False at the end. */
bool merge_next(struct merge *merge, struct merge_item *item);

/* True if the line has keys or marks. */
bool merge_has(const struct transcript *transcript, enum side side);
/* The number of lines with keys or marks. */
unsigned merge_sides(const struct transcript *transcript);

#endif
