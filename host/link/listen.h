/* Follows one line without sending. From the received frames of both ends it reconstructs the
 * records that the ends exchanged. A record that an end has acknowledged and the listener has not
 * heard is a gap, and is reported. A lost or doubled frame that comes again makes no gap. Sealed
 * frames that come before the keys of their session are kept, the last 16 KB, and opened when the
 * keys come. Pure. */
#ifndef LINK_LISTEN_H
#define LINK_LISTEN_H

#include "link/link.h"
#include "link/secured_pass.h"

struct listen;

enum listen_state {
    LISTEN_NOTHING,    /* nothing has been heard yet */
    LISTEN_CONNECTING, /* the ends look for each other */
    LISTEN_UP,         /* the ends are connected, and their records are heard */
    LISTEN_SEALED,     /* the ends are connected; their frames cannot be read without keys */
    LISTEN_CLOSED,     /* one end said goodbye */
};

/* The caller numbers the ends: by receiver or by role. */
struct listen_callbacks {
    void (*state)(void *ctx, enum listen_state state);
    /* A record that the given end sent. A bulk record that another record overtook is left out,
     * since its position is not known. */
    void (*record)(void *ctx, unsigned end, const uint8_t *record, size_t length);
    /* The number of frames of this end that were missed between the last record and the next; 0: an
     * unknown number. */
    void (*gap)(void *ctx, unsigned end, unsigned frames);
    /* A hello has named the role of this end. */
    void (*role)(void *ctx, unsigned end, enum link_role role);
    /* Opens the keys that the judge's end gave to a referee. False: the keys are for another
     * referee, or of another time. */
    bool (*pass)(void *ctx, const uint8_t pass[PASS_LENGTH], struct pass_keys *keys);
};

/* Allocates all memory at once. NULL: no memory. */
struct listen *listen_create(const struct listen_callbacks *callbacks, void *ctx);
void listen_destroy(struct listen *listen);

/* Takes a frame of end 0 or 1, with checksum or seal. */
void listen_frame(struct listen *listen, uint64_t now_us, unsigned end, const uint8_t *frame,
                  size_t length);

/* Reports the gaps that have become certain by time. */
void listen_tick(struct listen *listen, uint64_t now_us);
/* The time of the next listen_tick(); UINT64_MAX: none. */
uint64_t listen_deadline(const struct listen *listen);

/* Ends listening. Missing records will not come any more. */
void listen_finish(struct listen *listen);

enum listen_state listen_state(const struct listen *listen);
uint64_t listen_frames(const struct listen *listen);

#endif
