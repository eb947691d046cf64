/* A receiver that samples a line as a UART does, at its own rate. It is needed where the
 * transmitter has another rate, or where noise hit a start or stop bit: then bytes appear, vanish
 * and change as they do on a real line. Pure. */
#ifndef SIM_UART_H
#define SIM_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uart {
    bool busy;     /* inside a frame */
    uint8_t bit;   /* next bit of the frame to be sampled, 0 is the start bit */
    uint8_t byte;  /* the bits sampled so far */
    uint64_t wait; /* units of time until the next sample */
};

/* Lets the receiver see the line at `level` for `duration`, with bits of `bit` units of time.
 * Writes the bytes it received, at most `room`, and returns their number. */
size_t uart_receive(struct uart *uart, bool level, uint64_t duration, uint64_t bit, uint8_t *out,
                    size_t room);

/* Lets it see the ten bits of one 8N1 frame, sent at tx_baud and received at rx_baud; a 1 in
 * `flips` inverts that bit, the start bit being bit 0. */
size_t uart_receive_frame(struct uart *uart, uint8_t byte, unsigned flips, uint32_t tx_baud,
                          uint32_t rx_baud, uint8_t *out, size_t room);

/* The line falls silent: ends a frame that was being sampled. */
size_t uart_receive_idle(struct uart *uart, uint8_t *out, size_t room);

#endif
