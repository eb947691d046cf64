/* Seals on the order, which only the judge's end can make: keys its journal lost with the power can
 * be believed when the entity's end gives them back. Seal n covers every key from 1 to n with its
 * time and its party, the session, the line's side and the epoch. Pure; the secret comes from the
 * journal. Source: DESIGN.md, "Session". */
#ifndef SESSION_SEAL_H
#define SESSION_SEAL_H

#include "session/sequence.h"

/* A seal under way: keyed BLAKE2b of 32 bytes over the one before and the next key. */
struct seal {
    uint64_t n; /* covered keys */
    uint8_t chain[32];
};

/* Begins without a key. */
void seal_begin(struct seal *seal, const uint8_t secret[SEAL_SECRET], const char *session,
                enum side side, uint32_t epoch);

/* Takes in the order's keys up to number n, which the order has. */
void seal_extend(struct seal *seal, const uint8_t secret[SEAL_SECRET],
                 const struct sequence *sequence, uint64_t n);

/* The stored and sent form: the first half of the chain's value, which nobody can extend. */
void seal_take(const struct seal *seal, uint8_t out[SEAL_SIZE]);

/* Compares in a constant time. */
bool seal_equals(const uint8_t a[SEAL_SIZE], const uint8_t b[SEAL_SIZE]);

#endif
