/* 38,400 baud, 8N1. Received bytes wait in a ring. A full ring loses bytes, which the checksum
 * detects. */
#include "firmware/core/board_io.h"
#include "firmware/hal/atmega328p/hal.h"

#include "board.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#define BAUD      38400UL
#define RING_SIZE 128 /* 33 ms of bytes: the store blocks the main loop for 3.4 ms a byte */

static volatile uint8_t ring[RING_SIZE], ring_in, ring_out;
static const char *volatile sending;
static volatile uint8_t to_send;

void uart_start(void)
{
    UBRR0 = (uint16_t)((BOARD_CLOCK + 4 * BAUD) / (8 * BAUD) - 1);
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0, in = (uint8_t)(ring_in + 1) % RING_SIZE;

    if (in == ring_out)
        return;
    ring[ring_in] = byte;
    ring_in = in;
    if (byte == '\n' || byte == '\r')
        hal_wake();
}

ISR(USART_UDRE_vect)
{
    const char *from = sending;

    UDR0 = (uint8_t)*from++;
    sending = from;
    if (--to_send == 0) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        hal_wake();
    }
}

bool io_receive(char *byte)
{
    uint8_t out = ring_out;

    if (out == ring_in)
        return false;
    *byte = (char)ring[out];
    ring_out = (uint8_t)(out + 1) % RING_SIZE;
    return true;
}

bool io_sending(void)
{
    return to_send > 0;
}

void io_send(const char *text, uint8_t length)
{
    sending = text;
    to_send = length;
    UCSR0B |= _BV(UDRIE0);
}
