/* Seals over the order, which only the judge's end can make. A seal proves keys that the entity's
 * end gives back after a power failure took them from the judge's journal. Seal n covers keys 1 to
 * n with their times and parties, the session, the line's side and the epoch. Pure; the secret
 * comes from the journal. Source: DESIGN.md, "Session". */
#ifndef SESSION_SEAL_H
#define SESSION_SEAL_H

#include "session/sequence.h"

/* The state of a seal: keyed BLAKE2b (32 bytes) over the state before and the next key. */
struct seal {
    uint64_t n; /* number of covered keys */
    uint8_t chain[32];
};

/* Begins a seal that covers no key. */
void seal_begin(struct seal *seal, const uint8_t secret[SEAL_SECRET], const char *session,
                enum side side, uint32_t epoch);

/* Extends the seal to key n, which the order must have. */
void seal_extend(struct seal *seal, const uint8_t secret[SEAL_SECRET],
                 const struct sequence *sequence, uint64_t n);

/* Writes the seal for disk and line: the first half of the state. No later seal can be made from
 * it. */
void seal_take(const struct seal *seal, uint8_t out[SEAL_SIZE]);

/* Compares in constant time. */
bool seal_equals(const uint8_t a[SEAL_SIZE], const uint8_t b[SEAL_SIZE]);

#endif
