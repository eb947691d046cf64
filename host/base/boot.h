/* The id of the current boot of the machine. */
#ifndef BASE_BOOT_H
#define BASE_BOOT_H

#include <stdint.h>

#define BL_BOOT_SIZE 16

/* Reads the kernel's boot id; zeros if the kernel has none. Times of the monotonic clock can be
 * compared only within one boot. */
void bl_boot(uint8_t boot[BL_BOOT_SIZE]);

#endif
