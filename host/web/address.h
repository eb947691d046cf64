/* The address of a page in a browser: a port of this machine and a secret token. The token is the
 * URL's fragment, which browsers do not send. Page and server prove their knowledge of the token to
 * each other (proof.h). A file keeps the address, so that an open page finds a restarted
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

/* Parses "http://127.0.0.1:PORT/#TOKEN". False: another form. */
bool web_address_read(struct web_address *address, const char *text);
void web_address_write(const struct web_address *address, char text[ADDRESS_MAX]);

/* Reads the address from the file. If the file has none, makes a new one. */
void web_address_load(struct web_address *address, const char *path);

/* Makes an address with a new token and without a port. */
void web_address_draw(struct web_address *address);

/* Writes the address to the file, readable only by this user. */
enum bl_status web_address_keep(const struct web_address *address, const char *path,
                                struct bl_diag *diag);

/* web_address_is_host(): true if `host` is the server's name, "127.0.0.1:PORT". The other: true if
 * `origin` is the origin of the server's page. Requests of other sites' pages have other values. */
bool web_address_is_host(const struct web_address *address, const char *host);
bool web_address_is_origin(const struct web_address *address, const char *origin);

#endif
