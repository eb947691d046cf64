/* Documents of HTML beside others, as a browser shows them: Chromium, in a sandbox without a
 * network, makes a picture of each. */
#ifndef VALIDATE_SIDE_BY_SIDE_H
#define VALIDATE_SIDE_BY_SIDE_H

#include "base/status.h"

#include <stdbool.h>

struct side_by_side {
    const char *left, *right; /* documents */
    bool alike;               /* every pixel is */
};

/* Is there a browser on this machine? */
bool side_by_side_can(void);

/* Looks at `count` pairs. Blocks for seconds. Errors: BL_UNAVAIL (no sandbox, or the browser made
 * no picture), BL_IO (no folder for them). */
enum bl_status side_by_side_look(struct side_by_side *pairs, unsigned count, struct bl_diag *diag);

#endif
