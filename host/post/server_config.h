/* The configuration of the nats-server the desk starts, or of a venue's cluster. Messages are not
 * kept (no JetStream), and sizes are bounded. A place may publish to post.up.PLACE and hear
 * post.down.PLACE. The accounts are written out, since a server of 2.9 with the system account
 * alone admits anybody (CVE-2023-47090). The file has public keys only. Pure. */
#ifndef POST_SERVER_CONFIG_H
#define POST_SERVER_CONFIG_H

#include "base/growing.h"
#include "post/keys.h"

#define POST_SUBJECT_UP   "post.up."
#define POST_SUBJECT_DOWN "post.down."
#define POST_SUBJECT_ECHO                                                                          \
    "post.echo" /* from the desk to itself, which shows that everything works */
#define POST_SUBJECT_MAX 64

struct post_server {
    const char *address; /* address to listen at, such as 0.0.0.0; NULL: the part that all servers
                          * of a venue's cluster include */
    unsigned port;
    const struct post_keys *places;
    size_t count;
    const uint8_t *desk; /* the seed of the desk's own keys */
};

/* Appends the text to `out`; out->failed: there was no memory. */
void post_server_config(struct growing *out, const struct post_server *server);

#endif
