/* A judge's machine's own key, with which it signs ballots (rules/ballot_sign.h): made at its first
 * start, in a file of its user's alone:
 *
 *   boothlink machine key 1
 *   64 hexadecimal digits      the seed of the Ed25519 key */
#ifndef BOOTH_MACHINE_KEY_H
#define BOOTH_MACHINE_KEY_H

#include "base/status.h"
#include "link/secret_words.h"
#include "rules/ballot_sign.h"

/* Reads the key. BL_NOINPUT; BL_NOPERM if others may read the file; BL_DATA: not a key file. The
 * caller wipes the key after use: machine_key_wipe(). */
enum bl_status machine_key_load(struct ballot_signer *signer, const char *path,
                                struct bl_diag *diag);

/* The same, and makes a missing key. */
enum bl_status machine_key_open(struct ballot_signer *signer, const char *path,
                                struct bl_diag *diag);
void machine_key_wipe(struct ballot_signer *signer);

/* The eight words of a public key, for a person's comparison of two screens. */
void machine_key_words(const uint8_t key[BALLOT_KEY], char text[KEY_WORDS_TEXT]);

#endif
