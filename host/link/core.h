/* The link's protocol as a pure state machine, without I/O, clock or random numbers of its own.
 * Frames and times are its inputs; frames and records are its outputs. Source: DESIGN.md, "Link";
 * RFC 6298 for the timers. */
#ifndef LINK_CORE_H
#define LINK_CORE_H

#include "link/link.h"

/* Least room of a frame: the protocol's own frames fit. */
#define LINK_FRAME_LEAST 32

/* The number of frames that may overtake a frame on Ethernet, sealed or not. A frame overtaken by
 * more is dropped, and the link sends it again. The numbers of frames wrap, so a frame that was
 * held back for long would pass for a new one. */
#define LINK_OVERTAKE 3

struct link_wire {
    uint32_t byte_ns;  /* nanoseconds of one byte; 0: unknown (unpaced) */
    uint32_t baud;     /* the speed for messages; 0: none */
    uint16_t overhead; /* bytes that the medium adds to a frame (delimiters, COBS) */
    uint16_t
        frame_max;   /* the greatest frame of link_core, without the overhead: LINK_FRAME_LEAST to
                    * FRAME_MAX */
    uint8_t reorder; /* the number of frames that may overtake a frame: 0 on serial */
    uint32_t
        answer_us; /* an answer without a record waits a random time below this, so that the delay
                    * does not show a machine's load; 0: no wait */
};

struct link_core;

/* random_u32 draws connection ids; ctx is for random_u32 and for the callbacks. The callbacks are
 * copied. They are called from within link_core_medium, _notice, _trouble, _frame, _early and
 * _tick, and may not call these. They may call _send, _output and _end, which call no callback. All
 * memory is allocated here. NULL: no memory. */
struct link_core *link_core_create(enum link_role role, const struct link_wire *wire,
                                   uint32_t (*random_u32)(void *ctx),
                                   const struct link_callbacks *callbacks, void *ctx);
void link_core_destroy(struct link_core *core);

/* Reports whether the medium can carry bytes. reason is one line: the fault, or the text while
 * nobody answers (NULL: the usual text). The medium begins as unusable. */
void link_core_medium(struct link_core *core, uint64_t now_us, bool usable, const char *reason);

/* Reports a fact about the line for a person, in one line, shown for 3 s. The text is the reason
 * while there is no connection, and replaces "connected" otherwise. */
void link_core_notice(struct link_core *core, uint64_t now_us, const char *text);

/* Takes a whole frame, whose checksum is not yet verified. True: the frame is proven to belong to
 * the present connection. */
bool link_core_frame(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length);

/* Takes bytes that may be a whole frame before its end has come. True: the checksum is right, and
 * the frame is taken. False: no effect. */
bool link_core_early(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length);

/* Reports new bytes that cannot be part of a frame. */
void link_core_garbage(struct link_core *core, uint64_t now_us, size_t bytes);

/* Reports the reason why the ends do not connect, found by a layer below (text: one line). The text
 * is the reason while there is no connection. It lapses after 3 s without a repetition. */
void link_core_trouble(struct link_core *core, uint64_t now_us, const char *text);

/* Reports that link_core_deadline() has passed (UINT64_MAX: no deadline). An early call is
 * harmless. */
void link_core_tick(struct link_core *core, uint64_t now_us);
uint64_t link_core_deadline(const struct link_core *core);

/* Writes the next frame for the wire into out, which has room for wire.frame_max bytes. Returns its
 * length; 0: no frame. The caller asks when the wire is free, so that urgent frames go first. After
 * received frames the caller asks once for the whole batch, so that one answer serves for all of
 * them. */
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

/* Ends the link. If goodbyes are wanted, outputs carry them until the deadline is UINT64_MAX, a
 * seventh of a second later. No callback is called any more. */
void link_core_end(struct link_core *core, bool goodbye);

#endif
