/* The id of the current boot of the machine. */
#ifndef BASE_BOOT_H
#define BASE_BOOT_H

#include <stdint.h>

#define BL_BOOT_SIZE 16

/* Reads the kernel's boot id. The monotonic clock runs on within one boot. Zeros if the kernel has
 * no id. */
void bl_boot(uint8_t boot[BL_BOOT_SIZE]);

#endif
