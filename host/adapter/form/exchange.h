/* Sends a request to the Entry and takes its reply, over HTTP by libcurl, or by a CGI program.
 * Blocks until the reply is complete or late. Sizes and times are bounded. Redirects must stay on
 * the first request's host. */
#ifndef FORM_PROGRAM_EXCHANGE_H
#define FORM_PROGRAM_EXCHANGE_H

#include "form/cgi_reply.h"

#include <curl/curl.h>
#include <stdbool.h>

#define EXCHANGE_MOST    (256u << 10) /* bytes of a reply */
#define EXCHANGE_FORWARD 5            /* most redirects of a request */
#define EXCHANGE_URL_MAX 2048

struct exchange {
    CURL *curl;      /* also keeps the cookies of a CGI program */
    const char *cgi; /* the CGI command; NULL: HTTP */
    const char *by;  /* the socket to a sandbox's relay (entity/relay.h); NULL: none */
    unsigned timeout_ms;
    char url[EXCHANGE_URL_MAX]; /* URL of the last document */
    char *bytes;                /* the reply: room for EXCHANGE_MOST and a NUL */
    size_t length;
};

struct request {
    bool post;
    const char *url;
    const char *type, *body; /* content of a POST */
    size_t length;
};

enum bl_status exchange_open(struct exchange *exchange, const char *url, const char *cgi,
                             const char *by, unsigned timeout_ms, struct bl_diag *diag);
void exchange_close(struct exchange *exchange);

/* Sends a request and follows redirects. The reply's body is valid until the next request.
 * BL_UNAVAIL: no server listens; BL_DATA, BL_FULL, BL_AGAIN (timeout), BL_IO. */
enum bl_status exchange_do(struct exchange *exchange, const struct request *request,
                           struct reply *reply, struct bl_diag *diag);

/* Writes the URL of a form's action, which may be relative to the last document, with the query
 * (NULL: none). BL_DATA if the URL is on another host. */
enum bl_status exchange_target(const struct exchange *exchange, const char *action,
                               const char *query, char url[EXCHANGE_URL_MAX], struct bl_diag *diag);

enum bl_status cgi_do(struct exchange *exchange, const struct request *request, struct reply *reply,
                      struct bl_diag *diag);

#endif
