/* A form's data as a browser sends them: application/x-www-form-urlencoded or multipart/form-data,
 * in the document's own character set. Pure but for memory. Source: HTML 4.01, 17.13; RFC 7578. */
#ifndef FORM_ENCODE_H
#define FORM_ENCODE_H

#include "form/document.h"

/* The fields, with the text in its own. The caller frees the body; NULL: no memory. A character the
 * set lacks is sent as &#NUMBER;, as browsers do. type, of ENCODE_TYPE_MAX bytes, becomes the
 * content's. */
#define ENCODE_TYPE_MAX 96
char *encode_form(const struct document_form *form, const char *text, const char *charset,
                  size_t *length, char type[ENCODE_TYPE_MAX]);

#endif
