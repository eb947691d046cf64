/* Follows one line without ever sending: from those frames of both ends that reach the listener it
 * makes the records the ends gave each other. What an end has acknowledged and the listener has not
 * heard is a gap, which is told; a frame that was lost or doubled and comes again is none. Sealed
 * frames that come before the session's keys are kept, the last 16 KB of them, and opened when the
 * keys come. Pure, like the protocol: core.h. */
#ifndef LINK_LISTEN_H
#define LINK_LISTEN_H

#include "link/link.h"
#include "link/secured_pass.h"

struct listen;

enum listen_state {
    LISTEN_NOTHING,    /* nothing has been heard yet */
    LISTEN_CONNECTING, /* the ends look for each other */
    LISTEN_UP,         /* they are connected, and what they say is heard */
    LISTEN_SEALED,     /* they are connected, and it is not understood: their keys are not known */
    LISTEN_CLOSED,     /* one end said goodbye */
};

/* Ends are numbered as the caller hears them: by receiver or by role. */
struct listen_callbacks {
    void (*state)(void *ctx, enum listen_state state);
    /* A record that the given end sent. One of bulk is left out where another one went before its
     * end: nobody knows where among them it belongs. */
    void (*record)(void *ctx, unsigned end, const uint8_t *record, size_t length);
    /* So many frames of this end were missed: between the last record and the next. 0: nobody knows
     * how many, as where a connection is heard from its middle on. */
    void (*gap)(void *ctx, unsigned end, unsigned frames);
    /* Whose end a hello said it is. */
    void (*role)(void *ctx, unsigned end, enum link_role role);
    /* Opens what the judge's end gave to a referee; false: it is not for us, or not of now. */
    bool (*pass)(void *ctx, const uint8_t pass[PASS_LENGTH], struct pass_keys *keys);
};

/* Takes all memory at once. NULL: none. */
struct listen *listen_create(const struct listen_callbacks *callbacks, void *ctx);
void listen_destroy(struct listen *listen);

/* A frame of end 0 or 1, checksum or seal included. */
void listen_frame(struct listen *listen, uint64_t now_us, unsigned end, const uint8_t *frame,
                  size_t length);

/* Names the gaps that time makes certain; when that is so next, UINT64_MAX: not by time. */
void listen_tick(struct listen *listen, uint64_t now_us);
uint64_t listen_deadline(const struct listen *listen);

/* The end of listening: what is missing will not come any more. */
void listen_finish(struct listen *listen);

enum listen_state listen_state(const struct listen *listen);
uint64_t listen_frames(const struct listen *listen);

#endif
