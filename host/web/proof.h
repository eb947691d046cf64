/* The page and the server prove to each other that they have the same token, without sending it.
 * The page sends a random number. The server sends another one with its proof. Then the page sends
 * its proof. A proof is the HMAC-SHA-256, with the token's 32 digits as key, of
 *
 *     boothlink server PORT ASKED DRAWN      or      boothlink page PORT ASKED DRAWN
 *
 * in 64 hexadecimal digits. The port in a proof prevents its use at another port. */
#ifndef WEB_PROOF_H
#define WEB_PROOF_H

#include "web/address.h"

#include <stddef.h>
#include <stdint.h>

#define PROOF_NUMBER 32 /* hexadecimal digits of each side's random number */
#define PROOF_TEXT   64 /* hexadecimal digits of a proof */

struct proof {
    char asked[PROOF_NUMBER + 1],
        drawn[PROOF_NUMBER + 1]; /* random numbers of the page and of the server */
};

/* Takes the page's number and draws the server's. False: the bytes are not such a number. */
bool proof_begin(struct proof *proof, const uint8_t *bytes, size_t length);

/* Writes the server's proof. */
void proof_of_server(const struct proof *proof, const struct web_address *address,
                     char text[PROOF_TEXT + 1]);

/* True if the bytes are the page's proof. The comparison takes constant time. */
bool proof_is_page(const struct proof *proof, const struct web_address *address,
                   const uint8_t *bytes, size_t length);

#endif
