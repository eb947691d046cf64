/* A server of LPP v2 on a socket of the system, under clients that send it any bytes in any pieces,
 * read what it says or not, and end, while a judge types: fuzz_lpp2 with HTTP, WebSockets and
 * libwebsockets in it. Nothing is typed before somebody has registered, and no key that is none.
 *
 * An input is a row of steps: a byte (what is done, and by which client), the length of its text
 * (one byte), the text, in which '$' stands for the latest session that the server has named. */
#include "adapter/lpp2.h"
#include "http/server.h"
#include "tests/support/lpp2_terminal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { CLIENTS = 6, SID = 24, TURNS = 4 };
enum step { CONNECT, SEND, FRAME, READ, HALF, END, TYPE, ALLOW, START, STEPS };

static int listening = -1;
static unsigned port;
static int client[CLIENTS];
static char sid[SID + 1];

/* The clients. */

static void end_client(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void connect_client(int *fd)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    end_client(fd);
    *fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    /* Each piece goes at once, also before the last one was acknowledged. */
    setsockopt(*fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    /* No port is kept waiting for what may still come. */
    setsockopt(*fd, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
    if (connect(*fd, (struct sockaddr *)&at, sizeof at) && errno != EINPROGRESS)
        end_client(fd);
}

static void send_bytes(int fd, const void *bytes, size_t length)
{
    if (fd >= 0 && send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        return; /* it does not read, or has gone */
}

/* A frame of text, masked, as clients' are (RFC 6455, section 5.2). */
static void send_frame(int fd, const char *text, size_t length)
{
    uint8_t frame[1024] = {0x81, 0x80 | (length < 126 ? (uint8_t)length : 126)};
    size_t at = 2;
    if (length >= 126) {
        frame[at++] = (uint8_t)(length >> 8);
        frame[at++] = (uint8_t)length;
    }
    at += 4; /* a mask of zeros */
    memcpy(frame + at, text, length);
    send_bytes(fd, frame, at + length);
}

static void read_client(int fd)
{
    static const char mark[] = "\"sid\":\"";
    char said[65536];
    ssize_t got;
    while (fd >= 0 && (got = recv(fd, said, sizeof said, MSG_DONTWAIT)) > 0) {
        const char *at = memmem(said, (size_t)got, mark, sizeof mark - 1);
        if (at && at + sizeof mark - 1 + SID <= said + got)
            memcpy(sid, at + sizeof mark - 1, SID);
    }
}

static size_t fill(char *out, size_t room, const uint8_t *text, size_t length)
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + SID + 1 < room; i++) {
        if (text[i] == '$')
            used += (size_t)strlen(strcpy(out + used, sid));
        else
            out[used++] = (char)text[i];
    }
    return used;
}

static void take_step(struct lpp2 *lpp2, uint8_t what, const uint8_t *text, size_t length)
{
    char filled[1000];
    int *fd = &client[what / 16 % CLIENTS];
    const size_t used = fill(filled, sizeof filled, text, length);
    switch ((enum step)(what % 16 % STEPS)) {
    case CONNECT:
        connect_client(fd);
        send_bytes(*fd, filled, used);
        break;
    case SEND:
        send_bytes(*fd, filled, used);
        break;
    case FRAME:
        send_frame(*fd, filled, used);
        break;
    case READ:
        read_client(*fd);
        break;
    case HALF:
        if (*fd >= 0)
            shutdown(*fd, SHUT_WR);
        break;
    case END:
        end_client(fd);
        break;
    case TYPE:
        lpp2_terminal_type(lpp2, text, length);
        break;
    case ALLOW:
        lpp2_allow(lpp2, 16);
        break;
    case START:
        lpp2_start(lpp2);
        break;
    case STEPS:
        break;
    }
}

static void turn(uv_loop_t *loop, unsigned turns)
{
    for (unsigned i = 0; i < turns; i++)
        uv_run(loop, UV_RUN_NOWAIT);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct lpp2_options options = {.secret = length % 2 ? "s" : ""};
    struct lpp2 *lpp2;
    uv_loop_t loop;
    if (length > 8192 || uv_loop_init(&loop))
        return 0;
    if (listening < 0 && http_listen(NULL, &port, &listening, NULL))
        abort();
    options.listening = listening;
    options.boxed = true;
    memset(sid, 0, sizeof sid);
    memset(client, -1, sizeof client);
    lpp2_terminal_begin();
    if (lpp2_open(&lpp2, &loop, &options, &lpp2_terminal, NULL, NULL))
        abort();
    lpp2_session(lpp2, 0, 0);
    while (length >= 2) {
        const size_t text = bytes[1] < length - 2 ? bytes[1] : length - 2;
        take_step(lpp2, bytes[0], bytes + 2, text);
        turn(&loop, TURNS);
        for (unsigned i = 0; i < CLIENTS && bytes[0] < 0x80; i++)
            read_client(client[i]);
        bytes += 2 + text;
        length -= 2 + text;
    }
    lpp2_end(lpp2);
    turn(&loop, TURNS);
    for (unsigned i = 0; i < CLIENTS; i++)
        end_client(&client[i]);
    lpp2_close(lpp2);
    uv_run(&loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&loop))
        abort();
    return 0;
}
