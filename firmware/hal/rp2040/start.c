/* The start, until main(). The chip's ROM copies the first 256 bytes of the flash memory to RAM and
 * runs them if their checksum is correct (RP2040 data sheet, 2.8.1; uf2.pl adds the checksum). This
 * code makes the flash memory readable and jumps to load() there, which copies the program to RAM.
 * From main() on, nothing is read or run from the flash memory. */
#include "firmware/hal/rp2040/hal.h"
#include "firmware/hal/rp2040/regs.h"

#include <stddef.h>

#define SECTION(name) __attribute__((section(name), used))

#define IRQS 16 /* entries of the vector table; only two of them are enabled */

extern uint32_t image_from[], image_to[], image_end[], bss_from[], bss_end[], stack_top[];

/* 4.10.13: reads 32-bit words by command 03h and a 24-bit address, at a quarter of the clock. */
SECTION(".boot2") __attribute__((naked, noreturn)) void second_stage(void);
void second_stage(void)
{
    __asm__ volatile("ldr r3, =0x18000000\n"
                     "movs r1, #0\n"
                     "str r1, [r3, #0x08]\n" /* SSIENR: disabled for the set-up */
                     "movs r1, #4\n"
                     "str r1, [r3, #0x14]\n" /* BAUDR */
                     "ldr r1, =0x001f0300\n"
                     "str r1, [r3, #0x00]\n" /* CTRLR0: 32 bits, command then data */
                     "movs r1, #0\n"
                     "str r1, [r3, #0x04]\n" /* CTRLR1: one word */
                     "ldr r1, =0x03000218\n"
                     "ldr r2, =0x180000f4\n"
                     "str r1, [r2]\n" /* SPI_CTRLR0 */
                     "movs r1, #1\n"
                     "str r1, [r3, #0x08]\n"
                     "ldr r0, =0x10000100\n"
                     "ldr r1, [r0]\n"
                     "mov sp, r1\n"
                     "ldr r1, [r0, #4]\n"
                     "bx r1\n"
                     ".ltorg\n");
}

/* Located in the flash memory, so it may not call functions in RAM. */
SECTION(".load") __attribute__((noreturn)) static void load(void)
{
    volatile uint32_t *to;
    const uint32_t *from = image_from;

    for (to = image_to; (uintptr_t)to < (uintptr_t)image_end; to++)
        *to = *from++;
    for (to = bss_from; (uintptr_t)to < (uintptr_t)bss_end; to++)
        *to = 0;
    __asm__ volatile("bx %0" : : "r"(main));
    __builtin_unreachable();
}

SECTION(".start") static const void *const start[] = {stack_top, (const void *)load};

/* For calls of the compiler. */
void *memset(void *to, int byte, size_t size);
void *memset(void *to, int byte, size_t size)
{
    for (uint8_t *at = to; size > 0; size--)
        *at++ = (uint8_t)byte;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    const uint8_t *next = from;

    for (uint8_t *at = to; size > 0; size--)
        *at++ = *next++;
    return to;
}

/* Stops after a fault; the hardware watchdog will reset. */
static void fault(void)
{
    for (;;)
        ;
}

SECTION(".vectors")
const void *const vectors[IRQS + IRQ_UART0 + 1] = {
    [0] = stack_top,
    [1] = (const void *)load,
    [2 ... 15] = (const void *)fault,
    [IRQS + IRQ_TIMER_0] = (const void *)hal_tick,
    [IRQS + IRQ_UART0] = (const void *)uart_interrupt,
};
