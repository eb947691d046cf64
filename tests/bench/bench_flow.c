/* How much a line carries at 115,200 baud: a paste at the judge's end, a program that floods at the
 * entity's end, and the bytes of "boothlink line". The goals are on what is put on the line for it,
 * which the simulated cable counts: how long that takes is the line's affair, and the machine's. */
#include "tests/bench/rig.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#define KEYS       20000
#define FLOOD_KEYS 4000 /* an entity's keys go 4 ms apart (entity/pace.h): a quarter of a minute */
#define ROW_KEYS   36   /* with the Return */
#define KEY_MOST   2.3  /* bytes on the line: 5,000 keys a second */
#define ALONE_MOST 25   /* a frame of one key, 16, and an acknowledgement, 9 (DESIGN.md, "Link") */
#define ANSWER     "HERE-I-AM"
#define END_MARK   "THE-END-OF-THE-FLOW"
#define FLOW_MS    60000
#define LINE_BYTES 60000
#define LINE_SHARE 0.90

/* Rows of small letters, so that the mark at the end is like nothing before it. */
static void fill(char *text, size_t length, char end_of_row)
{
    for (size_t i = 0; i < length; i++)
        text[i] = i % ROW_KEYS == ROW_KEYS - 1 ? end_of_row : (char)('a' + i % 26);
    memcpy(text + length - strlen(END_MARK) - 1, END_MARK, strlen(END_MARK));
    text[length - strlen(END_MARK) - 2] = text[length - 1] = end_of_row;
}

struct flow {
    struct rig_booth *booth;
    int end; /* where the mark must come */
    const char *text;
    size_t typed;
};

/* Types on as the terminal takes it, without ever waiting for it. */
static bool has_come(void *ctx)
{
    struct flow *flow = ctx;
    const struct rig_process *judge = &flow->booth->end[RIG_JUDGE];
    while (flow->text && flow->typed < KEYS) {
        ssize_t n = write(judge->tty, flow->text + flow->typed, KEYS - flow->typed);
        if (n <= 0)
            break;
        flow->typed += (size_t)n;
    }
    return rig_shows(&flow->booth->end[flow->end], END_MARK);
}

/* Keys of the journal in this folder. */
static unsigned long keys_kept(const char *folder)
{
    char program[RIG_PATH_MAX], command[2 * RIG_PATH_MAX + 80];
    unsigned long count = 0;
    FILE *pipe;
    rig_built(program, "boothlink");
    snprintf(command, sizeof command,
             "'%s' transcript convert '%s'/*.journal --to keys | grep -vc '^#'", program, folder);
    pipe = popen(command, "re");
    if (!pipe || fscanf(pipe, "%lu", &count) != 1)
        rig_die("%s: the journal cannot be read", folder);
    pclose(pipe);
    return count;
}

static void row_keys(const char *name, const struct rig_booth *booth, int from, unsigned long keys,
                     double most, uint64_t us, unsigned long kept)
{
    char text[80], goal[16];
    double cost = (double)rig_cable_sent(&booth->cable, from == RIG_ENTITY) / (double)keys;
    snprintf(text, sizeof text, "%s, bytes on the line a key", name);
    snprintf(goal, sizeof goal, "<= %g", most);
    rig_row(text, cost, "bytes", NULL, 0, goal, cost <= most);
    snprintf(text, sizeof text, "%s, rate", name);
    rig_row(text, (double)keys / ((double)us / 1e6), "keys/s", NULL, 0, NULL, false);
    snprintf(text, sizeof text, "%s, keys missing of %lu", name, keys);
    rig_row(text, (double)keys - (double)kept, "keys", NULL, 0, "= 0", kept == keys);
}

static void measure_paste(void)
{
    static char text[KEYS];
    struct rig_booth booth;
    struct flow flow = {.booth = &booth, .end = RIG_ENTITY, .text = text};
    uint64_t start_us, took_us;
    fill(text, KEYS, '\r');
    rig_booth_open(&booth, "paste", RIG_PACED, "--keyboard");
    fcntl(booth.end[RIG_JUDGE].tty, F_SETFL, O_NONBLOCK | O_RDWR);
    start_us = rig_now_us();
    while (!rig_watch(booth.all, RIG_ENDS, has_come, &flow, 10)) {
        if (rig_now_us() - start_us > FLOW_MS * 1000u)
            rig_die("the end of a paste does not come to the entity's page");
    }
    took_us = rig_now_us() - start_us;
    rig_booth_close(&booth);
    row_keys("paste at the judge's end", &booth, RIG_JUDGE, KEYS, KEY_MOST, took_us,
             keys_kept(booth.journal[RIG_ENTITY]));
}

static void measure_flood(void)
{
    static char text[FLOOD_KEYS];
    char path[RIG_PATH_MAX], script[RIG_PATH_MAX], kind[RIG_PATH_MAX + 32];
    struct rig_booth booth;
    struct flow flow = {.booth = &booth, .end = RIG_JUDGE};
    uint64_t start_us, took_us;
    FILE *file;
    fill(text, FLOOD_KEYS, '\n');
    rig_path(path, "flood.txt");
    file = fopen(path, "we");
    if (!file || fwrite(text, 1, FLOOD_KEYS, file) != FLOOD_KEYS || fclose(file))
        rig_die("%s: %s", path, strerror(errno));
    rig_path(script, "flood.sh");
    file = fopen(script, "we");
    /* An answer comes first, and the flood when it is spoken to again. */
    if (!file ||
        fprintf(file,
                "#!/bin/sh\nstty -echo; read -r go; echo '%s'; read -r go; cat '%s'; read -r go\n",
                ANSWER, path) < 0 ||
        fclose(file) || chmod(script, 0700))
        rig_die("%s: %s", script, strerror(errno));
    snprintf(kind, sizeof kind, "--no-sandbox --program %s", script);
    rig_booth_open(&booth, "flood", RIG_PACED, kind);
    /* Keys of a terminal's first second go at a human pace (entity/pace.h). The answer has waited
     * for that, so the flood comes later. */
    rig_type(&booth.end[RIG_JUDGE], "\r", 1);
    rig_await(booth.all, RIG_ENDS, RIG_JUDGE, ANSWER);
    rig_type(&booth.end[RIG_JUDGE], "\r", 1);
    start_us = rig_now_us();
    if (!rig_watch(booth.all, RIG_ENDS, has_come, &flow, FLOW_MS))
        rig_die("the end of a flood does not come to the judge's page");
    took_us = rig_now_us() - start_us;
    rig_booth_close(&booth);
    row_keys("program that floods", &booth, RIG_ENTITY, FLOOD_KEYS, ALONE_MOST, took_us,
             keys_kept(booth.journal[RIG_JUDGE]) - 2 - strlen(ANSWER "\n"));
}

/* One end of "boothlink line": what is written here comes out at the other. */
struct pipe_end {
    struct rig_process process;
    int fd;
    size_t written, heard;
    bool writes;
};

static uint8_t pattern(size_t at, int end)
{
    return (uint8_t)(at * 7 + at / 251 + (size_t)end * 101);
}

static void pipe_open(struct pipe_end *pipe_end, const struct rig_cable *cable, const char *port,
                      const char *name)
{
    char path[RIG_PATH_MAX];
    struct termios modes;
    uint64_t until_us = rig_now_us() + RIG_WAIT_MS * 1000u;
    rig_path(path, name);
    rig_boothlink(&pipe_end->process, false, cable, "line --line serial:%s --link %s", port, path);
    do {
        if (rig_now_us() > until_us)
            rig_die("\"boothlink line\" makes no %s", path);
        rig_sleep_us(20000);
        pipe_end->fd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    } while (pipe_end->fd < 0);
    if (tcgetattr(pipe_end->fd, &modes))
        rig_die("%s: %s", path, strerror(errno));
    cfmakeraw(&modes);
    tcsetattr(pipe_end->fd, TCSANOW, &modes);
}

static void pipe_write(struct pipe_end *end, int which, size_t bytes)
{
    uint8_t block[512];
    size_t length = bytes - end->written < sizeof block ? bytes - end->written : sizeof block;
    ssize_t n;
    for (size_t i = 0; i < length; i++)
        block[i] = pattern(end->written + i, which);
    n = write(end->fd, block, length);
    if (n > 0)
        end->written += (size_t)n;
}

static void pipe_read(struct pipe_end *end, int other)
{
    uint8_t block[4096];
    ssize_t n = read(end->fd, block, sizeof block);
    for (ssize_t i = 0; i < n; i++) {
        if (block[i] != pattern(end->heard + (size_t)i, other))
            rig_die("a byte of \"boothlink line\" is wrong");
    }
    if (n > 0)
        end->heard += (size_t)n;
}

/* Sends bytes from each end that writes to the other. Returns the microseconds. */
static uint64_t pump(struct pipe_end end[2], size_t bytes)
{
    uint64_t start_us = rig_now_us();
    size_t wanted[2];
    for (int i = 0; i < 2; i++) {
        end[i].written = end[i].heard = 0;
        wanted[i] = end[!i].writes ? bytes : 0;
    }
    while (end[0].heard < wanted[0] || end[1].heard < wanted[1]) {
        struct pollfd look[2];
        if (rig_now_us() - start_us > FLOW_MS * 1000u)
            rig_die("bytes are missing at the end of \"boothlink line\"");
        for (int i = 0; i < 2; i++) {
            bool more = end[i].writes && end[i].written < bytes;
            look[i] = (struct pollfd){.fd = end[i].fd,
                                      .events = (short)(more ? POLLIN | POLLOUT : POLLIN)};
        }
        poll(look, 2, 1000);
        for (int i = 0; i < 2; i++) {
            if (look[i].revents & POLLOUT)
                pipe_write(&end[i], i, bytes);
            if (look[i].revents & POLLIN)
                pipe_read(&end[i], !i);
        }
    }
    return rig_now_us() - start_us;
}

static void measure_line(const char *name, bool both)
{
    struct rig_cable cable;
    struct pipe_end end[2] = {{.writes = true}, {.writes = both}};
    char text[80];
    uint64_t us;
    double share;
    rig_cable_open(&cable, both ? "line-both" : "line");
    pipe_open(&end[0], &cable, cable.a, both ? "pty-a2" : "pty-a");
    pipe_open(&end[1], &cable, cable.b, both ? "pty-b2" : "pty-b");
    pump(end, 1); /* until they are connected */
    us = pump(end, LINE_BYTES);
    for (int i = 0; i < 2; i++) {
        close(end[i].fd);
        rig_stop(&end[i].process);
    }
    rig_stop(&cable.modem);
    share = LINE_BYTES / (double)rig_cable_sent(&cable, 0);
    snprintf(text, sizeof text, "%s, of the bytes on the line", name);
    rig_row(text, share, "share", NULL, 0, ">= 0.90", share >= LINE_SHARE);
    snprintf(text, sizeof text, "%s, rate", name);
    rig_row(text, LINE_BYTES / ((double)us / 1e6), "bytes/s", "the line", 1e6 / RIG_BYTE_US, NULL,
            false);
}

int main(void)
{
    measure_line("boothlink line, one way", false);
    measure_line("boothlink line, both ways at once", true);
    measure_flood();
    measure_paste();
    return 0;
}
