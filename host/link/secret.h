/* A line's secret in a key file: mode 0600, the user's own.
 *
 *   boothlink line key 1
 *   64 hexadecimal digits      the secret
 *   eight words                the seed it is made of: secret_words.h
 *
 * The secret is made of the 72 bits of the words by Argon2id (RFC 9106; 3 passes over 64 MiB), so
 * each guess costs an eavesdropper a fifth of a second and 64 MiB: 2^71 guesses on average. The
 * file also has the secret, so a terminal starts at once. */
#ifndef LINK_SECRET_H
#define LINK_SECRET_H

#include "link/secret_words.h"
#include "link/secure.h"

#include <stdbool.h>

/* The caller wipes the secret after use: secret_wipe. */
struct line_secret {
    uint8_t secret[SECURE_KEY];
    uint8_t seed[SECRET_SEED];
};

void secret_draw(uint8_t seed[SECRET_SEED]);
/* Makes the secret from a seed. BL_NOMEM: the system has no 64 MiB. */
enum bl_status secret_make(struct line_secret *secret, const uint8_t seed[SECRET_SEED],
                           struct bl_diag *diag);
void secret_wipe(struct line_secret *secret);

/* Writes a new file. BL_OK: it is on the disk. BL_USAGE: the file already exists. */
enum bl_status secret_store(const struct line_secret *secret, const char *path,
                            struct bl_diag *diag);

/* Reads a file; nothing stays open. BL_NOINPUT: no file. BL_NOPERM: others may read the file, or
 * another user owns it; diag has the remedy. BL_DATA: not a key file. */
enum bl_status secret_load(struct line_secret *secret, const char *path, struct bl_diag *diag);

/* A referee's key, for PASS (secured_pass.h). FILE has "boothlink referee key 1" and 64 hexadecimal
 * digits, as secret as a line's key. FILE.pub has the public key, for the judges' terminals. Errors
 * as above. */
struct referee_key {
    uint8_t public_key[SECURE_KEY], secret[SECURE_KEY];
};
enum bl_status key_referee_new(const char *path, struct bl_diag *diag);
enum bl_status key_referee_load(struct referee_key *key, const char *path, struct bl_diag *diag);
enum bl_status key_referee_public(uint8_t public_key[SECURE_KEY], const char *path,
                                  struct bl_diag *diag);

#endif
