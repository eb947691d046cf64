/* The link's protocol as a pure state machine, without I/O, clock or random numbers of its own.
 * Frames and times are its inputs, frames and records its outputs, so a test controls both wire and
 * clock. Source: DESIGN.md, "Link"; RFC 6298 for the timers. */
#ifndef LINK_CORE_H
#define LINK_CORE_H

#include "link/link.h"

/* Room for the frames of the protocol itself. */
#define LINK_FRAME_LEAST 32

/* This many frames may overtake a frame on Ethernet, sealed or not. A later frame is dropped, and
 * the link sends it again. The link's own numbers wrap, so a frame that was held back for long
 * would be taken for a new one. */
#define LINK_OVERTAKE 3

/* The properties of the wire that matter to the protocol. */
struct link_wire {
    uint32_t byte_ns;  /* nanoseconds of one byte; 0: unknown (unpaced) */
    uint32_t baud;     /* the speed for messages; 0: none */
    uint16_t overhead; /* bytes that the medium adds to a frame (delimiters, COBS) */
    uint16_t
        frame_max;   /* the greatest frame of link_core, without the overhead: LINK_FRAME_LEAST to
                    * FRAME_MAX */
    uint8_t reorder; /* the number of frames that may overtake a frame: 0 on serial */
    uint32_t
        answer_us; /* an answer without a record waits a random time below this, so that listeners
                    * cannot read a machine's load from the delay; 0: no wait */
};

struct link_core;

/* random_u32 draws connection ids; ctx is for random_u32 and for the callbacks. The callbacks are
 * copied, and are called from within link_core_medium, _notice, _trouble, _frame, _early and _tick,
 * which they may not call, and never from within _send, _output and _end, which they may call. All
 * memory is allocated here. NULL: no memory. */
struct link_core *link_core_create(enum link_role role, const struct link_wire *wire,
                                   uint32_t (*random_u32)(void *ctx),
                                   const struct link_callbacks *callbacks, void *ctx);
void link_core_destroy(struct link_core *core);

/* Tells that the medium can carry bytes, or cannot. reason is one line: the fault, or the text that
 * is shown while nobody answers (NULL: the usual text). The medium begins as unusable. */
void link_core_medium(struct link_core *core, uint64_t now_us, bool usable, const char *reason);

/* Tells a fact about the line for a person, in one line. The text is the reason while there is no
 * connection, and stands in the place of "connected" otherwise. It is shown for 3 s. */
void link_core_notice(struct link_core *core, uint64_t now_us, const char *text);

/* Takes a whole frame with its checksum, not yet verified. True if the frame is proven to belong to
 * the present connection. */
bool link_core_frame(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length);

/* Takes bytes that may be a whole frame before its end has come. If the checksum is right, takes
 * the frame and returns true; if not, does nothing and returns false. */
bool link_core_early(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length);

/* Tells that new bytes cannot be part of a frame. */
void link_core_garbage(struct link_core *core, uint64_t now_us, size_t bytes);

/* A layer below has found the reason why the ends do not connect (text: one line). The text is the
 * reason while there is no connection, and lapses after 3 s without a repetition. */
void link_core_trouble(struct link_core *core, uint64_t now_us, const char *text);

/* Tells that link_core_deadline() has passed (UINT64_MAX: no deadline). An early call does no
 * harm. */
void link_core_tick(struct link_core *core, uint64_t now_us);
uint64_t link_core_deadline(const struct link_core *core);

/* Writes the next frame for the wire into out, which has room for wire.frame_max bytes; 0 if there
 * is none. The caller asks when the wire is free, so urgent frames go first. After received frames
 * the caller asks once the whole batch is in, so one answer serves for all of them. */
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

/* True if the internal state is consistent; for tests. */
bool link_core_sound(const struct link_core *core);

/* True if the frame is a hello, by which a link announces itself to every listener. */
bool link_core_is_hello(const uint8_t *frame, size_t length);

/* Ends the link. Until the deadline is UINT64_MAX, a seventh of a second later, outputs carry
 * goodbyes if they are wanted; the callbacks are not called any more. */
void link_core_end(struct link_core *core, bool goodbye);

#endif
