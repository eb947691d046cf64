/* A flash memory of two sectors that survives a loss of power, for the store of sectors.c. The
 * microcontroller's folder in firmware/hal implements it. */
#ifndef STORE_SECTORS_H
#define STORE_SECTORS_H

#include <stdint.h>

#define SECTOR_SIZE 4096
#define SECTORS     2

/* Reads bytes from `at`, counted from the first sector. Waits until the memory is ready. */
void flash_read(uint16_t at, uint8_t *bytes, uint8_t size);

/* Clears the bits that are 0 in `bytes`. The target must be erased and lie in one page of 256
 * bytes. Waits until the memory is ready, and until it is done. */
void flash_program(uint16_t at, const uint8_t *bytes, uint8_t size);

/* Starts to erase a sector, which may take 0.4 s, and returns. */
void flash_erase(uint8_t sector);

#endif
