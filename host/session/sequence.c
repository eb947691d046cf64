#include "session/sequence.h"

#include "base/assert.h"
#include "base/bytes.h"
#include "base/utf8.h"

#include <sodium/crypto_shorthash.h>
#include <stdlib.h>

bool sequence_init(struct sequence *sequence)
{
    sequence->event = malloc((size_t)SEQUENCE_MAX * sizeof *sequence->event);
    sequence_clear(sequence);
    return sequence->event != NULL;
}

void sequence_free(struct sequence *sequence)
{
    free(sequence->event);
    sequence->event = NULL;
}

void sequence_clear(struct sequence *sequence)
{
    sequence->count = 0;
    sequence->by[PARTY_JUDGE] = 0;
    sequence->by[PARTY_ENTITY] = 0;
}

bool sequence_append(struct sequence *sequence, const struct key_event *event)
{
    if (sequence->count == SEQUENCE_MAX)
        return false;
    bl_assert(event->party < PARTIES);
    sequence->event[sequence->count++] = *event;
    sequence->by[event->party]++;
    return true;
}

uint64_t sequence_chain(const struct sequence *sequence, uint64_t n)
{
    static const uint8_t key[crypto_shorthash_KEYBYTES];
    uint8_t hash[crypto_shorthash_BYTES] = {0};
    uint64_t value = 0;
    for (uint64_t i = 0; i < n && i < sequence->count; i++) {
        const struct key_event *event = &sequence->event[i];
        uint8_t block[sizeof hash + 8 + 4 + 1];
        struct bytes_out out = {.at = block, .left = sizeof block};
        bytes_put_all(&out, hash, sizeof hash);
        bytes_put(&out, event->posted_us, 8);
        bytes_put(&out, event->point, 4);
        bytes_put(&out, event->party, 1);
        crypto_shorthash(hash, block, sizeof block, key);
    }
    for (unsigned i = 0; i < sizeof hash; i++)
        value |= (uint64_t)hash[i] << (8 * i);
    return value;
}

unsigned sequence_run(const struct sequence *sequence, uint64_t first, uint8_t *text, size_t room,
                      size_t *length)
{
    unsigned keys = 0;
    bl_assert(first > 0);
    *length = 0;
    for (uint64_t i = first - 1; i < sequence->count; i++) {
        const struct key_event *event = &sequence->event[i];
        const struct key_event *head = &sequence->event[first - 1];
        if (event->party != head->party || event->posted_us != head->posted_us ||
            room - *length < UTF8_MAX)
            break;
        *length += utf8_encode(event->point, text + *length);
        keys++;
    }
    return keys;
}
