/* The table of kinds for tests/system/kinds.sh: a line for each, with its own word, "entry" or
 * "person", and "starts" where a terminal starts it, "beside" where `program` may stand beside it,
 * else "never". */
#include "rules/kind.h"

#include <stdio.h>

int main(void)
{
    for (int i = 0; i < KINDS; i++) {
        const struct entry_kind *kind = &entry_kinds[i];
        bool starts = kind->ours || i == KIND_PROGRAM;
        printf("%s %s %s\n", kind->own, i == KIND_KEYBOARD ? "person" : "entry",
               starts            ? "starts"
               : kind->startable ? "beside"
                                 : "never");
    }
    return 0;
}
