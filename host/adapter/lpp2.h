/* An Entry that speaks version 2 of the Loebner Prize Protocol (2016 to 2019): it is a client of
 * socket.io, and this is the server it connects to, by polling or over a WebSocket.
 *
 * A session is one round: "newRound" when there is a record, "startRound" when the line opens for
 * the first time, "endRound" when the session is over. Each line of the judge's, as his BackSpaces
 * left it, is a `message` once he ends it with Return; a `message` of the Entry is typed, with a
 * Return after it, at once if it came all at once, as every Entry's keys: the pace is the caller's.
 *
 * The connection that registered last has the place; what others say is not taken. A line an
 * earlier connection may not have received is sent again. A line has certainly been received once a
 * later request comes on the same connection, or the pong of its WebSocket. So a cut loses nothing,
 * and at most the last line comes twice.
 *
 * Everything that comes is bounded: connections, sizes, sessions, what waits to be sent or typed. A
 * client that does wrong is told so, by the protocol's own errors, or its connection is closed.
 * Source: DESIGN.md, "Entrants". */
#ifndef ADAPTER_LPP2_H
#define ADAPTER_LPP2_H

#include "base/status.h"
#include "entity/handed.h"
#include "session/event.h"

#include <uv.h>

#define LPP2_LINE_MAX                                                                              \
    8192                    /* bytes of a line of the judge's; more of it is a message of its own  \
                             */
#define LPP2_KEYS_MAX 16384 /* keys waiting to be typed; a message without room is refused */

struct lpp2_options {
    const char *address; /* see http_options */
    unsigned port;
    int listening;
    bool boxed;         /* the Entry in its sandbox alone reaches it */
    const char *secret; /* "" any will do */
};

enum lpp2_event {
    LPP2_LISTENS,    /* the address */
    LPP2_REGISTERED, /* the client, and the kind of its connection */
    LPP2_GONE,       /* he who was registered is not connected any more */
    LPP2_REFUSED,    /* a message not taken, and the reason */
    LPP2_NOT_A_KEY,  /* count of characters of a message that are no keys */
    LPP2_AGAIN,      /* a line he may have is sent again */
};

/* Text is one line of at most NOTE_MAX bytes. Of each kind of event, and each reason of a refusal,
 * a few come at once, then one in a while, which says how many did not. */
struct lpp2_callbacks {
    /* A key of the Entry, which came at pressed_us (monotonic). HANDED_BACK: it comes again after
     * the next lpp2_allow. */
    enum handed (*key)(void *ctx, uint32_t point, uint64_t pressed_us);
    /* Key number n of the order, which is there. */
    uint32_t (*placed)(void *ctx, uint64_t n, enum party *party);
    /* Key i, from 0, of the Entry's without a place yet; 0: there are not so many. */
    uint32_t (*waiting)(void *ctx, size_t i);
    /* An outcome for the record and the screen. */
    void (*event)(void *ctx, enum lpp2_event event, uint32_t count, const char *text);
};

struct lpp2;

/* Opens the server; callbacks are copied, options are not needed afterwards. Errors as http_open().
 * */
enum bl_status lpp2_open(struct lpp2 **out, uv_loop_t *loop, const struct lpp2_options *options,
                         const struct lpp2_callbacks *callbacks, void *ctx, struct bl_diag *diag);

/* Begins a session: a round, from 0. given: up to which number of the order the judge's keys were
 * given before, by an earlier process; then the Entry knows that the round is new. */
void lpp2_session(struct lpp2 *lpp2, unsigned round, uint64_t given);

/* The line has been open; the session is over. */
void lpp2_start(struct lpp2 *lpp2);
void lpp2_end(struct lpp2 *lpp2);

/* The number of keys that may be handed over now. */
void lpp2_allow(struct lpp2 *lpp2, unsigned keys);

/* The order has n keys: new ones of the judge's go to the Entry. */
void lpp2_order(struct lpp2 *lpp2, uint64_t n);

/* The judge's keys up to this number of the order have reached the Entry. */
uint64_t lpp2_given(const struct lpp2 *lpp2);

/* Has it ever registered? */
bool lpp2_ready(const struct lpp2 *lpp2);

/* True if all packets to be sent have gone. */
bool lpp2_sent(const struct lpp2 *lpp2);

/* The loop must run until the handles are closed. NULL is allowed. */
void lpp2_close(struct lpp2 *lpp2);

#endif
