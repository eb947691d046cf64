/* HTML through a callback, for the contest's printed pages. Pure. The output is HTML and
 * well-formed XML at once, needs no other file, and forbids the browser to fetch or run anything.
 *
 * Names come from entrants and are hostile: html_put() escapes each text, so no caller can forget
 * to. */
#ifndef BASE_HTML_H
#define BASE_HTML_H

#include <stddef.h>

struct html_out {
    void (*write)(void *ctx, const char *bytes, size_t length);
    void *ctx;
};

/* The format is markup; the conversions are %s (UTF-8, escaped; bytes that are no legal text, a
 * control or a mark that turns the direction of writing becomes U+FFFD), %d, %u and %%, without
 * flags. */
void html_put(const struct html_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A path below the page's own folder, for an href: percent-encoded, so it is never read as a scheme
 * such as javascript: (RFC 3986, section 4.2). */
void html_path(const struct html_out *out, const char *path);

void html_hex(const struct html_out *out, const unsigned char *bytes, size_t length);

/* All up to the body's first element, with a style sheet for the screen and for paper (A4). */
void html_begin(const struct html_out *out, const char *title);
void html_end(const struct html_out *out);

#endif
