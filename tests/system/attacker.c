/* One who is at the same hub and means no good.
 *
 *   attacker INTERFACE record FILE           writes every frame it hears, until SIGTERM
 *   attacker INTERFACE lengths LINE          prints the payload's length of each frame of a line
 *   attacker INTERFACE replay FILE [LINE]    sends what was recorded again, as of that line if any
 *   attacker INTERFACE reflect FILE          the same with both addresses exchanged
 *   attacker INTERFACE random N SEED FILE    N frames: noise, and recorded ones cut, grown, changed
 *   attacker INTERFACE flood SECONDS FILE    recorded frames, changed, as fast as the wire takes
 *                                            them
 *   attacker INTERFACE forge SECONDS LINE    frames of that line as anybody can make them, each
 * from another address and another end, as fast as the wire takes them
 *
 * FILE is a chain of frames, each behind its length in two bytes. Prints how many it sent. */
#include "link/ether_frame.h"
#include "link/frame.h"
#include "tests/support/random.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

enum { FRAME_MAX_BYTES = 1514, KEPT_MAX = 20000 };

static struct {
    uint8_t bytes[FRAME_MAX_BYTES];
    size_t length;
} kept[KEPT_MAX];
static size_t kept_count;
static volatile sig_atomic_t ended;

static void on_signal(int number)
{
    (void)number;
    ended = 1;
}

_Noreturn static void die(const char *what)
{
    fprintf(stderr, "attacker: %s: %s\n", what, strerror(errno));
    exit(EX_OSERR);
}

static int wire_open(const char *interface)
{
    struct sockaddr_ll address = {.sll_family = AF_PACKET,
                                  .sll_protocol = htons(ETH_P_ALL),
                                  .sll_ifindex = (int)if_nametoindex(interface)};
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address))
        die(interface);
    return fd;
}

static void kept_load(const char *path)
{
    FILE *file = fopen(path, "re");
    uint8_t head[2];
    if (!file)
        die(path);
    while (kept_count < KEPT_MAX && fread(head, 2, 1, file) == 1) {
        size_t length = (size_t)head[0] << 8 | head[1];
        if (length > FRAME_MAX_BYTES || fread(kept[kept_count].bytes, length, 1, file) != 1)
            break;
        kept[kept_count++].length = length;
    }
    fclose(file);
    if (kept_count == 0) {
        fprintf(stderr, "attacker: %s: nothing was recorded\n", path);
        exit(EX_DATAERR);
    }
}

/* A card's queue that is full is waited for; an interface that is down takes nothing. */
static void put(int fd, const uint8_t *bytes, size_t length)
{
    while (!ended && send(fd, bytes, length, 0) < 0)
        if (errno != ENOBUFS && errno != EINTR)
            die("send");
}

static void listen_on(int fd, const char *path, const char *line)
{
    uint8_t bytes[2048];
    struct ether_frame frame;
    FILE *file = path ? fopen(path, "we") : NULL;
    if (path && !file)
        die(path);
    if (file)
        setbuf(file, NULL);
    while (!ended) {
        ssize_t n = recv(fd, bytes, sizeof bytes, 0);
        if (n <= 0 || n > FRAME_MAX_BYTES)
            continue;
        if (file) {
            uint8_t head[2] = {(uint8_t)(n >> 8), (uint8_t)n};
            fwrite(head, 2, 1, file);
            fwrite(bytes, (size_t)n, 1, file);
        } else if (ether_frame_read(&frame, bytes, (size_t)n) == ETHER_OURS &&
                   strcmp(frame.line, line) == 0) {
            printf("%zu\n", frame.length);
            fflush(stdout);
        }
    }
    if (file)
        fclose(file);
}

static void replay(int fd, const char *line, bool reflected)
{
    for (size_t i = 0; i < kept_count && !ended; i++) {
        uint8_t *bytes = kept[i].bytes;
        if (line && kept[i].length >= ETHER_HEAD)
            strncpy((char *)bytes + ETHER_LINE_AT, line, ETHER_LINE_MAX);
        if (reflected) {
            uint8_t to[6];
            memcpy(to, bytes, 6);
            memcpy(bytes, bytes + 6, 6);
            memcpy(bytes + 6, to, 6);
        }
        put(fd, bytes, kept[i].length);
    }
    printf("%zu\n", kept_count);
}

/* A recorded frame with a few bytes changed behind the addresses, cut or grown. */
static size_t spoil(struct dice *dice, uint8_t out[FRAME_MAX_BYTES])
{
    size_t which = (size_t)dice_below(dice, kept_count), length = kept[which].length;
    memset(out, 0, FRAME_MAX_BYTES);
    memcpy(out, kept[which].bytes, length);
    for (uint64_t i = dice_below(dice, 4); i > 0; i--)
        out[14 + dice_below(dice, length - 14)] ^= (uint8_t)(1u << dice_below(dice, 8));
    if (dice_below(dice, 4) == 0)
        length = 14 + (size_t)dice_below(dice, FRAME_MAX_BYTES - 14);
    return length;
}

static size_t noise(struct dice *dice, uint8_t out[FRAME_MAX_BYTES])
{
    size_t length = 14 + (size_t)dice_below(dice, FRAME_MAX_BYTES - 13);
    for (size_t i = 0; i < length; i++)
        out[i] = (uint8_t)dice_next(dice);
    /* To somebody who looks at it, and of our type: else the kernel drops it. */
    memcpy(out, kept[dice_below(dice, kept_count)].bytes, 6);
    out[6] &= 0xFE;
    out[12] = ETHER_TYPE >> 8;
    out[13] = ETHER_TYPE & 0xFF;
    /* Half of it passes for a frame of the line until its contents are looked at. */
    if (length > ETHER_HEAD && dice_below(dice, 2)) {
        memcpy(out, kept[dice_below(dice, kept_count)].bytes, ETHER_HEAD);
        out[18] = (uint8_t)((length - ETHER_HEAD) >> 8);
        out[19] = (uint8_t)(length - ETHER_HEAD);
    }
    return length;
}

static void random_frames(int fd, uint64_t count, uint64_t seed)
{
    struct dice dice = dice_make(seed);
    uint8_t bytes[FRAME_MAX_BYTES];
    for (uint64_t i = 0; i < count && !ended; i++) {
        size_t length = dice_below(&dice, 2) ? noise(&dice, bytes) : spoil(&dice, bytes);
        put(fd, bytes, length);
    }
    printf("%llu\n", (unsigned long long)count);
}

/* What the protocol says first, in any version, role and number; a goodbye that refuses; a call of
 * an encrypted line and what follows it. Checksums are right where no secret is needed for them. */
static size_t forge_payload(struct dice *dice, uint8_t out[FRAME_MAX])
{
    static const uint8_t lengths[] = {34, 57, 57, 41, 9, 60};
    size_t length = lengths[dice_below(dice, sizeof lengths)];
    for (size_t i = 0; i < length; i++)
        out[i] = (uint8_t)dice_next(dice);
    switch (dice_below(dice, 4)) {
    case 0: /* HELLO */
        memcpy(out, "\1BL", 3);
        out[3] = dice_below(dice, 2) ? 1 : (uint8_t)dice_below(dice, 256);
        out[4] = (uint8_t)dice_below(dice, 3);
        return frame_seal(out, 17, 0x424C3031u);
    case 1: /* of the connection, whose ids nobody knew who had not listened */
        out[0] = (uint8_t)(2 + dice_below(dice, 3));
        return length;
    default:
        out[0] = (uint8_t)(0x41 + dice_below(dice, 8));
        out[1] = dice_below(dice, 2) ? 1 : out[1];
        return length;
    }
}

static size_t forge(struct dice *dice, const char *line, uint8_t out[FRAME_MAX_BYTES])
{
    uint8_t payload[FRAME_MAX];
    struct ether_frame frame = {.to = ether_everybody,
                                .kind = dice_below(dice, 8) ? ETHER_DATA : ETHER_TAKEN,
                                .role = (unsigned)dice_below(dice, 3),
                                .instance = (uint32_t)dice_next(dice),
                                .number = (uint32_t)dice_below(dice, 4)};
    uint64_t from = dice_next(dice);
    memcpy(frame.from.byte, &from, sizeof frame.from.byte);
    frame.from.byte[0] = 2;
    snprintf(frame.line, sizeof frame.line, "%s", line);
    frame.payload = payload;
    frame.length = frame.kind == ETHER_DATA ? forge_payload(dice, payload) : 0;
    size_t length = ether_frame_write(&frame, out);
    if (dice_below(dice, 16) == 0)
        out[16] = (uint8_t)dice_next(dice); /* another version of the frame around it */
    return length;
}

static void forge_frames(int fd, time_t seconds, const char *line, unsigned long a_second)
{
    struct dice dice = dice_make(1);
    uint8_t bytes[FRAME_MAX_BYTES];
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    unsigned long count = 0;
    for (long ms = 0; ms < seconds * 1000L && !ended; ms++) {
        for (; count < (unsigned long)(ms + 1) * a_second / 1000; count++)
            put(fd, bytes, forge(&dice, line, bytes));
        at.tv_nsec += 1000000;
        at.tv_sec += at.tv_nsec / 1000000000;
        at.tv_nsec %= 1000000000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
    }
    printf("%lu\n", count);
}

static void flood(int fd, time_t seconds)
{
    struct dice dice = dice_make(1);
    uint8_t bytes[FRAME_MAX_BYTES];
    struct timespec now;
    time_t until;
    unsigned long count = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    until = now.tv_sec + seconds;
    while (!ended && now.tv_sec < until) {
        for (unsigned i = 0; i < 64; i++, count++)
            put(fd, bytes, spoil(&dice, bytes));
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
    printf("%lu\n", count);
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = on_signal};
    const char *what = argc > 3 ? argv[2] : "";
    int fd;
    sigaction(SIGTERM, &action, NULL);
    if (argc < 4)
        return EX_USAGE;
    fd = wire_open(argv[1]);
    if (strcmp(what, "record") == 0) {
        listen_on(fd, argv[3], NULL);
    } else if (strcmp(what, "lengths") == 0) {
        listen_on(fd, NULL, argv[3]);
    } else if (strcmp(what, "replay") == 0 || strcmp(what, "reflect") == 0) {
        kept_load(argv[3]);
        replay(fd, argc > 4 ? argv[4] : NULL, what[2] == 'f');
    } else if (strcmp(what, "random") == 0 && argc > 5) {
        kept_load(argv[5]);
        random_frames(fd, strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10));
    } else if (strcmp(what, "flood") == 0 && argc > 4) {
        kept_load(argv[4]);
        flood(fd, (time_t)strtol(argv[3], NULL, 10));
    } else if (strcmp(what, "forge") == 0 && argc > 5) {
        forge_frames(fd, (time_t)strtol(argv[3], NULL, 10), argv[4], strtoul(argv[5], NULL, 10));
    } else {
        return EX_USAGE;
    }
    return EX_OK;
}
