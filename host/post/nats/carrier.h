/* A connection with a nats-server, on the loop of desk or courier. The library has threads of its
 * own: their news are handed to the loop. The carrier gives a connection up at the first fault, and
 * tries anew once a second, for ever. A try may block for two seconds. */
#ifndef POST_NATS_CARRIER_H
#define POST_NATS_CARRIER_H

#include "post/server_config.h"

#include <uv.h>

struct carrier;

#define CARRIER_SUBJECTS 2

struct carrier_options {
    const char *url;                       /* nats://ADDRESS:PORT */
    const char *name;                      /* the client's name in the server's log */
    const uint8_t *seed;                   /* of its keys; POST_SECRET bytes */
    const char *subject[CARRIER_SUBJECTS]; /* to hear; NULL: no more */
    void (*up)(void *ctx);
    /* Told once, until it is up again. */
    void (*down)(void *ctx, const char *why);
    void (*message)(void *ctx, const char *subject, const uint8_t *bytes, size_t length);
    /* After all messages before. */
    void (*done)(void *ctx);
    void *ctx;
};

/* Copies the options, but for the texts and the seed, which must outlive it. BL_NOMEM, BL_UNAVAIL.
 * */
enum bl_status carrier_open(struct carrier **out, uv_loop_t *loop,
                            const struct carrier_options *options, struct bl_diag *diag);

bool carrier_is_up(const struct carrier *carrier);

/* False: it did not go. That it went does not say that it has arrived. */
bool carrier_send(struct carrier *carrier, const char *subject, const uint8_t *bytes,
                  size_t length);

/* Ends it; the loop must not run afterwards, and the memory is never freed. */
void carrier_close(struct carrier *carrier);

#endif
