#include "link/key_file.h"
#include "link/secret.h"

#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEAD         "boothlink line key 1\n"
#define REFEREE_HEAD "boothlink referee key 1\n"
#define PUBLIC_HEAD  "boothlink referee public key 1\n"

enum {
    HEX = 2 * SECURE_KEY,
    FILE_MAX = sizeof HEAD + HEX + 1 + KEY_WORDS_TEXT + 1,
    PASSES = 3,
};
#define MEMORY (64u * 1024 * 1024)

void secret_draw(uint8_t seed[SECRET_SEED])
{
    randombytes_buf(seed, SECRET_SEED);
}

enum bl_status secret_make(struct line_secret *secret, const uint8_t seed[SECRET_SEED],
                           struct bl_diag *diag)
{
    static const uint8_t salt[crypto_pwhash_SALTBYTES] = "boothlink key 1";
    memcpy(secret->seed, seed, SECRET_SEED);
    if (crypto_pwhash(secret->secret, SECURE_KEY, (const char *)seed, SECRET_SEED, salt, PASSES,
                      MEMORY, crypto_pwhash_ALG_ARGON2ID13))
        return bl_fail(diag, BL_NOMEM, "making a key of words takes %u MiB of memory",
                       MEMORY / 1024 / 1024);
    return BL_OK;
}

void secret_wipe(struct line_secret *secret)
{
    sodium_memzero(secret, sizeof *secret);
}

static size_t format(const struct line_secret *secret, char text[FILE_MAX])
{
    char hex[HEX + 1], words[KEY_WORDS_TEXT];
    int n;
    sodium_bin2hex(hex, sizeof hex, secret->secret, SECURE_KEY);
    secret_words_format(secret->seed, words);
    n = snprintf(text, FILE_MAX, HEAD "%s\n%s\n", hex, words);
    sodium_memzero(hex, sizeof hex);
    sodium_memzero(words, sizeof words);
    return (size_t)n;
}

static bool parse(struct line_secret *secret, const char *text, size_t length)
{
    char again[FILE_MAX];
    bool good = false;
    size_t n;
    if (length > sizeof HEAD - 1 + HEX && memcmp(text, HEAD, sizeof HEAD - 1) == 0 &&
        sodium_hex2bin(secret->secret, SECURE_KEY, text + sizeof HEAD - 1, HEX, NULL, &n, NULL) ==
            0 &&
        n == SECURE_KEY &&
        secret_words_parse(text + sizeof HEAD - 1 + HEX, "the first end", secret->seed, NULL) ==
            BL_OK)
        good = format(secret, again) == length && sodium_memcmp(again, text, length) == 0;
    sodium_memzero(again, sizeof again);
    return good;
}

enum bl_status secret_store(const struct line_secret *secret, const char *path,
                            struct bl_diag *diag)
{
    char text[FILE_MAX];
    size_t length = format(secret, text);
    enum bl_status status = key_file_write(path, text, length, true, diag);
    sodium_memzero(text, sizeof text);
    return status;
}

enum bl_status secret_load(struct line_secret *secret, const char *path, struct bl_diag *diag)
{
    char text[FILE_MAX + 1];
    size_t length;
    enum bl_status status = key_file_read(path, text, sizeof text, &length, true, diag);
    if (!status && !parse(secret, text, length))
        status = bl_fail(
            diag, BL_DATA,
            "%s is no key file of a line, or is damaged: 'boothlink key new FILE' makes one", path);
    sodium_memzero(text, sizeof text);
    if (status)
        secret_wipe(secret);
    return status;
}

static bool parse_hex(const char *text, size_t length, const char *head, uint8_t key[SECURE_KEY])
{
    size_t n = strlen(head), taken;
    return length == n + HEX + 1 && memcmp(text, head, n) == 0 && text[n + HEX] == '\n' &&
           sodium_hex2bin(key, SECURE_KEY, text + n, HEX, NULL, &taken, NULL) == 0 &&
           taken == SECURE_KEY;
}

static enum bl_status store_hex(const char *path, const char *head, const uint8_t key[SECURE_KEY],
                                bool secret, struct bl_diag *diag)
{
    char hex[HEX + 1], text[FILE_MAX];
    enum bl_status status;
    int n;
    sodium_bin2hex(hex, sizeof hex, key, SECURE_KEY);
    n = snprintf(text, sizeof text, "%s%s\n", head, hex);
    status = key_file_write(path, text, (size_t)n, secret, diag);
    sodium_memzero(hex, sizeof hex);
    sodium_memzero(text, sizeof text);
    return status;
}

enum bl_status key_referee_new(const char *path, struct bl_diag *diag)
{
    struct referee_key key;
    char public_path[PATH_MAX];
    enum bl_status status;
    if (snprintf(public_path, sizeof public_path, "%s.pub", path) >= (int)sizeof public_path)
        return bl_fail(diag, BL_USAGE, "%s: the name is too long", path);
    crypto_box_keypair(key.public_key, key.secret);
    status = store_hex(path, REFEREE_HEAD, key.secret, true, diag);
    if (!status) {
        status = store_hex(public_path, PUBLIC_HEAD, key.public_key, false, diag);
        if (status)
            unlink(path);
    }
    sodium_memzero(&key, sizeof key);
    return status;
}

enum bl_status key_referee_load(struct referee_key *key, const char *path, struct bl_diag *diag)
{
    char text[FILE_MAX + 1];
    size_t length;
    enum bl_status status = key_file_read(path, text, sizeof text, &length, true, diag);
    if (!status && !parse_hex(text, length, REFEREE_HEAD, key->secret))
        status = bl_fail(diag, BL_DATA,
                         "%s is no referee's key: 'boothlink key referee FILE' makes one", path);
    if (!status)
        crypto_scalarmult_base(key->public_key, key->secret);
    sodium_memzero(text, sizeof text);
    return status;
}

enum bl_status key_referee_public(uint8_t public_key[SECURE_KEY], const char *path,
                                  struct bl_diag *diag)
{
    char text[FILE_MAX + 1];
    size_t length;
    enum bl_status status = key_file_read(path, text, sizeof text, &length, false, diag);
    if (!status && !parse_hex(text, length, PUBLIC_HEAD, public_key))
        status = bl_fail(diag, BL_DATA,
                         "%s is no public key of a referee: 'boothlink key referee FILE' makes it, "
                         "as FILE.pub",
                         path);
    return status;
}
