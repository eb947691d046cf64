/* The id of the machine's present run. */
#ifndef BASE_BOOT_H
#define BASE_BOOT_H

#include <stdint.h>

#define BL_BOOT_SIZE 16

/* The kernel's name for the machine's present run, during which its monotonic clock goes on; zeros
 * if it has none. */
void bl_boot(uint8_t boot[BL_BOOT_SIZE]);

#endif
