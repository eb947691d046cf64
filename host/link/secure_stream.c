#include "link/secure_stream.h"

#include <sodium.h>
#include <string.h>

enum { ROUNDS = 10, BLOCKS = 2, BLOCK = 64 };

_Static_assert(STREAM_LANES == 8, "a lane for each block of each count");
_Static_assert(STREAM_CONTENTS == BLOCK, "the first block is the tag's, the second the contents'");

/* A word of the state in all lanes. */
typedef uint32_t lanes __attribute__((vector_size(4 * STREAM_LANES)));

#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__ && !defined __clang__
#define BEST_UNIT __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BEST_UNIT
#endif

#define ROTATE(word, bits) ((word) << (bits) | (word) >> (32 - (bits)))

/* Section 2.1. */
#define QUARTER(a, b, c, d)                                                                        \
    do {                                                                                           \
        a += b, d ^= a, d = ROTATE(d, 16);                                                         \
        c += d, b ^= c, b = ROTATE(b, 12);                                                         \
        a += b, d ^= a, d = ROTATE(d, 8);                                                          \
        c += d, b ^= c, b = ROTATE(b, 7);                                                          \
    } while (0)

/* Section 2.3 in every lane: lane i is block i % BLOCKS of count first + i / BLOCKS. */
BEST_UNIT
static void make_blocks(uint32_t word[16][STREAM_LANES], const uint32_t key[8], uint64_t first)
{
    static const uint32_t sigma[4] = {0x61707865, 0x3320646E, 0x79622D32, 0x6B206574};
    lanes start[16], x[16];
    for (unsigned i = 0; i < 4; i++)
        start[i] = (lanes){0} + sigma[i];
    for (unsigned i = 0; i < 8; i++)
        start[4 + i] = (lanes){0} + key[i];
    for (unsigned i = 0; i < STREAM_LANES; i++) {
        uint64_t count = first + i / BLOCKS;
        start[12][i] = i % BLOCKS;
        start[13][i] = 0;
        start[14][i] = (uint32_t)count;
        start[15][i] = (uint32_t)(count >> 32);
    }
    memcpy(x, start, sizeof x);
    for (unsigned i = 0; i < ROUNDS; i++) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (unsigned i = 0; i < 16; i++) {
        x[i] += start[i];
        memcpy(word[i], &x[i], sizeof x[i]);
    }
}

/* The lane of the first block of this count, worked out now if it was not before. */
static unsigned find_lane(struct secure_stream *stream, const uint8_t key[SECURE_KEY],
                          uint64_t count)
{
    const unsigned counts = STREAM_LANES / BLOCKS;
    uint64_t first = count - count % counts;
    if (!stream->ready || stream->first != first) {
        uint32_t words[SECURE_KEY / 4];
        for (unsigned i = 0; i < SECURE_KEY / 4; i++)
            words[i] = key[4 * i] | (uint32_t)key[4 * i + 1] << 8 | (uint32_t)key[4 * i + 2] << 16 |
                       (uint32_t)key[4 * i + 3] << 24;
        make_blocks(stream->word, words, first);
        stream->first = first;
        stream->ready = true;
    }
    return (unsigned)(count - first) * BLOCKS;
}

/* The first `length` bytes of a lane, and up to 3 more. */
static void get_block(const struct secure_stream *stream, unsigned lane, size_t length,
                      uint8_t out[BLOCK])
{
    for (size_t i = 0; 4 * i < length; i++)
        for (unsigned byte = 0; byte < 4; byte++)
            out[4 * i + byte] = (uint8_t)(stream->word[i][lane] >> (8 * byte));
}

/* Section 2.8: head and ciphertext, each filled up to 16 bytes, then their lengths. */
static void make_tag(const struct secure_stream *stream, unsigned lane, const uint8_t *head,
                     size_t head_length, const uint8_t *sealed, size_t length, uint8_t *tag)
{
    uint8_t once[BLOCK];
    uint8_t all[STREAM_HEAD_MAX + STREAM_CONTENTS + 16] = {0};
    size_t from = (head_length + 15) / 16 * 16, end = from + (length + 15) / 16 * 16;
    memcpy(all, head, head_length);
    memcpy(all + from, sealed, length);
    all[end] = (uint8_t)head_length;
    all[end + 8] = (uint8_t)length;
    get_block(stream, lane, crypto_onetimeauth_poly1305_KEYBYTES, once);
    crypto_onetimeauth_poly1305(tag, all, end + 16, once);
}

static void mix(const struct secure_stream *stream, unsigned lane, const uint8_t *in, size_t length,
                uint8_t *out)
{
    uint8_t mask[BLOCK];
    get_block(stream, lane, length, mask);
    for (size_t i = 0; i < length; i++)
        out[i] = in[i] ^ mask[i];
}

void stream_seal(struct secure_stream *stream, const uint8_t key[SECURE_KEY], uint64_t count,
                 const uint8_t *head, size_t head_length, uint8_t *contents, size_t length,
                 uint8_t *tag)
{
    unsigned lane = find_lane(stream, key, count);
    mix(stream, lane + 1, contents, length, contents);
    make_tag(stream, lane, head, head_length, contents, length, tag);
}

bool stream_open(struct secure_stream *stream, const uint8_t key[SECURE_KEY], uint64_t count,
                 const uint8_t *head, size_t head_length, const uint8_t *sealed, size_t length,
                 const uint8_t *tag, uint8_t *out)
{
    unsigned lane = find_lane(stream, key, count);
    uint8_t right[SECURE_TAG];
    make_tag(stream, lane, head, head_length, sealed, length, right);
    if (crypto_verify_16(right, tag))
        return false;
    mix(stream, lane + 1, sealed, length, out);
    return true;
}
