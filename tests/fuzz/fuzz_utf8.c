/* The decoder between bytes against RFC 3629's own grammar (section 4), read from whole bytes. */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool in(const uint8_t *at, size_t left, size_t i, uint8_t low, uint8_t high)
{
    return i < left && at[i] >= low && at[i] <= high;
}

/* The length of the legal sequence that stands at `at`, 0 if there is none. */
static size_t legal(const uint8_t *at, size_t n)
{
    const bool tail1 = in(at, n, 1, 0x80, 0xBF);
    const bool tail2 = in(at, n, 2, 0x80, 0xBF);
    const bool tail3 = in(at, n, 3, 0x80, 0xBF);
    if (in(at, n, 0, 0x00, 0x7F))
        return 1;
    if (in(at, n, 0, 0xC2, 0xDF) && tail1)
        return 2;
    if (((in(at, n, 0, 0xE0, 0xE0) && in(at, n, 1, 0xA0, 0xBF)) ||
         (in(at, n, 0, 0xE1, 0xEC) && tail1) ||
         (in(at, n, 0, 0xED, 0xED) && in(at, n, 1, 0x80, 0x9F)) ||
         (in(at, n, 0, 0xEE, 0xEF) && tail1)) &&
        tail2)
        return 3;
    if (((in(at, n, 0, 0xF0, 0xF0) && in(at, n, 1, 0x90, 0xBF)) ||
         (in(at, n, 0, 0xF1, 0xF3) && tail1) ||
         (in(at, n, 0, 0xF4, 0xF4) && in(at, n, 1, 0x80, 0x8F))) &&
        tail2 && tail3)
        return 4;
    return 0;
}

/* What is made plain is UTF-8, is plain, and stays as it is when it is made plain once more. */
static void try_plain(const uint8_t *data, size_t size)
{
    char out[256], again[256];
    size_t length = utf8_plain(out, sizeof out, (const char *)data, size), taken;
    if (length >= sizeof out || length > size || out[length] != '\0')
        abort();
    for (size_t i = 0; i < length; i += taken) {
        uint32_t point;
        taken = utf8_decode((const uint8_t *)out + i, length - i, &point);
        if (taken == 0 || !utf8_is_plain(point))
            abort();
    }
    if (utf8_plain(again, sizeof again, out, length) != length || memcmp(out, again, length) != 0)
        abort();
}

/* Decoding byte by byte must find exactly the legal sequences, each at its place, and each must
 * encode to the bytes that it came from. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct utf8_decoder decoder = {0};
    uint8_t encoded[UTF8_MAX];
    uint32_t point = 0;
    size_t next = 0; /* where the next legal sequence is looked for */
    for (size_t i = 0; i < size; i++) {
        enum utf8_step step = utf8_feed(&decoder, data[i], &point);
        if (step == UTF8_AGAIN)
            step = utf8_feed(&decoder, data[i], &point);
        if (step == UTF8_AGAIN)
            abort();
        if (step != UTF8_POINT)
            continue;
        while (next < size && !legal(data + next, size - next))
            next++;
        size_t length = utf8_encode(point, encoded);
        if (length != legal(data + next, size - next) || next + length != i + 1 ||
            memcmp(encoded, data + next, length) != 0)
            abort();
        if (utf8_decode(data + next, size - next, &point) != length)
            abort();
        next += length;
    }
    for (; next < size; next++)
        if (legal(data + next, size - next))
            abort();
    try_plain(data, size);
    return 0;
}
