/* A transparent byte pipe: a pty at each end, joined by the link. An entrant's own communications
 * program uses the pty as a serial line (2004 A6). */
#ifndef BOOTH_LINE_BOOTH_H
#define BOOTH_LINE_BOOTH_H

#include "base/status.h"

#include <stdbool.h>

struct line_options {
    const char *port, *path; /* the line's port, and the pty's path */
    const char *key_file;    /* file of the line's secret; NULL: not encrypted */
    bool rtscts, insecure;
};

/* Runs the pipe until a signal ends it. Prints the pty's path once it exists. */
enum bl_status line_booth_run(const struct line_options *options, struct bl_diag *diag);

#endif
