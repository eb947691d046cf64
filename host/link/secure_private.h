/* Shared by the files of secure.h. */
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

/* Encrypts, in place, the LENGTH bytes behind the SECURE_HEAD bytes of a frame's head, and puts
 * their tag of SECURE_TAG bytes, which covers the head too, behind them: ChaCha20-Poly1305 of RFC
 * 8439, section 2.8. NONCE as of secure_nonce(), KEY of SECURE_KEY bytes; the two never again
 * together. */
void secure_encrypt(uint8_t *frame, size_t length, const uint8_t *nonce, const uint8_t *key);

/* Undoes secure_encrypt(): LENGTH bytes, without head and tag, to OUT, which is not of FRAME.
 * Returns false where the tag is wrong; OUT then holds nothing of the contents. */
bool secure_decrypt(const uint8_t *frame, size_t length, uint8_t *out, const uint8_t *nonce,
                    const uint8_t *key);

#endif
