/* The link on Ethernet: the round trip of one record each way over a veth pair, both ends on one
 * CPU, in turns with bare sockets that seal and open as many bytes; and fifty lines on one hub,
 * each in turns with a bare exchange through the same hub. */
#include "tests/bench/pairs.h"
#include "tests/bench/rig.h"

#include "link/link.h"
#include "link/secure.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS      200
#define EXCHANGES   60 /* of each kind in each round: their median makes a pair */
#define WARM_UP     10
#define FRAME_BYTES 60 /* the shortest that a wire carries */
#define PEER_TYPE   0x88B6
#define GOAL        1.25
#define GOAL_SEAL   1.00
#define GOAL_HUB    1.20

#define LINES        50
#define LINE_SECONDS 15
#define KEY_MS       100
#define LOST_NS      1000000000u
#define LINE_SLOW    10 /* pairs of one line from which to reckon a delay */

static const uint8_t key[32] = "a key that is for benchmarks";
/* As the session sends it: a kind, a time and an ASCII character. */
static const uint8_t record[6] = {1, 0, 0, 0, 0, 'k'};

enum kind { BY_LINK, BY_PLAIN_LINK, BY_SEALED, BY_EPOLL, BY_PACKET, BY_UDP, KINDS };

/* Two namespaces, with a veth pair between them for each kind, so that none sees another's frames.
 */
static int space[2] = {-1, -1};

static void interface_name(char out[16], int end, enum kind kind)
{
    snprintf(out, 16, "e%d-%d", end, (int)kind);
}

static void address_text(char out[20], int end, enum kind kind)
{
    snprintf(out, 20, "10.91.%d.%d", (int)kind, end + 1);
}

static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void run(const char *format, ...)
{
    char command[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    if (system(command) != 0)
        rig_die("%s: failed", command);
}

static void put_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        rig_die("%s: %s", path, strerror(errno));
    close(fd);
}

static void spaces_make(void)
{
    if (geteuid() != 0) {
        char map[40];
        snprintf(map, sizeof map, "0 %u 1", (unsigned)geteuid());
        if (unshare(CLONE_NEWUSER))
            rig_die("user namespaces cannot be made: %s", strerror(errno));
        put_text("/proc/self/setgroups", "deny");
        put_text("/proc/self/uid_map", map);
    }
    for (int end = 0; end < 2; end++) {
        if (unshare(CLONE_NEWNET))
            rig_die("network namespaces cannot be made: %s", strerror(errno));
        space[end] = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    }
    for (enum kind kind = 0; kind < KINDS; kind++)
        run("ip link add name e1-%d type veth peer name e0-%d netns /proc/%d/fd/%d", (int)kind,
            (int)kind, (int)getpid(), space[0]);
    for (int end = 0; end < 2; end++) {
        setns(space[end], CLONE_NEWNET);
        for (enum kind kind = 0; kind < KINDS; kind++) {
            char interface[16], address[20];
            interface_name(interface, end, kind);
            address_text(address, end, kind);
            run("ip addr add %s/24 dev %s && ip link set %s up", address, interface, interface);
        }
    }
}

static void pin(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    if (sched_setaffinity(0, sizeof set, &set))
        rig_die("cannot stay on one CPU: %s", strerror(errno));
}

/* Where the end that asks puts its samples, in us, and what tells it to take the next ones: one
 * round of it at a time, while all others sleep. */
static int results = -1, orders = -1;
static struct {
    double us[2 * LINE_SECONDS * (1000 / KEY_MS) + EXCHANGES];
    size_t count;
} kept;

static void results_put(void)
{
    size_t bytes = kept.count * sizeof *kept.us;
    if (write(results, kept.us, bytes) != (ssize_t)bytes)
        rig_die("the results cannot be written: %s", strerror(errno));
    kept.count = 0;
}

static void result_keep(double us)
{
    if (kept.count < sizeof kept.us / sizeof *kept.us)
        kept.us[kept.count++] = us;
}

/* Waits for the order to begin a round: by how many us our path is to be delayed. */
static bool order_await(double *delay_us)
{
    return read(orders, delay_us, sizeof *delay_us) == sizeof *delay_us;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* What a frame of a key has behind its head when it is sealed. */
enum { HEAD = 14, ABOUT = 4, CONTENTS = 24 };

/* Libsodium's part of the encrypted exchange, and nothing else of it. */
static void seal_bare(uint8_t *frame, const uint8_t *nonce)
{
    uint8_t *contents = frame + HEAD + ABOUT;
    crypto_aead_chacha20poly1305_ietf_encrypt(contents, NULL, contents, CONTENTS, frame + HEAD,
                                              ABOUT, NULL, nonce, key);
}

static void open_bare(uint8_t *frame, const uint8_t *nonce)
{
    uint8_t *contents = frame + HEAD + ABOUT;
    if (crypto_aead_chacha20poly1305_ietf_decrypt(
            contents, NULL, NULL, contents, CONTENTS + SECURE_TAG, frame + HEAD, ABOUT, nonce, key))
        rig_die("libsodium cannot open a frame");
}

/* One end on a socket that is ready to use; blocking, or in an epoll loop. */
static void exchange_on(int fd, bool asks, enum kind kind)
{
    static const uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    static uint8_t out[FRAME_BYTES], in[2048];
    struct epoll_event event = {.events = EPOLLIN};
    int loop = epoll_create1(EPOLL_CLOEXEC);
    bool with_epoll = kind == BY_EPOLL || kind == BY_SEALED;
    memset(out, 0xFF, 6);
    out[6] = 2;
    out[12] = PEER_TYPE >> 8;
    out[13] = PEER_TYPE & 0xFF;
    if (with_epoll)
        epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event);
    for (unsigned i = 0;; i++) {
        uint64_t start_ns;
        double unused;
        if (asks && i % (EXCHANGES + WARM_UP) == 0 && !order_await(&unused))
            return;
        start_ns = now_ns();
        for (int step = 0; step < 2; step++) {
            if ((step == 0) == asks) {
                if (kind == BY_SEALED)
                    seal_bare(out, nonce);
                if (send(fd, out, sizeof out, 0) < 0)
                    rig_die("send: %s", strerror(errno));
                continue;
            }
            if (with_epoll)
                epoll_wait(loop, &event, 1, -1);
            if (recv(fd, in, sizeof in, 0) < 0)
                rig_die("recv: %s", strerror(errno));
            if (kind == BY_SEALED)
                open_bare(in, nonce);
        }
        if (!asks || i % (EXCHANGES + WARM_UP) < WARM_UP)
            continue;
        result_keep((double)(now_ns() - start_ns) / 1000);
        if (kept.count == EXCHANGES)
            results_put();
    }
}

static int packet_socket(const char *interface, uint16_t type)
{
    struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                  .sll_protocol = htons(type),
                                  .sll_ifindex = (int)if_nametoindex(interface)};
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address))
        rig_die("AF_PACKET: %s", strerror(errno));
    return fd;
}

static int udp_socket(int mine)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    char text[20];
    address_text(text, mine, BY_UDP);
    inet_pton(AF_INET, text, &address.sin_addr);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address))
        rig_die("UDP: %s", strerror(errno));
    address_text(text, !mine, BY_UDP);
    inet_pton(AF_INET, text, &address.sin_addr);
    if (connect(fd, (struct sockaddr *)&address, sizeof address))
        rig_die("UDP: %s", strerror(errno));
    return fd;
}

/* One end of a link: it answers each record, or asks with the next when the answer has come. On a
 * hub it asks ten times a second instead, and each time a bare socket asks after it. */
struct end {
    uv_loop_t loop;
    uv_timer_t timer, stop;
    uv_poll_t told, bare;
    struct link *link;
    bool asks, paced, waiting;
    uint64_t start_ns;
    unsigned count;
    uint64_t delay_ns; /* BENCH_SLOWER */
    int bare_fd;
    uint8_t line;
    double ours_us; /* of the pair that is being taken; 0: none */
    struct pairs pairs;
};

static void spin(uint64_t ns)
{
    uint64_t until_ns = now_ns() + ns;
    while (ns && now_ns() < until_ns)
        ;
}

static void end_ask(struct end *end)
{
    end->start_ns = now_ns();
    spin(end->delay_ns);
    if (link_send(end->link, LINK_EXPRESS, record, sizeof record))
        rig_die("the link does not take a record: %s", link_reason(end->link));
}

/* The bare exchange: a frame to everybody, which only the other end of the line takes. */
static void bare_send(const struct end *end)
{
    uint8_t frame[FRAME_BYTES] = {[12] = PEER_TYPE >> 8, PEER_TYPE & 0xFF, end->line, end->asks};
    memset(frame, 0xFF, 6);
    frame[6] = 2;
    if (send(end->bare_fd, frame, sizeof frame, 0) < 0)
        rig_die("send: %s", strerror(errno));
}

static void on_bare(uv_poll_t *poll, int status, int events)
{
    struct end *end = poll->data;
    uint8_t frame[2048];
    (void)status;
    (void)events;
    if (recv(end->bare_fd, frame, sizeof frame, 0) < 0)
        return;
    if (!end->asks) {
        bare_send(end);
        return;
    }
    end->waiting = false;
    if (end->ours_us > 0) {
        double delay_us;
        pairs_add(&end->pairs, end->ours_us, (double)(now_ns() - end->start_ns) / 1000);
        delay_us = pairs_delay(&end->pairs, LINE_SLOW);
        if (delay_us > 0)
            end->delay_ns = (uint64_t)(delay_us * 1000);
    }
    end->ours_us = 0;
}

static void end_state(void *ctx, enum link_state state, const char *reason)
{
    struct end *end = ctx;
    (void)reason;
    if (state == LINK_UP && end->asks && !end->paced)
        uv_poll_start(&end->told, UV_READABLE, end->told.poll_cb);
}

static enum bl_status end_record(void *ctx, const uint8_t *bytes, size_t length)
{
    struct end *end = ctx;
    double us = (double)(now_ns() - end->start_ns) / 1000;
    if (!end->asks)
        return link_send(end->link, LINK_EXPRESS, bytes, length);
    end->waiting = false;
    if (end->paced) {
        end->ours_us = us;
        return BL_OK;
    }
    if (++end->count > WARM_UP)
        result_keep(us);
    if (end->count < EXCHANGES + WARM_UP)
        end_ask(end);
    else
        results_put();
    return BL_OK;
}

static void end_progress(void *ctx)
{
    (void)ctx;
}

static void on_told(uv_poll_t *poll, int status, int events)
{
    struct end *end = poll->data;
    double delay_us;
    (void)status;
    (void)events;
    if (!order_await(&delay_us)) {
        uv_stop(poll->loop);
        return;
    }
    end->delay_ns = (uint64_t)(delay_us * 1000);
    end->count = 0;
    end_ask(end);
}

/* Every second time it is the bare exchange's turn. While an answer is still to come there is no
 * new question, unless it was lost. */
static void on_key(uv_timer_t *timer)
{
    struct end *end = timer->data;
    if (link_state(end->link) != LINK_UP || (end->waiting && now_ns() - end->start_ns < LOST_NS))
        return;
    end->waiting = true;
    if (end->count++ % 2 == 0) {
        end_ask(end);
    } else {
        end->start_ns = now_ns();
        bare_send(end);
    }
}

static void on_stop(uv_timer_t *timer)
{
    uv_stop(timer->loop);
}

static void link_end(struct end *end, const char *port, bool sealed)
{
    static const struct link_callbacks callbacks = {
        .state = end_state, .record = end_record, .progress = end_progress};
    const struct link_options options = {.role = end->asks ? LINK_ENTITY : LINK_JUDGE,
                                         .secret = sealed ? key : NULL,
                                         .insecure = !sealed};
    struct bl_diag diag;
    uv_loop_init(&end->loop);
    if (end->asks && !end->paced) {
        uv_poll_init(&end->loop, &end->told, orders);
        end->told.data = end;
        end->told.poll_cb = on_told;
    }
    if (link_open(&end->link, &end->loop, port, &options, &callbacks, end, &diag))
        rig_die("%s", diag.text);
    if (end->paced) {
        uv_timer_init(&end->loop, &end->timer);
        uv_timer_init(&end->loop, &end->stop);
        uv_poll_init(&end->loop, &end->bare, end->bare_fd);
        end->timer.data = end->bare.data = end;
        uv_poll_start(&end->bare, UV_READABLE, on_bare);
        if (end->asks)
            uv_timer_start(&end->timer, on_key, 3000 + 7u * end->line % KEY_MS, KEY_MS / 2);
        uv_timer_start(&end->stop, on_stop, 3000 + 1000 * LINE_SECONDS, 0);
    }
    uv_run(&end->loop, UV_RUN_DEFAULT);
}

/* Takes only what the other end of this line sent: all others' frames come by on a hub. */
static void bare_open(struct end *end)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, HEAD),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)end->line << 8 | !end->asks, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0xFFFF),
        BPF_STMT(BPF_RET | BPF_K, 0),
    };
    const struct sock_fprog filter = {.len = sizeof code / sizeof *code, .filter = code};
    end->bare_fd = packet_socket("eth0", PEER_TYPE);
    if (setsockopt(end->bare_fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter))
        rig_die("SO_ATTACH_FILTER: %s", strerror(errno));
}

/* An end of a line on the hub; the one that asks gives its pairs. */
static void hub_end(unsigned number)
{
    static struct end end;
    char port[32];
    end.paced = true;
    end.line = (uint8_t)(number / 2);
    end.asks = number % 2 == 0;
    snprintf(port, sizeof port, "ether:eth0/l%u", (unsigned)end.line);
    bare_open(&end);
    link_end(&end, port, true);
    for (size_t i = 0; i < end.pairs.count && !pairs_unslowed(&end.pairs); i++) {
        result_keep(end.pairs.ours[i]);
        result_keep(end.pairs.theirs[i]);
    }
    results_put();
}

static pid_t end_start(enum kind kind, bool asks)
{
    char interface[16], port[32];
    int mine = !asks;
    pid_t pid = fork();
    if (pid)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pin();
    if (setns(space[mine], CLONE_NEWNET))
        rig_die("namespace: %s", strerror(errno));
    interface_name(interface, mine, kind);
    if (kind == BY_LINK || kind == BY_PLAIN_LINK) {
        static struct end end;
        end.asks = asks;
        snprintf(port, sizeof port, "ether:%s/bench", interface);
        link_end(&end, port, kind == BY_LINK);
    } else {
        exchange_on(kind == BY_UDP ? udp_socket(mine) : packet_socket(interface, PEER_TYPE), asks,
                    kind);
    }
    _exit(0);
}

/* Both ends of one kind, asleep but in their rounds. */
static struct pair_of_ends {
    pid_t asking, answering;
    int orders, results;
    double delay_us;
} ends[KINDS];

static void ends_start(enum kind kind)
{
    int order[2], result[2];
    if (pipe2(order, O_CLOEXEC) || pipe2(result, O_CLOEXEC))
        rig_die("pipe: %s", strerror(errno));
    orders = order[0];
    results = result[1];
    ends[kind].answering = end_start(kind, false);
    rig_sleep_us(100000); /* an answering socket that is not there yet would lose the question */
    ends[kind].asking = end_start(kind, true);
    close(order[0]);
    close(result[1]);
    ends[kind].orders = order[1];
    ends[kind].results = result[0];
}

/* One round; returns its median. */
static double ends_round(enum kind kind)
{
    double sample[EXCHANGES];
    size_t have = 0;
    if (write(ends[kind].orders, &ends[kind].delay_us, sizeof(double)) != sizeof(double))
        rig_die("an end takes no order");
    while (have < sizeof sample) {
        ssize_t n = read(ends[kind].results, (char *)sample + have, sizeof sample - have);
        if (n <= 0)
            rig_die("an end gave no results");
        have += (size_t)n;
    }
    return rig_percentile(sample, EXCHANGES, 0.5);
}

static void ends_stop(enum kind kind)
{
    kill(ends[kind].answering, SIGKILL);
    kill(ends[kind].asking, SIGKILL);
    waitpid(ends[kind].answering, NULL, 0);
    waitpid(ends[kind].asking, NULL, 0);
}

/* The rows: each kind of ours beside a kind of theirs. */
static struct {
    struct pairs pairs;
    enum kind ours, theirs;
} rows[] = {
#define SEALED_ROW "encrypted record there and back on veth"
#define PLAIN_ROW  "record there and back on veth without a key"
    {{.name = SEALED_ROW, .peer = "AF_PACKET in epoll, libsodium", .goal = GOAL},
     BY_LINK,
     BY_SEALED},
    {{.name = PLAIN_ROW, .peer = "AF_PACKET in epoll", .goal = GOAL}, BY_PLAIN_LINK, BY_EPOLL},
    {{.name = SEALED_ROW, .peer = "AF_PACKET"}, BY_LINK, BY_PACKET},
    {{.name = SEALED_ROW, .peer = "UDP"}, BY_LINK, BY_UDP},
};
#define ROWS (sizeof rows / sizeof *rows)

static void compare(void)
{
    bool settled = false;
    for (enum kind kind = 0; kind < KINDS; kind++)
        ends_start(kind);
    while (!settled) {
        double us[KINDS];
        for (enum kind kind = 0; kind < KINDS; kind++)
            us[kind] = ends_round(kind);
        settled = true;
        for (size_t i = 0; i < ROWS; i++) {
            double delay_us;
            pairs_add(&rows[i].pairs, us[rows[i].ours], us[rows[i].theirs]);
            delay_us = rows[i].pairs.goal > 0 ? pairs_delay(&rows[i].pairs, PAIRS_SLOW) : 0;
            if (delay_us > 0)
                ends[rows[i].ours].delay_us = delay_us;
            settled = settled && (rows[i].pairs.goal == 0 || pairs_settled(&rows[i].pairs, ROUNDS));
        }
    }
    for (enum kind kind = 0; kind < KINDS; kind++)
        ends_stop(kind);
    for (size_t i = 0; i < ROWS; i++)
        pairs_row(&rows[i].pairs, false);
}

/* Sealing and opening of one frame, as a session does it and as libsodium does it alone. */
static void seal_alone(void)
{
    enum { BATCH = 100, BATCHES = 300, PADDED = 24 };
    static struct pairs pairs = {
        .name = "sealing or opening a key's frame", .peer = "libsodium's AEAD", .goal = GOAL_SEAL};
    struct secure_session a = {.live = true}, b = {.live = true};
    uint8_t frame[96], got[96], nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES] = {0};
    uint64_t delay_ns = 0;
    size_t length;
    if (sodium_init() < 0)
        rig_die("libsodium does not start");
    memcpy(a.key_out, key, sizeof key);
    memcpy(b.key_in, key, sizeof key);
    while (!pairs_settled(&pairs, BATCHES)) {
        uint64_t start_ns = now_ns(), middle_ns;
        double delay_us;
        for (int i = 0; i < BATCH; i++) {
            length = secure_seal(&a, record, sizeof record, frame, sizeof frame);
            if (!secure_open(&b, frame, length, got, &length))
                rig_die("a frame cannot be opened");
        }
        spin(delay_ns);
        middle_ns = now_ns();
        for (int i = 0; i < BATCH; i++) {
            uint8_t sealed[96];
            crypto_aead_chacha20poly1305_ietf_encrypt(sealed, NULL, got, PADDED, record, 4, NULL,
                                                      nonce, key);
            if (crypto_aead_chacha20poly1305_ietf_decrypt(
                    got, NULL, NULL, sealed, PADDED + SECURE_TAG, record, 4, nonce, key))
                rig_die("libsodium cannot open a frame");
        }
        pairs_add(&pairs, (double)(middle_ns - start_ns) / 1000 / BATCH / 2,
                  (double)(now_ns() - middle_ns) / 1000 / BATCH / 2);
        delay_us = pairs_delay(&pairs, PAIRS_SLOW);
        if (delay_us > 0)
            delay_ns = (uint64_t)(delay_us * 1000 * BATCH * 2);
    }
    pairs_row(&pairs, false);
}

/* Starts the hub's program with a port for each end. */
static void hub_start(struct rig_process *hub, char control[RIG_PATH_MAX])
{
    static char program[RIG_PATH_MAX], port[2 * LINES][8];
    const char *argv[4 * LINES + 8];
    size_t n = 0;
    rig_built(program, "sim/hub");
    rig_path(control, "hub.control");
    argv[n++] = program;
    argv[n++] = "--control";
    argv[n++] = control;
    for (int i = 0; i < 2 * LINES; i++) {
        snprintf(port[i], sizeof port[i], "p%d", i);
        argv[n++] = "--port";
        argv[n++] = port[i];
    }
    argv[n] = NULL;
    rig_start(hub, argv, false, NULL);
    for (int i = 0; access(control, F_OK) != 0; i++) {
        if (i == 200)
            rig_die("the hub does not start");
        rig_sleep_us(50000);
    }
}

static void crowd(void)
{
    static struct pairs pairs = {.name = "50 lines on a hub, 10 keys/s each, posting",
                                 .peer = "bare frames on that hub",
                                 .goal = GOAL_HUB};
    char control[RIG_PATH_MAX], program[RIG_PATH_MAX], self[RIG_PATH_MAX];
    struct rig_process hub;
    struct rusage usage;
    pid_t pid[2 * LINES];
    int pipe_fd[2];
    double pair[2], cpu_s;
    hub_start(&hub, control);
    rig_built(program, "sim/hub");
    rig_self(self);
    if (pipe(pipe_fd))
        rig_die("pipe: %s", strerror(errno));
    for (int i = 0; i < 2 * LINES; i++) {
        char port[8], number[8];
        snprintf(port, sizeof port, "p%d", i);
        snprintf(number, sizeof number, "%d", i);
        pid[i] = fork();
        if (pid[i])
            continue;
        dup2(pipe_fd[1], STDOUT_FILENO);
        close(pipe_fd[0]);
        execl(program, "hub", "--control", control, "--enter", port, self, "end", number, NULL);
        _exit(1);
    }
    close(pipe_fd[1]);
    while (read(pipe_fd[0], pair, sizeof pair) == sizeof pair)
        pairs_add(&pairs, pair[0], pair[1]);
    for (int i = 0; i < 2 * LINES; i++)
        waitpid(pid[i], NULL, 0);
    getrusage(RUSAGE_CHILDREN, &usage);
    rig_stop(&hub);
    if (pairs.count < 2 * LINES)
        rig_die("of %d lines only %zu keys were answered", LINES, pairs.count);
    cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
            (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    pairs_row(&pairs, true);
    rig_row("50 lines on a hub, 10 keys/s each, both ends of all", cpu_s / (LINE_SECONDS + 3.0),
            "cores", NULL, 0, "< 1", cpu_s < LINE_SECONDS + 3.0);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "end") == 0) {
        results = STDOUT_FILENO;
        hub_end((unsigned)strtoul(argv[2], NULL, 10));
        return 0;
    }
    seal_alone();
    crowd();
    spaces_make();
    compare();
    return 0;
}
