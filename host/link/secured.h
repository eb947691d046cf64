/* The layer (layer.h) of a line with a secret: makes a Noise session (secure.h) and lets nothing
 * through but the session's frames. Pure, as the protocol: frames, time and randomness go in,
 * frames come out.
 *
 * The judge's end begins:
 *   KNOCK  entity   "I have no session"
 *   ASK    judge    "let us make one", with a number drawn for it
 *   OFFER  entity   that number again, and one the handshake must repeat
 *   HAND1  judge    the first message of the handshake, the number in it
 *   HAND2  entity   the second, with a short mac so that junk costs nothing
 *   DATA   both     the session's frames
 *   PASS   judge    the session's keys for the referee: secured_pass.h
 * KNOCK, ASK and OFFER have a version, two numbers (the end's rank and a number; in an OFFER both
 * numbers) and a mac, whose key comes from the line's secret and name.
 * So a recorded frame can begin nothing: an OFFER answers this very ASK, a HAND1 this very OFFER.
 * Nothing grows, whatever comes: an end has at most one session that lives, one that is to follow
 * it, and one handshake. The live session ends when the first frame of the next has come.
 */
#ifndef LINK_SECURED_H
#define LINK_SECURED_H

#include "link/layer.h"
#include "link/secure.h"

#define SECURED_LINE_MAX 40 /* bytes of a line's name */

struct secured_config {
    enum link_role role;   /* LINK_ANY: the end with the greater random number begins */
    const uint8_t *secret; /* SECURE_KEY bytes, copied */
    const char *line;      /* the same at both ends; "": no name */
    const uint8_t
        *referee; /* the referee's public key, for the session's keys; NULL: no referee; copied */
    uint16_t frame_max; /* length of the medium's greatest frame */
    void (*random)(void *ctx, uint8_t *out, size_t length);
    uint64_t (*wall_us)(void *ctx); /* called only with a referee */
    void *ctx;
};

/* Allocates all memory, locked and guarded if the system can. NULL: no memory. early() is always
 * false: a sealed frame is verified whole. */
struct layer *secured_create(const struct secured_config *config);

/* True for a frame that any end with a secret, of any line, may send. */
bool secured_is_call(const uint8_t *frame, size_t length);

/* True if a frame on the wire is marked as a session's. The seal is not verified. */
bool secured_is_sealed(const uint8_t *frame, size_t length);

uint64_t secured_sessions(const struct layer *layer);

#endif
