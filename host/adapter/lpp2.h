/* The server for an Entry of version 2 of the Loebner Prize Protocol (2016 to 2019). The Entry is a
 * socket.io client and connects by polling or over a WebSocket.
 *
 * * A session is one round: "newRound" when there is a record, "startRound" when the line opens for
 * the first time, "endRound" when the session is over. Each line of the judge becomes a `message`
 * at its Return, with BackSpaces applied. A `message` of the Entry is typed at once with a Return
 * after it; the pace is the caller's.
 *
 * * The connection that registered last is the Entry's; messages of others are refused. A line has
 * certainly arrived once the connection polls again, or its WebSocket answers a ping. A new
 * connection gets other lines again: no line is lost, but a line may come twice.
 *
 * * All input is bounded: connections, sizes, sessions, and the queues of packets and keys. A
 * client's error is answered with an error of the protocol, or the connection is closed.
 *
 * * Source: DESIGN.md, "Entrants". */
#ifndef ADAPTER_LPP2_H
#define ADAPTER_LPP2_H

#include "base/status.h"
#include "entity/handed.h"
#include "session/event.h"

#include <uv.h>

#define LPP2_LINE_MAX 8192  /* most bytes of a judge's line; the rest is a new message */
#define LPP2_KEYS_MAX 16384 /* keys waiting to be typed; a message without room is refused */

struct lpp2_options {
    const char *address; /* see http_options */
    unsigned port;
    int listening;
    bool boxed;         /* only the Entry in its sandbox can connect */
    const char *secret; /* "" accepts any secret */
};

enum lpp2_event {
    LPP2_LISTENS,    /* the address */
    LPP2_REGISTERED, /* a client registered: its name and transport */
    LPP2_GONE,       /* the registered client has disconnected */
    LPP2_REFUSED,    /* a message was refused, with the reason */
    LPP2_NOT_A_KEY,  /* count of characters in a message that are not keys */
    LPP2_AGAIN,      /* a line that may have arrived is sent again */
};

/* Text is one line of at most NOTE_MAX bytes. Of each kind of event, and of each reason of a
 * refusal, a few pass at once; then one per interval, with the number of suppressed ones. */
struct lpp2_callbacks {
    /* A key of the Entry, received at pressed_us (monotonic). HANDED_BACK: the key comes again
     * after the next lpp2_allow(). */
    enum handed (*key)(void *ctx, uint32_t point, uint64_t pressed_us);
    /* Returns key n of the order, which must exist. */
    uint32_t (*placed)(void *ctx, uint64_t n, enum party *party);
    /* Returns key i, from 0, of the Entry's keys without a place; 0 beyond the last. */
    uint32_t (*waiting)(void *ctx, size_t i);
    /* An event for the record and the screen. */
    void (*event)(void *ctx, enum lpp2_event event, uint32_t count, const char *text);
};

struct lpp2;

/* Opens the server; callbacks are copied, options need not stay. Errors as http_open(). */
enum bl_status lpp2_open(struct lpp2 **out, uv_loop_t *loop, const struct lpp2_options *options,
                         const struct lpp2_callbacks *callbacks, void *ctx, struct bl_diag *diag);

/* Begins a session. round: from 0. given: number of the order up to which an earlier process gave
 * the judge's keys; if above 0, the Entry knows the round. */
void lpp2_session(struct lpp2 *lpp2, unsigned round, uint64_t given);

/* lpp2_start(): the line has opened for the first time. lpp2_end(): the session is over. */
void lpp2_start(struct lpp2 *lpp2);
void lpp2_end(struct lpp2 *lpp2);

/* Sets the number of keys that may be typed now. */
void lpp2_allow(struct lpp2 *lpp2, unsigned keys);

/* The order now has n keys. Each line that the judge has ended goes to the Entry. */
void lpp2_order(struct lpp2 *lpp2, uint64_t n);

/* The number of the order up to which the judge's keys have reached the Entry. */
uint64_t lpp2_given(const struct lpp2 *lpp2);

/* True if the Entry has registered. */
bool lpp2_ready(const struct lpp2 *lpp2);

bool lpp2_sent(const struct lpp2 *lpp2);

/* Closes the server; the loop must run until the handles are closed. NULL is allowed. */
void lpp2_close(struct lpp2 *lpp2);

#endif
