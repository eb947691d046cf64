/* What a medium is to the link (for implementers; callers want link.h): it carries frames, tells
 * when it can and cannot, and how long a frame takes. One file per medium. */
#ifndef LINK_MEDIUM_H
#define LINK_MEDIUM_H

#include "link/core.h"
#include "link/frame.h"

/* What a medium tells the link. Called from the loop. */
struct medium_callbacks {
    /* A whole frame, its checksum not yet judged; wire is its bytes on the wire. True: of the
     * present connection. */
    bool (*frame)(void *ctx, const uint8_t *frame, size_t length, size_t wire);
    /* The same before its delimiter has come: true takes it, false waits for the delimiter. */
    bool (*early)(void *ctx, const uint8_t *frame, size_t length, size_t wire);
    void (*garbage)(void *ctx, size_t bytes);
    /* The medium can carry bytes, or cannot, with the reason. Also after its return. The words of a
     * usable one are for the time until somebody answers; NULL: the usual. */
    void (*usable)(void *ctx, bool usable, const char *reason);
    /* Something that a person should know, one line. */
    void (*notice)(void *ctx, const char *text);
    /* The wire is free for a frame again after ready() said no. */
    void (*writable)(void *ctx);
    /* All that was there has been handed over: time to answer once for all of it. */
    void (*idle)(void *ctx);
};

/* Gives one byte of a stream of frames to the reader, and reports the result. */
void medium_feed(const struct medium_callbacks *callbacks, void *ctx, struct frame_reader *reader,
                 uint8_t byte);

struct medium;

struct medium_ops {
    /* True if a frame may go now: a little is kept waiting in the system so the wire never idles,
     * but too little to delay a key. If not, writable() follows. */
    bool (*ready)(struct medium *medium, uint64_t now_us);
    /* Puts one frame on the wire; asked only when ready. A failure is told by usable(), later. */
    void (*send)(struct medium *medium, uint64_t now_us, const uint8_t *frame, size_t length);
    void (*wire)(const struct medium *medium, struct link_wire *wire);
    /* Lets all sent frames go out, then frees itself and calls closed. No event follows the
     * call. */
    void (*close)(struct medium *medium, void (*closed)(void *ctx));
    /* A connection is sought: true if the settings of the medium had been changed by somebody else
     * and are restored. NULL: it has none. */
    bool (*renew)(struct medium *medium);
    /* The connection has ended. NULL for a medium that can only join two ends, such as a cable. */
    void (*lost)(struct medium *medium);
};

/* The head of every medium's own struct. */
struct medium {
    const struct medium_ops *ops;
    struct medium_callbacks callbacks;
    void *ctx;
    const char *line;             /* its name, the same at both ends; "" if it has none */
    uint64_t bytes_out, bytes_in; /* on the wire, delimiters and all */
    uint32_t largest;             /* frame sent, likewise */
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
