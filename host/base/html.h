/* Writes HTML through a callback, for the contest's printed pages. Pure. The page is both HTML and
 * well-formed XML, needs no other file, and forbids the browser to fetch or run anything. A name
 * may be hostile: html_put() escapes the text of each %s. */
#ifndef BASE_HTML_H
#define BASE_HTML_H

#include <stddef.h>

struct html_out {
    void (*write)(void *ctx, const char *bytes, size_t length);
    void *ctx;
};

/* Writes the format, which is markup. The only conversions are %s, %d, %u and %%, without flags. %s
 * escapes a UTF-8 text and writes U+FFFD for invalid bytes, controls and direction marks. */
void html_put(const struct html_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes a path as the value of an href, percent-encoded. The value begins with a slash or with ./,
 * so that browsers read no scheme such as javascript: in it (RFC 3986, section 4.2). */
void html_path(const struct html_out *out, const char *path);

void html_hex(const struct html_out *out, const unsigned char *bytes, size_t length);

/* Writes all markup before the body's first element, with the page's title and a style sheet for
 * screen and A4 paper. */
void html_begin(const struct html_out *out, const char *title);
void html_end(const struct html_out *out);

#endif
