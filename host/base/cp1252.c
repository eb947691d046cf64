#include "base/cp1252.h"

#define FIRST 0x80u
#define END   0xA0u

static const uint16_t windows[END - FIRST] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

uint32_t cp1252_point(uint8_t byte)
{
    return byte < FIRST || byte >= END ? byte : windows[byte - FIRST];
}

uint8_t cp1252_byte(uint32_t point)
{
    if (point < FIRST || (point >= END && point <= 0xFF))
        return (uint8_t)point;
    for (unsigned i = 0; point && i < END - FIRST; i++)
        if (windows[i] == point)
            return (uint8_t)(FIRST + i);
    return 0;
}
