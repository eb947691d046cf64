/* Signatures of a ballot file by a machine's key (Ed25519, RFC 8032). The signed message is
 * "boothlink ballot" and the chain. The chain of an empty file is 32 zeros; each line's chain is
 * BLAKE2b-256 of the chain before and the line with its end. No line before a signature can be
 * removed, inserted or replaced unnoticed. Pure. */
#ifndef RULES_BALLOT_SIGN_H
#define RULES_BALLOT_SIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BALLOT_KEY         32
#define BALLOT_SECRET      64
#define BALLOT_CHAIN       32
#define BALLOT_SIGNATURE   64
#define BALLOT_FINGERPRINT 9 /* bytes; eight words spell them (link/secret_words.h) */

struct ballot_signer {
    uint8_t key[BALLOT_KEY], secret[BALLOT_SECRET];
};

/* Extends the chain by one line. */
void ballot_chain(uint8_t chain[BALLOT_CHAIN], const char *line, size_t length);

/* ballot_sign(): writes the chain's signature in lower-case hexadecimal digits. ballot_is_signed():
 * verifies it. */
void ballot_sign(const struct ballot_signer *signer, const uint8_t chain[BALLOT_CHAIN],
                 char text[2 * BALLOT_SIGNATURE + 1]);
bool ballot_is_signed(const uint8_t key[BALLOT_KEY], const uint8_t chain[BALLOT_CHAIN],
                      const char *text, size_t length);

/* The short form of a key, for comparison by people. */
void ballot_fingerprint(const uint8_t key[BALLOT_KEY], uint8_t out[BALLOT_FINGERPRINT]);

#endif
