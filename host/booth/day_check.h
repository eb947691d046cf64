/* Checks the lines of a machine's next session for the board: runs "boothlink check --ticket", and
 * turns its findings into the board's words. */
#ifndef BOOTH_DAY_CHECK_H
#define BOOTH_DAY_CHECK_H

#include "booth/day.h"

#include <uv.h>

#define DAY_CHECK_WAIT "180" /* seconds for which the check calls the other end */

struct day_check {
    uv_process_t child;
    bool runs;
    int out, err; /* files in memory for the program's findings and complaints */
    struct day *day;
    void (*ended)(void *ctx); /* called when `day` has the words */
    void *ctx;
};

/* Starts the check on the loop. ticket: the ticket's file. day, ended and ctx are set before. If
 * the start fails, the day's words say so at once. */
void day_check_begin(struct day_check *check, uv_loop_t *loop, const char *ticket);

/* Stops a running check; ended() is not called. */
void day_check_stop(struct day_check *check);

/* Turns the output of "check --json", or a complaint, into the day's words. Pure. */
void day_check_read(struct day *day, const char *findings, const char *complaints);

#endif
