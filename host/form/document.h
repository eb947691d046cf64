/* Parses an HTML document of an Entry of 2003: its text in a canonical form, in which equal
 * documents are equal strings, and the form in it. libxml2 parses any bytes, fetches nothing and
 * runs no script. Pure except for memory. Source: 2003 r29. */
#ifndef FORM_DOCUMENT_H
#define FORM_DOCUMENT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define DOCUMENT_FIELDS 64 /* most fields of a form */

/* A field that a browser would send. */
struct document_field {
    char *name, *value;
};

struct document_form {
    bool there;     /* the document has a form with a text field */
    bool post;      /* false: GET */
    bool multipart; /* multipart/form-data; false: application/x-www-form-urlencoded */
    char *action;   /* address as written; "": the document's own */
    struct document_field field[DOCUMENT_FIELDS];
    unsigned count, text; /* text: index of the text field in `field` */
};

struct document {
    /* Tags as <name a="b" c="d">, names and attributes in lower case and sorted; text with &lt;
     * &gt; &amp; and &quot;; blanks collapsed, and dropped beside block elements (p, br, td, ...).
     * Comments are dropped, and html, head and body without attributes. */
    char *text;
    char *charset; /* character set of the form's data, "UTF-8" by default */
    struct document_form form;
};

/* Parses `length` bytes. `charset`: of the HTTP header; "": none. BL_DATA: the bytes have no
 * document; BL_NOMEM. */
enum bl_status document_read(struct document **out, const char *bytes, size_t length,
                             const char *charset, struct bl_diag *diag);

/* Parses a piece of a document, without adding html, head or body. */
enum bl_status document_read_piece(struct document **out, const char *bytes, size_t length,
                                   struct bl_diag *diag);

/* Frees the document; NULL is allowed. */
void document_free(struct document *document);

/* The readable words of `length` bytes of canonical text, without tags. Breaks, ends of paragraphs
 * and runs of blanks become one blank. The caller frees them; NULL: no memory. */
char *document_words(const char *text, size_t length);

#endif
