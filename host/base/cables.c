#include "base/cables.h"

#include <stddef.h>

/* clang-format off */
#define END(rx, cts, dsr, dcd, ri) {{rx, cts, dsr, dcd, ri}}
#define CABLE(name, box, words, cure, a, b) {name, words, cure, box, {a, b}},
const struct cable cables[] = {
#include "gen/cables.inc"
    {NULL, NULL, NULL, false, {END(0, 0, 0, 0, 0), END(0, 0, 0, 0, 0)}},
};
/* clang-format on */
