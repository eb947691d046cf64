/* Text through a callback, in place of printf where nothing may do output. Pure. */
#ifndef TRANSCRIPT_OUT_H
#define TRANSCRIPT_OUT_H

#include <stddef.h>
#include <stdint.h>

struct out {
    void (*write)(void *ctx, const char *bytes, size_t length);
    void *ctx;
};

void out_bytes(const struct out *out, const char *bytes, size_t length);
void out_text(const struct out *out, const char *text);

/* One text after the other: out_texts(out, a, b). */
#define out_texts(out, ...) out_parts((out), (const char *const[]){__VA_ARGS__, NULL})
void out_parts(const struct out *out, const char *const *parts);

/* Decimal, with leading zeros up to so many digits. */
void out_number(const struct out *out, uint64_t number, unsigned digits);

/* UTF-8; a point that is no printable character as U+FFFD. */
void out_point(const struct out *out, uint32_t point);

/* A caller's text as a part of a line: see utf8_plain(). */
void out_line(const struct out *out, const char *text);

/* The inside of a JSON string (RFC 8259, section 7); bytes are UTF-8. */
void out_json(const struct out *out, const char *bytes, size_t length);

#endif
