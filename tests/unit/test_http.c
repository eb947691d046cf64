/* The HTTP and WebSocket server: requests, refusals, bounds, and that it listens to this machine
 * alone. The client is a plain socket, and each test runs the server's loop itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/loop.h"
#include "http/server.h"

#define PEERS   3
#define IN_MAX  600
#define OUT_MAX 5000
#define WAIT_US 20000000u

static uv_loop_t loop;
static struct http_server *server;
static struct bl_diag diag;
static char seen[8192]; /* what the handlers were told */
static struct http_peer *waiting;
static char message[IN_MAX + 1];

static void tell(const char *format, ...)
{
    size_t used = strlen(seen);
    va_list args;
    va_start(args, format);
    vsnprintf(seen + used, sizeof seen - used, format, args);
    va_end(args);
}

static void on_request(void *ctx, struct http_peer *peer, const struct http_request *r)
{
    static const struct http_header headers[] = {{"cache-control:", "no-store"}, {0}};
    static char big[OUT_MAX + 1];
    struct http_answer answer = {200, "text/plain", headers, "hello", 5};
    (void)ctx;
    tell("%s %s?%s [%s] [%s] %.*s\n", r->method, r->path, r->query, r->origin, r->type,
         (int)r->length, (const char *)r->body);
    if (strcmp(r->path, "/later") == 0) {
        waiting = peer;
        return;
    }
    if (strcmp(r->path, "/big") == 0) {
        memset(big, 'x', sizeof big);
        answer.body = big;
        answer.length = sizeof big;
        assert_int_equal(http_answer(peer, &answer), BL_FULL);
        answer.length = OUT_MAX;
    }
    assert_int_equal(http_answer(peer, &answer), BL_OK);
}

static unsigned on_upgrade(void *ctx, struct http_peer *peer, const struct http_request *r)
{
    (void)ctx;
    (void)peer;
    return strcmp(r->path, "/socket") == 0 && strcmp(r->origin, "http://here") == 0 ? 0 : 403;
}

static void on_opened(void *ctx, struct http_peer *peer)
{
    (void)ctx;
    http_keep(peer, message);
    assert_int_equal(http_send(peer, false, "x", 1), BL_AGAIN); /* nobody asked */
    tell("opened\n");
}

static void on_message(void *ctx, struct http_peer *peer, bool binary, const uint8_t *bytes,
                       size_t length)
{
    (void)ctx;
    assert_ptr_equal(http_kept(peer), message);
    memcpy(message, bytes, length);
    message[length] = '\0';
    tell("%s %zu\n", binary ? "binary" : "text", length);
    if (strcmp(message, "leave") == 0)
        http_drop(peer);
    else
        http_want(peer);
}

static void on_writable(void *ctx, struct http_peer *peer)
{
    (void)ctx;
    assert_int_equal(http_send(peer, false, message, strlen(message)), BL_OK);
}

static void on_gone(void *ctx, struct http_peer *peer)
{
    (void)ctx;
    if (peer == waiting)
        waiting = NULL;
    tell("gone\n");
}

static int start(void **state)
{
    const struct http_options options = {.peers = PEERS, .in_max = IN_MAX, .out_max = OUT_MAX};
    const struct http_handler handler = {on_request, on_upgrade,  on_opened,
                                         on_message, on_writable, on_gone};
    (void)state;
    seen[0] = '\0';
    waiting = NULL;
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_int_equal(http_open(&server, &loop, &options, &handler, NULL, &diag), BL_OK);
    return 0;
}

static int end(void **state)
{
    (void)state;
    http_close(server, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    return uv_loop_close(&loop);
}

static int dial(uint32_t address)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)http_port(server)),
                             .sin_addr.s_addr = htonl(address)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Runs the loop until what comes ends in text, or holds it; NULL: until the server hangs up. */
static const char *hear(int fd, const char *text)
{
    static char heard[16384];
    size_t length = 0;
    uint64_t until_us = bl_mono_us() + WAIT_US;
    heard[0] = '\0';
    while (bl_mono_us() < until_us) {
        ssize_t got = recv(fd, heard + length, sizeof heard - 1 - length, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN)) {
            assert_null(text); /* it hung up */
            return heard;
        }
        if (got > 0)
            length += (size_t)got;
        heard[length] = '\0';
        if (text && memmem(heard, length, text, strlen(text)))
            return heard;
        uv_run(&loop, UV_RUN_NOWAIT);
        usleep(200);
    }
    fail_msg("nothing like \"%s\" came, but: %s", text ? text : "a hang-up", heard);
    return NULL;
}

static void run_until_seen(const char *text)
{
    uint64_t until_us = bl_mono_us() + WAIT_US;
    while (!strstr(seen, text) && bl_mono_us() < until_us) {
        uv_run(&loop, UV_RUN_NOWAIT);
        usleep(200);
    }
    assert_non_null(strstr(seen, text));
}

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

#define HANDSHAKE(path, origin)                                                                    \
    "GET " path " HTTP/1.1\r\nHost: here\r\nOrigin: " origin "\r\nConnection: Upgrade\r\n"         \
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"                                          \
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"

static int socket_open(void)
{
    int fd = dial(INADDR_LOOPBACK);
    say(fd, HANDSHAKE("/socket", "http://here"));
    hear(fd, "101 Switching");
    run_until_seen("opened");
    return fd;
}

/* A frame of a client, masked with zeros. */
static void frame(int fd, unsigned first, const char *text, size_t length)
{
    uint8_t bytes[IN_MAX + 64] = {(uint8_t)first};
    size_t head = 2;
    bytes[1] = (uint8_t)(0x80 | (length < 126 ? length : 126));
    if (length >= 126) {
        bytes[2] = (uint8_t)(length >> 8);
        bytes[3] = (uint8_t)length;
        head = 4;
    }
    memcpy(bytes + head + 4, text, length);
    assert_int_equal(send(fd, bytes, head + 4 + length, MSG_NOSIGNAL), head + 4 + length);
}

static void test_requests(void **state)
{
    static const char get[] = "GET /a%20b?x=1&y=%41 HTTP/1.1\r\nHost: here\r\n\r\n";
    int fd = dial(INADDR_LOOPBACK);
    (void)state;
    for (unsigned i = 0; i < sizeof get - 1; i++) { /* in any split */
        send(fd, get + i, 1, MSG_NOSIGNAL);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    const char *answer = hear(fd, "hello");
    assert_non_null(strstr(answer, "200 OK"));
    assert_non_null(strstr(answer, "cache-control: no-store"));
    assert_non_null(strstr(answer, "content-length: 5"));
    /* On the same connection. */
    say(fd, "POST /p HTTP/1.1\r\nHost: here\r\nOrigin: o\r\nContent-Type: t/t\r\n"
            "Content-Length: 9\r\n\r\nfour");
    uv_run(&loop, UV_RUN_NOWAIT);
    say(fd, "teen!");
    hear(fd, "hello");
    say(fd, "GET /big HTTP/1.1\r\nHost: here\r\n\r\n");
    hear(fd, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    assert_string_equal(seen, "GET /a b?x=1&y=A [] [] \nPOST /p? [o] [t/t] fourteen!\n"
                              "GET /big? [] [] \n");
    close(fd);
    run_until_seen("gone");
}

static void test_an_answer_may_be_late(void **state)
{
    static const struct http_answer answer = {200, "text/plain", NULL, "late", 4};
    int fd = dial(INADDR_LOOPBACK), other = dial(INADDR_LOOPBACK);
    (void)state;
    say(fd, "GET /later HTTP/1.1\r\nHost: here\r\n\r\n");
    run_until_seen("/later");
    say(other, "GET /now HTTP/1.1\r\nHost: here\r\n\r\n");
    hear(other, "hello");
    http_answer(waiting, &answer);
    hear(fd, "late");
    say(fd, "GET /later HTTP/1.1\r\nHost: here\r\n\r\n");
    run_until_seen("/now?");
    close(fd); /* without its answer */
    run_until_seen("gone");
    close(other);
}

static void test_refusals(void **state)
{
    int fd = dial(INADDR_LOOPBACK);
    (void)state;
    say(fd, HANDSHAKE("/socket", "http://elsewhere"));
    hear(fd, "403 Forbidden");
    close(fd);
    fd = dial(INADDR_LOOPBACK);
    say(fd, HANDSHAKE("/wrong", "http://here"));
    hear(fd, "403 Forbidden");
    close(fd);
    fd = dial(INADDR_LOOPBACK);
    say(fd, "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 601\r\n\r\n");
    hear(fd, NULL);
    close(fd);
    assert_null(strstr(seen, "opened"));
    assert_null(strstr(seen, "POST"));
}

static void test_messages(void **state)
{
    char text[IN_MAX + 1];
    int fd = socket_open();
    (void)state;
    frame(fd, 0x81, "one", 3);
    hear(fd, "one");
    frame(fd, 0x01, "in ", 3); /* and its second half */
    frame(fd, 0x80, "pieces", 6);
    hear(fd, "in pieces");
    memset(text, 'y', sizeof text);
    text[IN_MAX] = '\0';
    frame(fd, 0x82, text, IN_MAX);
    hear(fd, text);
    assert_non_null(strstr(seen, "text 3\ntext 9\nbinary 600\n"));
    frame(fd, 0x81, text, IN_MAX + 1); /* one more than is taken */
    hear(fd, NULL);
    run_until_seen("gone");
    close(fd);
}

static void test_a_dropped_one_goes(void **state)
{
    int fd = socket_open();
    (void)state;
    frame(fd, 0x81, "leave", 5);
    hear(fd, NULL);
    run_until_seen("gone");
    close(fd);
}

static void test_so_many_and_no_more(void **state)
{
    int fd[PEERS + 1];
    (void)state;
    for (unsigned i = 0; i < PEERS; i++) {
        fd[i] = dial(INADDR_LOOPBACK);
        say(fd[i], "GET /held HTTP/1.1\r\nHost: here\r\n\r\n");
        hear(fd[i], "hello");
    }
    fd[PEERS] = dial(INADDR_LOOPBACK);
    hear(fd[PEERS], NULL);
    for (unsigned i = 0; i < PEERS + 1; i++)
        close(fd[i]);
    run_until_seen("gone\ngone\ngone\n");
    fd[0] = dial(INADDR_LOOPBACK);
    say(fd[0], "GET /again HTTP/1.1\r\nHost: here\r\n\r\n");
    hear(fd[0], "hello");
    close(fd[0]);
}

static void test_this_machine_alone(void **state)
{
    const struct http_options options = {.port = http_port(server), .peers = 1};
    const struct http_handler handler = {0};
    struct http_server *second;
    (void)state;
    assert_int_equal(dial(INADDR_LOOPBACK + 1), -1); /* 127.0.0.2 */
    assert_int_equal(http_open(&second, &loop, &options, &handler, NULL, &diag), BL_BUSY);
    assert_null(second);
    assert_non_null(strstr(diag.text, "Address already in use"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_requests, start, end),
        cmocka_unit_test_setup_teardown(test_an_answer_may_be_late, start, end),
        cmocka_unit_test_setup_teardown(test_refusals, start, end),
        cmocka_unit_test_setup_teardown(test_messages, start, end),
        cmocka_unit_test_setup_teardown(test_a_dropped_one_goes, start, end),
        cmocka_unit_test_setup_teardown(test_so_many_and_no_more, start, end),
        cmocka_unit_test_setup_teardown(test_this_machine_alone, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
