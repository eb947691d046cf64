/* Reads and writes little-endian integers in byte strings, and checks each access against the
 * string's bounds. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* True if the byte at `at`, in memory that another program writes, is a valid bool. Reading any
 * other value as a bool is undefined behaviour. */
static inline bool bool_sound(const volatile void *at)
{
    return *(const volatile uint8_t *)at <= 1;
}

/* A reader of the caller's bytes. A read beyond the end sets `bad`; that read and all later ones
 * give 0. */
struct bytes_in {
    const uint8_t *at;
    size_t left;
    bool bad;
};

/* A writer into a caller's buffer. A write without room sets `bad`. */
struct bytes_out {
    uint8_t *at;
    size_t left;
    size_t length;
    bool bad;
};

static inline uint64_t bytes_get(struct bytes_in *in, unsigned width)
{
    uint64_t value = 0;
    if (in->left < width) {
        in->bad = true;
        in->left = 0;
        return 0;
    }
    for (unsigned i = 0; i < width; i++)
        value |= (uint64_t)in->at[i] << (8 * i);
    in->at += width;
    in->left -= width;
    return value;
}

static inline void bytes_get_all(struct bytes_in *in, void *bytes, size_t length)
{
    if (in->left < length) {
        in->bad = true;
        in->left = 0;
        memset(bytes, 0, length);
        return;
    }
    memcpy(bytes, in->at, length);
    in->at += length;
    in->left -= length;
}

static inline void bytes_put(struct bytes_out *out, uint64_t value, unsigned width)
{
    if (out->left < width) {
        out->bad = true;
        out->left = 0;
        return;
    }
    for (unsigned i = 0; i < width; i++)
        out->at[i] = (uint8_t)(value >> (8 * i));
    out->at += width;
    out->left -= width;
    out->length += width;
}

static inline void bytes_put_all(struct bytes_out *out, const void *bytes, size_t length)
{
    if (out->left < length) {
        out->bad = true;
        out->left = 0;
        return;
    }
    if (length)
        memcpy(out->at, bytes, length);
    out->at += length;
    out->left -= length;
    out->length += length;
}

#endif
