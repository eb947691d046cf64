/* Any bytes on the line are safe: as a stream for the reader, and in frames that pass the checksum
 * for a connection that is up, which then hands on nothing but records of a legal length and sends
 * nothing but frames of a legal length. */
#include "base/bytes.h"
#include "link/core.h"
#include "link/core_frame.h"
#include "link/medium.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static const struct link_wire line = {.byte_ns = 86806, .overhead = 3, .frame_max = 227};
static uint64_t now_us;

static uint32_t random_u32(void *ctx)
{
    uint32_t *count = ctx;
    return ++*count * 2654435761u;
}

static void on_state(void *ctx, enum link_state state, const char *reason)
{
    (void)ctx;
    if (state > LINK_UP || strlen(reason) == 0)
        abort();
}

static enum bl_status on_record(void *ctx, const uint8_t *record, size_t length)
{
    (void)ctx;
    if (length == 0 || length > LINK_RECORD_MAX)
        abort();
    return record[0] == 0xEE ? BL_FULL : BL_OK;
}

static void on_progress(void *ctx)
{
    (void)ctx;
}

/* Takes what one core sends and gives it to the other; NULL: to nobody. Its id goes to id, from its
 * hellos; NULL: to nobody. */
static void exchange(struct link_core *from, struct link_core *to, uint32_t *id)
{
    uint8_t frame[FRAME_MAX] = {0};
    size_t n;
    for (unsigned i = 0; i < 200 && (n = link_core_output(from, now_us, frame)); i++) {
        struct bytes_in hello = {.at = frame + HELLO_ID, .left = 4};
        if (n > line.frame_max)
            abort();
        if (id && core_open(frame, n, HELLO_SEED) == HELLO_LENGTH)
            *id = (uint32_t)bytes_get(&hello, 4);
        if (to)
            link_core_frame(to, now_us, frame, n);
    }
}

static bool on_frame(void *ctx, const uint8_t *frame, size_t length, size_t wire)
{
    if (wire > FRAME_STUFFED(length))
        abort();
    return link_core_frame(ctx, now_us, frame, length);
}

static bool on_early(void *ctx, const uint8_t *frame, size_t length, size_t wire)
{
    if (wire > FRAME_STUFFED(length))
        abort();
    return link_core_early(ctx, now_us, frame, length);
}

static void on_garbage(void *ctx, size_t bytes)
{
    link_core_garbage(ctx, now_us, bytes);
}

static uint64_t frames_in(const struct link_core *core)
{
    struct link_stats stats;
    link_core_stats(core, &stats);
    return stats.frames_in;
}

static void check(const struct link_core *core)
{
    if (!link_core_sound(core))
        abort();
}

/* The seed of what the peer sends, which its frame proves. */
static uint32_t seed_of(struct link_core *peer, const uint32_t id[2])
{
    uint8_t frame[FRAME_MAX] = {0};
    uint32_t seed = core_seed(id[1], id[0]);
    if (link_core_send(peer, LINK_EXPRESS, frame, 1) ||
        core_open(frame, link_core_output(peer, now_us, frame), seed) == 0)
        abort();
    return seed;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct link_callbacks callbacks = {
        .state = on_state, .record = on_record, .progress = on_progress};
    static const struct medium_callbacks events = {
        .frame = on_frame, .early = on_early, .garbage = on_garbage};
    static struct frame_reader reader;
    uint8_t wire_bytes[FRAME_STUFFED(256 + FRAME_CRC)];
    uint32_t count = 0, id[2] = {0}, seed;
    struct link_core *core = link_core_create(LINK_JUDGE, &line, random_u32, &callbacks, &count);
    struct link_core *peer = link_core_create(LINK_ENTITY, &line, random_u32, &callbacks, &count);
    uint8_t frame[FRAME_MAX] = {0};
    if (!core || !peer)
        abort();
    memset(&reader, 0, sizeof reader);
    now_us = 1000;
    link_core_medium(core, now_us, true, NULL);
    link_core_medium(peer, now_us, true, NULL);
    for (unsigned i = 0; i < 4; i++) {
        exchange(core, peer, &id[0]);
        exchange(peer, core, &id[1]);
    }
    if (link_core_state(core) != LINK_UP || link_core_state(peer) != LINK_UP)
        abort();
    seed = seed_of(peer, id);
    for (unsigned i = 0; i < 40; i++)
        link_core_send(core, i % 2, frame, 1 + i * 20);
    exchange(core, NULL, NULL);

    unsigned asked = 0;
    for (size_t i = 0; i < length; i++) {
        size_t missing = frame_missing(&reader);
        uint64_t frames = frames_in(core);
        medium_feed(&events, core, &reader, bytes[i]);
        if (missing > 1 && (frames_in(core) != frames || reader.asked > asked))
            abort();
        asked = reader.asked;
    }
    /* Each frame behind a byte of its length, sealed as the other end would. */
    while (length) {
        size_t n = bytes[0];
        if (n > length - 1)
            n = length - 1;
        memcpy(frame, bytes + 1, n);
        n = core_seal(frame, n, seed);
        size_t stuffed = frame_stuff(frame, n, wire_bytes);
        for (size_t i = 0; i < stuffed; i++)
            medium_feed(&events, core, &reader, wire_bytes[i]);
        bytes += 1 + n - FRAME_CRC;
        length -= 1 + n - FRAME_CRC;
        check(core);
        now_us += 20000;
        link_core_tick(core, now_us);
        exchange(core, NULL, NULL);
        check(core);
    }
    link_core_destroy(core);
    link_core_destroy(peer);
    return 0;
}
