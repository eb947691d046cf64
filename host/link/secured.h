/* The layer between the protocol and a medium: with a key it makes a Noise session (secure.h) and
 * lets nothing through but the session's frames; without one (struct secured *NULL) it lets all
 * through as it is. Pure, as the protocol: frames, time and randomness go in, frames come out.
 *
 * The judge's end begins:
 *   KNOCK  entity   "I have no session"
 *   ASK    judge    "let us make one", with a number drawn for it
 *   OFFER  entity   that number again, and one that the handshake must repeat
 *   HAND1  judge    the first message of the handshake, the number in it
 *   HAND2  entity   the second, with a short mac so that junk costs nothing
 *   DATA   both     the session's frames
 *   PASS   judge    the session's keys for the referee: secured_pass.h
 * The first three are version, two numbers (the rank of the end and a number, or both numbers) and
 * a mac, whose key comes from the line's key and name.
 * So what was recorded can begin nothing: an OFFER answers this very ASK, a HAND1 this very OFFER.
 * Nothing grows, whatever comes: an end has at most one session that lives, one that is to follow
 * it, and one handshake. The session that lives does so until the first frame of the next has come.
 */
#ifndef LINK_SECURED_H
#define LINK_SECURED_H

#include "link/core.h"
#include "link/secure.h"

#define SECURED_LINE_MAX 40 /* bytes of a line's name */

struct secured;

struct secured_config {
    enum link_role role;    /* LINK_ANY: who begins is settled by the greater number */
    const uint8_t *key;     /* SECURE_KEY bytes, copied */
    const char *line;       /* the same at both ends, "" if the line has no name */
    const uint8_t *referee; /* public key that learns the session's keys, or NULL; copied */
    uint16_t frame_max;     /* of the medium */
    void (*random)(void *ctx, uint8_t *out, size_t length);
    uint64_t (*wall_us)(void *ctx); /* wanted with a referee alone */
    void *ctx;
};

/* Takes all memory, locked and guarded where the system can. NULL: none. */
struct secured *secured_create(const struct secured_config *config);
void secured_destroy(struct secured *secured);

/* What the protocol may know of the wire below. */
void secured_wire(const struct secured *secured, struct link_wire *wire);

/* As the functions of core.h of these names, with the layer above between. */
void secured_medium(struct secured *secured, struct link_core *core, uint64_t now_us, bool usable,
                    const char *reason);
bool secured_frame(struct secured *secured, struct link_core *core, uint64_t now_us,
                   const uint8_t *frame, size_t length);
/* As link_core_early(); with a key always false, since what is sealed is judged whole. */
bool secured_early(struct secured *secured, struct link_core *core, uint64_t now_us,
                   const uint8_t *frame, size_t length);
void secured_tick(struct secured *secured, struct link_core *core, uint64_t now_us);
uint64_t secured_deadline(const struct secured *secured, const struct link_core *core);
/* out has room for FRAME_MAX bytes. */
size_t secured_output(struct secured *secured, struct link_core *core, uint64_t now_us,
                      uint8_t *out);

/* Whether a frame on the wire says that it is one of a session: only its seal can tell whose. */
bool secured_is_sealed(const uint8_t *frame, size_t length);

/* Sessions made so far. */
uint64_t secured_sessions(const struct secured *secured);

#endif
