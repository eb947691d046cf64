/* Any frames at both ends of a line with a secret and at a listener: nothing of it is taken for a
 * frame of the session, and the session goes on behind it. A frame is a byte of its length and its
 * bytes; those of a known kind get the length of that kind. */
#include "link/core_frame.h"
#include "link/foreign.h"
#include "link/listen.h"
#include "link/secret_words.h"
#include "link/secured_frame.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static uint64_t now_us;
static unsigned records;

static uint32_t random_u32(void *ctx)
{
    uint32_t *count = ctx;
    return ++*count * 2654435761u;
}

static void random_bytes(void *ctx, uint8_t *out, size_t length)
{
    for (size_t i = 0; i < length; i++)
        out[i] = (uint8_t)(random_u32(ctx) >> 13);
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
    if (length != 4 || memcmp(record, "true", 4) != 0)
        abort(); /* nobody has sent this */
    records++;
    return BL_OK;
}

static void on_progress(void *ctx)
{
    (void)ctx;
}

static void heard_state(void *ctx, enum listen_state state)
{
    (void)ctx;
    (void)state;
}

static void heard_record(void *ctx, unsigned end, const uint8_t *record, size_t length)
{
    (void)ctx;
    (void)record;
    if (end > 1 || length == 0 || length > LINK_RECORD_MAX)
        abort();
}

static void heard_gap(void *ctx, unsigned end, unsigned frames)
{
    (void)ctx;
    if (end > 1 || frames == 0)
        abort();
}

static void heard_role(void *ctx, unsigned end, enum link_role role)
{
    (void)ctx;
    (void)end;
    (void)role;
}

static bool heard_pass(void *ctx, const uint8_t pass[PASS_LENGTH], struct pass_keys *keys)
{
    (void)ctx;
    (void)pass;
    memset(keys->from_judge, 1, SECURE_KEY);
    memset(keys->from_entity, 2, SECURE_KEY);
    return true;
}

struct end {
    struct layer *layer;
    struct link_core *core;
};

static void exchange(struct end end[2])
{
    uint8_t frame[FRAME_MAX];
    size_t n;
    for (unsigned round = 0; round < 12; round++)
        for (unsigned i = 0; i < 2; i++)
            while ((n = end[i].layer->ops->output(end[i].layer, end[i].core, now_us, frame)) > 0)
                end[1 - i].layer->ops->frame(end[1 - i].layer, end[1 - i].core, now_us, frame, n);
}

static size_t length_of(uint8_t kind, size_t length)
{
    if (kind >= KIND_KNOCK && kind <= KIND_OFFER)
        return CALL_LENGTH;
    if (kind == KIND_HAND1 || kind == KIND_HAND2)
        return HAND1_LENGTH;
    return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct link_callbacks callbacks = {
        .state = on_state, .record = on_record, .progress = on_progress};
    static const struct listen_callbacks heard = {heard_state, heard_record, heard_gap, heard_role,
                                                  heard_pass};
    static const uint8_t key[SECURE_KEY] = {7};
    uint32_t count = 0;
    struct end end[2];
    struct listen *listen = listen_create(&heard, NULL);
    uint8_t frame[FRAME_MAX], seed[SECRET_SEED];
    char text[FOREIGN_TEXT_MAX], words[256] = "";
    memcpy(words, bytes, length < sizeof words - 1 ? length : sizeof words - 1);
    secret_words_parse(words, "the first end", seed, NULL);
    foreign_text(bytes, length, text);
    now_us = 1000;
    for (unsigned i = 0; i < 2; i++) {
        struct link_wire wire = {.byte_ns = 86806, .overhead = 3, .frame_max = 227};
        const struct secured_config config = {.role = i ? LINK_ENTITY : LINK_JUDGE,
                                              .secret = key,
                                              .line = "",
                                              .frame_max = wire.frame_max,
                                              .random = random_bytes,
                                              .ctx = &count};
        end[i].layer = secured_create(&config);
        end[i].layer->ops->wire(end[i].layer, &wire);
        end[i].core = link_core_create(config.role, &wire, random_u32, &callbacks, &count);
        if (!end[i].layer || !end[i].core || !listen)
            abort();
    }
    for (unsigned i = 0; i < 2; i++)
        end[i].layer->ops->medium(end[i].layer, end[i].core, now_us, true, NULL);
    exchange(end);
    records = 0;
    for (unsigned turn = 0; length > 1; turn++) {
        size_t n = bytes[0] < length - 1 ? bytes[0] : length - 1;
        memset(frame, 0, sizeof frame);
        memcpy(frame, bytes + 1, n);
        bytes += 1 + n;
        length -= 1 + n;
        n = length_of(frame[0], n);
        end[turn % 2].layer->ops->frame(end[turn % 2].layer, end[turn % 2].core, now_us, frame, n);
        listen_frame(listen, now_us, turn % 2, frame, n);
        if (n >= FRAME_LEAST + 2)
            listen_frame(listen, now_us, turn % 2, frame,
                         frame_seal(frame, n - FRAME_CRC, turn % 3 ? HELLO_SEED : 5));
        now_us += 50000;
        for (unsigned i = 0; i < 2; i++)
            end[i].layer->ops->tick(end[i].layer, end[i].core, now_us);
        listen_tick(listen, now_us);
        exchange(end);
    }
    if (link_core_send(end[0].core, LINK_EXPRESS, (const uint8_t *)"true", 4) ||
        link_core_send(end[1].core, LINK_EXPRESS, (const uint8_t *)"true", 4))
        abort();
    exchange(end);
    if (records != 2)
        abort();
    listen_finish(listen);
    listen_destroy(listen);
    for (unsigned i = 0; i < 2; i++) {
        link_core_destroy(end[i].core);
        layer_destroy(end[i].layer);
    }
    return 0;
}
