/* Memory of single bytes that outlives a loss of power, as the store of bytes.c needs it. The
 * microcontroller's folder in firmware/hal defines these. */
#ifndef STORE_BYTES_H
#define STORE_BYTES_H

#include <stdint.h>

#define IO_BYTES 1024

/* io_write erases and writes one byte, io_program only clears the bits that are 0 in `byte`. Both
 * wait until it is done. */
uint8_t io_read(uint16_t at);
void io_write(uint16_t at, uint8_t byte);
void io_program(uint16_t at, uint8_t byte);

#endif
