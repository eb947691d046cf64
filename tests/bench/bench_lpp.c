/* An Entry that speaks LPP: from its mkdir to the judge's page over an unpaced line, and what the
 * entity's terminal costs while nobody types; beside a reader that looks into the folder without
 * end, as the judge program of 2009 to 2013 does, which has no line and no page behind it. */
#include "tests/bench/rig.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SAMPLES     300
#define LINE_KEYS   30 /* before a Return: a row of the page holds more */
#define PAUSE_US    20000
#define PAUSE_MORE  20000
#define SETTLE_MS   4000
#define IDLE_S      10
#define KEY_WAIT_MS 3000
#define CPU_MOST    0.1
#define P50_MOST_US 3000

static char folder[RIG_PATH_MAX];

/* Presses a key; returns when. */
static uint64_t press(const char *key)
{
    static uint64_t number;
    char path[RIG_PATH_MAX + 40];
    uint64_t at_us;
    snprintf(path, sizeof path, "%s/%018llu.%s.other", folder, (unsigned long long)++number, key);
    at_us = rig_now_us();
    if (mkdir(path, 0700))
        rig_die("%s: %s", path, strerror(errno));
    return at_us;
}

static void key_name(int i, char out[2])
{
    out[0] = (char)('A' + i % LINE_KEYS % 26);
    out[1] = '\0';
}

static void pause_between_keys(void)
{
    rig_sleep_us(PAUSE_US + (uint64_t)random() % PAUSE_MORE);
}

static double cpu_s(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
        rig_die("the processor's time of %d cannot be had", (int)pid);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct showing {
    const struct rig_process *judge;
    uint32_t point;
    unsigned before;
};

static bool is_shown(void *ctx)
{
    const struct showing *showing = ctx;
    return rig_count(showing->judge, showing->point) > showing->before;
}

static void measure_ours(double sample[SAMPLES], double *cpu)
{
    char kind[RIG_PATH_MAX + 8];
    struct rig_booth booth;
    double before;
    snprintf(kind, sizeof kind, "--lpp %s", folder);
    rig_booth_open(&booth, "lpp", false, kind);
    for (int i = 0; i < SAMPLES; i++) {
        char key[2];
        struct showing showing = {.judge = &booth.end[RIG_JUDGE]};
        uint64_t pressed_us;
        key_name(i, key);
        if (i % LINE_KEYS == 0) {
            press("Return");
            rig_watch(booth.all, RIG_ENDS, NULL, NULL, 100);
        }
        pause_between_keys();
        rig_watch(booth.all, RIG_ENDS, NULL, NULL, 0);
        showing.point = (uint32_t)key[0];
        showing.before = rig_count(showing.judge, showing.point);
        pressed_us = press(key);
        if (!rig_watch(booth.all, RIG_ENDS, is_shown, &showing, KEY_WAIT_MS))
            rig_die("a key does not come to the judge's page");
        sample[i] = (double)(booth.end[RIG_JUDGE].heard_us - pressed_us);
    }
    rig_watch(booth.all, RIG_ENDS, NULL, NULL, SETTLE_MS);
    before = cpu_s(booth.end[RIG_ENTITY].pid);
    rig_watch(booth.all, RIG_ENDS, NULL, NULL, IDLE_S * 1000);
    *cpu = 100 * (cpu_s(booth.end[RIG_ENTITY].pid) - before) / IDLE_S;
    rig_booth_close(&booth);
}

/* The reader: looks, removes, and says when. */
static int poll_folder(const char *path, const char *stamp_path)
{
    FILE *file = fopen(stamp_path, "r+e");
    volatile uint64_t *stamp = MAP_FAILED;
    if (file)
        stamp = mmap(NULL, sizeof *stamp, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    if (stamp == MAP_FAILED || chdir(path))
        return 1;
    for (;;) {
        DIR *dir = opendir(".");
        struct dirent *entry;
        while (dir && (entry = readdir(dir))) {
            const char *dot = strrchr(entry->d_name, '.');
            if (dot && strcmp(dot, ".other") == 0 && rmdir(entry->d_name) == 0)
                *stamp = rig_now_us();
        }
        if (dir)
            closedir(dir);
    }
}

static void measure_polling(double sample[SAMPLES], double *cpu)
{
    char self[RIG_PATH_MAX], stamp_path[RIG_PATH_MAX];
    const char *argv[] = {self, "--poll", folder, stamp_path, NULL};
    struct rig_process reader;
    volatile uint64_t *stamp = MAP_FAILED;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    double before;
    FILE *file;
    self[n > 0 ? n : 0] = '\0';
    rig_path(stamp_path, "stamp");
    file = fopen(stamp_path, "w+e");
    if (file && ftruncate(fileno(file), sizeof *stamp) == 0)
        stamp = mmap(NULL, sizeof *stamp, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    if (stamp == MAP_FAILED)
        rig_die("%s: %s", stamp_path, strerror(errno));
    rig_start(&reader, argv, false, NULL);
    for (int i = 0; i < SAMPLES; i++) {
        char key[2];
        uint64_t pressed_us, until_us = rig_now_us() + RIG_WAIT_MS * 1000u;
        key_name(i, key);
        pause_between_keys();
        *stamp = 0;
        pressed_us = press(key);
        while (*stamp == 0) {
            if (rig_now_us() > until_us)
                rig_die("the polling reader reads nothing");
            rig_sleep_us(1000);
        }
        sample[i] = (double)(*stamp - pressed_us);
    }
    before = cpu_s(reader.pid);
    rig_sleep_us(2000000);
    *cpu = 100 * (cpu_s(reader.pid) - before) / 2;
    rig_stop(&reader);
}

int main(int argc, char **argv)
{
    static double ours[SAMPLES], polling[SAMPLES];
    double cpu, polling_cpu, p50;
    if (argc == 4 && strcmp(argv[1], "--poll") == 0)
        return poll_folder(argv[2], argv[3]);
    srandom(20090906);
    rig_path(folder, "folder");
    if (mkdir(folder, 0700))
        rig_die("%s: %s", folder, strerror(errno));
    measure_ours(ours, &cpu);
    measure_polling(polling, &polling_cpu);
    p50 = rig_percentile(ours, SAMPLES, 0.5);
    rig_row("LPP, an Entry's mkdir to the judge's page, p50", p50, "us",
            "a polling reader, no line", rig_percentile(polling, SAMPLES, 0.5), "< 3000",
            p50 < P50_MOST_US);
    rig_row("LPP, an Entry's mkdir to the judge's page, p99", rig_percentile(ours, SAMPLES, 0.99),
            "us", "a polling reader, no line", rig_percentile(polling, SAMPLES, 0.99), NULL, false);
    rig_row("LPP, the idle entity's processor", cpu, "% of a core", "a polling reader", polling_cpu,
            "<= 0.1", cpu <= CPU_MOST);
    return 0;
}
