/* A link: records, once and in order, over one line. For callers; media and the protocol stand
 * behind (medium.h, core.h). Source: DESIGN.md, "Link". */
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#define LINK_RECORD_MAX 1024
#define LINK_REASON_MAX 160
#define LINK_WAITING                                                                               \
    "waiting for the other terminal" /* how the reason begins if nothing is wrong */
#define LINK_CONNECTED "connected"

struct link;

enum link_state { LINK_DOWN, LINK_CONNECTING, LINK_UP };

/* Express records (keys and all bound to their order) go before bulk ones. Within a class the order
 * is kept; between the classes it is not. */
enum link_class { LINK_EXPRESS, LINK_BULK };

/* What the two ends are; two ends with the same role other than LINK_ANY are told so. */
enum link_role { LINK_ANY, LINK_JUDGE, LINK_ENTITY };

struct link_callbacks {
    /* The state changed, or its reason did. reason is one line for a person, valid during the call.
     */
    void (*state)(void *ctx, enum link_state state, const char *reason);
    /* A record arrived. BL_OK alone acknowledges: a keeper of a journal writes first. Any other
     * status drops the connection, and is the reason. */
    enum bl_status (*record)(void *ctx, const uint8_t *record, size_t length);
    /* Records were acknowledged, or the queue has room again. */
    void (*progress)(void *ctx);
    /* All records of a batch were handed over; their answer goes out afterwards. May be NULL. */
    void (*taken)(void *ctx);
    /* The same, when the answer has gone, or waits (answers_by_chance). May be NULL. */
    void (*answered)(void *ctx);
};

struct link_options {
    enum link_role role;
    bool rtscts; /* only for cables without a controller in them */
    /* 32 bytes both ends know, or NULL: then nothing is encrypted. Copied. */
    const uint8_t *secret;
    const uint8_t *referee; /* 32 bytes: the public key of who may listen, or NULL. Copied. */
    bool insecure;          /* Ethernet without a secret: for a cable in sight */
    bool answers_by_chance; /* on Ethernet, see link_wire.answer_us: an entity's end */
};

struct link_stats {
    uint64_t bytes_out, bytes_in; /* on the wire, delimiters and all */
    uint64_t frames_out, frames_in, resent, doubled;
    uint64_t garbage; /* bytes of no frame */
    uint64_t records_out, records_in;
    uint64_t connections; /* times the link came up */
    uint32_t rtt_us;      /* smoothed round trip, 0 if not measured yet */
    uint32_t largest_frame;
};

/* Opens the line named by port: serial:DEVICE[@BAUD], 115,200 baud by default, or
 * ether:INTERFACE[/LINE], where LINE (default "line") tells the lines on one hub apart. Returns
 * BL_OK also when the device is there but nobody answers: the link is then connecting, and says so
 * through the callbacks. A device's later loss is a state (LINK_DOWN with the reason), not an
 * error; it is tried again. Errors, with the line in diag: BL_USAGE (the port's name), BL_NOINPUT,
 * BL_NOPERM (names the group), BL_BUSY (names the holder), BL_IO. Everything is allocated here; a
 * running link allocates nothing. callbacks are copied. Callbacks come from the loop, never from
 * within link_open or link_send. */
enum bl_status link_open(struct link **out, uv_loop_t *loop, const char *port,
                         const struct link_options *options, const struct link_callbacks *callbacks,
                         void *ctx, struct bl_diag *diag);

/* Queues one record of 1 to LINK_RECORD_MAX bytes for the present connection. BL_AGAIN: no room,
 * wait for progress. BL_DOWN: not up. What was queued when a connection ends is gone. */
enum bl_status link_send(struct link *link, enum link_class class, const uint8_t *record,
                         size_t length);

/* Express records that link_send took in this connection, and how many of them, from the first on,
 * the other end has acknowledged. Both restart at 0 with each connection. */
uint64_t link_sent(const struct link *link);
uint64_t link_acked(const struct link *link);

/* link_send() of each class, link_sent() and link_acked() in the form of callbacks: `place` is a
 * struct link **, so the link may be opened later. BL_DOWN and 0 while NULL. */
enum bl_status link_send_express(void *place, const uint8_t *record, size_t length);
enum bl_status link_send_bulk(void *place, const uint8_t *record, size_t length);
uint64_t link_sent_express(void *place);
uint64_t link_acked_express(void *place);

enum link_state link_state(const struct link *link);
const char *link_reason(const struct link *link);
/* True if its port cannot be used: then the reason may name the port, else only the words behind
 * LINK_WAITING may. */
bool link_port_failed(const struct link *link);
void link_stats(const struct link *link, struct link_stats *stats);

/* Writes the length of every frame sent or received as a line "> 15\n" or "< 9\n" to file, for
 * tests of blindness; NULL stops. */
void link_trace(struct link *link, void *file);

/* Sends the other end a goodbye, which saves a wait of 3 s there, and frees everything once the
 * loop has run. NULL is allowed. */
void link_close(struct link *link);

/* The same without a goodbye: to the other end it is as if this one had lost its power. */
void link_abandon(struct link *link);

#endif
