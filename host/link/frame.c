#include "link/frame.h"

#include "base/crc32c.h"

#include <stdbool.h>

/* A closing and an opening delimiter may follow each other. More zeros mean a broken line. */
enum { ZEROS_IN_ORDER = 2 };

/* The number of block ends at which a frame is tested for completeness. This limits the checksums
 * on a line that sends nothing but block ends. */
enum { ASKED_MAX = 4 };

enum { ENDED = 1, ENDED_IN_GARBAGE };

size_t frame_room(uint32_t baud)
{
    size_t bytes = baud / 10 / 50; /* ten bits a byte, a fiftieth of a second */
    if (bytes < 64)
        bytes = 64;
    bytes -= FRAME_STUFFED(bytes) - bytes;
    return baud == 0 || bytes > FRAME_MAX ? FRAME_MAX : bytes;
}

size_t frame_seal(uint8_t *frame, size_t length, uint32_t seed)
{
    uint32_t crc = crc32c(seed, frame, length);
    for (unsigned i = 0; i < FRAME_CRC; i++)
        frame[length + i] = (uint8_t)(crc >> (8 * i));
    return length + FRAME_CRC;
}

size_t frame_open(const uint8_t *frame, size_t length, uint32_t seed)
{
    uint32_t crc = 0;
    if (length < FRAME_LEAST || length > FRAME_MAX)
        return 0;
    length -= FRAME_CRC;
    for (unsigned i = 0; i < FRAME_CRC; i++)
        crc |= (uint32_t)frame[length + i] << (8 * i);
    return crc == crc32c(seed, frame, length) ? length : 0;
}

size_t frame_stuff(const uint8_t *frame, size_t length, uint8_t *out)
{
    size_t n = 2;       /* offset after the delimiter and the first code */
    size_t code_at = 1; /* the offset of the present block's code */
    out[0] = 0;
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = (uint8_t)~frame[i];
        /* A full block is closed when more bytes follow; otherwise it is the last. */
        if (n - code_at == 0xFF) {
            out[code_at] = 0xFF;
            code_at = n++;
        }
        if (byte) {
            out[n++] = byte;
        } else {
            out[code_at] = (uint8_t)(n - code_at);
            code_at = n++;
        }
    }
    out[code_at] = (uint8_t)(n - code_at);
    out[n++] = 0;
    return n;
}

static void append(struct frame_reader *reader, uint8_t byte)
{
    if (reader->length == FRAME_MAX)
        reader->bad = 1;
    else
        reader->frame[reader->length++] = (uint8_t)~byte;
}

static void begin(struct frame_reader *reader)
{
    reader->length = 0;
    reader->code = 0;
    reader->left = 0;
    reader->bad = 0;
    reader->ended = 0;
    reader->asked = 0;
    reader->early = 0;
    reader->taken = 0;
}

static enum frame_step feed_delimiter(struct frame_reader *reader)
{
    if (reader->taken == 0 && !reader->bad) {
        if (reader->zeros < ZEROS_IN_ORDER) {
            reader->zeros++;
            return FRAME_MORE;
        }
        reader->ended = ENDED;
        reader->taken = 1;
        return FRAME_GARBAGE;
    }
    reader->ended = ENDED;
    reader->zeros = 1;
    if (reader->early)
        return FRAME_MORE;
    if (reader->bad || reader->left || reader->length < FRAME_LEAST)
        return FRAME_GARBAGE;
    return FRAME_WHOLE;
}

enum frame_step frame_feed(struct frame_reader *reader, uint8_t byte)
{
    if (reader->ended) {
        uint8_t bad = reader->ended == ENDED_IN_GARBAGE;
        begin(reader);
        reader->bad = bad;
    }
    if (byte == 0)
        return feed_delimiter(reader);
    reader->taken++;
    reader->early = 0;
    if (!reader->bad) {
        if (reader->left) {
            append(reader, byte);
            reader->left--;
        } else {
            /* Every block except a full one and the last ends with a zero. */
            if (reader->code && reader->code != 0xFF)
                append(reader, 0);
            reader->code = byte;
            reader->left = (uint8_t)(byte - 1);
        }
    }
    if (reader->taken > FRAME_STUFFED(FRAME_MAX)) {
        /* Reported now: on a line at another speed the next delimiter may be far away. */
        reader->ended = ENDED_IN_GARBAGE;
        return FRAME_GARBAGE;
    }
    if (reader->bad || reader->left || reader->length < FRAME_LEAST || reader->asked == ASKED_MAX)
        return FRAME_MORE;
    reader->asked++;
    return FRAME_MAYBE;
}

void frame_take(struct frame_reader *reader)
{
    reader->early = 1;
}

size_t frame_abandon(struct frame_reader *reader)
{
    /* A delimiter directly after another one belongs to no frame. */
    bool none = reader->ended || reader->early;
    size_t taken = none ? 0 : reader->taken + (reader->zeros > 0);
    begin(reader);
    reader->zeros = 0;
    return taken;
}

size_t frame_missing(const struct frame_reader *reader)
{
    size_t missing;
    /* The least frame with its one code byte, less the bytes received. */
    size_t least = FRAME_LEAST + 1;
    if (reader->bad || reader->ended || reader->early)
        return 0;
    if (reader->taken == 0)
        return reader->zeros ? least : 0;
    missing = reader->left ? reader->left : 1;
    least = least > reader->taken ? least - reader->taken : 0;
    return missing > least ? missing : least;
}
