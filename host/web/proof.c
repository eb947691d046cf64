#include "web/proof.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

_Static_assert(ADDRESS_TOKEN == crypto_auth_hmacsha256_KEYBYTES, "a token's digits are the key");

bool proof_begin(struct proof *proof, const uint8_t *bytes, size_t length)
{
    uint8_t random[PROOF_NUMBER / 2];
    if (length != PROOF_NUMBER)
        return false;
    memcpy(proof->asked, bytes, length);
    proof->asked[length] = '\0';
    if (strspn(proof->asked, "0123456789abcdef") != length)
        return false;
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(proof->drawn, sizeof proof->drawn, random, sizeof random);
    return true;
}

static void write_proof(const struct proof *proof, const struct web_address *address,
                        const char *party, char text[PROOF_TEXT + 1])
{
    uint8_t tag[crypto_auth_hmacsha256_BYTES];
    char said[128];
    int length = snprintf(said, sizeof said, "boothlink %s %u %s %s", party, address->port,
                          proof->asked, proof->drawn);
    crypto_auth_hmacsha256(tag, (const uint8_t *)said, (unsigned long long)length,
                           (const uint8_t *)address->token);
    sodium_bin2hex(text, PROOF_TEXT + 1, tag, sizeof tag);
}

void proof_of_server(const struct proof *proof, const struct web_address *address,
                     char text[PROOF_TEXT + 1])
{
    write_proof(proof, address, "server", text);
}

bool proof_is_page(const struct proof *proof, const struct web_address *address,
                   const uint8_t *bytes, size_t length)
{
    char right[PROOF_TEXT + 1];
    write_proof(proof, address, "page", right);
    return length == PROOF_TEXT && sodium_memcmp(bytes, right, length) == 0;
}
