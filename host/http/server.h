/* A small HTTP and WebSocket server (libwebsockets on the caller's libuv loop), for screens in a
 * browser, only on the loopback address, and for Entries that speak Engine.IO. The contents are the
 * callers'. Sizes are bounded; a connection that exceeds them is closed. The number of connections
 * is bounded; a new connection may replace the one idle for longest. Our own memory is allocated
 * when the server opens. */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

#define HTTP_LINE 1024 /* bytes of a path, a query, a header; longer ones are truncated */

struct http_server;
struct http_peer; /* one connection */

/* A complete request. Strings are never NULL, and are valid until the callback returns. */
struct http_request {
    const char *method; /* "GET", "POST", ...; "" for other methods */
    const char *path;   /* decoded, without the query */
    const char *query;  /* "a=1&b=2", each part decoded */
    const char *host, *origin, *type;
    const uint8_t *body; /* length bytes */
    size_t length;
};

struct http_header {
    const char *name, *value; /* name with a colon: "cache-control:" */
};

struct http_answer {
    unsigned status;
    const char *type;
    const struct http_header *headers; /* ends with a NULL name; NULL: none */
    const void *body;                  /* copied */
    size_t length;
};

/* Called from the loop. The callbacks of an unused service may be NULL. */
struct http_callbacks {
    /* A request, to be answered by http_answer(), now or later, unless gone() comes first. */
    void (*request)(void *ctx, struct http_peer *peer, const struct http_request *request);
    /* A client requests a WebSocket. 0: accepted; otherwise the status of the refusal. */
    unsigned (*upgrade)(void *ctx, struct http_peer *peer, const struct http_request *request);
    /* The WebSocket is open. */
    void (*opened)(void *ctx, struct http_peer *peer);
    /* A complete message arrived. */
    void (*message)(void *ctx, struct http_peer *peer, bool binary, const uint8_t *bytes,
                    size_t length);
    /* After http_want(): http_send() may be called once, now. */
    void (*writable)(void *ctx, struct http_peer *peer);
    /* The connection is closed, and peer is invalid. */
    void (*gone)(void *ctx, struct http_peer *peer);
    /* The answer to http_ping(): earlier messages have arrived. */
    void (*pong)(void *ctx, struct http_peer *peer);
    /* A connection was closed for its data, or for lack of room; `what` is the fault. */
    void (*refused)(void *ctx, const char *what);
};

struct http_options {
    const char *address; /* IPv4; NULL: 127.0.0.1, which other machines cannot reach */
    unsigned port;       /* 0: any free port */
    int listening;       /* > 0: a listening socket of any network; the caller's */
    unsigned peers;      /* most connections at a time */
    size_t in_max;       /* most bytes of the body of a request, or of a received message */
    size_t out_max;      /* most bytes of the body of an answer, or of a sent message */
};

/* Opens a socket that listens at an IPv4 address (NULL: 127.0.0.1) and at *port; port 0 is replaced
 * by the chosen one. The caller closes *fd. BL_BUSY: another program has the port; BL_USAGE:
 * invalid address. */
enum bl_status http_listen(const char *address, unsigned *port, int *fd, struct bl_diag *diag);

/* Opens the server. Errors of http_listen(); BL_UNAVAIL: libwebsockets or its libuv part is
 * missing. callbacks are copied; ctx must stay valid until http_close() calls `closed`. */
enum bl_status http_open(struct http_server **out, uv_loop_t *loop,
                         const struct http_options *options, const struct http_callbacks *callbacks,
                         void *ctx, struct bl_diag *diag);

unsigned http_port(const struct http_server *server);

/* True if every answer has been passed to the kernel. */
bool http_drained(const struct http_server *server);

/* Closes the server and every connection, without calls of gone(). The loop calls `closed` (may be
 * NULL) some turns later with the callbacks' ctx. server may be NULL; then `closed` is not
 * called. */
void http_close(struct http_server *server, void (*closed)(void *ctx));

/* Answers the peer's request. BL_FULL: the body exceeds out_max, and nothing is sent. */
enum bl_status http_answer(struct http_peer *peer, const struct http_answer *answer);

/* Requests one call of writable(). */
void http_want(struct http_peer *peer);

/* Sends a message. Allowed once in each writable(); otherwise BL_AGAIN. BL_FULL: the message
 * exceeds out_max. */
enum bl_status http_send(struct http_peer *peer, bool binary, const void *bytes, size_t length);

/* Requests pong() from a WebSocket after all messages sent so far. */
void http_ping(struct http_peer *peer);

/* Stops or resumes reading messages; held messages wait in the kernel. */
void http_hold(struct http_peer *peer, bool hold);

/* Finds the user of the program at the other end, on the same machine. False: unknown, as for
 * another machine or network. */
bool http_user(const struct http_peer *peer, uid_t *user);

/* spare: a new peer may replace this WebSocket if no slot is free. By default a WebSocket is
 * kept. */
void http_spare(struct http_peer *peer, bool spare);

/* Closes the connection soon, also if the client does not read. gone() will be called. */
void http_drop(struct http_peer *peer);

/* The caller's data of a connection; NULL at first. */
void http_keep(struct http_peer *peer, void *data);
void *http_kept(const struct http_peer *peer);

#endif
