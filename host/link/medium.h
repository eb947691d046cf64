/* A medium, as the link sees it: it carries frames, and reports its state and the time of a frame.
 * One file per medium. */
#ifndef LINK_MEDIUM_H
#define LINK_MEDIUM_H

#include "link/core.h"
#include "link/frame.h"

/* The events that a medium reports to the link. Called from the loop. */
struct medium_callbacks {
    /* A whole frame, whose checksum is not yet verified; wire is its number of bytes on the wire.
     * True: the frame belongs to the present connection. */
    bool (*frame)(void *ctx, const uint8_t *frame, size_t length, size_t wire);
    /* As frame(), before the frame's delimiter has come. True: the frame is taken. False: the
     * delimiter is awaited. */
    bool (*early)(void *ctx, const uint8_t *frame, size_t length, size_t wire);
    void (*garbage)(void *ctx, size_t bytes);
    /* The medium can carry bytes, or cannot, with the reason. For a usable medium the reason is the
     * text until the other end answers; NULL: the usual text. */
    void (*usable)(void *ctx, bool usable, const char *reason);
    /* A fact for a person, in one line. */
    void (*notice)(void *ctx, const char *text);
    /* The wire has become free for a frame, after ready() answered false. */
    void (*writable)(void *ctx);
    /* All waiting frames have been handed over. One answer to all of them is due. */
    void (*idle)(void *ctx);
};

/* Feeds one byte of a stream to the frame reader, and reports the result. */
void medium_feed(const struct medium_callbacks *callbacks, void *ctx, struct frame_reader *reader,
                 uint8_t byte);

struct medium;

struct medium_ops {
    /* True if a frame may go now. The system keeps enough bytes to keep the wire busy, and few
     * enough to keep a key's wait short. False: writable() follows. */
    bool (*ready)(struct medium *medium, uint64_t now_us);
    /* Puts one frame on the wire. Called when ready. usable() reports a failure later. */
    void (*send)(struct medium *medium, uint64_t now_us, const uint8_t *frame, size_t length);
    void (*wire)(const struct medium *medium, struct link_wire *wire);
    /* Sends the rest, then frees the medium and calls closed(). No event follows the call. */
    void (*close)(struct medium *medium, void (*closed)(void *ctx));
    /* Called while a connection is sought. True: another program had changed the medium's settings,
     * which are now restored. NULL: a medium without settings. */
    bool (*renew)(struct medium *medium);
    /* The connection has ended. NULL: a medium of two ends, such as a cable. */
    void (*lost)(struct medium *medium);
};

/* The first member of every medium's own struct. */
struct medium {
    const struct medium_ops *ops;
    struct medium_callbacks callbacks;
    void *ctx;
    const char *line;             /* the line's name, the same at both ends; "": none */
    uint64_t bytes_out, bytes_in; /* bytes on the wire, with delimiters */
    uint32_t largest;             /* the largest sent frame, with delimiters */
};

/* Opens serial:DEVICE[@BAUD] (the part after "serial:"). Errors as link_open. */
enum bl_status serial_open(struct medium **out, uv_loop_t *loop, const char *name, bool rtscts,
                           const struct medium_callbacks *callbacks, void *ctx,
                           struct bl_diag *diag);

/* Opens ether:INTERFACE[/LINE] (the part after "ether:"); sealed: the line has a secret. Errors as
 * link_open. */
enum bl_status ethernet_open(struct medium **out, uv_loop_t *loop, const char *name,
                             enum link_role role, bool sealed,
                             const struct medium_callbacks *callbacks, void *ctx,
                             struct bl_diag *diag);

#endif
