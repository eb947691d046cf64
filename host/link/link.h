/* A link carries records, once and in order, over one line. Source: DESIGN.md, "Link". */
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
    "waiting for the other terminal" /* the beginning of the reason while there is no fault */
#define LINK_CONNECTED "connected"

struct link;

enum link_state { LINK_DOWN, LINK_CONNECTING, LINK_UP };

/* Express records go before bulk records. Keys, and records in one order with keys, are express.
 * The order holds within a class only. */
enum link_class { LINK_EXPRESS, LINK_BULK };

/* The roles of the two ends. Two ends of the same role, except LINK_ANY, get a message about it. */
enum link_role { LINK_ANY, LINK_JUDGE, LINK_ENTITY };

struct link_callbacks {
    /* The state or its reason has changed. reason is one line for a person, valid during the
     * call. */
    void (*state)(void *ctx, enum link_state state, const char *reason);
    /* A record has arrived. BL_OK acknowledges the record, so a journal writes first. Any other
     * status drops the connection and becomes the reason. */
    enum bl_status (*record)(void *ctx, const uint8_t *record, size_t length);
    /* Records were acknowledged, or the queue has room again. */
    void (*progress)(void *ctx);
    /* All records of a batch were handed over; the answer follows. May be NULL. */
    void (*taken)(void *ctx);
    /* The batch's answer was sent, or waits (answers_by_chance). May be NULL. */
    void (*answered)(void *ctx);
};

struct link_options {
    enum link_role role;
    bool rtscts; /* RTS/CTS flow control, for cables without a controller */
    /* 32 bytes that both ends know, or NULL: no encryption. Copied. */
    const uint8_t *secret;
    const uint8_t
        *referee;  /* the public key, 32 bytes, of a permitted listener; NULL: none. Copied. */
    bool insecure; /* Ethernet without a secret, for a cable in sight */
    bool answers_by_chance; /* on Ethernet, see link_wire.answer_us: for an entity's end */
};

struct link_stats {
    uint64_t bytes_out, bytes_in; /* bytes on the wire, with delimiters */
    uint64_t frames_out, frames_in, resent, doubled;
    uint64_t garbage; /* bytes outside of frames */
    uint64_t records_out, records_in;
    uint64_t connections; /* times that the link came up */
    uint32_t rtt_us;      /* smoothed round trip, 0 if not measured yet */
    uint32_t largest_frame;
};

/* Opens the line named by port. serial:DEVICE[@BAUD]: 115,200 baud by default.
 * ether:INTERFACE[/LINE]: LINE (default "line") distinguishes the lines on one hub. BL_OK: also if
 * the device is there and nobody answers; the link is then connecting. A later loss of the device
 * is a state (LINK_DOWN with the reason), and opening is tried again. Errors, with the line in
 * diag: BL_USAGE (the port's name), BL_NOINPUT, BL_NOPERM (names the group), BL_BUSY (names the
 * holder), BL_IO. Everything is allocated here. callbacks are copied. Callbacks come from the loop,
 * never from within link_open or link_send. */
enum bl_status link_open(struct link **out, uv_loop_t *loop, const char *port,
                         const struct link_options *options, const struct link_callbacks *callbacks,
                         void *ctx, struct bl_diag *diag);

/* Queues one record of 1 to LINK_RECORD_MAX bytes for the present connection. BL_AGAIN: no room;
 * progress() tells when to try again. BL_DOWN: not up. Records still queued at the end of a
 * connection are lost. */
enum bl_status link_send(struct link *link, enum link_class class, const uint8_t *record,
                         size_t length);

/* link_sent(): the number of express records that link_send took in this connection. link_acked():
 * the number of these that the other end has acknowledged, from the first on. Both restart at 0
 * with each connection. */
uint64_t link_sent(const struct link *link);
uint64_t link_acked(const struct link *link);

/* The same functions as callbacks. `place` is a struct link **, so the link may be opened later.
 * While it points to NULL: BL_DOWN and 0. */
enum bl_status link_send_express(void *place, const uint8_t *record, size_t length);
enum bl_status link_send_bulk(void *place, const uint8_t *record, size_t length);
uint64_t link_sent_express(void *place);
uint64_t link_acked_express(void *place);

enum link_state link_state(const struct link *link);
const char *link_reason(const struct link *link);
/* True if the port cannot be used. The reason may then name the port. Otherwise only the words
 * after LINK_WAITING may name it. */
bool link_port_failed(const struct link *link);
void link_stats(const struct link *link, struct link_stats *stats);

/* Writes the length of every sent or received frame to file, as a line "> 15\n" or "< 9\n", for
 * tests of blindness; NULL stops. */
void link_trace(struct link *link, void *file);

/* Sends a goodbye, which saves the other end a wait of 3 s. The memory is freed once the loop has
 * run. NULL is allowed. */
void link_close(struct link *link);

/* As link_close(), but without a goodbye: the other end sees a loss of power. */
void link_abandon(struct link *link);

#endif
