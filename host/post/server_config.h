/* The configuration of the nats-server the desk starts. Nothing is kept (no JetStream), sizes are
 * bounded, and a place may speak on its own subject post.up.PLACE alone, and hear its own
 * post.down.PLACE alone. The accounts are spelled out: with the system account alone, a server of
 * 2.9 lets anybody in (CVE-2023-47090). Public keys alone are in the file. Pure. */
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
    const char *address; /* address to listen at, such as 0.0.0.0 */
    unsigned port;
    const struct post_keys *places;
    size_t count;
    const uint8_t *desk; /* the seed of the desk's own keys */
};

/* Appends the text to `out`; out->failed: there was no memory. */
void post_server_config(struct growing *out, const struct post_server *server);

#endif
