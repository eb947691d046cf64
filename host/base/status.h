/* The status that a function returns, and a message of one line that gives the reason. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stddef.h>

/* All results. Functions that can fail return one of these; 0 is success. status.c has the
 * texts and the codes. */
enum bl_status {
    BL_OK = 0,
    BL_AGAIN,         /* there is no room now; a callback tells when there is */
    BL_DOWN,          /* the line is not up */
    BL_USAGE,         /* wrong command line */
    BL_DATA,          /* invalid contents of a file, a record or a field */
    BL_NOINPUT,       /* there is no such file or device */
    BL_NOPERM,        /* not permitted */
    BL_BUSY,          /* another process uses the file, the device or the port */
    BL_FULL,          /* no room left on the disk or in a bounded store */
    BL_IO,            /* the system failed to read or write */
    BL_NOMEM,         /* no memory */
    BL_OTHER_VERSION, /* made by another version of boothlink */
    BL_UNAVAIL,       /* this machine lacks something that the function needs */
    BL_SOFTWARE,      /* a fault of boothlink */
};

/* The short text of a status, without a full stop; never NULL. */
const char *bl_status_text(enum bl_status status);

/* The sysexits(3) code of a status, for exit(). */
int bl_status_exit(enum bl_status status);

/* The ending of a noun after a number: "1 fault", "2 faults". */
#define BL_S(count) ((count) == 1 ? "" : "s")

/* The verb after such a noun: "1 fault is", "2 faults are". */
#define BL_ARE(count)  ((count) == 1 ? "is" : "are")
#define BL_WERE(count) ((count) == 1 ? "was" : "were")
#define BL_HAVE(count) ((count) == 1 ? "has" : "have")

/* A message of one line: the fault, the fault's location, the remedy. bl_fail() truncates a longer
 * message and always ends it with a NUL. */
struct bl_diag {
    char text[320];
};

/* Writes the message, as printf() does, unless diag is NULL. Returns `status`, so a caller can
 * write `return bl_fail(diag, BL_DATA, "...")`. */
enum bl_status bl_fail(struct bl_diag *diag, enum bl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
