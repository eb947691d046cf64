#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <sysexits.h>

struct status_row {
    const char *text;
    int code;
};

/* The compiler finds a status without a case. */
static struct status_row row_of(enum bl_status status)
{
    switch (status) {
    case BL_OK:
        return (struct status_row){"all right", EX_OK};
    case BL_AGAIN:
        return (struct status_row){"no room now", EX_TEMPFAIL};
    case BL_DOWN:
        return (struct status_row){"the line is down", EX_TEMPFAIL};
    case BL_USAGE:
        return (struct status_row){"wrong usage", EX_USAGE};
    case BL_DATA:
        return (struct status_row){"wrong data", EX_DATAERR};
    case BL_NOINPUT:
        return (struct status_row){"not found", EX_NOINPUT};
    case BL_NOPERM:
        return (struct status_row){"not permitted", EX_NOPERM};
    case BL_BUSY:
        return (struct status_row){"in use", EX_TEMPFAIL};
    case BL_FULL:
        return (struct status_row){"full", EX_CANTCREAT};
    case BL_IO:
        return (struct status_row){"input/output failed", EX_IOERR};
    case BL_NOMEM:
        return (struct status_row){"out of memory", EX_OSERR};
    case BL_OTHER_VERSION:
        return (struct status_row){
            "it is of another version of boothlink: install the same on both", EX_PROTOCOL};
    case BL_UNAVAIL:
        return (struct status_row){"not available here", EX_UNAVAILABLE};
    case BL_SOFTWARE:
        return (struct status_row){"internal fault", EX_SOFTWARE};
    }
    return (struct status_row){"unknown status", EX_SOFTWARE};
}

const char *bl_status_text(enum bl_status status)
{
    return row_of(status).text;
}

int bl_status_exit(enum bl_status status)
{
    return row_of(status).code;
}

enum bl_status bl_fail(struct bl_diag *diag, enum bl_status status, const char *format, ...)
{
    if (diag) {
        va_list args;
        va_start(args, format);
        vsnprintf(diag->text, sizeof diag->text, format, args);
        va_end(args);
    }
    return status;
}
