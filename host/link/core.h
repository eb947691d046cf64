/* The link's protocol as a pure state machine: no I/O, no clock, no dice of its own. Frames and
 * time go in, frames and records come out; so a test owns the wire and the clock. Source:
 * DESIGN.md, "Link"; RFC 6298 for the timers. */
#ifndef LINK_CORE_H
#define LINK_CORE_H

#include "link/link.h"

/* Room for the protocol's own frames. */
#define LINK_FRAME_LEAST 32

/* The wire's facts for the protocol. */
struct link_wire {
    uint32_t byte_ns;   /* time of one byte, 0 if not known (unpaced) */
    uint32_t baud;      /* for words, 0 if there is none */
    uint16_t overhead;  /* bytes the medium adds to a frame (delimiters, COBS) */
    uint16_t frame_max; /* greatest frame of link_core, without the overhead; LINK_FRAME_LEAST to
                           FRAME_MAX */
    uint8_t reorder;    /* frames possibly overtaking one: 0 on serial */
    uint32_t answer_us; /* an answer without a record waits by chance for less: others hear the
                           answer, and must not learn a machine's load from the delay. 0: no wait */
};

struct link_core;

/* random_u32 draws connection ids; ctx is for random and the callbacks. callbacks are copied; it is
 * called from within link_core_medium, _frame and _tick, never from within _send, _output and _end,
 * and may call those. All memory is taken here. NULL: no memory. */
struct link_core *link_core_create(enum link_role role, const struct link_wire *wire,
                                   uint32_t (*random_u32)(void *ctx),
                                   const struct link_callbacks *callbacks, void *ctx);
void link_core_destroy(struct link_core *core);

/* The medium can carry bytes, or cannot; reason is one line: the fault, or the words shown while
 * nobody answers (NULL: the usual ones). Starts as cannot. */
void link_core_medium(struct link_core *core, uint64_t now_us, bool usable, const char *reason);

/* Something on the line a person should know, one line: the reason while there is no connection,
 * beside "connected" while there is. Said no more after 3 s. */
void link_core_notice(struct link_core *core, uint64_t now_us, const char *text);

/* A frame came in (whole, checksum included, not yet judged). True if the frame is proven to be of
 * the present connection. */
bool link_core_frame(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length);

/* Bytes came in, maybe a whole frame, though its end is not certain yet. If their checksum is
 * right, takes the frame and returns true; if not, does nothing and returns false. */
bool link_core_early(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length);

/* New bytes can be no frame. */
void link_core_garbage(struct link_core *core, uint64_t now_us, size_t bytes);

/* A layer below has seen why the ends do not connect (text: one line). The text is the reason given
 * while there is no connection, and lapses unless repeated within 3 s. */
void link_core_trouble(struct link_core *core, uint64_t now_us, const char *text);

/* Time has reached link_core_deadline() (UINT64_MAX: there is none). Earlier does no harm. */
void link_core_tick(struct link_core *core, uint64_t now_us);
uint64_t link_core_deadline(const struct link_core *core);

/* The next frame for the wire into out, which has room for wire.frame_max bytes; 0 if there is
 * none. The caller asks when the wire is free, so urgent frames go first; after it has handed over
 * frames, it asks once all of one batch are in, so one answer serves for all. */
size_t link_core_output(struct link_core *core, uint64_t now_us, uint8_t *out);

/* As link_send. */
enum bl_status link_core_send(struct link_core *core, enum link_class class, const uint8_t *record,
                              size_t length);
uint64_t link_core_sent(const struct link_core *core);
uint64_t link_core_acked(const struct link_core *core);
enum link_state link_core_state(const struct link_core *core);
const char *link_core_reason(const struct link_core *core);
bool link_core_port_failed(const struct link_core *core); /* as link_port_failed() */
void link_core_stats(const struct link_core *core, struct link_stats *stats);

/* True if its books agree with each other: for those who test it. */
bool link_core_sound(const struct link_core *core);

/* True if this is a hello, by which a link shows itself to whoever listens. */
bool link_core_is_hello(const uint8_t *frame, size_t length);

/* Ends it: outputs carry goodbyes, if they are wanted, until the deadline is UINT64_MAX, in a
 * seventh of a second, and the callbacks are not called any more. */
void link_core_end(struct link_core *core, bool goodbye);

#endif
