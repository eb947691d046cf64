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
    int out; /* a file in memory: the program's findings */
    uv_poll_t words;
    int err;
    char line[256]; /* the latest line of the progress and complaints, as far as received */
    size_t length;
    struct day *day;
    void (*changed)(void *ctx); /* called when the day's words change */
    void *ctx;
};

/* Starts the check on the loop with the ticket's file; day, changed and ctx stay valid until its
 * end. If the start fails, the words say so at once. */
void day_check_begin(struct day_check *check, uv_loop_t *loop, const char *ticket);

/* Has a running check call no longer: it ends with its findings so far. */
void day_check_cut(struct day_check *check);

/* Stops a running check; changed is not called any more. */
void day_check_stop(struct day_check *check);

/* Takes bytes of a running check's standard error. The latest whole line becomes the day's
 * words. */
void day_check_hear(struct day_check *check, const char *bytes, size_t length);

/* Turns the output of "check --json", or a complaint, into the day's words. Pure. */
void day_check_read(struct day *day, const char *findings, const char *complaints);

#endif
