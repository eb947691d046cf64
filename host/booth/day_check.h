/* The lines of a machine's next session, checked from its board: "boothlink check --ticket" as a
 * program of its own, and its findings in words for the board. */
#ifndef BOOTH_DAY_CHECK_H
#define BOOTH_DAY_CHECK_H

#include "booth/day.h"

#include <uv.h>

#define DAY_CHECK_WAIT "180" /* seconds for which the other end is called */

struct day_check {
    uv_process_t child;
    bool runs;
    int out, err; /* in memory: its findings and its complaints */
    struct day *day;
    void (*ended)(void *ctx); /* the day has the words */
    void *ctx;
};

/* Begins the check on the loop with the ticket's file; day, ended and ctx stay valid until its end.
 * After a failure to begin the words say so at once. */
void day_check_begin(struct day_check *check, uv_loop_t *loop, const char *ticket);

/* Stops a running check; ended is not called any more. */
void day_check_stop(struct day_check *check);

/* Puts the output of "check --json", or a complaint, into the day's words. Pure. */
void day_check_read(struct day *day, const char *findings, const char *complaints);

#endif
