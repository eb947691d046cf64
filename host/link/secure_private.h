/* What the two files of secure.h share. */
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

#endif
