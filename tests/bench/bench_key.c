/* One key at a time: its wire time, its way from page to page, the bytes that it costs, and its way
 * from a program's write to the judge's page beside the same way through socat. */
#include "tests/bench/rig.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#define SAMPLES       300
#define LONG_KEYS     40 /* of four bytes, for their length only */
#define LINE_KEYS     30 /* before a Return: a row of the page holds more */
#define PAUSE_US      30000
#define PAUSE_MORE    30000
#define RETURN_US     150000
#define KEY_WAIT_MS   3000
#define FRAME_LONGEST 256
#define FRAME_KEY     16
#define FRAME_EMPTY   9 /* bytes of a frame that only acknowledges */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

static void pause_between_keys(void)
{
    rig_sleep_us(PAUSE_US + (uint64_t)random() % PAUSE_MORE);
}

/* Waits for one key to be on the page at both ends. */
struct showing {
    const struct rig_booth *booth;
    uint32_t point;
    unsigned before[RIG_ENDS];
    uint64_t shown_us[RIG_ENDS];
};

static void showing_start(struct showing *showing, const struct rig_booth *booth, uint32_t point)
{
    *showing = (struct showing){.booth = booth, .point = point};
    for (int end = 0; end < RIG_ENDS; end++)
        showing->before[end] = rig_count(&booth->end[end], point);
}

static bool is_shown(void *ctx)
{
    struct showing *showing = ctx;
    bool all = true;
    for (int end = 0; end < RIG_ENDS; end++) {
        const struct rig_process *process = &showing->booth->end[end];
        if (!showing->shown_us[end] && rig_count(process, showing->point) > showing->before[end])
            showing->shown_us[end] = process->heard_us;
        all = all && showing->shown_us[end];
    }
    return all;
}

/* One end types; latency[] gets how long each key took to the page of either end. */
static void type_keys(struct rig_booth *booth, int typist, double *latency[RIG_ENDS])
{
    for (int i = 0; i < SAMPLES; i++) {
        char key = letters[i % LINE_KEYS];
        struct showing showing;
        uint64_t pressed_us;
        if (i % LINE_KEYS == 0) {
            rig_type(&booth->end[typist], "\r", 1);
            rig_watch(booth->all, RIG_ENDS, NULL, NULL, RETURN_US / 1000);
        }
        pause_between_keys();
        rig_watch(booth->all, RIG_ENDS, NULL, NULL, 0);
        showing_start(&showing, booth, (uint32_t)key);
        pressed_us = rig_now_us();
        rig_type(&booth->end[typist], &key, 1);
        if (!rig_watch(booth->all, RIG_ENDS, is_shown, &showing, KEY_WAIT_MS))
            rig_die("a key does not come to both pages");
        for (int end = 0; end < RIG_ENDS; end++)
            latency[end][i] = (double)(showing.shown_us[end] - pressed_us);
    }
}

/* The commonest length of the frames sent or received (way '>' or '<') of a time in which little
 * but keys and acknowledgements went over the line. */
static unsigned frame_length(const char *trace, char wanted)
{
    unsigned seen[FRAME_LONGEST] = {0}, length, commonest = 0;
    char way;
    FILE *file = fopen(trace, "re");
    if (!file)
        rig_die("%s: %s", trace, strerror(errno));
    while (fscanf(file, " %c %u", &way, &length) == 2) {
        if (way == wanted && length > FRAME_EMPTY && length < FRAME_LONGEST &&
            ++seen[length] > seen[commonest])
            commonest = length;
    }
    fclose(file);
    return commonest;
}

static void row_latency(const char *name, double *sample, double frame, double times)
{
    double wire_us = frame * RIG_BYTE_US, p50 = rig_percentile(sample, SAMPLES, 0.5);
    char text[80], goal[40];
    snprintf(text, sizeof text, "%s, p50", name);
    snprintf(goal, sizeof goal, "<= %.2f x wire time", times);
    rig_row(text, p50, "us", "wire time", wire_us, goal, p50 <= times * wire_us);
    snprintf(text, sizeof text, "%s, p99", name);
    rig_row(text, rig_percentile(sample, SAMPLES, 0.99), "us", "wire time", wire_us, NULL, false);
}

static void row_frame(const char *name, unsigned length, unsigned most)
{
    char goal[20];
    snprintf(goal, sizeof goal, "<= %u", most);
    rig_row(name, length, "bytes", NULL, 0, goal, length <= most);
}

static int open_end(const char *path)
{
    struct termios modes;
    int fd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || tcgetattr(fd, &modes))
        rig_die("%s: %s", path, strerror(errno));
    cfmakeraw(&modes);
    cfsetspeed(&modes, B115200);
    tcsetattr(fd, TCSANOW, &modes);
    return fd;
}

/* What the simulated cable itself takes for as many bytes as a key's frame has, so that its
 * lateness, and that of a busy machine, is not taken for ours. */
static void measure_cable(void)
{
    static double sample[SAMPLES];
    const char frame[FRAME_KEY] = "boothlink";
    struct rig_cable cable;
    int a, b;
    rig_cable_open(&cable, "cable", true);
    a = open_end(cable.a);
    b = open_end(cable.b);
    for (int i = 0; i < SAMPLES; i++) {
        char bytes[FRAME_KEY];
        uint64_t sent_us;
        pause_between_keys();
        sent_us = rig_now_us();
        if (write(a, frame, sizeof frame) != sizeof frame)
            rig_die("the cable takes no frame");
        for (size_t done = 0; done < sizeof bytes;) {
            ssize_t n = read(b, bytes, sizeof bytes - done);
            if (n <= 0)
                rig_die("the cable gives no frame");
            done += (size_t)n;
        }
        sample[i] = (double)(rig_now_us() - sent_us);
    }
    close(a);
    close(b);
    rig_stop(&cable.modem);
    rig_row("the simulated cable alone, 16 bytes, p50", rig_percentile(sample, SAMPLES, 0.5), "us",
            "wire time", FRAME_KEY * RIG_BYTE_US, NULL, false);
}

static void measure_paced(void)
{
    static double sample[RIG_ENDS][SAMPLES];
    double *latency[RIG_ENDS] = {sample[RIG_JUDGE], sample[RIG_ENTITY]};
    struct rig_booth booth;
    unsigned frame, back;

    rig_booth_open(&booth, "judge-types", true, "--keyboard");
    type_keys(&booth, RIG_JUDGE, latency);
    rig_booth_close(&booth);
    frame = frame_length(booth.trace[RIG_JUDGE], '>');
    row_latency("judge's key to the entity's page", latency[RIG_ENTITY], frame, 1.25);
    row_frame("judge's frame, one ASCII key", frame, 16);

    rig_booth_open(&booth, "entity-types", true, "--keyboard");
    type_keys(&booth, RIG_ENTITY, latency);
    rig_booth_close(&booth);
    frame = frame_length(booth.trace[RIG_ENTITY], '>');
    back = frame_length(booth.trace[RIG_ENTITY], '<');
    row_latency("entity's key to the judge's page", latency[RIG_JUDGE], frame, 1.25);
    row_latency("entity's key to its own page", latency[RIG_ENTITY], (frame + back) / 2.0, 2.5);
    row_frame("entity's frame, one ASCII key", frame, 16);
}

static void measure_long_keys(void)
{
    struct rig_booth booth;
    for (int typist = 0; typist < RIG_ENDS; typist++) {
        rig_booth_open(&booth, typist == RIG_JUDGE ? "judge-long" : "entity-long", true,
                       "--keyboard");
        for (int i = 0; i < LONG_KEYS; i++) {
            rig_type(&booth.end[typist], "\xF0\x90\x90\x80", 4);
            rig_watch(booth.all, RIG_ENDS, NULL, NULL, PAUSE_US * 2 / 1000);
        }
        rig_booth_close(&booth);
        row_frame(typist == RIG_JUDGE ? "judge's frame, one key of 4 bytes"
                                      : "entity's frame, one key of 4 bytes",
                  frame_length(booth.trace[typist], '>'), 19);
    }
}

/* The Entry under test writes one byte when told through a FIFO, and when it did into a file. */

struct told {
    int fifo;
    volatile uint64_t *written_us;
    char command[RIG_PATH_MAX];
};

static volatile uint64_t *map_stamp(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void *stamp = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, sizeof(uint64_t)) == 0)
        stamp = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (stamp == MAP_FAILED)
        rig_die("%s: %s", path, strerror(errno));
    close(fd);
    return stamp;
}

static int be_entry(const char *fifo, const char *stamp)
{
    volatile uint64_t *written_us = map_stamp(stamp);
    int fd = open(fifo, O_RDONLY | O_CLOEXEC);
    char key;
    while (read(fd, &key, 1) == 1) {
        *written_us = rig_now_us();
        if (write(STDOUT_FILENO, &key, 1) != 1)
            return 1;
    }
    return 0;
}

static void told_create(struct told *told, const char *name)
{
    char path[RIG_PATH_MAX], fifo[RIG_PATH_MAX], stamp[RIG_PATH_MAX], self[RIG_PATH_MAX];
    FILE *file;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0'; /* an empty name fails where it is run */
    rig_path(path, name);
    snprintf(fifo, sizeof fifo, "%.*s.fifo", RIG_PATH_MAX - 8, path);
    snprintf(stamp, sizeof stamp, "%.*s.stamp", RIG_PATH_MAX - 8, path);
    snprintf(told->command, sizeof told->command, "%.*s.sh", RIG_PATH_MAX - 8, path);
    told->written_us = map_stamp(stamp);
    file = fopen(told->command, "we");
    if (!file || mkfifo(fifo, 0600) ||
        fprintf(file, "#!/bin/sh\nexec '%s' --entry '%s' '%s'\n", self, fifo, stamp) < 0 ||
        fclose(file) || chmod(told->command, 0700))
        rig_die("%s: %s", told->command, strerror(errno));
    told->fifo = open(fifo, O_RDWR | O_CLOEXEC); /* does not wait for the reader */
    if (told->fifo < 0)
        rig_die("%s: %s", fifo, strerror(errno));
}

static void tell(const struct told *told, char key)
{
    if (write(told->fifo, &key, 1) != 1)
        rig_die("the Entry takes no order");
}

struct chain {
    struct rig_cable cable;
    struct rig_process left, right;
    struct told told;
};

static void socat_open(struct chain *chain)
{
    char left[RIG_PATH_MAX + 32], right[RIG_PATH_MAX + 32], program[RIG_PATH_MAX + 32];
    const char *entry[] = {"socat", program, left, NULL},
               *page[] = {"socat", right, "-,rawer", NULL};
    told_create(&chain->told, "socat-entry");
    rig_cable_open(&chain->cable, "socat", false);
    snprintf(left, sizeof left, "OPEN:%s,rawer", chain->cable.b);
    snprintf(right, sizeof right, "OPEN:%s,rawer", chain->cable.a);
    snprintf(program, sizeof program, "EXEC:%s,pty,rawer", chain->told.command);
    rig_start(&chain->right, page, true, NULL);
    rig_start(&chain->left, entry, false, NULL);
}

static bool has_written(void *ctx)
{
    const struct chain *chain = ctx;
    return chain->right.heard_us >= *chain->told.written_us && *chain->told.written_us;
}

/* The key's way through socat: whatever comes out is the key. */
static double socat_key(struct chain *chain, char key)
{
    struct rig_process *const all[] = {&chain->right};
    *chain->told.written_us = 0;
    tell(&chain->told, key);
    if (!rig_watch(all, 1, has_written, chain, KEY_WAIT_MS))
        rig_die("a key does not come through socat");
    return (double)(chain->right.heard_us - *chain->told.written_us);
}

static bool is_on_judges_page(void *ctx)
{
    struct showing *showing = ctx;
    is_shown(showing);
    return showing->shown_us[RIG_JUDGE];
}

static double booth_key(struct rig_booth *booth, const struct told *told, char key)
{
    struct showing showing;
    rig_watch(booth->all, RIG_ENDS, NULL, NULL, 0);
    showing_start(&showing, booth, (uint32_t)key);
    tell(told, key);
    if (!rig_watch(booth->all, RIG_ENDS, is_on_judges_page, &showing, KEY_WAIT_MS))
        rig_die("an Entry's key does not come to the judge's page");
    return (double)(showing.shown_us[RIG_JUDGE] - *told->written_us);
}

static void measure_beside_socat(void)
{
    static double ours[SAMPLES], theirs[SAMPLES];
    char kind[RIG_PATH_MAX + 16];
    double p50, peer;
    struct rig_booth booth;
    struct chain chain;
    struct told told;

    told_create(&told, "entry");
    snprintf(kind, sizeof kind, "--program %s", told.command);
    tell(&told, '.'); /* an Entry that has written something is ready */
    socat_open(&chain);
    rig_booth_open(&booth, "entry-types", false, kind);
    socat_key(&chain, '.');
    for (int i = 0; i < SAMPLES; i++) {
        char key = letters[i % LINE_KEYS];
        if (i % LINE_KEYS == 0) {
            tell(&told, '\n');
            rig_watch(booth.all, RIG_ENDS, NULL, NULL, RETURN_US / 1000);
        }
        pause_between_keys();
        ours[i] = booth_key(&booth, &told, key);
        pause_between_keys();
        theirs[i] = socat_key(&chain, key);
    }
    p50 = rig_percentile(ours, SAMPLES, 0.5);
    peer = rig_percentile(theirs, SAMPLES, 0.5);
    rig_row("program's write to the judge's page, p50", p50, "us", "socat", peer, "<= 1.50 x socat",
            p50 <= 1.5 * peer);
    rig_row("program's write to the judge's page, p99", rig_percentile(ours, SAMPLES, 0.99), "us",
            "socat", rig_percentile(theirs, SAMPLES, 0.99), NULL, false);
    rig_booth_close(&booth);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--entry") == 0)
        return be_entry(argv[2], argv[3]);
    srandom(20090906);
    measure_cable();
    measure_paced();
    measure_long_keys();
    measure_beside_socat();
    return 0;
}
