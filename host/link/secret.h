/* A line's secret in a key file: mode 0600, the user's own.
 *
 *   boothlink line key 1
 *   64 hexadecimal digits      the secret
 *   eight words                the seed it is made of: secret_words.h
 *
 * The secret is made of the 72 bits of the words by Argon2id (RFC 9106; 3 passes over 64 MiB), so
 * each guess costs an eavesdropper a fifth of a second and that memory: 2^71 guesses on average.
 * The file has the secret, too, so a terminal starts at once. */
#ifndef LINK_SECRET_H
#define LINK_SECRET_H

#include "link/secret_words.h"
#include "link/secure.h"

#include <stdbool.h>

/* The caller wipes it after use: secret_wipe. */
struct line_secret {
    uint8_t secret[SECURE_KEY];
    uint8_t seed[SECRET_SEED];
};

/* Draws a seed. */
void secret_draw(uint8_t seed[SECRET_SEED]);
/* Makes the secret of a seed. BL_NOMEM: the system has no 64 MiB. */
enum bl_status secret_make(struct line_secret *secret, const uint8_t seed[SECRET_SEED],
                           struct bl_diag *diag);
void secret_wipe(struct line_secret *secret);

/* Writes a new file, which is on the disk afterwards. BL_USAGE: there is such a file already. */
enum bl_status secret_store(const struct line_secret *secret, const char *path,
                            struct bl_diag *diag);

/* Reads a file, and leaves nothing of it open. BL_NOINPUT; BL_NOPERM if others may read the file,
 * or another user owns it, with the command that helps; BL_DATA: not a key file. */
enum bl_status secret_load(struct line_secret *secret, const char *path, struct bl_diag *diag);

/* A referee's key, for PASS (secured_pass.h): FILE with "boothlink referee key 1" and 64
 * hexadecimal digits, as secret as a line's, and FILE.pub with the public one, for the judges'
 * terminals. Errors as above. */
struct referee_key {
    uint8_t public_key[SECURE_KEY], secret[SECURE_KEY];
};
enum bl_status key_referee_new(const char *path, struct bl_diag *diag);
enum bl_status key_referee_load(struct referee_key *key, const char *path, struct bl_diag *diag);
enum bl_status key_referee_public(uint8_t public_key[SECURE_KEY], const char *path,
                                  struct bl_diag *diag);

#endif
