#include "sim/uart.h"

size_t uart_receive(struct uart *uart, bool level, uint64_t duration, uint64_t bit, uint8_t *out,
                    size_t room)
{
    size_t count = 0;

    while (duration > 0) {
        if (!uart->busy) {
            if (level)
                return count;
            uart->busy = true;
            uart->bit = 0;
            uart->wait = bit / 2;
        }
        if (uart->wait > duration) {
            uart->wait -= duration;
            return count;
        }
        duration -= uart->wait;
        uart->wait = bit;
        if (uart->bit == 0) {
            uart->busy = !level; /* a high level in the middle of a start bit: it was a spike */
        } else if (uart->bit <= 8) {
            uart->byte = (uint8_t)(uart->byte >> 1 | level << 7);
        } else {
            /* A low stop bit is a framing error. Linux passes the byte on unless INPCK is set, and
             * the receiver takes the low level as the next start bit. */
            uart->busy = false;
            if (count < room)
                out[count++] = uart->byte;
        }
        uart->bit++;
    }
    return count;
}

size_t uart_receive_frame(struct uart *uart, uint8_t byte, unsigned flips, uint32_t tx_baud,
                          uint32_t rx_baud, uint8_t *out, size_t room)
{
    unsigned line = (0x200u | (unsigned)byte << 1) ^ flips;
    size_t count = 0;

    /* In units of 1 / (2 * tx_baud * rx_baud) s both bit times are whole numbers. */
    for (int i = 0; i < 10; i++)
        count += uart_receive(uart, line >> i & 1, 2ull * rx_baud, 2ull * tx_baud, out + count,
                              room - count);
    return count;
}

size_t uart_receive_idle(struct uart *uart, uint8_t *out, size_t room)
{
    /* The time until the next sample is in units of an earlier call. Bits of that length, or
     * longer, end the frame. */
    uint64_t bit = uart->wait ? uart->wait : 1;

    return uart_receive(uart, true, 20 * bit, bit, out, room);
}
