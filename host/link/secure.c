#include "link/secure_private.h"

#define HASH_BLOCK 128 /* BLAKE2b's block, for HMAC */

static const char protocol[] = "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2b";

struct part {
    const uint8_t *bytes;
    size_t length;
};

static void hash_parts(uint8_t out[SECURE_HASH], const struct part *parts, unsigned count)
{
    crypto_generichash_blake2b_state state;
    crypto_generichash_blake2b_init(&state, NULL, 0, SECURE_HASH);
    for (unsigned i = 0; i < count; i++)
        crypto_generichash_blake2b_update(&state, parts[i].bytes, parts[i].length);
    crypto_generichash_blake2b_final(&state, out, SECURE_HASH);
    sodium_memzero(&state, sizeof state);
}

/* RFC 2104 over BLAKE2b, for section 4.3. */
static void hmac(uint8_t out[SECURE_HASH], const uint8_t key[SECURE_HASH], struct part a,
                 struct part b)
{
    uint8_t inner[HASH_BLOCK], outer[HASH_BLOCK], digest[SECURE_HASH];
    memset(inner, 0x36, sizeof inner);
    memset(outer, 0x5C, sizeof outer);
    for (unsigned i = 0; i < SECURE_HASH; i++) {
        inner[i] ^= key[i];
        outer[i] ^= key[i];
    }
    hash_parts(digest, (const struct part[]){{inner, sizeof inner}, a, b}, 3);
    hash_parts(out, (const struct part[]){{outer, sizeof outer}, {digest, sizeof digest}}, 2);
    sodium_memzero(inner, sizeof inner);
    sodium_memzero(outer, sizeof outer);
    sodium_memzero(digest, sizeof digest);
}

/* Section 4.3, HKDF: two keys, or three unless `third` is NULL. The first is the new chaining
 * key. */
static void derive(uint8_t chaining[SECURE_HASH], struct part material, uint8_t second[SECURE_HASH],
                   uint8_t third[SECURE_HASH])
{
    uint8_t secret[SECURE_HASH];
    const struct part nothing = {NULL, 0};
    hmac(secret, chaining, material, nothing);
    hmac(chaining, secret, (struct part){(const uint8_t *)"\1", 1}, nothing);
    hmac(second, secret, (struct part){chaining, SECURE_HASH},
         (struct part){(const uint8_t *)"\2", 1});
    if (third)
        hmac(third, secret, (struct part){second, SECURE_HASH},
             (struct part){(const uint8_t *)"\3", 1});
    sodium_memzero(secret, sizeof secret);
}

static void mix_hash(struct secure_handshake *hs, const uint8_t *bytes, size_t length)
{
    hash_parts(hs->hash, (const struct part[]){{hs->hash, SECURE_HASH}, {bytes, length}}, 2);
}

static void mix_key(struct secure_handshake *hs, const uint8_t *material, size_t length)
{
    uint8_t key[SECURE_HASH];
    derive(hs->chaining, (struct part){material, length}, key, NULL);
    memcpy(hs->key, key, SECURE_KEY);
    hs->count = 0;
    sodium_memzero(key, sizeof key);
}

static void mix_psk(struct secure_handshake *hs, const uint8_t psk[SECURE_KEY])
{
    uint8_t hash[SECURE_HASH], key[SECURE_HASH];
    derive(hs->chaining, (struct part){psk, SECURE_KEY}, hash, key);
    mix_hash(hs, hash, sizeof hash);
    memcpy(hs->key, key, SECURE_KEY);
    hs->count = 0;
    sodium_memzero(hash, sizeof hash);
    sodium_memzero(key, sizeof key);
}

/* Mixes an ephemeral key into the hash and into the key, as in a pattern with a psk (section
 * 9.2). */
static void mix_ephemeral(struct secure_handshake *hs, const uint8_t key[SECURE_KEY])
{
    mix_hash(hs, key, SECURE_KEY);
    mix_key(hs, key, SECURE_KEY);
}

static void seal_payload(struct secure_handshake *hs, const uint8_t *payload, size_t length,
                         uint8_t *out)
{
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    secure_nonce(nonce, hs->count++);
    crypto_aead_chacha20poly1305_ietf_encrypt(out, NULL, payload, length, hs->hash, SECURE_HASH,
                                              NULL, nonce, hs->key);
    mix_hash(hs, out, length + SECURE_TAG);
}

static bool open_payload(struct secure_handshake *hs, const uint8_t *sealed, size_t length,
                         uint8_t *payload)
{
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    secure_nonce(nonce, hs->count++);
    if (crypto_aead_chacha20poly1305_ietf_decrypt(payload, NULL, NULL, sealed, length, hs->hash,
                                                  SECURE_HASH, nonce, hs->key))
        return false;
    mix_hash(hs, sealed, length);
    return true;
}

void secure_begin(struct secure_handshake *hs, const uint8_t psk[SECURE_KEY],
                  const uint8_t *prologue, size_t prologue_length)
{
    memset(hs, 0, sizeof *hs);
    memcpy(hs->hash, protocol, sizeof protocol - 1);
    memcpy(hs->chaining, hs->hash, SECURE_HASH);
    mix_hash(hs, prologue, prologue_length);
    mix_psk(hs, psk);
}

void secure_write_1(struct secure_handshake *hs, const uint8_t ephemeral[SECURE_KEY],
                    const uint8_t *payload, size_t length, uint8_t *out)
{
    memcpy(hs->ephemeral, ephemeral, SECURE_KEY);
    crypto_scalarmult_base(out, ephemeral);
    mix_ephemeral(hs, out);
    seal_payload(hs, payload, length, out + SECURE_KEY);
}

bool secure_read_1(struct secure_handshake *hs, const uint8_t *message, size_t length,
                   uint8_t *payload)
{
    if (length < SECURE_MESSAGE)
        return false;
    memcpy(hs->remote, message, SECURE_KEY);
    mix_ephemeral(hs, message);
    return open_payload(hs, message + SECURE_KEY, length - SECURE_KEY, payload);
}

static bool mix_shared(struct secure_handshake *hs, const uint8_t remote[SECURE_KEY])
{
    uint8_t shared[SECURE_KEY];
    bool good = crypto_scalarmult(shared, hs->ephemeral, remote) == 0;
    if (good)
        mix_key(hs, shared, sizeof shared);
    sodium_memzero(shared, sizeof shared);
    return good;
}

bool secure_write_2(struct secure_handshake *hs, const uint8_t ephemeral[SECURE_KEY],
                    const uint8_t *payload, size_t length, uint8_t *out)
{
    memcpy(hs->ephemeral, ephemeral, SECURE_KEY);
    crypto_scalarmult_base(out, ephemeral);
    mix_ephemeral(hs, out);
    if (!mix_shared(hs, hs->remote))
        return false;
    seal_payload(hs, payload, length, out + SECURE_KEY);
    return true;
}

bool secure_read_2(struct secure_handshake *hs, const uint8_t *message, size_t length,
                   uint8_t *payload)
{
    if (length < SECURE_MESSAGE)
        return false;
    mix_ephemeral(hs, message);
    return mix_shared(hs, message) &&
           open_payload(hs, message + SECURE_KEY, length - SECURE_KEY, payload);
}

void secure_split(const struct secure_handshake *hs, uint8_t from_initiator[SECURE_KEY],
                  uint8_t from_responder[SECURE_KEY])
{
    uint8_t first[SECURE_HASH], second[SECURE_HASH];
    memcpy(first, hs->chaining, SECURE_HASH);
    derive(first, (struct part){NULL, 0}, second, NULL);
    memcpy(from_initiator, first, SECURE_KEY);
    memcpy(from_responder, second, SECURE_KEY);
    sodium_memzero(first, sizeof first);
    sodium_memzero(second, sizeof second);
}
