/* A small HTTP and WebSocket server (libwebsockets on the caller's libuv loop): for the screens in
 * a browser, on the loopback address alone, and for Entries speaking Engine.IO. The server knows
 * nothing of the contents. Sizes are bounded; beyond them the connection is closed. So are
 * connections: one more takes the place of the longest silent one, if there is one. All of ours is
 * allocated at the opening. */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

#define HTTP_LINE 1024 /* bytes of a path, a query, a header; longer ones come cut */

struct http_server;
struct http_peer; /* one connection */

/* A request, whole. Strings are never NULL, and live until the callback returns. */
struct http_request {
    const char *method; /* "GET", "POST", ...; "" for others */
    const char *path;   /* decoded, without the query */
    const char *query;  /* "a=1&b=2", each part decoded */
    const char *host, *origin, *type;
    const uint8_t *body; /* length bytes */
    size_t length;
};

struct http_header {
    const char *name, *value; /* the name with its colon: "cache-control:" */
};

struct http_answer {
    unsigned status;
    const char *type;
    const struct http_header *headers; /* the last has no name; NULL: none */
    const void *body;                  /* copied */
    size_t length;
};

/* Called from the loop. A callback may be NULL if its service is not offered. */
struct http_callbacks {
    /* Answered with http_answer(), now or later, unless gone() came. */
    void (*request)(void *ctx, struct http_peer *peer, const struct http_request *request);
    /* Somebody asks for a WebSocket. 0: let him in; else the status of the refusal. */
    unsigned (*upgrade)(void *ctx, struct http_peer *peer, const struct http_request *request);
    /* The WebSocket is open. */
    void (*opened)(void *ctx, struct http_peer *peer);
    /* A whole message came. */
    void (*message)(void *ctx, struct http_peer *peer, bool binary, const uint8_t *bytes,
                    size_t length);
    /* It was asked for by http_want(): http_send() may be called now, once. */
    void (*writable)(void *ctx, struct http_peer *peer);
    /* The connection is over; peer is not valid any more. */
    void (*gone)(void *ctx, struct http_peer *peer);
    /* The answer to an http_ping(): messages sent before have come. */
    void (*pong)(void *ctx, struct http_peer *peer);
    /* A connection is closed for its bytes, or for want of room: the fault. */
    void (*refused)(void *ctx, const char *what);
};

struct http_options {
    const char *address; /* IPv4; NULL: 127.0.0.1, out of reach of other machines */
    unsigned port;       /* 0: any free one */
    int listening;       /* > 0: a socket that listens already, of any network; the caller's */
    unsigned peers;      /* connections at a time */
    size_t in_max;       /* most bytes of a taken request's body, or message */
    size_t out_max;      /* most bytes of a sent answer's body, or message */
};

/* A socket that listens at an IPv4 address (NULL: 127.0.0.1) and at *port, which is then known
 * where it was 0. The caller closes *fd. BL_BUSY: somebody else has the port; BL_USAGE: no such
 * address. */
enum bl_status http_listen(const char *address, unsigned *port, int *fd, struct bl_diag *diag);

/* Listens. Errors of http_listen(); BL_UNAVAIL: libwebsockets or its libuv part is not there.
 * ctx and callbacks stay valid until http_close(). */
enum bl_status http_open(struct http_server **out, uv_loop_t *loop,
                         const struct http_options *options, const struct http_callbacks *callbacks,
                         void *ctx, struct bl_diag *diag);

unsigned http_port(const struct http_server *server);

/* Has every answer left for the system? */
bool http_drained(const struct http_server *server);

/* Closes the server and every connection, without a call of gone(). closed (NULL: nobody) is told
 * when that is done, some turns of the loop later, with the callbacks' ctx. Takes NULL, and tells
 * nobody. */
void http_close(struct http_server *server, void (*closed)(void *ctx));

/* Answers the peer's request. BL_FULL: the body is longer than out_max; nothing was answered. */
enum bl_status http_answer(struct http_peer *peer, const struct http_answer *answer);

/* Asks for writable(), once. */
void http_want(struct http_peer *peer);

/* Sends a message; only from within writable(), once a call. BL_FULL: longer than out_max. */
enum bl_status http_send(struct http_peer *peer, bool binary, const void *bytes, size_t length);

/* Asks a WebSocket for pong(), after all messages sent. */
void http_ping(struct http_peer *peer);

/* Takes no more messages from there, or takes them again: held ones wait in the system. */
void http_hold(struct http_peer *peer, bool hold);

/* The user of the program at the other end, on the same machine; false: nobody can tell, as of
 * another machine or another network. */
bool http_user(const struct http_peer *peer, uid_t *user);

/* With spare, its place goes to a new peer if no other is free: a WebSocket's is kept else. */
void http_spare(struct http_peer *peer, bool spare);

/* Closes the connection soon, even of one who does not read; gone() is called. */
void http_drop(struct http_peer *peer);

/* The caller's data of a connection; NULL at first. */
void http_keep(struct http_peer *peer, void *data);
void *http_kept(const struct http_peer *peer);

#endif
