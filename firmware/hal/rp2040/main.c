/* Clocks, pins, tick, sleep and hardware watchdog of the RP2040. */
#include "firmware/core/board_io.h"
#include "firmware/core/watchdog.h"
#include "firmware/hal/rp2040/hal.h"
#include "firmware/hal/rp2040/regs.h"

#include "board.h"

#define TICK_US (1000 * WATCHDOG_TICK_MS)
/* CAL's unit is a 2,048th of a us per tick. */
#define CAL_SHIFT 11
#define HUNG_US   800000 /* the flash memory may block the main loop for 400 ms */

_Static_assert((TICK_US << CAL_SHIFT) == WATCHDOG_CAL_UNIT, "the calibration would be rounded");
_Static_assert(BOARD_CLOCK % 1000000 == 0, "the timer counts whole us");

const char io_board[] = BOARD_NAME;

/* Not cleared at the start: after a reset without loss of power it still has the time left. */
static struct watchdog watchdog __attribute__((section(".noinit")));

static volatile bool due, ticked;
static volatile int16_t calibration;
static volatile uint32_t next_us;

/* The next reset clears the registers with the reason. A reset by the watchdog keeps the two power
 * bits, so the watchdog is checked first. */
static enum sentence_word reset_reason(void)
{
    uint32_t power = REG(CHIP_RESET);

    if (WATCHDOG_REASON)
        return SAY_WATCHDOG;
    return power & HAD_RUN ? SAY_BUTTON : SAY_POWER;
}

uint8_t io_lock(void)
{
    uint32_t was;

    __asm__ volatile("mrs %0, primask\n cpsid i" : "=r"(was) : : "memory");
    return (uint8_t)was;
}

void io_unlock(uint8_t was)
{
    __asm__ volatile("msr primask, %0" : : "r"((uint32_t)was) : "memory");
}

void hal_sleep(void)
{
    __asm__ volatile("wfi" : : : "memory");
}

void hal_wake(void)
{
    due = true;
}

void io_calibrate(int16_t value)
{
    calibration = value;
}

static void pins_set(uint32_t pins, bool on)
{
    if (on)
        GPIO_OUT_SET = pins;
    else
        GPIO_OUT_CLR = pins;
}

void io_show(uint8_t lamps)
{
    pins_set(BOARD_LAMP_A, lamps & IO_LAMP_A);
    pins_set(BOARD_LAMP_B, lamps & IO_LAMP_B);
    pins_set(BOARD_LAMP_BREAK, lamps & IO_LAMP_BREAK);
    pins_set(BOARD_LAMP_FAULT, lamps & IO_LAMP_FAULT);
    pins_set(BOARD_BUZZER, lamps & IO_BUZZER);
}

/* For a closed line the pump's pin is toggled at every tick. If the pin stays at either level, as
 * when the processor stops, the relay drops. */
static void pump(uint32_t pin, bool on)
{
    if (on)
        GPIO_OUT_XOR = pin;
    else
        GPIO_OUT_CLR = pin;
}

void hal_tick(void)
{
    static int32_t carry;
    uint32_t pins = GPIO_IN;
    uint8_t inputs = 0;

    TIMER_INTR = 1;
    /* This tick's share of the calibration in whole us; the remainder is carried over. */
    carry += calibration;
    next_us += (uint32_t)(TICK_US + (carry >> CAL_SHIFT));
    carry &= (1 << CAL_SHIFT) - 1;
    TIMER_ALARM0 = next_us;

    if (!(pins & BOARD_KEY))
        inputs |= STATUS_KEY_SWITCH;
    if (!(pins & BOARD_BUTTON))
        inputs |= STATUS_BUTTON;
    if (watchdog_tick(&watchdog, inputs))
        due = true;
    pump(BOARD_A_PUMP, watchdog.drive & SEGMENT_A);
    pump(BOARD_B_PUMP, watchdog.drive & SEGMENT_B);
    ticked = true;
}

/* Everything runs from the crystal, without a PLL. The watchdog's divider makes the timer's us. */
static void clocks_start(void)
{
    XOSC_STARTUP = (BOARD_CLOCK / 1000 + 128) / 256; /* 1 ms */
    XOSC_CTRL = XOSC_ON;
    while (!(XOSC_STATUS & XOSC_STABLE))
        ;
    CLK_REF_CTRL = CLK_REF_XOSC;
    while (!(CLK_REF_SELECTED & 1u << CLK_REF_XOSC))
        ;
    CLEAR(CLK_SYS_CTRL) = 1; /* from the reference */
    while (!(CLK_SYS_SELECTED & 1))
        ;
    CLK_PERI_CTRL = CLK_PERI_XOSC | CLK_PERI_ENABLE;
    WATCHDOG_TICK = BOARD_CLOCK / 1000000 | TICK_ENABLE;
}

/* Restarts the watchdog's countdown, which counts twice per us: RP2040-E1. */
static void feed(void)
{
    WATCHDOG_LOAD = 2 * HUNG_US;
}

static void watchdog_hardware_start(void)
{
    PSM_WDSEL = PSM_ALL & ~(PSM_ROSC | PSM_XOSC);
    feed();
    WATCHDOG_CTRL = WATCHDOG_ENABLE;
}

static void release(uint32_t parts)
{
    CLEAR(RESETS_RESET) = parts;
    while ((RESETS_DONE & parts) != parts)
        ;
}

static void pins_start(void)
{
    GPIO_OUT_CLR = BOARD_OUT_PINS;
    GPIO_OE_SET = BOARD_OUT_PINS;
    for (unsigned pin = 0; pin < BOARD_PINS; pin++) {
        if (BOARD_OUT_PINS & 1u << pin) {
            PAD(pin) = PAD_12MA;
            IO_CTRL(pin) = IO_SIO;
        } else if (BOARD_UART_PINS & 1u << pin) {
            PAD(pin) = PAD_IN | PAD_PULL_UP | PAD_SCHMITT | PAD_4MA;
            IO_CTRL(pin) = IO_UART;
        } else {
            PAD(pin) = PAD_IN | PAD_PULL_UP | PAD_SCHMITT;
            IO_CTRL(pin) = IO_SIO;
        }
    }
}

static void timer_start(void)
{
    next_us = TIMER_NOW + TICK_US;
    TIMER_INTE = 1;
    TIMER_ALARM0 = next_us;
    NVIC_ISER = 1u << IRQ_TIMER_0;
}

int main(void)
{
    enum sentence_word reason = reset_reason();

    watchdog_hardware_start();
    VTOR = 0x20000000; /* the linker puts the vectors at the start of RAM */
    clocks_start();
    release(RESET_IO0 | RESET_PADS0 | RESET_TIMER | RESET_UART0);
    pins_start();
    flash_start();
    watchdog_start(&watchdog, reason);
    uart_start();
    timer_start();
    for (;;) {
        while (!due)
            hal_sleep();
        due = false;
        if (ticked) {
            ticked = false;
            feed();
        }
        watchdog_work(&watchdog);
    }
}
