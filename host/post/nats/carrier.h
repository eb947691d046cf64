/* A connection with a nats-server, on the loop of desk or courier. The library has threads of its
 * own, which hand their news to the loop. The carrier gives a connection up at the first fault, and
 * tries anew once a second, for ever, each server of a cluster in turn. A try takes up to two
 * seconds a server, in a thread of its own. */
#ifndef POST_NATS_CARRIER_H
#define POST_NATS_CARRIER_H

#include "post/server_config.h"

#include <uv.h>

struct carrier;

#define CARRIER_SUBJECTS 2
#define CARRIER_SERVERS  16   /* most servers of a cluster */
#define CARRIER_URLS_MAX 1024 /* bytes of their addresses, with a zero */

struct carrier_options {
    const char *url;                       /* nats://ADDRESS:PORT, several with commas between */
    const char *name;                      /* the client's name in the server's log */
    const uint8_t *seed;                   /* seed of the client's keys; POST_SECRET bytes */
    const char *subject[CARRIER_SUBJECTS]; /* a subject to hear; NULL: none */
    void (*up)(void *ctx);
    /* Called once when the connection is lost. */
    void (*down)(void *ctx, const char *why);
    void (*message)(void *ctx, const char *subject, const uint8_t *bytes, size_t length);
    /* Called after each batch of messages. */
    void (*done)(void *ctx);
    void *ctx;
};

/* Copies the options, except the texts and the seed, which must outlive the carrier. BL_NOMEM,
 * BL_UNAVAIL. BL_USAGE: too many servers. */
enum bl_status carrier_open(struct carrier **out, uv_loop_t *loop,
                            const struct carrier_options *options, struct bl_diag *diag);

bool carrier_is_up(const struct carrier *carrier);

/* False: the message was not sent. True: it may still be lost. */
bool carrier_send(struct carrier *carrier, const char *subject, const uint8_t *bytes,
                  size_t length);

/* Gives the connection up where there is another server, and begins the next try there. */
void carrier_change(struct carrier *carrier, const char *why);

/* Ends the carrier; the loop must not run afterwards, and the memory is never freed. */
void carrier_close(struct carrier *carrier);

#endif
