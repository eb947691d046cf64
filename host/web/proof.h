/* Proofs that page and server have the same token, which neither sends. The page draws a number and
 * asks with it; the server draws one too and proves itself; then the page does. A proof is the
 * HMAC-SHA-256, under the token's 32 digits, of
 *
 *     boothlink server PORT ASKED DRAWN      or      boothlink page PORT ASKED DRAWN
 *
 * in 64 hexadecimal digits. With its port a proof cannot be handed on from another port. */
#ifndef WEB_PROOF_H
#define WEB_PROOF_H

#include "web/address.h"

#include <stddef.h>
#include <stdint.h>

#define PROOF_NUMBER 32 /* hexadecimal digits of each side's draw */
#define PROOF_TEXT   64 /* and of a proof */

struct proof {
    char asked[PROOF_NUMBER + 1], drawn[PROOF_NUMBER + 1]; /* by the page, by the server */
};

/* Takes the page's number and draws the server's. False: it is no such number. */
bool proof_begin(struct proof *proof, const uint8_t *bytes, size_t length);

/* The server's proof. */
void proof_of_server(const struct proof *proof, const struct web_address *address,
                     char text[PROOF_TEXT + 1]);

/* True if it is the page's proof. Takes equally long wherever the two differ. */
bool proof_is_page(const struct proof *proof, const struct web_address *address,
                   const uint8_t *bytes, size_t length);

#endif
