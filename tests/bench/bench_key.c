/* One key at a time: the bytes that it costs, its way from page to page, and from a program's write
 * to the judge's page, beside the same way through bare pumps. */
#include "tests/bench/pairs.h"
#include "tests/bench/peer.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SAMPLES    200
#define FRAME_MS   50
#define FRAME_KEYS 40 /* for their length only */
#define LINE_KEYS  30 /* before a Return: a row of the page holds more */
/* So different that a key does not meet the syncing of the journal, 50 ms after the one before,
 * more often at one of the two than at the other. */
#define PAUSE_US      8000
#define PAUSE_MORE    50000
#define RETURN_US     150000
#define KEY_WAIT_MS   3000
#define FRAME_LONGEST 256
#define FRAME_EMPTY   9 /* bytes of a frame that only acknowledges */

/* The greatest ratio to the pumps; it is 0.97 to 1.03 where nothing is wrong. */
#define GOAL 1.15

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

/* A Return now and then keeps the keys on the page. */
static void end_row(struct rig_booth *booth, int typist, int i)
{
    if (i % LINE_KEYS != 0)
        return;
    rig_type(&booth->end[typist], "\r", 1);
    rig_watch(booth->all, RIG_ENDS, NULL, NULL, RETURN_US / 1000);
}

/* One end types a key; latency[] gets how long it took to the page of either end. */
static void booth_type(struct rig_booth *booth, int typist, char key, double latency[RIG_ENDS])
{
    struct showing showing;
    uint64_t pressed_us;
    pause_between_keys();
    rig_watch(booth->all, RIG_ENDS, NULL, NULL, 0);
    showing_start(&showing, booth, (uint32_t)key);
    pressed_us = rig_now_us();
    rig_type(&booth->end[typist], &key, 1);
    if (!rig_watch(booth->all, RIG_ENDS, is_shown, &showing, KEY_WAIT_MS))
        rig_die("a key does not come to both pages");
    for (int end = 0; end < RIG_ENDS; end++)
        latency[end] = (double)(showing.shown_us[end] - pressed_us);
}

/* The same through the pumps: to the far terminal, and back to the near one if there is an answer.
 */
static void peer_type(struct peer *peer, char key, double latency[PEER_ENDS])
{
    uint64_t pressed_us;
    pause_between_keys();
    pressed_us = rig_now_us();
    rig_type(&peer->end[PEER_NEAR], &key, 1);
    peer_await(peer, pressed_us);
    for (int end = 0; end < PEER_ENDS; end++)
        latency[end] = (double)(peer->end[end].heard_us - pressed_us);
}

/* Key number i through both, now this first and now that. */
static void type_both(struct rig_booth *booth, int typist, struct peer *peer, int i,
                      double ours[RIG_ENDS], double theirs[PEER_ENDS])
{
    char key = letters[i % LINE_KEYS];
    if (i % 2)
        peer_type(peer, key, theirs);
    booth_type(booth, typist, key, ours);
    if (i % 2 == 0)
        peer_type(peer, key, theirs);
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

static void row_frame(const char *name, unsigned length, unsigned most)
{
    char goal[20];
    snprintf(goal, sizeof goal, "<= %u", most);
    rig_row(name, length, "bytes", NULL, 0, goal, length <= most);
}

/* What a key costs on the line, typed by either end, and what goes back for it. */
static struct frames {
    unsigned forward, back;
} frames[RIG_ENDS];

static void measure_frames(int typist, const char *key, const char *what, unsigned most,
                           struct frames *kept)
{
    struct rig_booth booth;
    struct frames found;
    char name[80];
    snprintf(name, sizeof name, "frames-%d-%zu", typist, strlen(key));
    rig_booth_open(&booth, name, RIG_TRACED, "--keyboard");
    for (int i = 0; i < FRAME_KEYS; i++) {
        end_row(&booth, typist, i);
        rig_type(&booth.end[typist], key, strlen(key));
        rig_watch(booth.all, RIG_ENDS, NULL, NULL, FRAME_MS);
    }
    rig_booth_close(&booth);
    found = (struct frames){.forward = frame_length(booth.trace[typist], '>'),
                            .back = frame_length(booth.trace[typist], '<')};
    snprintf(name, sizeof name, "%s's frame, one %s", typist == RIG_JUDGE ? "judge" : "entity",
             what);
    row_frame(name, found.forward, most);
    if (kept)
        *kept = found;
}

static void measure_judge_types(void)
{
    static struct pairs pairs = {
        .name = "judge's key to the entity's page", .peer = "bare pumps", .goal = GOAL};
    const struct peer_plan plan = {.name = "judge-types", .forward = frames[RIG_JUDGE].forward};
    struct rig_booth booth;
    struct peer peer;
    rig_booth_open(&booth, "judge-types", RIG_PACED, "--keyboard");
    peer_open(&peer, &plan);
    for (int i = 0; !pairs_settled(&pairs, SAMPLES); i++) {
        double ours[RIG_ENDS], theirs[PEER_ENDS];
        end_row(&booth, RIG_JUDGE, i);
        type_both(&booth, RIG_JUDGE, &peer, i, ours, theirs);
        pairs_add(&pairs, ours[RIG_ENTITY], theirs[PEER_FAR]);
        rig_booth_delay(&booth, RIG_JUDGE, pairs_delay(&pairs, PAIRS_SLOW));
    }
    rig_booth_close(&booth);
    peer_close(&peer);
    pairs_row(&pairs, true);
}

static void measure_entity_types(void)
{
    static struct pairs there = {.name = "entity's key to the judge's page",
                                 .peer = "bare pumps",
                                 .goal = GOAL},
                        back = {.name = "entity's key to its own page",
                                .peer = "bare pumps, there and back",
                                .goal = GOAL};
    const struct peer_plan plan = {.name = "entity-types",
                                   .forward = frames[RIG_ENTITY].forward,
                                   .answer = frames[RIG_ENTITY].back};
    struct rig_booth booth;
    struct peer peer;
    rig_booth_open(&booth, "entity-types", RIG_PACED, "--keyboard");
    peer_open(&peer, &plan);
    for (int i = 0; !pairs_settled(&there, SAMPLES) || !pairs_settled(&back, SAMPLES); i++) {
        double ours[RIG_ENDS], theirs[PEER_ENDS], delay_us;
        end_row(&booth, RIG_ENTITY, i);
        type_both(&booth, RIG_ENTITY, &peer, i, ours, theirs);
        pairs_add(&there, ours[RIG_JUDGE], theirs[PEER_FAR]);
        pairs_add(&back, ours[RIG_ENTITY], theirs[PEER_NEAR]);
        /* The way back is the judge's frame: it is late by its own part only. */
        delay_us = pairs_delay(&there, PAIRS_SLOW);
        rig_booth_delay(&booth, RIG_ENTITY, delay_us);
        rig_booth_delay(&booth, RIG_JUDGE, pairs_delay(&back, PAIRS_SLOW) - delay_us);
    }
    rig_booth_close(&booth);
    peer_close(&peer);
    pairs_row(&there, true);
    pairs_row(&back, true);
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
    rig_self(self);
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

static bool is_on_judges_page(void *ctx)
{
    struct showing *showing = ctx;
    is_shown(showing);
    return showing->shown_us[RIG_JUDGE];
}

static double booth_key(struct rig_booth *booth, const struct told *told, char key)
{
    struct showing showing;
    pause_between_keys();
    rig_watch(booth->all, RIG_ENDS, NULL, NULL, 0);
    showing_start(&showing, booth, (uint32_t)key);
    tell(told, key);
    if (!rig_watch(booth->all, RIG_ENDS, is_on_judges_page, &showing, KEY_WAIT_MS))
        rig_die("an Entry's key does not come to the judge's page");
    return (double)(showing.shown_us[RIG_JUDGE] - *told->written_us);
}

/* The key's way through the pumps. */
static double peer_key(struct peer *peer, const struct told *told, char key)
{
    uint64_t told_us;
    pause_between_keys();
    told_us = rig_now_us();
    tell(told, key);
    peer_await(peer, told_us);
    return (double)(peer->end[PEER_FAR].heard_us - *told->written_us);
}

static void measure_program(void)
{
    static struct pairs pairs = {
        .name = "program's write to the judge's page", .peer = "bare pumps", .goal = GOAL};
    char kind[RIG_PATH_MAX + 32];
    struct rig_booth booth;
    struct told told, pumped;
    struct peer peer;
    const struct peer_plan plan = {.name = "entry-types",
                                   .source = PEER_PROGRAM,
                                   .from = pumped.command,
                                   .forward = frames[RIG_ENTITY].forward};

    told_create(&told, "entry");
    told_create(&pumped, "pump-entry");
    snprintf(kind, sizeof kind, "--no-sandbox --program %s", told.command);
    tell(&told, '.'); /* an Entry that has written something is ready */
    rig_booth_open(&booth, "entry-types", RIG_PACED, kind);
    peer_open(&peer, &plan);
    for (int i = 0; !pairs_settled(&pairs, SAMPLES); i++) {
        char key = letters[i % LINE_KEYS];
        double ours, theirs = 0;
        if (i % LINE_KEYS == 0) {
            tell(&told, '\n');
            rig_watch(booth.all, RIG_ENDS, NULL, NULL, RETURN_US / 1000);
        }
        if (i % 2)
            theirs = peer_key(&peer, &pumped, key);
        ours = booth_key(&booth, &told, key);
        if (i % 2 == 0)
            theirs = peer_key(&peer, &pumped, key);
        pairs_add(&pairs, ours, theirs);
        rig_booth_delay(&booth, RIG_ENTITY, pairs_delay(&pairs, PAIRS_SLOW));
    }
    rig_booth_close(&booth);
    peer_close(&peer);
    pairs_row(&pairs, true);
}

int main(int argc, char **argv)
{
    int pumped = peer_main(argc, argv);
    if (pumped >= 0)
        return pumped;
    if (argc == 4 && strcmp(argv[1], "--entry") == 0)
        return be_entry(argv[2], argv[3]);
    srandom(20090906);
    measure_frames(RIG_JUDGE, "e", "ASCII key", 16, &frames[RIG_JUDGE]);
    measure_frames(RIG_ENTITY, "e", "ASCII key", 16, &frames[RIG_ENTITY]);
    measure_frames(RIG_JUDGE, "\xF0\x90\x90\x80", "key of 4 bytes", 19, NULL);
    measure_frames(RIG_ENTITY, "\xF0\x90\x90\x80", "key of 4 bytes", 19, NULL);
    measure_judge_types();
    measure_entity_types();
    measure_program();
    return 0;
}
