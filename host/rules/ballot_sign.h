/* Signatures of a ballot file, by which a machine's own key vouches for each ballot in it
 * (Ed25519, RFC 8032). A signature is over "boothlink ballot" and the chain: the chain of a file
 * of no line is 32 zeros, that of another line BLAKE2b-256 of the chain before and the line with
 * its end. So no line can be left out, put in or exchanged before one that is signed. Pure. */
#ifndef RULES_BALLOT_SIGN_H
#define RULES_BALLOT_SIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BALLOT_KEY         32
#define BALLOT_SECRET      64
#define BALLOT_CHAIN       32
#define BALLOT_SIGNATURE   64
#define BALLOT_FINGERPRINT 9 /* bytes, which eight words can say (link/secret_words.h) */

struct ballot_signer {
    uint8_t key[BALLOT_KEY], secret[BALLOT_SECRET];
};

/* The chain behind one more line. */
void ballot_chain(uint8_t chain[BALLOT_CHAIN], const char *line, size_t length);

/* Signs the chain, in lower-case hexadecimal digits; and whether they are its signature. */
void ballot_sign(const struct ballot_signer *signer, const uint8_t chain[BALLOT_CHAIN],
                 char text[2 * BALLOT_SIGNATURE + 1]);
bool ballot_is_signed(const uint8_t key[BALLOT_KEY], const uint8_t chain[BALLOT_CHAIN],
                      const char *text, size_t length);

/* The form that people compare: nobody finds another key with the same. */
void ballot_fingerprint(const uint8_t key[BALLOT_KEY], uint8_t out[BALLOT_FINGERPRINT]);

#endif
