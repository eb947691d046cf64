/* Parses a CGI program's output: fields up to an empty line, then the document. Pure. Source: RFC
 * 3875, 6. */
#ifndef FORM_CGI_REPLY_H
#define FORM_CGI_REPLY_H

#include "base/status.h"

#include <stddef.h>

#define REPLY_FIELD_MAX 2048
#define REPLY_COOKIES   16

struct reply {
    unsigned status;                             /* the program's status; without it, 302 with a
                                                  * location, otherwise 200 */
    char type[REPLY_FIELD_MAX];                  /* "text/html; charset=utf-8"; "": none */
    char location[REPLY_FIELD_MAX];              /* target of a redirect; "": none */
    char cookie[REPLY_COOKIES][REPLY_FIELD_MAX]; /* the values of Set-Cookie */
    unsigned cookies;
    const char *body; /* points into the parsed bytes, unless the caller sets another one */
    size_t length;
};

/* BL_DATA: no empty line, a line that is not a field, neither Content-Type nor Location, an invalid
 * status. Fields that are overlong or have a NUL are ignored, and cookies beyond REPLY_COOKIES. */
enum bl_status cgi_reply_parse(struct reply *reply, const char *bytes, size_t length,
                               struct bl_diag *diag);

/* Writes the character set of a content type; "": none. */
void reply_charset(const char *type, char charset[32]);
int reply_is_html(const char *type);

#endif
