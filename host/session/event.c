#include "session/event.h"

#include "session/key_table.h"

bool key_is_key(uint32_t point)
{
    if (point < 0x7F)
        return point >= 0x20 || point == KEY_RETURN || point == KEY_BACKSPACE || point == KEY_TAB;
    return range_has(key_ranges, sizeof key_ranges / sizeof key_ranges[0], point);
}
