#include "post/keys.h"

#include <sodium/crypto_aead_xchacha20poly1305.h>
#include <sodium/crypto_generichash.h>
#include <sodium/crypto_sign_ed25519.h>
#include <sodium/utils.h>
#include <stdio.h>
#include <string.h>

_Static_assert(POST_SECRET == crypto_aead_xchacha20poly1305_ietf_KEYBYTES, "a key's length");
_Static_assert(POST_SECRET == crypto_sign_ed25519_SEEDBYTES, "a seed's length");
_Static_assert(POST_NONCE == crypto_aead_xchacha20poly1305_ietf_NPUBBYTES, "a nonce's length");
_Static_assert(POST_TAG == crypto_aead_xchacha20poly1305_ietf_ABYTES, "a tag's length");

#define HEAD      "boothlink place key 1\n"
#define LABEL_MAX (POST_PLACE_MAX + 32)

static const char *const ways[POST_WAYS] = {"up", "down"};

/* Writes the purpose of a derived key, "boothlink post 1 up booth-1-judge", which is also the
 * additional data of a message's seal. */
static size_t write_label(char out[LABEL_MAX], const char *use, const char *place)
{
    return (size_t)snprintf(out, LABEL_MAX, "boothlink post %d %s %s", POST_VERSION, use, place);
}

static void derive(uint8_t out[POST_SECRET], const uint8_t secret[POST_SECRET], const char *use,
                   const char *place)
{
    char label[LABEL_MAX];
    size_t length = write_label(label, use, place);
    crypto_generichash(out, POST_SECRET, (const uint8_t *)label, length, secret, POST_SECRET);
}

bool post_keys_make(struct post_keys *keys, const char *place, const uint8_t secret[POST_SECRET])
{
    memset(keys, 0, sizeof *keys);
    if (!post_is_place(place))
        return false;
    snprintf(keys->place, sizeof keys->place, "%s", place);
    for (enum post_way way = 0; way < POST_WAYS; way++)
        derive(keys->way[way], secret, ways[way], place);
    derive(keys->nkey, secret, "nkey", place);
    return true;
}

void post_key_write(const char *place, const uint8_t secret[POST_SECRET], char out[POST_KEY_TEXT])
{
    char hex[2 * POST_SECRET + 1];
    sodium_bin2hex(hex, sizeof hex, secret, POST_SECRET);
    snprintf(out, POST_KEY_TEXT, HEAD "%-31.31s\n%s\n", place, hex);
    sodium_memzero(hex, sizeof hex);
}

enum bl_status post_key_read(struct post_keys *keys, const char *text, const char *name,
                             struct bl_diag *diag)
{
    const size_t head = strlen(HEAD);
    char place[POST_PLACE_MAX] = "";
    uint8_t secret[POST_SECRET];
    const char *end = NULL;
    size_t length = 0;
    bool good = strncmp(text, HEAD, head) == 0 && (end = strchr(text + head, '\n')) &&
                (size_t)(end - text) - head < sizeof place;
    if (good) {
        memcpy(place, text + head, (size_t)(end - text) - head);
        for (size_t last = strlen(place); last && place[last - 1] == ' ';)
            place[--last] = '\0';
        text = end + 1;
        good = strlen(text) == 2 * POST_SECRET + 1 && text[2 * POST_SECRET] == '\n' &&
               sodium_hex2bin(secret, sizeof secret, text, 2 * POST_SECRET, NULL, &length, NULL) ==
                   0 &&
               length == POST_SECRET && post_keys_make(keys, place, secret);
    }
    sodium_memzero(secret, sizeof secret);
    return good ? BL_OK
                : bl_fail(diag, BL_DATA,
                          "%s: not a place's key; expected '%.21s', a place such as booth-1-judge, "
                          "and %d hexadecimal digits, each on a line",
                          name, HEAD, 2 * POST_SECRET);
}

size_t post_seal(const struct post_keys *keys, enum post_way way, const struct post_piece *piece,
                 const uint8_t nonce[POST_NONCE], uint8_t out[POST_SEALED_MOST])
{
    char label[LABEL_MAX];
    size_t labelled = write_label(label, ways[way], keys->place);
    size_t length = post_piece_write(piece, out + POST_NONCE);
    if (length == 0)
        return 0;
    memcpy(out, nonce, POST_NONCE);
    crypto_aead_xchacha20poly1305_ietf_encrypt(out + POST_NONCE, NULL, out + POST_NONCE, length,
                                               (const uint8_t *)label, labelled, NULL, nonce,
                                               keys->way[way]);
    return POST_NONCE + length + POST_TAG;
}

enum bl_status post_open(const struct post_keys *keys, enum post_way way, const uint8_t *sealed,
                         size_t length, uint8_t plain[POST_PLAIN_MOST], struct post_piece *piece,
                         struct bl_diag *diag)
{
    char label[LABEL_MAX];
    size_t labelled = write_label(label, ways[way], keys->place);
    if (length < POST_NONCE + POST_TAG || length > POST_SEALED_MOST)
        return bl_fail(diag, BL_DATA, "a sealed message of %zu byte%s; expected at most %d", length,
                       BL_S(length), POST_SEALED_MOST);
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(plain, NULL, NULL, sealed + POST_NONCE,
                                                   length - POST_NONCE, (const uint8_t *)label,
                                                   labelled, sealed, keys->way[way]))
        return bl_fail(diag, BL_NOPERM, "a message that the key of %s has not sealed", keys->place);
    return post_piece_read(piece, plain, length - POST_NONCE - POST_TAG, diag);
}

/* CRC-16/XMODEM, for nkeys. */
static uint16_t crc16(const uint8_t *bytes, size_t length)
{
    uint16_t crc = 0;
    for (size_t i = 0; i < length; i++) {
        crc ^= (uint16_t)(bytes[i] << 8);
        for (unsigned bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1);
    }
    return crc;
}

/* A user's key: its kind (20, five bits), the public key, the checksum. 35 bytes are 56 letters. */
void post_nkey(const uint8_t seed[POST_SECRET], char out[POST_NKEY_TEXT])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    uint8_t raw[35] = {20 << 3}, secret[crypto_sign_ed25519_SECRETKEYBYTES];
    crypto_sign_ed25519_seed_keypair(raw + 1, secret, seed);
    sodium_memzero(secret, sizeof secret);
    uint16_t crc = crc16(raw, 33);
    raw[33] = (uint8_t)crc;
    raw[34] = (uint8_t)(crc >> 8);
    for (size_t i = 0; i < POST_NKEY_TEXT - 1; i++) {
        size_t bit = 5 * i;
        unsigned two =
            (unsigned)raw[bit / 8] << 8 | (bit / 8 + 1 < sizeof raw ? raw[bit / 8 + 1] : 0);
        out[i] = letters[two >> (11 - bit % 8) & 31];
    }
    out[POST_NKEY_TEXT - 1] = '\0';
}

void post_nkey_sign(const uint8_t seed[POST_SECRET], const char *nonce, uint8_t out[POST_SIGNATURE])
{
    uint8_t public[crypto_sign_ed25519_PUBLICKEYBYTES], secret[crypto_sign_ed25519_SECRETKEYBYTES];
    crypto_sign_ed25519_seed_keypair(public, secret, seed);
    crypto_sign_ed25519_detached(out, NULL, (const uint8_t *)nonce, strlen(nonce), secret);
    sodium_memzero(secret, sizeof secret);
}
