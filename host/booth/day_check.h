/* Checks the lines of a machine's next session from its board: "boothlink check --ticket" as a
 * program of its own, with its findings in words for the board. */
#ifndef BOOTH_DAY_CHECK_H
#define BOOTH_DAY_CHECK_H

#include "booth/day.h"

#include <uv.h>

#define DAY_CHECK_WAIT "180" /* seconds of calling for the other end */

struct day_check {
    uv_process_t child;
    bool runs;
    int out, err; /* files in memory: findings and complaints of the program */
    struct day *day;
    void (*ended)(void *ctx); /* the day has the words */
    void *ctx;
};

/* Starts the check on the loop with the ticket's file; day, ended and ctx stay valid until its end.
 * If the start fails, the words say so at once. */
void day_check_begin(struct day_check *check, uv_loop_t *loop, const char *ticket);

/* Stops a running check; ended is not called any more. */
void day_check_stop(struct day_check *check);

/* Turns the output of "check --json", or a complaint, into the day's words. Pure. */
void day_check_read(struct day *day, const char *findings, const char *complaints);

#endif
