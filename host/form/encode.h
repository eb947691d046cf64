/* Encodes a form's data as a browser does: application/x-www-form-urlencoded or
 * multipart/form-data, in the document's character set. Pure except for memory. Source: HTML 4.01,
 * 17.13; RFC 7578. */
#ifndef FORM_ENCODE_H
#define FORM_ENCODE_H

#include "form/document.h"

/* Encodes the fields, with `text` in the text field. The caller frees the body; NULL if out of
 * memory. A character missing in the set becomes &#NUMBER;, as in browsers. type, of
 * ENCODE_TYPE_MAX bytes, receives the content type. */
#define ENCODE_TYPE_MAX 96
char *encode_form(const struct document_form *form, const char *text, const char *charset,
                  size_t *length, char type[ENCODE_TYPE_MAX]);

#endif
