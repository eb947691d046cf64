/* An HTML document of an Entry of 2003: its text in one canonical form, in which equal documents
 * are equal strings, and its form. libxml2 reads any bytes; nothing is fetched for it, and no
 * script runs. Pure but for memory. Source: 2003 r29. */
#ifndef FORM_DOCUMENT_H
#define FORM_DOCUMENT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define DOCUMENT_FIELDS 64 /* of its form */

/* One that a browser would send. */
struct document_field {
    char *name, *value;
};

struct document_form {
    bool there;     /* there is one with a field for a line of text */
    bool post;      /* else GET */
    bool multipart; /* multipart/form-data, else application/x-www-form-urlencoded */
    char *action;   /* as it stands there, "" if it has none: the document's own address */
    struct document_field field[DOCUMENT_FIELDS];
    unsigned count, text; /* text: index of the field for the typed line */
};

struct document {
    /* Tags as <name a="b" c="d">, names and attributes in small letters and in order, text with
     * &lt; &gt; &amp; and &quot;, blanks as one, none beside elements on lines of their own (p, br,
     * td, ...). Comments are left out, and html, head and body with no attributes. */
    char *text;
    char *charset; /* of the form's data, "UTF-8" if nothing is said */
    struct document_form form;
};

/* Reads length bytes. charset is the header's, "" if none. BL_DATA: there is no document in them;
 * BL_NOMEM. */
enum bl_status document_read(struct document **out, const char *bytes, size_t length,
                             const char *charset, struct bl_diag *diag);

/* A piece of a document, of which no html, head or body is made. */
enum bl_status document_read_piece(struct document **out, const char *bytes, size_t length,
                                   struct bl_diag *diag);

/* Takes NULL. */
void document_free(struct document *document);

/* The readable words of length bytes of canonical text: tags are left out, a break and the end of a
 * paragraph are a blank, and so is a run of blanks. The caller frees it; NULL: no memory. */
char *document_words(const char *text, size_t length);

#endif
