#include "web/door.h"

#include "web/messages.h"
#include "web/proof.h"
#include "base/json.h"
#include "http/file_type.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A WebSocket. It is served after the page's proof. */
struct visitor {
    struct http_peer *peer; /* NULL: the slot is free */
    enum { VISITOR_COMES, VISITOR_ASKS, VISITOR_PROVES, VISITOR_KNOWN } state;
    struct proof proof;
};

struct door {
    struct web_address address;
    struct http_server *server;
    struct visitor visitor[DOOR_PEERS];
    const struct built_text *files;
    struct door_callbacks callbacks;
    void *ctx;
    void (*closed)(void *ctx);
};

static void admit(struct door *door, struct visitor *visitor)
{
    visitor->state = VISITOR_KNOWN;
    http_spare(visitor->peer, false);
    door->callbacks.admitted(door->ctx, visitor->peer);
}

/* Takes a message of a page before its proof: the page's number, or its proof. A page that sends
 * anything else is dropped. */
static void hear_visitor(struct door *door, struct visitor *visitor, const uint8_t *bytes,
                         size_t length)
{
    if (visitor->state == VISITOR_COMES && proof_begin(&visitor->proof, bytes, length)) {
        visitor->state = VISITOR_ASKS;
        http_want(visitor->peer);
    } else if (visitor->state == VISITOR_PROVES &&
               proof_is_page(&visitor->proof, &door->address, bytes, length)) {
        admit(door, visitor);
    } else {
        http_drop(visitor->peer);
    }
}

/* Passes a browser's message on if the page has given its proof. */
static void on_message(void *ctx, struct http_peer *peer, bool binary, const uint8_t *bytes,
                       size_t length)
{
    struct door *door = ctx;
    struct visitor *visitor = http_kept(peer);
    if (visitor && visitor->state == VISITOR_KNOWN)
        door->callbacks.message(door->ctx, peer, binary, bytes, length);
    else if (visitor)
        hear_visitor(door, visitor, bytes, length);
}

static void answer_text(struct http_peer *peer, unsigned status, const char *text)
{
    const struct http_answer answer = {status, "text/plain; charset=utf-8", NULL, text,
                                       strlen(text)};
    http_answer(peer, &answer);
}

/* The browser may load, run or connect to the page's own files only. No page may frame this one. */
static const struct http_header headers[] = {
    {"content-security-policy:",
     "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
     "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"x-content-type-options:", "nosniff"},
    {"referrer-policy:", "no-referrer"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"cross-origin-opener-policy:", "same-origin"},
    {"cache-control:", "no-store"},
    {0}};

static void on_request(void *ctx, struct http_peer *peer, const struct http_request *asked)
{
    const struct door *door = ctx;
    const char *name;
    if (!web_address_is_host(&door->address, asked->host)) {
        answer_text(peer, 403, say_this_is_no_name_of);
        return;
    }
    if (strcmp(asked->method, "GET") != 0) {
        answer_text(peer, 405, say_only_get_is_served_here);
        return;
    }
    name = strcmp(asked->path, "/") == 0 ? "page.html" : asked->path + (asked->path[0] == '/');
    for (const struct built_text *file = door->files; file->name; file++) {
        if (strcmp(file->name, name) != 0)
            continue;
        const struct http_answer answer = {200, http_file_type(name), headers, file->text,
                                           strlen(file->text)};
        http_answer(peer, &answer);
        return;
    }
    answer_text(peer, 404, say_there_is_no_such_file);
}

static unsigned on_upgrade(void *ctx, struct http_peer *peer, const struct http_request *asked)
{
    const struct door *door = ctx;
    (void)peer;
    if (!web_address_is_host(&door->address, asked->host) ||
        !web_address_is_origin(&door->address, asked->origin))
        return 403;
    return strcmp(asked->path, "/socket") == 0 ? 0 : 404;
}

static void on_opened(void *ctx, struct http_peer *peer)
{
    struct door *door = ctx;
    struct visitor *visitor = NULL;
    for (unsigned i = 0; i < DOOR_PEERS && !visitor; i++)
        if (!door->visitor[i].peer)
            visitor = &door->visitor[i];
    if (!visitor) {
        http_drop(peer);
        return;
    }
    *visitor = (struct visitor){.peer = peer};
    http_keep(peer, visitor);
    http_spare(peer, true);
}

static void on_gone(void *ctx, struct http_peer *peer)
{
    struct door *door = ctx;
    struct visitor *visitor = http_kept(peer);
    if (!visitor)
        return;
    visitor->peer = NULL;
    if (visitor->state == VISITOR_KNOWN)
        door->callbacks.gone(door->ctx, peer);
}

/* Sends the server's number and proof to a page that has sent its number. */
static void prove(const struct door *door, struct visitor *visitor)
{
    char proof[PROOF_TEXT + 1], message[256];
    struct json_text out = {.at = message, .room = sizeof message};
    visitor->state = VISITOR_PROVES;
    proof_of_server(&visitor->proof, &door->address, proof);
    json_put(&out, "{");
    json_field(&out, "drawn", visitor->proof.drawn);
    json_field(&out, "proof", proof);
    json_put(&out, "}");
    http_send(visitor->peer, false, out.at, out.length);
}

static void on_writable(void *ctx, struct http_peer *peer)
{
    struct door *door = ctx;
    struct visitor *visitor = http_kept(peer);
    if (visitor && visitor->state == VISITOR_KNOWN)
        door->callbacks.writable(door->ctx, peer);
    else if (visitor && visitor->state == VISITOR_ASKS)
        prove(door, visitor);
}

enum bl_status door_listen(int *fd, unsigned asked, const char *file, struct bl_diag *diag)
{
    struct web_address address;
    web_address_load(&address, file);
    unsigned port = asked ? asked : address.port;
    enum bl_status status = http_listen(NULL, &port, fd, diag);
    if (status == BL_BUSY && !asked && port) {
        port = 0; /* another program uses the old port */
        status = http_listen(NULL, &port, fd, diag);
    }
    if (status)
        return status;
    if (port != address.port)
        web_address_draw(&address);
    address.port = port;
    status = web_address_keep(&address, file, diag);
    if (status)
        close(*fd);
    return status;
}

/* True if the socket listens at the address. */
static bool is_socket_of(int fd, const struct web_address *address)
{
    struct sockaddr_in at = {.sin_family = AF_UNSPEC};
    socklen_t size = sizeof at, length = sizeof(int);
    int listens = 0;
    return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens &&
           getsockname(fd, (struct sockaddr *)&at, &size) == 0 && at.sin_family == AF_INET &&
           ntohs(at.sin_port) == address->port;
}

static enum bl_status serve(struct door *door, uv_loop_t *loop, const struct door_options *given,
                            struct bl_diag *diag)
{
    static const struct http_callbacks callbacks = {.request = on_request,
                                                    .upgrade = on_upgrade,
                                                    .opened = on_opened,
                                                    .message = on_message,
                                                    .writable = on_writable,
                                                    .gone = on_gone};
    struct http_options options = {
        .peers = DOOR_PEERS, .in_max = given->in_max, .out_max = given->out_max};
    int own = -1;
    enum bl_status status =
        given->listening > 0 ? BL_OK : door_listen(&own, given->port, given->file, diag);
    if (status)
        return status;
    web_address_load(&door->address, given->file);
    options.listening = own >= 0 ? own : given->listening;
    options.port = door->address.port;
    if (is_socket_of(options.listening, &door->address))
        status = http_open(&door->server, loop, &options, &callbacks, door, diag);
    else
        status = bl_fail(diag, BL_DATA, say_fail_expected_the_address_of_the_socket, given->file);
    if (own >= 0)
        close(own);
    return status;
}

enum bl_status door_open(struct door **out, uv_loop_t *loop, const struct door_options *options,
                         const struct door_callbacks *callbacks, void *ctx, struct bl_diag *diag)
{
    struct door *door = calloc(1, sizeof *door);
    *out = NULL;
    if (!door)
        return bl_fail(diag, BL_NOMEM, say_fail_no_memory_for_the_screen);
    door->files = options->files;
    door->callbacks = *callbacks;
    door->ctx = ctx;
    enum bl_status status = serve(door, loop, options, diag);
    if (status)
        free(door);
    else
        *out = door;
    return status;
}

const struct web_address *door_address(const struct door *door)
{
    return &door->address;
}

static void on_closed(void *ctx)
{
    struct door *door = ctx;
    void (*closed)(void *ctx) = door->closed;
    void *of = door->ctx;
    free(door);
    closed(of);
}

void door_close(struct door *door, void (*closed)(void *ctx))
{
    door->closed = closed;
    http_close(door->server, on_closed);
}
