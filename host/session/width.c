#include "session/page.h"

#include "session/width_table.h"

unsigned point_width(uint32_t point)
{
    if (point < 0x300)
        return 1; /* the common case: the tables begin at 0x300 */
    if (range_has(mark_ranges, sizeof mark_ranges / sizeof mark_ranges[0], point))
        return 0;
    return range_has(wide_ranges, sizeof wide_ranges / sizeof wide_ranges[0], point) ? 2 : 1;
}
