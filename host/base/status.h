/* The results of functions, and a one-line message with the reason. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stddef.h>

/* All results. Functions that can fail return one of these; 0 is success. status.c has the
 * texts and the codes. */
enum bl_status {
    BL_OK = 0,
    BL_AGAIN,         /* no room now; the caller is notified later */
    BL_DOWN,          /* the line is not up */
    BL_USAGE,         /* wrong command line */
    BL_DATA,          /* invalid contents of a file, a record or a field */
    BL_NOINPUT,       /* a file or device is not there */
    BL_NOPERM,        /* not permitted */
    BL_BUSY,          /* another process has the file, the device or the port */
    BL_FULL,          /* no room left on the disk or in a bounded store */
    BL_IO,            /* the system failed to read or write */
    BL_NOMEM,         /* no memory */
    BL_OTHER_VERSION, /* made by another version of boothlink */
    BL_UNAVAIL,       /* this machine lacks something that is needed */
    BL_SOFTWARE,      /* a fault of boothlink */
};

/* Short text of a status, without a full stop. Never NULL. */
const char *bl_status_text(enum bl_status status);

/* The sysexits(3) code of a status, for exit(). */
int bl_status_exit(enum bl_status status);

/* The plural's ending: "1 fault", "2 faults". */
#define BL_S(count) ((count) == 1 ? "" : "s")

/* The verb behind it: "1 fault is", "2 faults are". */
#define BL_ARE(count)  ((count) == 1 ? "is" : "are")
#define BL_WERE(count) ((count) == 1 ? "was" : "were")
#define BL_HAVE(count) ((count) == 1 ? "has" : "have")

/* A message of one line: the fault, its location, the remedy. Always terminated, and truncated if
 * too long. */
struct bl_diag {
    char text[320];
};

/* Writes the line (printf) unless diag is NULL, and returns status, so a caller can `return
 * bl_fail(diag, BL_DATA, "...")`. */
enum bl_status bl_fail(struct bl_diag *diag, enum bl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
