/* boothlink-audience: the page for an audience, as a process of its own. Its standard input brings
 * the lines for the audience. Once it listens, it opens no file, as far as the kernel can prevent
 * that (desk/confine.h). Lines are kept, and served to any browser that asks. The process ends with
 * its input. */
#include "base/log.h"
#include "desk/audience/page_files.h"
#include "desk/confine.h"
#include "desk/listing.h"
#include "http/file_type.h"
#include "http/server.h"

#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <sodium/randombytes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD    "boothlink-audience"
#define PEERS   256
#define IN_MAX  1024
#define OUT_MAX 131072 /* bytes of an answer; the page asks for the rest */

static struct audience {
    uv_loop_t loop;
    uv_pipe_t input;
    struct http_server *server;
    struct line_list lines;
    uint32_t run; /* number of this process; a page thus notices a new process */
    char answer[OUT_MAX];
} a;

static void usage(void)
{
    fputs("usage: boothlink-audience --listen ADDRESS:PORT\n", stderr);
    exit(bl_status_exit(BL_USAGE));
}

static const struct http_header headers[] = {
    {"content-security-policy:",
     "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
     "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"x-content-type-options:", "nosniff"},
    {"referrer-policy:", "no-referrer"},
    {"cache-control:", "no-store"},
    {0}};

static void answer(struct http_peer *peer, unsigned status, const char *type, const char *body,
                   size_t length)
{
    http_answer(peer, &(struct http_answer){status, type, headers, body, length});
}

/* Answers {"run": R, "next": N, "keys": [...]}, with the lines from the query's number on. */
static void answer_keys(struct http_peer *peer, const char *query)
{
    static char keys[OUT_MAX - 96];
    size_t from = strncmp(query, "from=", 5) == 0 ? strtoul(query + 5, NULL, 10) : 0;
    size_t next =
        listing_write(&a.lines, from < a.lines.count ? from : a.lines.count, keys, sizeof keys);
    int length = snprintf(a.answer, sizeof a.answer, "{\"run\":%u,\"next\":%zu,\"keys\":[%s]}",
                          a.run, next, keys);
    answer(peer, 200, "application/json", a.answer, (size_t)length);
}

static void on_request(void *ctx, struct http_peer *peer, const struct http_request *asked)
{
    static const char none[] = "There is no such page.\n";
    const char *name = strcmp(asked->path, "/") == 0 ? "page.html" : asked->path + 1;
    (void)ctx;
    if (strcmp(asked->method, "GET") == 0 && strcmp(asked->path, "/keys") == 0) {
        answer_keys(peer, asked->query);
        return;
    }
    for (const struct built_text *file = audience_page_files; file->name; file++)
        if (strcmp(asked->method, "GET") == 0 && strcmp(file->name, name) == 0) {
            answer(peer, 200, http_file_type(name), file->text, strlen(file->text));
            return;
        }
    answer(peer, 404, "text/plain; charset=utf-8", none, strlen(none));
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    static char bytes[65536];
    (void)handle, (void)wanted;
    *room = uv_buf_init(bytes, sizeof bytes);
}

static void on_input(uv_stream_t *stream, ssize_t length, const uv_buf_t *bytes)
{
    bool full = a.lines.full;
    if (length < 0) {
        uv_stop(stream->loop);
        return;
    }
    if (!listing_put(&a.lines, bytes->base, (size_t)length))
        exit(bl_status_exit(BL_NOMEM)); /* the desk starts it again */
    if (a.lines.full && !full)
        log_line(HEAD, "more than %u MiB have come: what comes further is not shown",
                 LISTING_MOST >> 20);
}

/* "192.0.2.7:8080" */
static bool read_listen(char address[64], unsigned *port, const char *text)
{
    const char *colon = strrchr(text, ':');
    char *end;
    if (!colon || colon == text || colon - text >= 64)
        return false;
    unsigned long number = strtoul(colon + 1, &end, 10);
    snprintf(address, 64, "%.*s", (int)(colon - text), text);
    *port = (unsigned)number;
    return colon[1] >= '0' && colon[1] <= '9' && !*end && number >= 1 && number <= 65535;
}

static enum bl_status begin(const char *address, unsigned port, struct bl_diag *diag)
{
    static const struct http_callbacks callbacks = {.request = on_request};
    const struct http_options options = {
        .address = address, .port = port, .peers = PEERS, .in_max = IN_MAX, .out_max = OUT_MAX};
    if (uv_loop_init(&a.loop) || uv_pipe_init(&a.loop, &a.input, 0) || uv_pipe_open(&a.input, 0) ||
        uv_read_start((uv_stream_t *)&a.input, on_room, on_input))
        return bl_fail(diag, BL_USAGE, "its input is to be the desk's");
    enum bl_status status = http_open(&a.server, &a.loop, &options, &callbacks, NULL, diag);
    if (status == BL_OK && !confine())
        log_line(HEAD, "this kernel has no Landlock: files and networks stay open to this process");
    return status;
}

int main(int argc, char **argv)
{
    static const struct option names[] = {{"listen", required_argument, NULL, 'l'},
                                          {NULL, 0, NULL, 0}};
    char address[64] = "";
    struct bl_diag diag;
    unsigned port = 0;
    int option;
    while ((option = getopt_long(argc, argv, "", names, NULL)) >= 0)
        if (option != 'l' || !read_listen(address, &port, optarg))
            usage();
    if (optind < argc || !port)
        usage();
    signal(SIGPIPE, SIG_IGN);
    close_range(3, UINT_MAX, 0);
    a.run = randombytes_random();
    enum bl_status status = begin(address, port, &diag);
    if (status == BL_OK)
        uv_run(&a.loop, UV_RUN_DEFAULT);
    else
        log_line(HEAD, "%s", diag.text);
    return bl_status_exit(status);
}
