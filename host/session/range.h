/* Look-up in a sorted table of code point ranges. */
#ifndef SESSION_RANGE_H
#define SESSION_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
    uint32_t first, last; /* both included */
};

static inline bool range_has(const struct range *range, size_t count, uint32_t point)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (point > range[middle].last)
            low = middle + 1;
        else if (point < range[middle].first)
            count = middle;
        else
            return true;
    }
    return false;
}

#endif
