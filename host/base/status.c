#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <sysexits.h>

static const struct {
    const char *text;
    int code;
} statuses[] = {
    [BL_OK] = {"all right", EX_OK},
    [BL_AGAIN] = {"no room now", EX_TEMPFAIL},
    [BL_DOWN] = {"the line is down", EX_TEMPFAIL},
    [BL_USAGE] = {"wrong usage", EX_USAGE},
    [BL_DATA] = {"wrong data", EX_DATAERR},
    [BL_NOINPUT] = {"not found", EX_NOINPUT},
    [BL_NOPERM] = {"not permitted", EX_NOPERM},
    [BL_BUSY] = {"in use", EX_TEMPFAIL},
    [BL_FULL] = {"full", EX_CANTCREAT},
    [BL_IO] = {"input/output failed", EX_IOERR},
    [BL_NOMEM] = {"out of memory", EX_OSERR},
    [BL_OTHER_VERSION] = {"it is of another version of boothlink: install the same on both",
                          EX_PROTOCOL},
    [BL_UNAVAIL] = {"not available here", EX_UNAVAILABLE},
    [BL_SOFTWARE] = {"internal fault", EX_SOFTWARE},
};
_Static_assert(sizeof statuses / sizeof *statuses == BL_SOFTWARE + 1, "a row for each status");

const char *bl_status_text(enum bl_status status)
{
    return status <= BL_SOFTWARE ? statuses[status].text : "unknown status";
}

int bl_status_exit(enum bl_status status)
{
    return status <= BL_SOFTWARE ? statuses[status].code : EX_SOFTWARE;
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
