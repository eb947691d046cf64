/* A receiver that samples a line as a UART does, at its own rate. If the transmitter has another
 * rate, or noise hits a start or stop bit, bytes appear, vanish and change as on a real line.
 * Pure. */
#ifndef SIM_UART_H
#define SIM_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uart {
    bool busy;     /* inside a frame */
    uint8_t bit;   /* next bit of the frame to sample; 0: the start bit */
    uint8_t byte;  /* the bits sampled so far */
    uint64_t wait; /* units of time until the next sample */
};

/* Shows the receiver the line at `level` for `duration`; a bit takes `bit` units of time. Writes
 * the received bytes, at most `room`, and returns their number. */
size_t uart_receive(struct uart *uart, bool level, uint64_t duration, uint64_t bit, uint8_t *out,
                    size_t room);

/* Shows the receiver the ten bits of an 8N1 frame, sent at tx_baud and received at rx_baud. A 1 in
 * `flips` inverts that bit; the start bit is bit 0. */
size_t uart_receive_frame(struct uart *uart, uint8_t byte, unsigned flips, uint32_t tx_baud,
                          uint32_t rx_baud, uint8_t *out, size_t room);

/* The line falls silent: ends a frame that was being sampled. */
size_t uart_receive_idle(struct uart *uart, uint8_t *out, size_t room);

#endif
