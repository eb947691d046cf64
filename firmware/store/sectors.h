/* A flash memory of two sectors that outlives a loss of power, as the store of sectors.c needs it.
 * The microcontroller's folder in firmware/hal defines these. */
#ifndef STORE_SECTORS_H
#define STORE_SECTORS_H

#include <stdint.h>

#define SECTOR_SIZE 4096
#define SECTORS     2

/* Bytes from `at`, which counts from the first sector on. Waits until the memory is ready. */
void flash_read(uint16_t at, uint8_t *bytes, uint8_t size);

/* Clears the bits that are 0 in `bytes`, of bytes that are all erased and stand in one page of 256.
 * Waits until the memory is ready, and until it is done. */
void flash_program(uint16_t at, const uint8_t *bytes, uint8_t size);

/* Begins to erase the sector, which may take 0.4 s; returns when it is begun. */
void flash_erase(uint8_t sector);

#endif
