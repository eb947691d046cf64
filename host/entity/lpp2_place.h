/* Parses the address and port at which an Entry of LPP v2 connects to the terminal. */
#ifndef ENTITY_LPP2_PLACE_H
#define ENTITY_LPP2_PLACE_H

#include "base/status.h"
#include "adapter/lpp2_words.h"

#include <netinet/in.h>

struct lpp2_place {
    char address[INET_ADDRSTRLEN]; /* "": not given, 127.0.0.1 */
    unsigned port;
    char secret[LPP2_SECRET_MAX + 1]; /* "": any name */
};

/* Parses "[ADDRESS:]PORT", and reads the secret, the first line of secret_file; NULL: no secret. An
 * address that other machines can reach requires a secret. what: name of the option or field, for
 * messages. BL_USAGE, BL_NOINPUT, BL_NOPERM, BL_DATA. */
enum bl_status lpp2_place_read(struct lpp2_place *place, const char *text, const char *secret_file,
                               const char *what, struct bl_diag *diag);

#endif
