/* In the place of host/base/loop.c, boot.c, mounts.c, privilege.c and assert.c: the clocks of a
 * simulated machine. The timers of loop.h are in uv.c. */
#include "world_private.h"

#include "base/assert.h"
#include "base/boot.h"
#include "base/loop.h"
#include "base/mounts.h"
#include "base/privilege.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

struct bl_time bl_now(void)
{
    return (struct bl_time){.mono_us = machine_mono_us(), .wall_us = machine_wall_us()};
}

uint64_t bl_mono_us(void)
{
    return machine_mono_us();
}

uint64_t bl_mono_ns(void)
{
    return machine_mono_us() * 1000;
}

uint32_t bl_file_step_us(void)
{
    return 4001;
}

bool bl_clock_disciplined(void)
{
    return false;
}

void bl_sleep_until(uint64_t mono_us)
{
    uint64_t until_us = machine_when(mono_us);
    if (until_us > world_now())
        process_sleep(until_us);
}

void bl_boot(uint8_t boot[BL_BOOT_SIZE])
{
    memcpy(boot, process_current->machine->boot, BL_BOOT_SIZE);
}

/* uv.c knows who polls for them. */
int mounts_open(void)
{
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

enum bl_status privilege_drop(struct bl_diag *diag)
{
    (void)diag;
    return BL_OK;
}

void bl_assert_last(void (*last)(void *ctx, const char *line), void *ctx)
{
    (void)last;
    (void)ctx;
}

void bl_assert_failed(const char *condition, const char *file, int line)
{
    char text[240];
    snprintf(text, sizeof text, "at %s:%d: not %s", file, line, condition);
    process_fail(text);
}
