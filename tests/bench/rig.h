/* What the benchmarks share: real processes on a simulated cable, each with a terminal whose screen
 * can be read, and the rows that tests/bench/run collects. Whatever fails ends the benchmark with a
 * message, and every process that was started ends with it. */
#ifndef BENCH_RIG_H
#define BENCH_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <vterm.h>

#define RIG_ROWS     24
#define RIG_COLUMNS  80
#define RIG_PATH_MAX 256
#define RIG_BYTE_US  (10e6 / 115200) /* of wire time for a byte of ten bits at 115,200 baud */
#define RIG_WAIT_MS  20000           /* nothing takes so long unless it is broken */
/* The page's cells on a screen with one side. */
#define RIG_PAGE_ROW_FROM 2
#define RIG_PAGE_ROW_TO   (RIG_ROWS - 1)
#define RIG_PAGE_FROM     1
#define RIG_PAGE_TO       (RIG_COLUMNS - 1)

/* A process, with a terminal of its own if tty is not -1. */
struct rig_process {
    pid_t pid;
    int tty;           /* the master of its terminal */
    uint64_t heard_us; /* when its last output was there */
    VTerm *vterm;
    VTermScreen *screen;
};

/* A cable: paths of both ends, and what boothlink must know to take them for serial ports. */
struct rig_cable {
    struct rig_process modem;
    char a[RIG_PATH_MAX], b[RIG_PATH_MAX], shm[RIG_PATH_MAX], stats[RIG_PATH_MAX];
};

_Noreturn void rig_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

uint64_t rig_now_us(void);
void rig_sleep_us(uint64_t us);

/* A path in the benchmark's own folder, which goes away with it. */
void rig_path(char out[RIG_PATH_MAX], const char *name);
/* A file of the build ($BUILD/name), absolute. */
void rig_built(char out[RIG_PATH_MAX], const char *name);
/* This very program. */
void rig_self(char out[RIG_PATH_MAX]);

/* At 115,200 baud. */
void rig_cable_open(struct rig_cable *cable, const char *name);
/* How many bytes end a (0) or b (1) put on it, once its modem has been stopped. */
uint64_t rig_cable_sent(const struct rig_cable *cable, int end);

/* Starts argv with a terminal (with_tty; otherwise without input and output). cable may be NULL;
 * with one, the program takes its ends for serial ports. It is hung up on when we end. */
void rig_start(struct rig_process *process, const char *const argv[], bool with_tty,
               const struct rig_cable *cable);
/* Starts "boothlink ...", words separated by single blanks; with_screen: on a terminal. */
void rig_boothlink(struct rig_process *process, bool with_screen, const struct rig_cable *cable,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Ends it by SIGTERM and waits. */
void rig_stop(struct rig_process *process);

/* Takes what the terminals of count processes print until done(ctx) or until wait_ms have gone by.
 * Returns whether done() came true; it is asked after each piece of output and at first. */
bool rig_watch(struct rig_process *const process[], size_t count, bool (*done)(void *ctx),
               void *ctx, int wait_ms);

void rig_type(const struct rig_process *process, const char *bytes, size_t length);

/* How often the columns of the page hold point, not underlined (keys without a place are). */
unsigned rig_count(const struct rig_process *process, uint32_t point);
/* Whether the screen shows this ASCII text. */
bool rig_shows(const struct rig_process *process, const char *text);
/* Waits for the text, or dies with what the screen shows instead. */
void rig_await(struct rig_process *const process[], size_t count, size_t which, const char *text);

enum { RIG_JUDGE, RIG_ENTITY, RIG_ENDS };

/* A judge's and an entity's terminal on a cable. */
struct rig_booth {
    struct rig_cable cable;
    struct rig_process end[RIG_ENDS];
    struct rig_process *all[RIG_ENDS];
    char trace[RIG_ENDS][RIG_PATH_MAX], journal[RIG_ENDS][RIG_PATH_MAX]; /* file, folder */
    volatile uint64_t *delay_ns[RIG_ENDS]; /* of each frame on the line, see slow.c */
};

enum rig_line {
    RIG_PACED,
    RIG_TRACED, /* each frame's length is written to trace[] */
};

/* Starts both and waits until one can type. name is for their files; entity_kind is an option such
 * as --keyboard. */
void rig_booth_open(struct rig_booth *booth, const char *name, enum rig_line line,
                    const char *entity_kind);
void rig_booth_close(struct rig_booth *booth);
/* Holds back each frame of this end by so much from now on, if BENCH_SLOWER is set. */
void rig_booth_delay(const struct rig_booth *booth, int end, double us);

/* The value below which the share (0 to 1) of the samples lie; sorts them. */
double rig_percentile(double *sample, size_t count, double share);

/* A ratio with the interval that holds it; goal 0: none. */
struct rig_ratio {
    double low, median, high, goal;
};

/* Prints the row of a latency in us, judged by its ratio to the peer's. */
void rig_row_ratio(const char *name, double us, const char *peer, double peer_us,
                   const struct rig_ratio *ratio, size_t pairs);

/* Prints any other row. peer NULL: none. goal NULL: none, and met does not count. */
void rig_row(const char *name, double value, const char *unit, const char *peer, double peer_value,
             const char *goal, bool met);

#endif
