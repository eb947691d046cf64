/* A place's key, known to the desk and to the machine that serves the place, and its derived keys:
 * a key for each way, and the seed of the pair of keys by which nats-server knows the place. A
 * sealed message is a nonce (24 bytes), then the text and its tag by XChaCha20-Poly1305: reading,
 * changing or making one requires the key. Place and way are part of each derivation. A repeated
 * message repeats its effect, which is harmless for pieces. Pure: random bytes are arguments. */
#ifndef POST_KEYS_H
#define POST_KEYS_H

#include "post/piece.h"

#define POST_SECRET      32
#define POST_NONCE       24
#define POST_TAG         16
#define POST_SEALED_MOST (POST_NONCE + POST_PLAIN_MOST + POST_TAG)
#define POST_KEY_TEXT    160 /* most bytes of a key file, with a final zero */
#define POST_NKEY_TEXT   57  /* bytes of a public key in nats-server's form, with a final zero */
#define POST_SIGNATURE   64

enum post_way { POST_UP, POST_DOWN, POST_WAYS };

struct post_keys {
    char place[POST_PLACE_MAX];
    uint8_t way[POST_WAYS][POST_SECRET];
    uint8_t nkey[POST_SECRET]; /* seed of the place's nkey, its signing key at the NATS server */
};

/* Derives a place's keys. False: `place` is no place's name. */
bool post_keys_make(struct post_keys *keys, const char *place, const uint8_t secret[POST_SECRET]);

/* Writes the text of a key file, three lines: the file's kind, the place, the secret in hexadecimal
 * digits. Spaces after the place make all key files equally long. */
void post_key_write(const char *place, const uint8_t secret[POST_SECRET], char out[POST_KEY_TEXT]);
/* Reads a key file's text. BL_DATA, with the file's name: not such a key. */
enum bl_status post_key_read(struct post_keys *keys, const char *text, const char *name,
                             struct bl_diag *diag);

/* Seals a piece. Returns the length of the message; 0: the piece is invalid. A nonce is used
 * once. */
size_t post_seal(const struct post_keys *keys, enum post_way way, const struct post_piece *piece,
                 const uint8_t nonce[POST_NONCE], uint8_t out[POST_SEALED_MOST]);

/* Opens the message into `plain`, into which the piece then points. BL_NOPERM: the message was not
 * sealed with this place's key. Other errors: post_piece_read(). */
enum bl_status post_open(const struct post_keys *keys, enum post_way way, const uint8_t *sealed,
                         size_t length, uint8_t plain[POST_PLAIN_MOST], struct post_piece *piece,
                         struct bl_diag *diag);

/* The public key of a seed, as nats-server has it in its configuration: "U..." in base32. */
void post_nkey(const uint8_t seed[POST_SECRET], char out[POST_NKEY_TEXT]);
/* Signs the server's challenge. */
void post_nkey_sign(const uint8_t seed[POST_SECRET], const char *nonce,
                    uint8_t out[POST_SIGNATURE]);

#endif
