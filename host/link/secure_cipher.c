/* ChaCha20-Poly1305 for a key's frame: RFC 8439 section 2.8, composed of libsodium's stream and
 * one-time authenticator, with one call each for the key stream and the tag. The library's own
 * function takes half as long again; the output is the same. */
#include "link/secure_private.h"

enum {
    BLOCK = 64, /* bytes of a ChaCha20 block; the first block makes the tag's key */
    TAG_BLOCK = 16,
    ABOUT = 16,   /* SECURE_HEAD bytes, padded */
    LENGTHS = 16, /* the two lengths at the end of the tag's input */
    SHORT = 3 * BLOCK,
#if defined(__x86_64__)
    STREAM_LEAST = BLOCK + SHORT, /* with vector instructions four blocks are as fast as one */
#else
    STREAM_LEAST = BLOCK,
#endif
};

_Static_assert(crypto_onetimeauth_BYTES == SECURE_TAG, "the tag is Poly1305's");
_Static_assert(SHORT < 256, "a length has one byte that is not zero");

/* Working memory for a frame of at most SHORT bytes. */
struct cipher {
    uint8_t stream[BLOCK + SHORT];
    uint8_t covered[ABOUT + SHORT + LENGTHS];
};

static void cipher_start(struct cipher *cipher, size_t length, const uint8_t *nonce,
                         const uint8_t *key)
{
    size_t want = BLOCK + length;
    crypto_stream_chacha20_ietf(cipher->stream, want < STREAM_LEAST ? STREAM_LEAST : want, nonce,
                                key);
}

static void cipher_xor(const struct cipher *cipher, uint8_t *out, const uint8_t *in, size_t length)
{
    for (size_t i = 0; i < length; i++)
        out[i] = in[i] ^ cipher->stream[BLOCK + i];
}

/* Builds the tag's input, section 2.8; returns its length. */
static size_t cipher_cover(struct cipher *cipher, const uint8_t *head, const uint8_t *sealed,
                           size_t length)
{
    uint8_t *at = cipher->covered;
    size_t padded = (length + TAG_BLOCK - 1) / TAG_BLOCK * TAG_BLOCK;
    memset(at, 0, ABOUT);
    memcpy(at, head, SECURE_HEAD);
    at += ABOUT;
    memcpy(at, sealed, length);
    memset(at + length, 0, padded - length + LENGTHS);
    at += padded;
    at[0] = SECURE_HEAD;
    at[LENGTHS / 2] = (uint8_t)length;
    return ABOUT + padded + LENGTHS;
}

void secure_encrypt(uint8_t *frame, size_t length, const uint8_t *nonce, const uint8_t *key)
{
    uint8_t *contents = frame + SECURE_HEAD;
    struct cipher cipher;
    size_t covered;
    if (length > SHORT) {
        crypto_aead_chacha20poly1305_ietf_encrypt(contents, NULL, contents, length, frame,
                                                  SECURE_HEAD, NULL, nonce, key);
        return;
    }
    cipher_start(&cipher, length, nonce, key);
    cipher_xor(&cipher, contents, contents, length);
    covered = cipher_cover(&cipher, frame, contents, length);
    crypto_onetimeauth(contents + length, cipher.covered, covered, cipher.stream);
    sodium_memzero(cipher.stream, sizeof cipher.stream);
}

bool secure_decrypt(const uint8_t *frame, size_t length, uint8_t *out, const uint8_t *nonce,
                    const uint8_t *key)
{
    const uint8_t *sealed = frame + SECURE_HEAD;
    struct cipher cipher;
    size_t covered;
    bool good;
    if (length > SHORT)
        return crypto_aead_chacha20poly1305_ietf_decrypt(out, NULL, NULL, sealed,
                                                         length + SECURE_TAG, frame, SECURE_HEAD,
                                                         nonce, key) == 0;
    cipher_start(&cipher, length, nonce, key);
    covered = cipher_cover(&cipher, frame, sealed, length);
    good = crypto_onetimeauth_verify(sealed + length, cipher.covered, covered, cipher.stream) == 0;
    if (good)
        cipher_xor(&cipher, out, sealed, length);
    sodium_memzero(cipher.stream, sizeof cipher.stream);
    return good;
}
