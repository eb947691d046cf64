/* Options that go as they are into the fields of a struct: a row for each, in a table. */
#ifndef CLI_OPTION_ROW_H
#define CLI_OPTION_ROW_H

#include "base/status.h"

#include <stddef.h>

enum option_kind {
    OPTION_TEXT,    /* const char *: the value itself */
    OPTION_SECONDS, /* unsigned, in milliseconds; the value may have decimals */
    OPTION_NUMBER,  /* unsigned, or an int that has no need of its sign */
    OPTION_FLAG     /* bool: true */
};

struct option_row {
    const char *name; /* "--left" */
    enum option_kind kind;
    size_t offset;      /* of the field in the struct */
    double least, most; /* of a number, at least 0; of seconds in seconds */
};

/* Takes an option into the struct at base. BL_AGAIN: no row of the table has it. BL_USAGE: its
 * number is none or out of range, with what is right in diag. */
enum bl_status option_row_take(const struct option_row *rows, size_t count, void *base,
                               const char *name, const char *value, struct bl_diag *diag);

#endif
