#include "base/name.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* The canonical form of a name. Names that look the same have the same form. The caller frees it.
 * NULL: the name is not UTF-8. */
static char *folded(const char *name)
{
    utf8proc_uint8_t *text;
    char *to;
    const char *from;
    if (utf8proc_map((const utf8proc_uint8_t *)name, 0, &text,
                     UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE |
                         UTF8PROC_IGNORE | UTF8PROC_CASEFOLD) < 0)
        return NULL;
    to = (char *)text;
    for (from = to; *from; from++) {
        const bool blank = *from == ' ' || *from == '\t';
        if (!blank)
            *to++ = *from;
        else if (to > (char *)text && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > (char *)text && to[-1] == ' ')
        to--;
    *to = '\0';
    return (char *)text;
}

bool name_equal(const char *a, const char *b)
{
    char *one = folded(a), *two = folded(b);
    const bool equal = one && two ? strcmp(one, two) == 0 : strcmp(a, b) == 0;
    free(one);
    free(two);
    return equal;
}
