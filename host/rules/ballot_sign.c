#include "rules/ballot_sign.h"

#include <sodium/crypto_generichash.h>
#include <sodium/crypto_sign_ed25519.h>
#include <sodium/utils.h>
#include <string.h>

#define CONTEXT "boothlink ballot"

void ballot_chain(uint8_t chain[BALLOT_CHAIN], const char *line, size_t length)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, BALLOT_CHAIN);
    crypto_generichash_update(&state, chain, BALLOT_CHAIN);
    crypto_generichash_update(&state, (const uint8_t *)line, length);
    crypto_generichash_final(&state, chain, BALLOT_CHAIN);
}

static void write_said(uint8_t said[sizeof CONTEXT + BALLOT_CHAIN],
                       const uint8_t chain[BALLOT_CHAIN])
{
    memcpy(said, CONTEXT, sizeof CONTEXT);
    memcpy(said + sizeof CONTEXT, chain, BALLOT_CHAIN);
}

void ballot_sign(const struct ballot_signer *signer, const uint8_t chain[BALLOT_CHAIN],
                 char text[2 * BALLOT_SIGNATURE + 1])
{
    uint8_t said[sizeof CONTEXT + BALLOT_CHAIN], signature[BALLOT_SIGNATURE];
    write_said(said, chain);
    crypto_sign_ed25519_detached(signature, NULL, said, sizeof said, signer->secret);
    sodium_bin2hex(text, 2 * BALLOT_SIGNATURE + 1, signature, sizeof signature);
}

bool ballot_is_signed(const uint8_t key[BALLOT_KEY], const uint8_t chain[BALLOT_CHAIN],
                      const char *text, size_t length)
{
    uint8_t said[sizeof CONTEXT + BALLOT_CHAIN], signature[BALLOT_SIGNATURE];
    char again[2 * BALLOT_SIGNATURE + 1];
    size_t bytes;
    if (length != 2 * BALLOT_SIGNATURE ||
        sodium_hex2bin(signature, sizeof signature, text, length, NULL, &bytes, NULL) != 0 ||
        bytes != sizeof signature)
        return false;
    sodium_bin2hex(again, sizeof again, signature, sizeof signature);
    write_said(said, chain);
    return memcmp(again, text, length) == 0 &&
           crypto_sign_ed25519_verify_detached(signature, said, sizeof said, key) == 0;
}

void ballot_fingerprint(const uint8_t key[BALLOT_KEY], uint8_t out[BALLOT_FINGERPRINT])
{
    static const uint8_t person[] = "boothlink machine";
    uint8_t hash[32];
    crypto_generichash(hash, sizeof hash, key, BALLOT_KEY, person, sizeof person);
    memcpy(out, hash, BALLOT_FINGERPRINT);
}
