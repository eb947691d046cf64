/* Writes HTML through a callback, for the contest's printed pages. Pure. The output is both HTML
 * and well-formed XML, needs no other file, and forbids the browser to fetch or run anything. Names
 * come from entrants and are hostile: html_put() escapes every text, so callers need not. */
#ifndef BASE_HTML_H
#define BASE_HTML_H

#include <stddef.h>

struct html_out {
    void (*write)(void *ctx, const char *bytes, size_t length);
    void *ctx;
};

/* The format is markup. The conversions are %s, %d, %u and %%, without flags. %s escapes UTF-8 and
 * writes U+FFFD for invalid bytes, controls and direction marks. */
void html_put(const struct html_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes a path below the page's folder for an href: percent-encoded, so it cannot be read as a
 * scheme such as javascript: (RFC 3986, section 4.2). */
void html_path(const struct html_out *out, const char *path);

void html_hex(const struct html_out *out, const unsigned char *bytes, size_t length);

/* Writes all markup before the body's first element, with a style sheet for screen and paper
 * (A4). */
void html_begin(const struct html_out *out, const char *title);
void html_end(const struct html_out *out);

#endif
