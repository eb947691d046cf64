/* Compares pairs of HTML documents as a browser shows them: Chromium, in a sandbox without a
 * network, renders a picture of each. */
#ifndef VALIDATE_SIDE_BY_SIDE_H
#define VALIDATE_SIDE_BY_SIDE_H

#include "base/status.h"

#include <stdbool.h>

struct side_by_side {
    const char *left, *right; /* documents */
    bool alike;               /* all pixels are equal */
};

/* True if this machine has a browser. */
bool side_by_side_can(void);

/* Compares `count` pairs. Blocks for seconds. Errors: BL_UNAVAIL (no sandbox, or the browser
 * rendered no picture), BL_IO (no folder for the files). */
enum bl_status side_by_side_look(struct side_by_side *pairs, unsigned count, struct bl_diag *diag);

#endif
