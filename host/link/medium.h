/* What a medium is to the link (for implementers; callers want link.h): it carries frames, tells
 * when it can and cannot, and how long a frame takes. One file per medium. */
#ifndef LINK_MEDIUM_H
#define LINK_MEDIUM_H

#include "link/core.h"

/* What a medium tells the link. Called from the loop. */
struct medium_events {
    void (*frame)(void *ctx, const uint8_t *frame, size_t length);
    void (*garbage)(void *ctx, size_t bytes);
    /* It can carry bytes, or cannot and why. Also after it came back. */
    void (*usable)(void *ctx, bool usable, const char *reason);
    /* The wire is free for a frame again after send said BL_AGAIN. */
    void (*writable)(void *ctx);
    /* All that was there has been handed over: time to answer once for all of it. */
    void (*idle)(void *ctx);
};

struct medium;

struct medium_ops {
    /* Puts one frame on the wire. BL_AGAIN: the wire is busy, writable() follows. */
    enum bl_status (*send)(struct medium *medium, const uint8_t *frame, size_t length);
    void (*wire)(const struct medium *medium, struct link_wire *wire);
    void (*close)(struct medium *medium);
};

/* The head of every medium's own struct. */
struct medium {
    const struct medium_ops *ops;
    struct medium_events events;
    void *ctx;
};

/* Opens serial:DEVICE[@BAUD] (the part after "serial:"). Errors as link_open. */
enum bl_status serial_open(struct medium **out, uv_loop_t *loop, const char *name, bool rtscts,
                           const struct medium_events *events, void *ctx, struct bl_diag *diag);

#endif
