/* CRC-16/CCITT: polynomial 0x1021, high bit first, no final inversion, initial value 0xFFFF. */
#ifndef CORE_CRC_H
#define CORE_CRC_H

#include <stdint.h>

uint16_t crc16(uint16_t sum, uint8_t byte);

#endif
