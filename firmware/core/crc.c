#include "firmware/core/crc.h"

uint16_t crc16(uint16_t sum, uint8_t byte)
{
    sum ^= (uint16_t)(byte << 8);
    for (uint8_t bit = 0; bit < 8; bit++)
        sum = (uint16_t)(sum & 0x8000 ? sum << 1 ^ 0x1021 : sum << 1);
    return sum;
}
