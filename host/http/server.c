#include "http/server.h"

#include "base/loop.h"
#include "late/websockets.h"

#include <sys/socket.h>
#include <stdio.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BACKLOG       16
#define HEADERS_ROOM  2048     /* bytes of an answer's headers */
#define SPARE_FDS     8        /* descriptors of libwebsockets' own */
#define CLOSING_TURNS 4        /* turns of the loop in which libwebsockets closes its handles */
#define DROP_US       2000000u /* time for a dropped client to read the rest */
#define IDLE_S        86400 /* longest pause of a connection: a day; a new peer may take its slot */
#define VERSION       "13"  /* version of WebSockets: RFC 6455 */

struct http_peer {
    struct http_server *server;
    struct lws *wsi; /* NULL: the slot is free */
    void *kept;
    bool socket;   /* upgraded to a WebSocket */
    bool served;   /* the caller has the request */
    bool asked;    /* a request waits for an answer */
    bool answered; /* the head was sent, the body follows */
    bool dropped;
    bool spare; /* the caller's choice: http_spare() */
    bool may_send;
    bool pings;    /* a ping must be sent */
    bool leaving;  /* the fault was reported */
    uint64_t turn; /* the server's counter when the peer came, or at its last answer */
    uint64_t drop_us;
    struct http_request request;
    char path[HTTP_LINE], query[HTTP_LINE], host[HTTP_LINE], origin[HTTP_LINE], type[HTTP_LINE];
    uint8_t *in, *out; /* out has LWS_PRE spare bytes before it */
    size_t in_length, out_length;
};

struct http_server {
    struct http_options options;
    struct http_callbacks callbacks;
    void *ctx;
    struct lws_context *context;
    struct lws_vhost *vhost;
    int fd;
    unsigned port;
    uint64_t turn;
    bool closing;
    unsigned turns;
    void (*closed)(void *ctx);
    uv_poll_t poll;
    uv_idle_t idle;
    struct bl_timer drops;
    bool timed; /* the timer is initialised */
    struct lws_protocols protocols[2];
    uint8_t *room;
    struct http_peer peer[];
};

static const struct {
    enum lws_token_indexes token;
    const char *name;
} methods[] = {{WSI_TOKEN_GET_URI, "GET"},         {WSI_TOKEN_POST_URI, "POST"},
               {WSI_TOKEN_OPTIONS_URI, "OPTIONS"}, {WSI_TOKEN_HEAD_URI, "HEAD"},
               {WSI_TOKEN_PUT_URI, "PUT"},         {WSI_TOKEN_DELETE_URI, "DELETE"}};

static void copy_header(struct lws *wsi, char out[HTTP_LINE], enum lws_token_indexes token)
{
    if (late_websockets.hdr_copy(wsi, out, HTTP_LINE, token) < 0)
        out[0] = '\0';
}

static void copy_query(struct lws *wsi, char out[HTTP_LINE])
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; used + 2 < HTTP_LINE; i++) {
        int length = late_websockets.hdr_copy_fragment(
            wsi, out + used + (used > 0), (int)(HTTP_LINE - used - 2), WSI_TOKEN_HTTP_URI_ARGS, i);
        if (length < 0)
            break;
        if (used > 0)
            out[used++] = '&';
        used += (size_t)length;
    }
    out[used] = '\0';
}

/* Reads the headers while libwebsockets has them. */
static void read_head(struct http_peer *peer)
{
    struct http_request *request = &peer->request;
    *request = (struct http_request){.method = "",
                                     .path = peer->path,
                                     .query = peer->query,
                                     .host = peer->host,
                                     .origin = peer->origin,
                                     .type = peer->type,
                                     .body = peer->in};
    peer->path[0] = '\0';
    for (unsigned i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (late_websockets.hdr_total_length(peer->wsi, methods[i].token) == 0)
            continue;
        request->method = methods[i].name;
        copy_header(peer->wsi, peer->path, methods[i].token);
        break;
    }
    copy_query(peer->wsi, peer->query);
    copy_header(peer->wsi, peer->host, WSI_TOKEN_HOST);
    copy_header(peer->wsi, peer->origin, WSI_TOKEN_ORIGIN);
    copy_header(peer->wsi, peer->type, WSI_TOKEN_HTTP_CONTENT_TYPE);
    peer->in_length = 0;
}

/* Reports a fault. Returns -1, which makes libwebsockets close the connection. */
static int refuse(struct http_peer *peer, const char *what)
{
    struct http_server *server = peer->server;
    peer->leaving = true;
    if (server->callbacks.refused)
        server->callbacks.refused(server->ctx, what);
    return -1;
}

/* Hands the request on once, since libwebsockets also reports the end of a body of 0 bytes. */
static void serve(struct http_peer *peer)
{
    struct http_server *server = peer->server;
    static const struct http_answer none = {.status = HTTP_STATUS_NOT_FOUND, .type = "text/plain"};
    if (peer->served)
        return;
    peer->served = peer->asked = true;
    peer->request.length = peer->in_length;
    late_websockets.set_timeout(peer->wsi, NO_PENDING_TIMEOUT, 0); /* the answer may take long */
    if (server->callbacks.request)
        server->callbacks.request(server->ctx, peer, &peer->request);
    else
        http_answer(peer, &none);
}

/* Handles a request. Returns the result for libwebsockets. */
static int on_request(struct http_peer *peer)
{
    char length[16];
    read_head(peer);
    peer->served = peer->asked = peer->answered = false;
    if (late_websockets.hdr_total_length(peer->wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
        return refuse(peer, "a request without its length");
    if (late_websockets.hdr_total_length(peer->wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0) {
        if (late_websockets.hdr_copy(peer->wsi, length, sizeof length,
                                     WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0 ||
            length[strspn(length, "0123456789")])
            return refuse(peer, "a request whose length is no number, or too large");
        if (strtoull(length, NULL, 10) > peer->server->options.in_max)
            return refuse(peer, "a request that is too long");
        if (strtoull(length, NULL, 10) > 0)
            return 0; /* the body follows */
    }
    serve(peer);
    return 0;
}

static int take(struct http_peer *peer, const void *bytes, size_t length)
{
    if (length > peer->server->options.in_max - peer->in_length)
        return -1;
    if (length) /* a body of 0 bytes comes without any */
        memcpy(peer->in + peer->in_length, bytes, length);
    peer->in_length += length;
    return 0;
}

static int on_upgrade(struct http_peer *peer, const char *what)
{
    const struct http_server *server = peer->server;
    unsigned status = HTTP_STATUS_NOT_FOUND;
    char version[4];
    read_head(peer);
    if (strcasecmp(what, "websocket") != 0)
        return -1;
    if (late_websockets.hdr_copy(peer->wsi, version, sizeof version, WSI_TOKEN_VERSION) <= 0 ||
        strcmp(version, VERSION) != 0)
        status = HTTP_STATUS_BAD_REQUEST;
    else if (server->callbacks.upgrade)
        status = server->callbacks.upgrade(server->ctx, peer, &peer->request);
    if (status == 0)
        return 0;
    return late_websockets.return_http_status(peer->wsi, status, NULL) ? -1 : 1;
}

static int on_message(struct http_peer *peer, const void *bytes, size_t length)
{
    struct http_server *server = peer->server;
    if (take(peer, bytes, length))
        return refuse(peer, "a message that is too long");
    if (late_websockets.remaining_packet_payload(peer->wsi) ||
        !late_websockets.is_final_fragment(peer->wsi))
        return 0;
    if (server->callbacks.message && !peer->dropped)
        server->callbacks.message(server->ctx, peer, late_websockets.frame_is_binary(peer->wsi),
                                  peer->in, peer->in_length);
    peer->in_length = 0;
    return peer->dropped ? -1 : 0;
}

static int on_writable(struct http_peer *peer)
{
    struct http_server *server = peer->server;
    if (peer->dropped)
        return -1;
    if (peer->socket && peer->pings) {
        uint8_t ping[LWS_PRE + 1] = {0}; /* an empty ping would not be sent */
        peer->pings = false;
        late_websockets.callback_on_writable(
            peer->wsi); /* again: http_want() may have asked for this callback */
        return late_websockets.write(peer->wsi, ping + LWS_PRE, 1, LWS_WRITE_PING) < 0 ? -1 : 0;
    }
    if (peer->socket) {
        peer->may_send = true;
        if (server->callbacks.writable)
            server->callbacks.writable(server->ctx, peer);
        peer->may_send = false;
        return peer->dropped ? -1 : 0;
    }
    if (!peer->answered)
        return 0;
    peer->answered = false;
    peer->turn = ++server->turn;
    if (peer->out_length > 0 &&
        late_websockets.write(peer->wsi, peer->out + LWS_PRE, peer->out_length,
                              LWS_WRITE_HTTP_FINAL) < (int)peer->out_length)
        return -1;
    return late_websockets.http_transaction_completed(peer->wsi) ? -1 : 0;
}

static void on_gone(struct http_peer *peer)
{
    struct http_server *server = peer->server;
    if (server->callbacks.gone && !server->closing)
        server->callbacks.gone(server->ctx, peer);
    peer->wsi = NULL;
}

/* libwebsockets has closed the connection for data other than a WebSocket's: an unmasked frame, or
 * one of an unknown kind. */
static void on_closed(struct http_peer *peer)
{
    char byte;
    if (!peer->leaving && !peer->dropped &&
        recv(late_websockets.get_socket_fd(peer->wsi), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
        errno == EAGAIN)
        refuse(peer, "a message against the rules of WebSockets");
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t length)
{
    struct http_peer *peer = wsi ? late_websockets.get_opaque_user_data(wsi) : NULL;
    (void)user;
    if (!peer || !peer->wsi || (peer->server->closing && reason != LWS_CALLBACK_WSI_DESTROY))
        return 0;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return on_request(peer);
    case LWS_CALLBACK_HTTP_BODY:
        return take(peer, in, length);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        serve(peer);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return on_upgrade(peer, in);
    case LWS_CALLBACK_ESTABLISHED:
        peer->socket = true;
        if (peer->server->callbacks.opened)
            peer->server->callbacks.opened(peer->server->ctx, peer);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return on_message(peer, in, length);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        peer->leaving = true;
        return 0;
    case LWS_CALLBACK_CLOSED:
        on_closed(peer);
        return 0;
    case LWS_CALLBACK_RECEIVE_PONG:
        if (peer->server->callbacks.pong)
            peer->server->callbacks.pong(peer->server->ctx, peer);
        return 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return on_writable(peer);
    case LWS_CALLBACK_WSI_DESTROY:
        on_gone(peer);
        return 0;
    default:
        return 0;
    }
}

/* Capitalises header names as in "Set-Cookie", which some clients require; libwebsockets writes
 * lower case. */
static void capitalise(uint8_t *at, const uint8_t *end)
{
    bool name = false, first = true; /* not in the status line */
    for (; at < end; at++) {
        if (*at == '\n') {
            name = first = true;
        } else if (name && *at == ':') {
            name = false;
        } else if (name) {
            if (first && *at >= 'a' && *at <= 'z')
                *at = (uint8_t)(*at - 'a' + 'A');
            first = *at == '-';
        }
    }
}

enum bl_status http_answer(struct http_peer *peer, const struct http_answer *answer)
{
    uint8_t head[LWS_PRE + HEADERS_ROOM], *start = head + LWS_PRE, *at = start;
    uint8_t *end = head + sizeof head;
    if (answer->length > peer->server->options.out_max)
        return BL_FULL;
    if (!peer->asked)
        return BL_OK;
    peer->asked = false;
    memcpy(peer->out + LWS_PRE, answer->body ? answer->body : "", answer->length);
    peer->out_length = answer->length;
    bool failed = late_websockets.add_http_common_headers(peer->wsi, answer->status, answer->type,
                                                          answer->length, &at, end);
    for (const struct http_header *h = answer->headers; h && h->name && !failed; h++)
        failed = late_websockets.add_http_header_by_name(peer->wsi, (const uint8_t *)h->name,
                                                         (const uint8_t *)h->value,
                                                         (int)strlen(h->value), &at, end);
    capitalise(start, at);
    if (failed || late_websockets.finalize_write_http_header(peer->wsi, start, &at, end)) {
        http_drop(peer);
        return BL_OK;
    }
    peer->answered = true;
    late_websockets.callback_on_writable(peer->wsi);
    return BL_OK;
}

bool http_user(const struct http_peer *peer, uid_t *user)
{
    const int fd = late_websockets.get_socket_fd(peer->wsi);
    struct sockaddr_in from, to;
    socklen_t size = sizeof from, own = sizeof to;
    char line[256];
    FILE *file;
    bool found = false;
    if (getpeername(fd, (struct sockaddr *)&from, &size) ||
        getsockname(fd, (struct sockaddr *)&to, &own) || from.sin_family != AF_INET)
        return false;
    file = fopen("/proc/net/tcp", "re"); /* proc(5): a list of sockets with their owners */
    while (file && !found && fgets(line, sizeof line, file)) {
        unsigned address, port, other, other_port, owner;
        found = sscanf(line, " %*u: %8X:%4X %8X:%4X %*X %*X:%*X %*X:%*X %*X %u", &address, &port,
                       &other, &other_port, &owner) == 5 &&
                address == from.sin_addr.s_addr && port == ntohs(from.sin_port) &&
                other == to.sin_addr.s_addr && other_port == ntohs(to.sin_port);
        if (found)
            *user = owner;
    }
    if (file)
        fclose(file);
    return found;
}

void http_want(struct http_peer *peer)
{
    late_websockets.callback_on_writable(peer->wsi);
}

enum bl_status http_send(struct http_peer *peer, bool binary, const void *bytes, size_t length)
{
    if (length > peer->server->options.out_max)
        return BL_FULL;
    if (!peer->may_send)
        return BL_AGAIN;
    peer->may_send = false;
    memcpy(peer->out + LWS_PRE, bytes, length);
    if (late_websockets.write(peer->wsi, peer->out + LWS_PRE, length,
                              binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT) < (int)length)
        peer->dropped = true;
    return BL_OK;
}

void http_ping(struct http_peer *peer)
{
    peer->pings = true;
    late_websockets.callback_on_writable(peer->wsi);
}

void http_hold(struct http_peer *peer, bool hold)
{
    late_websockets.rx_flow_control(peer->wsi, !hold);
}

/* Makes libwebsockets find the connection broken in its next turn. On a foreign loop its timeouts
 * only run when data arrive. */
static void cut(struct lws *wsi)
{
    shutdown(late_websockets.get_socket_fd(wsi), SHUT_RDWR);
}

static void drops_set(struct http_server *server)
{
    uint64_t due_us = BL_NEVER;
    for (unsigned i = 0; i < server->options.peers; i++)
        if (server->peer[i].wsi && server->peer[i].dropped && server->peer[i].drop_us < due_us)
            due_us = server->peer[i].drop_us;
    bl_timer_set(&server->drops, due_us);
}

/* Closes dropped clients that do not read. */
static void on_drops(struct bl_timer *timer)
{
    struct http_server *server = timer->data;
    uint64_t now_us = bl_mono_us();
    for (unsigned i = 0; i < server->options.peers; i++) {
        struct http_peer *peer = &server->peer[i];
        if (peer->wsi && peer->dropped && now_us >= peer->drop_us) {
            peer->drop_us = BL_NEVER;
            cut(peer->wsi);
        }
    }
    drops_set(server);
}

void http_drop(struct http_peer *peer)
{
    peer->dropped = true;
    peer->drop_us = bl_mono_us() + DROP_US;
    late_websockets.callback_on_writable(peer->wsi);
    drops_set(peer->server);
}

void http_spare(struct http_peer *peer, bool spare)
{
    peer->spare = spare;
}

void http_keep(struct http_peer *peer, void *data)
{
    peer->kept = data;
}

void *http_kept(const struct http_peer *peer)
{
    return peer->kept;
}

unsigned http_port(const struct http_server *server)
{
    return server->port;
}

bool http_drained(const struct http_server *server)
{
    for (unsigned i = 0; i < server->options.peers; i++)
        if (server->peer[i].wsi && server->peer[i].answered)
            return false;
    return true;
}

/* True if closing the connection costs the peer only time. A peer with an incomplete request is
 * idle, since endless requests would keep all other peers out. */
static bool is_idle(const struct http_peer *peer)
{
    return peer->dropped || peer->spare || (!peer->socket && !peer->asked && !peer->answered);
}

/* A free slot; without one, that of the peer idle for longest. */
static struct http_peer *make_room(struct http_server *server)
{
    struct http_peer *idle = NULL;
    for (unsigned i = 0; i < server->options.peers; i++) {
        struct http_peer *peer = &server->peer[i];
        if (!peer->wsi)
            return peer;
        if (is_idle(peer) && (!idle || peer->turn < idle->turn))
            idle = peer;
    }
    if (idle) {
        struct lws *wsi = idle->wsi;
        refuse(idle, "nothing was asked over it, and another one needs its place");
        late_websockets.set_opaque_user_data(wsi, NULL); /* no further callbacks */
        cut(wsi);
        on_gone(idle);
    }
    return idle;
}

static void on_connection(uv_poll_t *handle, int status, int events)
{
    struct http_server *server = handle->data;
    static const int yes = 1;
    (void)status;
    (void)events;
    int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    struct http_peer *peer = make_room(server);
    if (!peer) { /* a waiting peer would wait for ever */
        close(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    uint8_t *in = peer->in, *out = peer->out;
    *peer = (struct http_peer){.server = server, .in = in, .out = out, .turn = ++server->turn};
    peer->wsi = late_websockets.adopt_socket_vhost(server->vhost, fd);
    if (peer->wsi)
        late_websockets.set_opaque_user_data(peer->wsi, peer);
}

/* Listens without libwebsockets, which reports no reason for a failure. */
enum bl_status http_listen(const char *address, unsigned *port, int *fd, struct bl_diag *diag)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    const char *name = address ? address : "127.0.0.1";
    socklen_t size = sizeof at;
    static const int yes = 1;
    *fd = -1;
    if (inet_pton(AF_INET, name, &at.sin_addr) != 1)
        return bl_fail(diag, BL_USAGE, "%.60s: expected an IPv4 address as 192.168.7.1", name);
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0)
        return bl_fail(diag, BL_IO, "no socket: %s", strerror(errno));
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(made, (struct sockaddr *)&at, size) < 0 || listen(made, BACKLOG) < 0 ||
        getsockname(made, (struct sockaddr *)&at, &size) < 0) {
        int error = errno;
        close(made);
        return bl_fail(diag,
                       error == EADDRINUSE ? BL_BUSY
                       : error == EACCES   ? BL_NOPERM
                                           : BL_IO,
                       "port %u of %s: %s; %s would do", *port, name, strerror(error),
                       error == EADDRNOTAVAIL ? "an address of this machine" : "another port");
    }
    *port = ntohs(at.sin_port);
    *fd = made;
    return BL_OK;
}

static enum bl_status listen_at(struct http_server *server, struct bl_diag *diag)
{
    server->port = server->options.port;
    if (server->options.listening <= 0)
        return http_listen(server->options.address, &server->port, &server->fd, diag);
    server->fd = fcntl(server->options.listening, F_DUPFD_CLOEXEC, 0);
    return server->fd < 0 ? bl_fail(diag, BL_IO, "no socket: %s", strerror(errno)) : BL_OK;
}

static enum bl_status begin(struct http_server *server, uv_loop_t *loop, struct bl_diag *diag)
{
    void *loops[] = {loop};
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = server->protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_DISABLE_IPV6 |
                   LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME,
        .foreign_loops = loops,
        .fd_limit_per_thread = server->options.peers + SPARE_FDS,
        .max_http_header_pool = (unsigned short)server->options.peers,
        .keepalive_timeout = IDLE_S,
        .timeout_secs = IDLE_S,
        .timeout_secs_ah_idle = IDLE_S,
        .uid = (uid_t)-1,
        .gid = (gid_t)-1,
        .vhost_name = "boothlink",
    };
    struct sigaction pipe_before;
    enum bl_status status = bl_timer_init(loop, &server->drops, on_drops, server);
    if (status)
        return bl_fail(diag, status, "no timer: %s", bl_status_text(status));
    server->timed = true;
    uv_idle_init(loop, &server->idle);
    server->idle.data = server;
    if (uv_poll_init(loop, &server->poll, server->fd))
        return bl_fail(diag, BL_IO, "the port cannot be watched");
    server->poll.data = server;
    late_websockets.set_log_level(0, NULL);
    /* libwebsockets makes this process ignore SIGPIPE. Started programs would inherit that. */
    sigaction(SIGPIPE, NULL, &pipe_before);
    server->context = late_websockets.create_context(&info);
    sigaction(SIGPIPE, &pipe_before, NULL);
    if (!server->context)
        return bl_fail(diag, BL_UNAVAIL,
                       "libwebsockets does not start; is libwebsockets-evlib-uv installed?");
    server->vhost = late_websockets.get_vhost_by_name(server->context, "boothlink");
    uv_poll_start(&server->poll, UV_READABLE, on_connection);
    return BL_OK;
}

static void release(struct http_server *server)
{
    if (server->fd >= 0)
        close(server->fd);
    free(server->room);
    free(server);
}

static void on_idle_closed(uv_handle_t *handle)
{
    struct http_server *server = handle->data;
    void (*closed)(void *ctx) = server->closed;
    void *ctx = server->ctx;
    release(server);
    if (closed)
        closed(ctx);
}

static void on_drops_closed(struct bl_timer *timer)
{
    struct http_server *server = timer->data;
    uv_close((uv_handle_t *)&server->idle, on_idle_closed);
}

static void on_poll_closed(uv_handle_t *handle)
{
    struct http_server *server = handle->data;
    bl_timer_close(&server->drops, on_drops_closed);
}

/* On a foreign loop libwebsockets closes its handles in later turns, without notice, and frees the
 * rest at a second request. */
static void on_closing(uv_idle_t *handle)
{
    struct http_server *server = handle->data;
    if (server->turns == 0) {
        server->turns++;
        late_websockets.context_destroy(server->context);
        return;
    }
    for (unsigned i = 0; i < server->options.peers; i++)
        if (server->peer[i].wsi)
            return;
    if (++server->turns < CLOSING_TURNS)
        return;
    late_websockets.context_destroy(server->context);
    uv_idle_stop(handle);
    uv_close((uv_handle_t *)&server->poll, on_poll_closed);
}

enum bl_status http_open(struct http_server **out, uv_loop_t *loop,
                         const struct http_options *options, const struct http_callbacks *callbacks,
                         void *ctx, struct bl_diag *diag)
{
    size_t each = options->in_max + LWS_PRE + options->out_max;
    struct http_server *server;
    enum bl_status status = late_load(&late_websockets, diag);
    *out = NULL;
    if (status)
        return status;
    server = calloc(1, sizeof *server + options->peers * sizeof server->peer[0]);
    if (!server)
        return bl_fail(diag, BL_NOMEM, "no memory for the server");
    server->options = *options;
    server->callbacks = *callbacks;
    server->ctx = ctx;
    server->fd = -1;
    server->protocols[0] =
        (struct lws_protocols){.name = "boothlink", .callback = on_event, .rx_buffer_size = 4096};
    server->room = malloc(options->peers * each);
    for (unsigned i = 0; server->room && i < options->peers; i++) {
        server->peer[i].in = server->room + i * each;
        server->peer[i].out = server->peer[i].in + options->in_max;
    }
    status = server->room ? listen_at(server, diag) : bl_fail(diag, BL_NOMEM, "no memory");
    if (!status)
        status = begin(server, loop, diag);
    if (!status)
        *out = server;
    else if (server->poll.data)
        uv_close((uv_handle_t *)&server->poll, on_poll_closed);
    else if (server->timed)
        bl_timer_close(&server->drops, on_drops_closed);
    else
        release(server);
    return status;
}

void http_close(struct http_server *server, void (*closed)(void *ctx))
{
    if (!server)
        return;
    server->closing = true;
    server->closed = closed;
    uv_poll_stop(&server->poll);
    bl_timer_set(&server->drops, BL_NEVER);
    /* Later: the caller may be inside a callback. */
    uv_idle_start(&server->idle, on_closing);
}
