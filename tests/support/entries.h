/* Journal entries for tests: one of each kind, random ones, and whether two are the same. */
#ifndef SUPPORT_ENTRIES_H
#define SUPPORT_ENTRIES_H

#include "session/event.h"
#include "tests/support/random.h"

/* One of every kind, with long and short texts; *count of them. */
const struct entry *entries_sample(unsigned *count);

/* Any entry that may be written. Its texts are static and hold until the next call. */
struct entry entries_random(struct dice *dice);

/* The fields that the kind has are equal. */
bool entries_equal(const struct entry *a, const struct entry *b);

struct entry entries_header(const char *session, enum party role, uint64_t wall_us);

/* text is a C string. */
struct entry entries_keys(enum side side, enum party party, uint64_t first, uint64_t wall_us,
                          const char *text);

#endif
