/* Records of a journal for tests: one of each kind, random ones, and whether two are the same. */
#ifndef SUPPORT_RECORDS_H
#define SUPPORT_RECORDS_H

#include "session/event.h"
#include "tests/support/random.h"

/* One of every kind, with long and short texts; *count of them. */
const struct journal_record *records_sample(unsigned *count);

/* Any record that may be written. Its texts are static and hold until the next call. */
struct journal_record records_random(struct dice *dice);

/* The fields that the kind has are equal. */
bool records_equal(const struct journal_record *a, const struct journal_record *b);

struct journal_record records_header(const char *session, enum party role, uint64_t wall_us);

/* text is a C string. */
struct journal_record records_keys(enum side side, enum party party, uint64_t first,
                                   uint64_t wall_us, const char *text);

#endif
