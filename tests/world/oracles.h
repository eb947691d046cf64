/* What must hold in every session, whatever happens. Each oracle has a name, which stands at the
 * beginning of what it finds: "prefix: side left: key 3 is ...". */
#ifndef WORLD_ORACLES_H
#define WORLD_ORACLES_H

#include "scene.h"

struct oracle;
struct journal_record;

/* Watches the scene's world from now on. */
struct oracle *oracle_create(struct scene *scene);

/* Asks what can be said only of a session that is over, or should be. NULL: all is well. */
const char *oracle_verdict(struct oracle *oracle);

/* What was found so far; NULL: nothing. */
const char *oracle_found(const struct oracle *oracle);

/* How many sides had records that contradict each other, which a steward had to decide. */
unsigned oracle_differences(const struct oracle *oracle);

/* The order on record at that end: keys as their points, with the party above (<< 24). */
struct order {
    uint32_t *key;
    size_t count;
};
const struct order *oracle_order(struct oracle *oracle, enum place place, enum side side);

/* Its segment, how many records of segments it has, and how its latest CLOSE came out, there. */
struct recorded {
    enum segment_state segment;
    unsigned segments;
    enum close_outcome outcome;
};
struct recorded oracle_recorded(const struct oracle *oracle, enum place place, enum side side);

/* The texts of the notes on record there, each a line. */
const char *oracle_notes(const struct oracle *oracle, enum place place);

/* Another machine has written that end's record: it is what stands there now. */
void oracle_read(struct oracle *oracle, enum place place);

/* "left" or "right". */
const char *oracle_side(unsigned side);

/* A record as a line of the log. */
void oracle_log(unsigned place, const struct journal_record *record);

/* What another oracle has found, by its name: kept if it is the first. */
void oracle_wrong(struct oracle *oracle, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void oracle_destroy(struct oracle *oracle);

#endif
