/* 38,400 baud, 8N1. Received bytes wait in a ring. A full ring loses bytes, which the checksum
 * detects. */
#include "firmware/core/board_io.h"
#include "firmware/hal/rp2040/hal.h"
#include "firmware/hal/rp2040/regs.h"

#include "board.h"

#define BAUD      38400u
#define DIVISOR   ((BOARD_CLOCK * 4 + BAUD / 2) / BAUD) /* 64ths of a 16th of the clock */
#define RING_SIZE 2048 /* 0.5 s of bytes: the flash memory may block the main loop for 0.4 s */

static volatile uint8_t ring[RING_SIZE];
static volatile uint16_t ring_in, ring_out;
static const char *volatile sending;
static volatile uint8_t to_send;

void uart_start(void)
{
    UART_IBRD = DIVISOR >> 6;
    UART_FBRD = DIVISOR & 63;
    UART_LCR = LCR_8BITS | LCR_FEN;
    UART_IFLS = 0; /* interrupts at 4 received bytes, and at 4 left to send */
    UART_CR = CR_ON;
    UART_IMSC = INT_RX | INT_RT;
    NVIC_ISER = 1u << IRQ_UART0;
}

static void receive(void)
{
    while (!(UART_FR & FR_RXFE)) {
        uint8_t byte = (uint8_t)UART_DR;
        uint16_t in = (uint16_t)((ring_in + 1) % RING_SIZE);

        if (in == ring_out)
            continue;
        ring[ring_in] = byte;
        ring_in = in;
        if (byte == '\n' || byte == '\r')
            hal_wake();
    }
}

/* The FIFO's interrupt comes when it drains to a level, not while it is empty. Therefore the FIFO
 * is filled before the wait. */
static void send(void)
{
    while (to_send > 0 && !(UART_FR & FR_TXFF)) {
        UART_DR = (uint8_t)*sending;
        sending++;
        if (--to_send == 0)
            hal_wake();
    }
    UART_IMSC = INT_RX | INT_RT | (to_send > 0 ? INT_TX : 0);
}

void uart_interrupt(void)
{
    UART_ICR = INT_RX | INT_RT | INT_TX;
    receive();
    send();
}

bool io_receive(char *byte)
{
    uint16_t out = ring_out;

    if (out == ring_in)
        return false;
    *byte = (char)ring[out];
    ring_out = (uint16_t)((out + 1) % RING_SIZE);
    return true;
}

bool io_sending(void)
{
    return to_send > 0;
}

void io_send(const char *text, uint8_t length)
{
    uint8_t was = io_lock();

    sending = text;
    to_send = length;
    send();
    io_unlock(was);
}
