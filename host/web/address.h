/* The address of a page in a browser: a port of this machine, and a token that only the page's
 * reader knows. The token is the fragment, which no browser sends: page and server prove its
 * possession to each other (proof.h). Kept in a file, so an open page finds a restarted
 * terminal. */
#ifndef WEB_ADDRESS_H
#define WEB_ADDRESS_H

#include "base/status.h"

#include <stdbool.h>

#define ADDRESS_TOKEN 32 /* hexadecimal digits */
#define ADDRESS_MAX   80

struct web_address {
    unsigned port; /* 0: none yet */
    char token[ADDRESS_TOKEN + 1];
};

/* Reads "http://127.0.0.1:PORT/#TOKEN". False: it is none. */
bool web_address_read(struct web_address *address, const char *text);
void web_address_write(const struct web_address *address, char text[ADDRESS_MAX]);

/* Takes it from the file, or draws one. */
void web_address_load(struct web_address *address, const char *path);

/* A new token, of no port yet. */
void web_address_draw(struct web_address *address);

/* Keeps it there, for the user alone. */
enum bl_status web_address_keep(const struct web_address *address, const char *path,
                                struct bl_diag *diag);

/* True for the machine's own name of the server ("127.0.0.1:PORT"), so no other site's name leads
 * here; and true if an origin is the page itself. */
bool web_address_is_host(const struct web_address *address, const char *host);
bool web_address_is_origin(const struct web_address *address, const char *origin);

#endif
