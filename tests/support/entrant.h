/* A terminal with one Entry under a real keeper, for tests with cmocka. The test program's main()
 * must hand its command line to keeper_main() when argv[1] is "keeper". */
#ifndef SUPPORT_ENTRANT_H
#define SUPPORT_ENTRANT_H

#include "entity/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PATIENCE_MS 30000 /* until a condition is given up */
#define EVENTS      (PROGRAM_STUCK + 1)

extern char entrant_directory[]; /* a new one, below TMPDIR */
extern uv_loop_t entrant_loop;

/* A terminal with one Entry. */
struct entrant {
    struct program_options options;
    struct program *program;
    char session[24];
    char out[1 << 17]; /* its keys as UTF-8, Return as '\n' */
    size_t length;
    unsigned keys;    /* handed over since the last allowance */
    unsigned allowed; /* the last allowance */
    bool refill;      /* allow more as soon as it is used up */
    bool refuse;      /* take no key */
    unsigned asked;   /* keys that were offered */
    unsigned events[EVENTS];
    uint32_t counts[EVENTS];
    char texts[EVENTS][NOTE_MAX + 1];
    uint64_t given; /* number of the judge's last key */
    pid_t pid;
};

/* The callbacks, whose ctx is the entrant. */
enum handed entrant_on_key(void *ctx, uint32_t point, uint64_t pressed_us);
void entrant_on_event(void *ctx, enum program_event event, uint32_t count, const char *text);

/* A new one in a session of its own; entrant_end() frees it. */
struct entrant *entrant_make(const char *command, enum program_io io);

/* program_open() with no events counted yet. */
enum bl_status entrant_open(struct entrant *entrant, struct bl_diag *diag);

/* Opens a new one that must start, and allows it all that it writes. Returns it. */
struct entrant *entrant_start(struct entrant *entrant);

/* Allows keys, once or again and again. */
void entrant_allow(struct entrant *entrant, unsigned keys, bool refill);

/* Types as the judge; '\n' is Return. */
void entrant_give(struct entrant *entrant, const char *keys);

/* Closes it; entrant_end() also waits until its process is gone, and frees. */
void entrant_close(struct entrant *entrant);
void entrant_end(struct entrant *entrant);

/* Runs the loop until the condition holds; false after a long time. */
bool until(bool (*condition)(const void *ctx, uint64_t value), const void *ctx, uint64_t value);

/* Conditions; ctx is the entrant. */
bool has_event(const void *ctx, uint64_t event);
bool has_keys(const void *ctx, uint64_t length);
bool has_delivered(const void *ctx, uint64_t n);
bool ends_with(const void *ctx, uint64_t text); /* a pointer to it */

#define assert_event(entrant, event)                                                               \
    do {                                                                                           \
        if (!until(has_event, entrant, event))                                                     \
            fail_msg("no event %d; \"%.200s\"", event, (entrant)->out);                            \
    } while (0)
#define assert_end(entrant, text)                                                                  \
    do {                                                                                           \
        if (!until(ends_with, entrant, (uint64_t)(uintptr_t)(text)))                               \
            fail_msg("\"%.200s\" does not end with \"%s\"", (entrant)->out, text);                 \
    } while (0)

bool is_gone(pid_t pid);
void assert_gone(pid_t pid); /* now or soon */

/* For cmocka's groups: the directory and the loop. */
int entrant_setup(void **state);
int entrant_teardown(void **state);

#endif
