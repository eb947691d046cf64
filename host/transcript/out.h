/* Writes text through a callback, for code that may not do output. Pure. */
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

/* Writes several texts: out_texts(out, a, b). */
#define out_texts(out, ...) out_parts((out), (const char *const[]){__VA_ARGS__, NULL})
void out_parts(const struct out *out, const char *const *parts);

/* Writes a decimal number, with leading zeros up to `digits` digits. */
void out_number(const struct out *out, uint64_t number, unsigned digits);

/* Writes a code point as UTF-8; U+FFFD for one that is not printable. */
void out_point(const struct out *out, uint32_t point);

/* Writes a foreign text as part of a line: see utf8_plain(). */
void out_line(const struct out *out, const char *text);

/* Writes the contents of a JSON string (RFC 8259, section 7) from UTF-8. */
void out_json(const struct out *out, const char *bytes, size_t length);

#endif
