/* Pins, timer, sleep and hardware watchdog of the ATmega328P. */
#include "firmware/core/board_io.h"
#include "firmware/core/watchdog.h"
#include "firmware/hal/atmega328p/hal.h"

#include "board.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#define TICK_CYCLES   (BOARD_CLOCK / 1000 * WATCHDOG_TICK_MS)
#define CAL_SHIFT     7 /* CAL's unit is a 128th of a cycle per tick */
#define CAL_PER_CYCLE (1 << CAL_SHIFT)

_Static_assert(TICK_CYCLES <= 65000, "the tick is too long for the timer");
_Static_assert(CAL_PER_CYCLE *TICK_CYCLES == WATCHDOG_CAL_UNIT, "the calibration would be rounded");

const SENTENCE_ROM char io_board[] = BOARD_NAME;

/* Not cleared at the start: after a reset without loss of power it still has the time left. */
static struct watchdog watchdog __attribute__((section(".noinit")));
static uint8_t reset_flags __attribute__((section(".noinit")));

static volatile bool due, ticked;
static int16_t calibration;

/* Runs first, as the hardware watchdog stays enabled after its reset. A bootloader (optiboot)
 * clears MCUSR and passes its value in r2. */
__attribute__((naked, used, section(".init3"))) void keep_reset_flags(void);
void keep_reset_flags(void)
{
    uint8_t passed;

    __asm__ volatile("mov %0, r2" : "=r"(passed));
    reset_flags = MCUSR ? MCUSR : passed;
    MCUSR = 0;
    wdt_enable(WDTO_500MS);
}

static enum sentence_word reset_reason(void)
{
    if (reset_flags & _BV(PORF))
        return SAY_POWER;
    if (reset_flags & _BV(BORF))
        return SAY_BROWNOUT;
    if (reset_flags & _BV(WDRF))
        return SAY_WATCHDOG;
    return reset_flags & _BV(EXTRF) ? SAY_BUTTON : SAY_POWER;
}

uint8_t io_lock(void)
{
    uint8_t was = SREG;

    cli();
    return was;
}

void io_unlock(uint8_t was)
{
    __asm__ volatile("" ::: "memory");
    SREG = was;
}

void hal_sleep(void)
{
    __asm__ volatile("sleep" ::: "memory");
}

void hal_wake(void)
{
    due = true;
}

void io_calibrate(int16_t value)
{
    uint8_t was = io_lock();

    calibration = value;
    OCR1A = TICK_CYCLES - 1;
    io_unlock(was);
}

/* Sets or clears a pin with a single instruction, which the tick's interrupt cannot split. */
#define PIN_SET(net, on)                                                                           \
    do {                                                                                           \
        if (on)                                                                                    \
            BOARD_##net##_PORT |= _BV(BOARD_##net##_BIT);                                          \
        else                                                                                       \
            BOARD_##net##_PORT &= (uint8_t)~_BV(BOARD_##net##_BIT);                                \
    } while (0)

void io_show(uint8_t lamps)
{
    PIN_SET(LAMP_A, lamps & IO_LAMP_A);
    PIN_SET(LAMP_B, lamps & IO_LAMP_B);
    PIN_SET(LAMP_BREAK, lamps & IO_LAMP_BREAK);
    PIN_SET(LAMP_FAULT, lamps & IO_LAMP_FAULT);
    PIN_SET(BUZZER, lamps & IO_BUZZER);
}

/* For a closed line the pump's pin is toggled at every tick. If the pin stays at either level, as
 * when the processor stops, the relay drops. */
#define PUMP(net, on)                                                                              \
    do {                                                                                           \
        if (on)                                                                                    \
            BOARD_##net##_PIN = _BV(BOARD_##net##_BIT);                                            \
        else                                                                                       \
            PIN_SET(net, false);                                                                   \
    } while (0)

ISR(TIMER1_COMPA_vect)
{
    static int16_t carry;
    uint8_t inputs = 0;

    if (!(BOARD_KEY_PIN & _BV(BOARD_KEY_BIT)))
        inputs |= STATUS_KEY_SWITCH;
    if (!(BOARD_BUTTON_PIN & _BV(BOARD_BUTTON_BIT)))
        inputs |= STATUS_BUTTON;
    if (watchdog_tick(&watchdog, inputs))
        due = true;
    PUMP(A_PUMP, watchdog.drive & SEGMENT_A);
    PUMP(B_PUMP, watchdog.drive & SEGMENT_B);
    ticked = true;

    /* This tick's share of the calibration in whole cycles; the remainder is carried over. */
    if (calibration) {
        carry += calibration;
        OCR1A = (uint16_t)(TICK_CYCLES - 1 + (carry >> CAL_SHIFT));
        carry &= CAL_PER_CYCLE - 1;
    }
}

static void timer_start(void)
{
    TCCR1B = _BV(WGM12) | _BV(CS10);
    TIMSK1 = _BV(OCIE1A);
}

int main(void)
{
    PORTB = BOARD_PORTB;
    PORTC = BOARD_PORTC;
    PORTD = BOARD_PORTD;
    DDRB = BOARD_DDRB;
    DDRC = BOARD_DDRC;
    DDRD = BOARD_DDRD;
    SMCR = _BV(SE); /* selects idle mode */
    watchdog_start(&watchdog, reset_reason());
    uart_start();
    timer_start();
    for (;;) {
        sei();
        while (!due)
            hal_sleep();
        due = false;
        if (ticked) {
            ticked = false;
            wdt_reset();
        }
        watchdog_work(&watchdog);
    }
}
