/* A byte-addressed memory that survives a loss of power, for the store of bytes.c. The
 * microcontroller's folder in firmware/hal implements it. */
#ifndef STORE_BYTES_H
#define STORE_BYTES_H

#include <stdint.h>

#define IO_BYTES 1024

/* io_write() erases and writes a byte; io_program() only clears the bits that are 0 in `byte`. Both
 * return when done. */
uint8_t io_read(uint16_t at);
void io_write(uint16_t at, uint8_t byte);
void io_program(uint16_t at, uint8_t byte);

#endif
