#ifndef LINK_SECURE_PRIVATE_H
#define LINK_SECURE_PRIVATE_H

#include "link/secure.h"

#include <sodium.h>
#include <string.h>

/* Section 12: 32 zero bits, then the count, the lowest byte first. */
static inline void secure_nonce(uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES],
                                uint64_t count)
{
    memset(nonce, 0, 4);
    for (unsigned i = 0; i < 8; i++)
        nonce[4 + i] = (uint8_t)(count >> (8 * i));
}

/* Encrypts, in place, the LENGTH bytes after a frame's head of SECURE_HEAD bytes, and appends the
 * tag of SECURE_TAG bytes, which also covers the head: ChaCha20-Poly1305 of RFC 8439, section 2.8.
 * NONCE of secure_nonce(), KEY of SECURE_KEY bytes; the same pair must never be used again. */
void secure_encrypt(uint8_t *frame, size_t length, const uint8_t *nonce, const uint8_t *key);

/* Reverses secure_encrypt(): decrypts LENGTH bytes, without head and tag, to OUT, outside of FRAME.
 * False: the tag is wrong, and OUT has no contents. */
bool secure_decrypt(const uint8_t *frame, size_t length, uint8_t *out, const uint8_t *nonce,
                    const uint8_t *key);

#endif
