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
static char seen[8192]; /* what the callbacks were told */
static struct http_peer *waiting;
static char message[IN_MAX + 1];
static unsigned filled; /* answers of a connection that is sent more than it reads */

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
    static char big[OUT_MAX];
    (void)ctx;
    if (strcmp(message, "fill") != 0) {
        assert_int_equal(http_send(peer, false, message, strlen(message)), BL_OK);
        return;
    }
    memset(big, 'x', sizeof big);
    assert_int_equal(http_send(peer, false, big, sizeof big), BL_OK);
    waiting = peer;
    filled++;
    http_want(peer);
}

static void on_refused(void *ctx, const char *what)
{
    (void)ctx;
    tell("refused: %s\n", what);
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
    const struct http_callbacks callbacks = {.request = on_request,
                                             .upgrade = on_upgrade,
                                             .opened = on_opened,
                                             .message = on_message,
                                             .writable = on_writable,
                                             .gone = on_gone,
                                             .refused = on_refused};
    (void)state;
    seen[0] = '\0';
    waiting = NULL;
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_int_equal(http_open(&server, &loop, &options, &callbacks, NULL, &diag), BL_OK);
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
    assert_non_null(strstr(answer, "Cache-Control: no-store"));
    assert_non_null(strstr(answer, "Content-Length: 5"));
    /* On the same connection. */
    say(fd, "POST /p HTTP/1.1\r\nHost: here\r\nOrigin: o\r\nContent-Type: t/t\r\n"
            "Content-Length: 9\r\n\r\nfour");
    uv_run(&loop, UV_RUN_NOWAIT);
    say(fd, "teen!");
    hear(fd, "hello");
    say(fd, "POST /none HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\n\r\n");
    hear(fd, "hello");
    say(fd, "GET /big HTTP/1.1\r\nHost: here\r\n\r\n");
    hear(fd, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    assert_string_equal(seen, "GET /a b?x=1&y=A [] [] \nPOST /p? [o] [t/t] fourteen!\n"
                              "POST /none? [] [] \nGET /big? [] [] \n");
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
    seen[0] = '\0';
    say(fd, "GET /later HTTP/1.1\r\nHost: here\r\n\r\n");
    run_until_seen("/later");
    close(fd); /* without its answer: the server sees that when it gives one */
    http_answer(waiting, &answer);
    run_until_seen("gone");
    close(other);
}

/* A judge thinks, and an Entry says nothing: libwebsockets would end a connection that was idle for
 * 5 s after an answer, or for 20 s before a request, at the very request that comes then. */
static void test_a_pause_ends_no_connection(void **state)
{
    int answered = dial(INADDR_LOOPBACK), silent = dial(INADDR_LOOPBACK),
        half = dial(INADDR_LOOPBACK);
    (void)state;
    say(answered, "GET /first HTTP/1.1\r\nHost: here\r\n\r\n");
    hear(answered, "hello");
    say(half, "GET /half HTTP/1.1\r\nHo");
    for (unsigned i = 0; i < 21; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        sleep(1);
    }
    say(answered, "GET /second HTTP/1.1\r\nHost: here\r\n\r\n");
    hear(answered, "hello");
    say(half, "st: here\r\n\r\n");
    hear(half, "hello");
    say(silent, "GET /third HTTP/1.1\r\nHost: here\r\n\r\n");
    hear(silent, "hello");
    close(answered);
    close(half);
    close(silent);
    run_until_seen("gone\ngone\ngone\n");
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
    say(fd, "GET /socket HTTP/1.1\r\nHost: here\r\nOrigin: http://here\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 7\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
    hear(fd, "400 Bad Request");
    close(fd);
    assert_null(strstr(seen, "opened"));
}

/* What is not believed of a request's length, and what is said of it. */
static void test_lengths(void **state)
{
    static const struct {
        const char *fields, *refused;
    } bad[] = {
        {"Content-Length: 601\r\n", "too long"},
        {"Content-Length: 99999999999999999999\r\n", "no number"},
        {"Content-Length: 0000000000000000000003\r\n", "no number"},
        {"Content-Length: -1\r\n", "no number"},
        {"Content-Length: 3x\r\n", "no number"},
        {"Content-Length: 3\r\nContent-Length: 30\r\n", "no number"},
        {"Transfer-Encoding: chunked\r\n", "without its length"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char request[200];
        int fd = dial(INADDR_LOOPBACK);
        seen[0] = '\0';
        snprintf(request, sizeof request, "POST / HTTP/1.1\r\nHost: here\r\n%s\r\nabc",
                 bad[i].fields);
        say(fd, request);
        assert_string_equal(hear(fd, NULL), "");
        close(fd);
        run_until_seen("gone");
        assert_non_null(strstr(seen, "refused: "));
        assert_non_null(strstr(seen, bad[i].refused));
        assert_null(strstr(seen, "POST"));
    }
}

static void socket_open_and_break(void)
{
    int fd = socket_open();
    seen[0] = '\0';
    close(fd);
    run_until_seen("gone");
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
    frame(fd, 0x81, "", 0);
    run_until_seen("text 0\n");
    frame(fd, 0x81, text, IN_MAX + 1); /* one more than is taken */
    hear(fd, NULL);
    run_until_seen("refused: a message that is too long\ngone");
    close(fd);
    fd = socket_open();
    frame(fd, 0x83, "of no kind", 10);
    hear(fd, NULL);
    run_until_seen("refused: a message against the rules of WebSockets\ngone");
    close(fd);
    fd = socket_open();
    seen[0] = '\0';
    frame(fd, 0x88, "", 0); /* whoever leaves does nothing wrong */
    run_until_seen("gone");
    close(fd);
    socket_open_and_break();
    assert_null(strstr(seen, "refused"));
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

/* One who reads nothing cannot be written to any more, and goes nevertheless. */
static void test_a_dropped_one_that_does_not_read_goes(void **state)
{
    int fd = socket_open();
    unsigned before = 0, idle = 0;
    (void)state;
    filled = 0;
    frame(fd, 0x81, "fill", 4);
    run_until_seen("text 4");
    while (idle < 3000) { /* until no more goes out */
        uv_run(&loop, UV_RUN_NOWAIT);
        usleep(200);
        idle = filled == before ? idle + 1 : 0;
        before = filled;
    }
    assert_true(filled > 0);
    http_drop(waiting);
    run_until_seen("gone");
    close(fd);
}

/* Whoever waits for an answer and WebSockets keep their places; half a request does not. */
static void test_one_more_takes_an_idle_place(void **state)
{
    int fd[PEERS + 1], web = socket_open();
    (void)state;
    fd[0] = dial(INADDR_LOOPBACK);
    say(fd[0], "GET /later HTTP/1.1\r\nHost: here\r\n\r\n");
    run_until_seen("/later");
    fd[1] = dial(INADDR_LOOPBACK);
    say(fd[1], "GET /never HTTP/1.1\r\nHo");
    for (unsigned i = 2; i < PEERS + 1; i++) {
        fd[i] = dial(INADDR_LOOPBACK);
        say(fd[i], "GET /now HTTP/1.1\r\nHost: here\r\n\r\n");
        hear(fd[i], "hello");
        hear(fd[i - 1], NULL);
        close(fd[i - 1]);
    }
    assert_non_null(strstr(seen, "refused: nothing was asked over it"));
    frame(web, 0x81, "here", 4);
    hear(web, "here");
    http_answer(waiting, &(struct http_answer){200, "text/plain", NULL, "late", 4});
    hear(fd[0], "late");
    close(fd[0]);
    close(fd[PEERS]);
    close(web);
}

static void test_so_many_and_no_more(void **state)
{
    int fd[PEERS + 1];
    (void)state;
    for (unsigned i = 0; i < PEERS; i++)
        fd[i] = socket_open();
    fd[PEERS] = dial(INADDR_LOOPBACK);
    hear(fd[PEERS], NULL);
    seen[0] = '\0';
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
    const struct http_callbacks callbacks = {0};
    struct http_server *second;
    (void)state;
    assert_int_equal(dial(INADDR_LOOPBACK + 1), -1); /* 127.0.0.2 */
    assert_int_equal(http_open(&second, &loop, &options, &callbacks, NULL, &diag), BL_BUSY);
    assert_null(second);
    assert_non_null(strstr(diag.text, "Address already in use"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_requests, start, end),
        cmocka_unit_test_setup_teardown(test_an_answer_may_be_late, start, end),
        cmocka_unit_test_setup_teardown(test_a_pause_ends_no_connection, start, end),
        cmocka_unit_test_setup_teardown(test_refusals, start, end),
        cmocka_unit_test_setup_teardown(test_lengths, start, end),
        cmocka_unit_test_setup_teardown(test_messages, start, end),
        cmocka_unit_test_setup_teardown(test_a_dropped_one_goes, start, end),
        cmocka_unit_test_setup_teardown(test_a_dropped_one_that_does_not_read_goes, start, end),
        cmocka_unit_test_setup_teardown(test_one_more_takes_an_idle_place, start, end),
        cmocka_unit_test_setup_teardown(test_so_many_and_no_more, start, end),
        cmocka_unit_test_setup_teardown(test_this_machine_alone, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
