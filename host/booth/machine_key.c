#include "booth/machine_key.h"
#include "booth/messages.h"

#include "link/key_file.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define HEAD "boothlink machine key 1\n"

enum {
    SEED = crypto_sign_ed25519_SEEDBYTES,
    TEXT = sizeof HEAD + 2 * SEED + 1,
};

static void derive(struct ballot_signer *signer, const uint8_t seed[SEED])
{
    crypto_sign_ed25519_seed_keypair(signer->key, signer->secret, seed);
}

enum bl_status machine_key_load(struct ballot_signer *signer, const char *path,
                                struct bl_diag *diag)
{
    char text[TEXT + 1];
    uint8_t seed[SEED];
    size_t length, bytes = 0;
    enum bl_status status = key_file_read(path, text, sizeof text, &length, true, diag);
    if (!status && (length != TEXT - 1 || memcmp(text, HEAD, sizeof HEAD - 1) != 0 ||
                    text[length - 1] != '\n' ||
                    sodium_hex2bin(seed, SEED, text + sizeof HEAD - 1, 2 * (size_t)SEED, NULL,
                                   &bytes, NULL) != 0 ||
                    bytes != SEED))
        status = bl_fail(diag, BL_DATA, say_fail_is_no_key_of_a_machine, path);
    if (!status)
        derive(signer, seed);
    sodium_memzero(text, sizeof text);
    sodium_memzero(seed, sizeof seed);
    return status;
}

enum bl_status machine_key_open(struct ballot_signer *signer, const char *path,
                                struct bl_diag *diag)
{
    char text[TEXT], hex[2 * SEED + 1];
    uint8_t seed[SEED];
    enum bl_status status = machine_key_load(signer, path, diag);
    if (status != BL_NOINPUT)
        return status;
    randombytes_buf(seed, sizeof seed);
    sodium_bin2hex(hex, sizeof hex, seed, sizeof seed);
    int length = snprintf(text, sizeof text, HEAD "%s\n", hex);
    status = key_file_write(path, text, (size_t)length, true, diag);
    if (status == BL_USAGE) /* another process has just made the key */
        status = machine_key_load(signer, path, diag);
    else if (!status)
        derive(signer, seed);
    sodium_memzero(text, sizeof text);
    sodium_memzero(hex, sizeof hex);
    sodium_memzero(seed, sizeof seed);
    return status;
}

void machine_key_wipe(struct ballot_signer *signer)
{
    sodium_memzero(signer, sizeof *signer);
}

void machine_key_words(const uint8_t key[BALLOT_KEY], char text[KEY_WORDS_TEXT])
{
    uint8_t fingerprint[BALLOT_FINGERPRINT];
    ballot_fingerprint(key, fingerprint);
    secret_words_format(fingerprint, text);
}
