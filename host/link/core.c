#include "link/core_private.h"

#include "base/crc32c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A goodbye is not acknowledged. So several are sent, over a time longer than a burst of noise. */
#define GOODBYES        4
#define GOODBYE_WAIT_US 20000u /* the first wait; each wait is twice the last */

/* The bytes of a bulk payload: at most 20 ms on the wire, which limits a key's wait, and at least
 * the longest record of one key. */
static uint16_t bulk_room(const struct link_core *core)
{
    enum { LEAST = 9, WAIT_US = 20000 };
    const unsigned head = DATA_HEAD + FRAME_CRC + core->wire.overhead;
    const uint64_t bytes = core->wire.byte_ns ? WAIT_US * 1000ull / core->wire.byte_ns : UINT16_MAX;
    const uint64_t room = bytes > head + LEAST ? bytes - head : LEAST;
    return room < core->arq.room ? (uint16_t)room : core->arq.room;
}

struct link_core *link_core_create(enum link_role role, const struct link_wire *wire,
                                   uint32_t (*random_u32)(void *ctx),
                                   const struct link_callbacks *callbacks, void *ctx)
{
    struct link_core *core = calloc(1, sizeof *core);
    if (!core)
        return NULL;
    core->wire = *wire;
    core->role = role;
    core->random_u32 = random_u32;
    core->callbacks = *callbacks;
    core->ctx = ctx;
    core->arq.room = (uint16_t)(wire->frame_max - DATA_HEAD - FRAME_CRC);
    core->arq.bulk = bulk_room(core);
    core->payloads_out = malloc((size_t)ARQ_WINDOW * core->arq.room);
    core->payloads_in = malloc((size_t)ARQ_WINDOW * FRAME_MAX);
    if (!core->payloads_out || !core->payloads_in) {
        link_core_destroy(core);
        return NULL;
    }
    core->connection.boot = random_u32(ctx);
    snprintf(core->reason, sizeof core->reason, "the line is not open yet");
    return core;
}

void link_core_destroy(struct link_core *core)
{
    if (!core)
        return;
    free(core->payloads_out);
    free(core->payloads_in);
    free(core);
}

void core_state(struct link_core *core, enum link_state state, const char *reason)
{
    if (core->closed || (state == core->state && strcmp(reason, core->reason) == 0))
        return;
    core->state = state;
    if (reason != core->reason)
        snprintf(core->reason, sizeof core->reason, "%s", reason);
    core->callbacks.state(core->ctx, state, core->reason);
}

uint32_t core_frame_us(const struct link_core *core)
{
    uint64_t bytes = core->wire.frame_max + core->wire.overhead;
    return (uint32_t)(bytes * core->wire.byte_ns / 1000);
}

uint32_t core_seed(uint32_t from, uint32_t to)
{
    uint8_t ids[8];
    for (unsigned i = 0; i < 4; i++) {
        ids[i] = (uint8_t)(from >> (8 * i));
        ids[4 + i] = (uint8_t)(to >> (8 * i));
    }
    return crc32c(0, ids, sizeof ids);
}

size_t core_seal(uint8_t *frame, size_t length, uint32_t seed)
{
    return frame_seal(frame, length, seed);
}

size_t core_open(const uint8_t *frame, size_t length, uint32_t seed)
{
    return frame_open(frame, length, seed);
}

void link_core_medium(struct link_core *core, uint64_t now_us, bool usable, const char *reason)
{
    if (usable && core->usable)
        return;
    core->usable = usable;
    core->port_failed = !usable;
    if (usable) {
        snprintf(core->waiting, sizeof core->waiting, "%s", reason ? reason : LINK_WAITING);
        connect_begin(core, now_us, NULL);
    } else {
        core_state(core, LINK_DOWN, reason);
    }
}

void link_core_trouble(struct link_core *core, uint64_t now_us, const char *text)
{
    if (!core->usable || core->closed || core->state != LINK_CONNECTING)
        return;
    core->connection.garbage_us = 0;
    connect_trouble(core, now_us, text);
}

void link_core_notice(struct link_core *core, uint64_t now_us, const char *text)
{
    if (core->usable && !core->closed)
        connect_trouble(core, now_us, text);
}

/* Calls progress() once for all effects of a frame or a tick. */
static void tell_progress(struct link_core *core)
{
    if (!core->progress_due || core->closed || core->state != LINK_UP)
        return;
    core->progress_due = false;
    core->callbacks.progress(core->ctx);
}

/* Takes bytes that may be a frame. True: they were a frame; `proved` is the result of
 * link_core_frame(). */
static bool take_frame(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length,
                       bool *proved)
{
    bool good = false;
    *proved = false;
    if (!core->usable || core->closed || length == 0)
        return false;
    if (frame[0] == TYPE_HELLO) {
        good = connect_hello(core, now_us, frame, length);
    } else {
        size_t opened = connect_open(core, now_us, frame, length);
        if (opened && !core->closed)
            good = arq_frame(core, now_us, frame, opened);
        *proved = good && core->state == LINK_UP && !core->closed;
    }
    core->stats.frames_in += good;
    tell_progress(core);
    return good;
}

bool link_core_early(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length)
{
    bool proved;
    return take_frame(core, now_us, frame, length, &proved);
}

bool link_core_frame(struct link_core *core, uint64_t now_us, const uint8_t *frame, size_t length)
{
    bool proved, deaf = !core->usable || core->closed || length == 0;
    if (!take_frame(core, now_us, frame, length, &proved) && !deaf)
        link_core_garbage(core, now_us, length);
    return proved;
}

void link_core_garbage(struct link_core *core, uint64_t now_us, size_t bytes)
{
    core->stats.garbage += bytes;
    connect_garbage(core, now_us);
}

void link_core_tick(struct link_core *core, uint64_t now_us)
{
    if (!core->usable || core->closed)
        return;
    connect_tick(core, now_us);
    if (core->state == LINK_UP && !core->closed)
        arq_tick(core, now_us);
    tell_progress(core);
}

uint64_t link_core_deadline(const struct link_core *core)
{
    uint64_t deadline;
    if (!core->usable)
        return UINT64_MAX;
    if (core->closed)
        return core->byes ? core->bye_due_us : UINT64_MAX;
    deadline = connect_deadline(core);
    if (core->state == LINK_UP && arq_deadline(core) < deadline)
        deadline = arq_deadline(core);
    return deadline;
}

static size_t goodbye_output(struct link_core *core, uint64_t now_us, uint8_t *out)
{
    if (core->byes == 0 || now_us < core->bye_due_us)
        return 0;
    if (core->arq.ack_due)
        return arq_last(core, out); /* the last acknowledgement, also in a frame of its own */
    core->byes--;
    core->bye_due_us = now_us + core->bye_wait_us;
    core->bye_wait_us *= 2;
    out[0] = TYPE_BYE;
    out[1] = (uint8_t)core->arq.expected;
    return core_seal(out, 2, core->connection.seed_out);
}

static size_t refusal_output(struct link_core *core, uint8_t *out)
{
    core->refusal.due = false;
    out[0] = TYPE_BYE;
    out[1] = core->refusal.ack;
    out[2] = core->refusal.why;
    return core_seal(out, 3, core->refusal.seed);
}

size_t link_core_output(struct link_core *core, uint64_t now_us, uint8_t *out)
{
    size_t n;
    if (!core->usable)
        return 0;
    if (core->closed)
        n = goodbye_output(core, now_us, out);
    else if (core->refusal.due)
        n = refusal_output(core, out);
    else
        n = connect_output(core, out);
    if (n == 0 && core->state == LINK_UP)
        n = arq_output(core, now_us, out);
    if (n) {
        core->connection.sent_us = now_us;
        core->stats.frames_out++;
    }
    return n;
}

enum bl_status link_core_send(struct link_core *core, enum link_class class, const uint8_t *record,
                              size_t length)
{
    if (core->state != LINK_UP)
        return BL_DOWN;
    if (length == 0 || length > LINK_RECORD_MAX)
        return BL_USAGE;
    if (!queue_put(&core->queue[class], record, length)) {
        core->room_wanted = true;
        return BL_AGAIN;
    }
    core->stats.records_out++;
    if (class == LINK_EXPRESS)
        core->sent++;
    return BL_OK;
}

void link_core_end(struct link_core *core, bool goodbye)
{
    if (goodbye && core->state == LINK_UP)
        core->byes = GOODBYES;
    core->bye_wait_us = GOODBYE_WAIT_US;
    core->closed = true;
    core->state = LINK_DOWN;
}

uint64_t link_core_sent(const struct link_core *core)
{
    return core->sent;
}

uint64_t link_core_acked(const struct link_core *core)
{
    return core->acked;
}

enum link_state link_core_state(const struct link_core *core)
{
    return core->state;
}

const char *link_core_reason(const struct link_core *core)
{
    return core->reason;
}

bool link_core_port_failed(const struct link_core *core)
{
    return core->port_failed;
}

void link_core_stats(const struct link_core *core, struct link_stats *stats)
{
    *stats = core->stats;
    stats->rtt_us = core->arq.srtt_us;
}

bool link_core_sound(const struct link_core *core)
{
    const struct arq *arq = &core->arq;
    unsigned flying = 0;
    for (uint32_t number = arq->base; number != arq->next; number++)
        flying += arq->out[number % ARQ_WINDOW].state == SLOT_FLYING;
    return arq->next - arq->base <= ARQ_WINDOW && flying == arq->flying &&
           core->acked <= core->sent;
}
