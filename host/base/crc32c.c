#include "base/crc32c.h"

/* Remainders of the 16 values of a nibble, reflected polynomial 0x82F63B78. Frames are short:
 * a small table that stays in cache beats a large one. */
static const uint32_t nibble[16] = {
    0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
    0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9, 0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75,
};

uint32_t crc32c(uint32_t seed, const void *bytes, size_t length)
{
    const uint8_t *p = bytes;
    uint32_t crc = ~seed;
    while (length--) {
        crc ^= *p++;
        crc = crc >> 4 ^ nibble[crc & 15];
        crc = crc >> 4 ^ nibble[crc & 15];
    }
    return ~crc;
}
