/* One request of the Entry and its reply: over HTTP by libcurl, or of a CGI program. Blocks until
 * the reply is whole, or the time is over. Nothing that comes is believed: sizes and times are
 * bounded, and a reply sends on only to where the first request went. */
#ifndef FORM_PROGRAM_EXCHANGE_H
#define FORM_PROGRAM_EXCHANGE_H

#include "form/cgi_reply.h"

#include <curl/curl.h>
#include <stdbool.h>

#define EXCHANGE_MOST    (256u << 10) /* bytes of a reply */
#define EXCHANGE_FORWARD 5            /* times that a reply may send on */
#define EXCHANGE_URL_MAX 2048

struct exchange {
    CURL *curl;      /* its cookies are those of a CGI program, too */
    const char *cgi; /* the command; NULL: HTTP */
    const char *by;  /* the socket by which a sandbox leads there (entity/relay.h); NULL: none */
    unsigned timeout_ms;
    char url[EXCHANGE_URL_MAX]; /* of the document that came last */
    char *bytes;                /* the reply: EXCHANGE_MOST and a NUL */
    size_t length;
};

struct request {
    bool post;
    const char *url;
    const char *type, *body; /* of a POST */
    size_t length;
};

enum bl_status exchange_open(struct exchange *exchange, const char *url, const char *cgi,
                             const char *by, unsigned timeout_ms, struct bl_diag *diag);
void exchange_close(struct exchange *exchange);

/* Asks for it, and follows redirections. The reply's body is the exchange's, until the next.
 * BL_UNAVAIL: nobody listens there; BL_DATA, BL_FULL, BL_AGAIN (the time is over), BL_IO. */
enum bl_status exchange_do(struct exchange *exchange, const struct request *request,
                           struct reply *reply, struct bl_diag *diag);

/* The target of a form's action, seen from the last document, with a query if there is one.
 * BL_DATA: to another host. */
enum bl_status exchange_target(const struct exchange *exchange, const char *action,
                               const char *query, char url[EXCHANGE_URL_MAX], struct bl_diag *diag);

/* The CGI program's part (cgi.c). */
enum bl_status cgi_do(struct exchange *exchange, const struct request *request, struct reply *reply,
                      struct bl_diag *diag);

#endif
