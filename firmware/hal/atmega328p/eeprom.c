/* The EEPROM. Data sheet of the ATmega48A/PA/88A/PA/168A/PA/328/P, 8.4 and 8.6.3: erasing and
 * writing a byte takes 3.4 ms, writing without erasing, which only clears bits, 1.8 ms. */
#include "firmware/hal/atmega328p/hal.h"
#include "firmware/store/bytes.h"

#include <avr/interrupt.h>
#include <avr/io.h>

static void finish(void)
{
    while (EECR & _BV(EEPE))
        hal_sleep();
}

static void start(uint16_t at, uint8_t byte, uint8_t mode)
{
    EEAR = at;
    EEDR = byte;
    cli();
    EECR = mode | _BV(EEMPE); /* EEPE must follow within four cycles */
    EECR |= _BV(EEPE);
    sei();
    finish();
}

uint8_t io_read(uint16_t at)
{
    EEAR = at;
    EECR |= _BV(EERE);
    return EEDR;
}

void io_write(uint16_t at, uint8_t byte)
{
    start(at, byte, 0);
}

void io_program(uint16_t at, uint8_t byte)
{
    start(at, byte, _BV(EEPM1));
}
