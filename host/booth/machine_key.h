/* The key with which a judge's machine signs ballots (rules/ballot_sign.h). The first start makes
 * the key, in a file that only its user may read:
 *
 *   boothlink machine key 1
 *   64 hexadecimal digits      the seed of the Ed25519 key */
#ifndef BOOTH_MACHINE_KEY_H
#define BOOTH_MACHINE_KEY_H

#include "base/status.h"
#include "link/secret_words.h"
#include "rules/ballot_sign.h"

/* Reads the key. The caller wipes it with machine_key_wipe(). BL_NOINPUT: no file; BL_NOPERM: other
 * users may read the file; BL_DATA: not a key file. */
enum bl_status machine_key_load(struct ballot_signer *signer, const char *path,
                                struct bl_diag *diag);

/* Like machine_key_load(), but makes a missing key. */
enum bl_status machine_key_open(struct ballot_signer *signer, const char *path,
                                struct bl_diag *diag);
void machine_key_wipe(struct ballot_signer *signer);

/* Writes the eight words of a public key, by which a person compares two screens. */
void machine_key_words(const uint8_t key[BALLOT_KEY], char text[KEY_WORDS_TEXT]);

#endif
