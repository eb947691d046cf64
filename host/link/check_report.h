/* The results of a line's check for people: findings, next steps, a drawing. */
#ifndef LINK_CHECK_REPORT_H
#define LINK_CHECK_REPORT_H

#include "base/status.h"
#include "link/probe.h"

#include <stdbool.h>

struct check_ether_result {
    bool asked; /* an Ethernet line was checked */
    char interface[32];
    bool keyed, up;
    bool session;     /* a session runs at the other end */
    uint32_t rtt_us;  /* 0: not measured */
    char reason[200]; /* the reason why the line is not up */
};

struct check_line {
    const char *side;      /* "left", "right", "line"; at a controller "cable A", "cable B" */
    const char *port;      /* the port as the user named it */
    const uint8_t *secret; /* NULL: none */
    struct probe_settings settings;
    enum bl_status status;      /* the result of opening the port */
    struct bl_diag diag;        /* the reason, unless the result is BL_OK */
    struct probe_result result; /* the result on a serial line */
    struct check_ether_result ether;
    unsigned rest_s;  /* seconds of calling after the present turn */
    bool there;       /* the port's device exists, whether it opens or not */
    bool clock_unset; /* the machine's clock is not set */
    bool board;       /* a board shows the progress line by line */
    bool ticket;      /* the line has a ticket; the other end has a ticket and a board, too */
};

enum check_mark { CHECK_GOOD, CHECK_FAULT, CHECK_NOTE };

struct check_finding {
    enum check_mark mark;
    const char *what; /* "cable", "speed" */
    char text[240];
};

#define CHECK_FINDINGS 24
#define CHECK_STEPS    10
#define CHECK_PROGRESS 160

struct check_report {
    struct check_finding finding[CHECK_FINDINGS];
    size_t count, faults;
    char step[CHECK_STEPS][240]; /* next steps */
    size_t steps;
    char picture[1600]; /* lines of at most 76 columns */
};

/* The stage of a check of a serial line, with its time left. Arguments as of probe_progress. */
void check_progress(const struct check_line *line, uint32_t trying, unsigned left_s, bool signal,
                    char text[CHECK_PROGRESS]);

void check_judge(const struct check_line *line, struct check_report *report);

void check_add(struct check_report *report, enum check_mark mark, const char *what,
               const char *format, ...) __attribute__((format(printf, 4, 5)));
void check_next(struct check_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the step to run the check at the other end, too. `session`: a session runs there. For a line
 * with a ticket the step names the board's key; otherwise it names a command with the port
 * `port`. */
void check_other_end(const struct check_line *line, bool session, const char *port,
                     struct check_report *report);

#endif
