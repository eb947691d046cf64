#include "base/boot.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

void bl_boot(uint8_t boot[BL_BOOT_SIZE])
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    char text[64];
    size_t length = 0;
    memset(boot, 0, BL_BOOT_SIZE);
    if (!file)
        return;
    if (!fgets(text, sizeof text, file) ||
        sodium_hex2bin(boot, BL_BOOT_SIZE, text, strcspn(text, "\n"), "-", &length, NULL) ||
        length != BL_BOOT_SIZE)
        memset(boot, 0, BL_BOOT_SIZE);
    fclose(file);
}
