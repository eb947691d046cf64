/* USART0, 8N1: a byte takes ten bits; a receive buffer of two bytes, and a shift register each
 * way. */
#include "sim/chip/chip_private.h"

#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_interrupts.h>

#define RXC  0x80
#define TXC  0x40
#define UDRE 0x20
#define U2X  0x02

#define RXEN  0x10
#define TXEN  0x08
#define UDRIE 0x20

#define RX_VECTOR   18
#define UDRE_VECTOR 19

static uint64_t tx_cycles(const struct chip *chip)
{
    const uint8_t *data = chip->avr->data;
    unsigned divisor = (unsigned)(data[UBRR0L] | data[UBRR0H] << 8) + 1;

    return 10u * divisor * (data[UCSR0A] & U2X ? 8 : 16);
}

static avr_cycle_count_t tx_done(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct chip *chip = param;

    if (chip->take)
        chip->take(chip->user, chip->tx_byte);
    if (!chip->tx_full) {
        chip->tx_shifting = false;
        return 0;
    }
    chip->tx_byte = chip->tx_next;
    chip->tx_full = false;
    if (avr->data[UCSR0B] & UDRIE)
        avr_raise_interrupt(avr, chip->tx_vector);
    return when + tx_cycles(chip);
}

static void udr_write(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct chip *chip = param;

    (void)at;
    if (!(avr->data[UCSR0B] & TXEN) || chip->tx_full)
        return;
    if (chip->tx_shifting) {
        chip->tx_next = value;
        chip->tx_full = true;
        return;
    }
    chip->tx_byte = value;
    chip->tx_shifting = true;
    avr_cycle_timer_register(avr, tx_cycles(chip), tx_done, chip);
    if (avr->data[UCSR0B] & UDRIE)
        avr_raise_interrupt(avr, chip->tx_vector);
}

static uint8_t udr_read(avr_t *avr, avr_io_addr_t at, void *param)
{
    struct chip *chip = param;
    uint8_t value = chip->rx_fifo[0];

    (void)at;
    if (chip->rx_count) {
        chip->rx_fifo[0] = chip->rx_fifo[1];
        chip->rx_count--;
    }
    if (chip->rx_count)
        avr_raise_interrupt(avr, chip->rx_vector);
    return value;
}

static uint8_t ucsra_read(avr_t *avr, avr_io_addr_t at, void *param)
{
    const struct chip *chip = param;

    return (uint8_t)((avr->data[at] & U2X) | (chip->rx_count ? RXC : 0) |
                     (chip->tx_full ? 0 : UDRE) | (chip->tx_shifting ? 0 : TXC));
}

static void ucsra_write(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    (void)param;
    avr->data[at] = value & U2X;
}

static void ucsrb_write(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct chip *chip = param;

    avr->data[at] = value;
    if (!(value & UDRIE))
        chip->tx_vector->pending = 0;
    else if (!chip->tx_full)
        avr_raise_interrupt(avr, chip->tx_vector);
}

static uint64_t rx_cycles(struct chip *chip)
{
    uint64_t cycles = (BOARD_CLOCK * 10 + chip->rx_thirds) / 38400;

    chip->rx_thirds = (unsigned)((BOARD_CLOCK * 10 + chip->rx_thirds) % 38400);
    return cycles;
}

static avr_cycle_count_t rx_arrive(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct chip *chip = param;

    if ((avr->data[UCSR0B] & RXEN) && chip->rx_count < sizeof(chip->rx_fifo)) {
        chip->rx_fifo[chip->rx_count++] = chip->rx_queue[chip->rx_out];
        avr_raise_interrupt(avr, chip->rx_vector);
    }
    chip->rx_out = (chip->rx_out + 1) % RX_QUEUE;
    if (chip->rx_in == chip->rx_out) {
        chip->rx_busy = false;
        return 0;
    }
    return when + rx_cycles(chip);
}

static void rx_start(struct chip *chip)
{
    chip->rx_busy = chip->rx_in != chip->rx_out;
    if (chip->rx_busy)
        avr_cycle_timer_register(chip->avr, rx_cycles(chip), rx_arrive, chip);
}

void chip_send(struct chip *chip, const void *bytes, size_t count)
{
    const uint8_t *from = bytes;

    for (; count > 0 && chip_sending(chip) < RX_QUEUE - 1; count--) {
        chip->rx_queue[chip->rx_in] = *from++;
        chip->rx_in = (chip->rx_in + 1) % RX_QUEUE;
    }
    if (!chip->rx_busy)
        rx_start(chip);
}

size_t chip_sending(const struct chip *chip)
{
    return (chip->rx_in + RX_QUEUE - chip->rx_out) % RX_QUEUE;
}

void chip_on_byte(struct chip *chip, void (*take)(void *user, uint8_t byte), void *user)
{
    chip->take = take;
    chip->user = user;
}

void chip_uart_attach(struct chip *chip)
{
    avr_int_table_t *table = &chip->avr->interrupts;

    for (int i = 0; i < table->vector_count; i++) {
        if (table->vector[i]->vector == RX_VECTOR)
            chip->rx_vector = table->vector[i];
        if (table->vector[i]->vector == UDRE_VECTOR)
            chip->tx_vector = table->vector[i];
    }
    chip_hook_write(chip, UDR0, udr_write);
    chip_hook_read(chip, UDR0, udr_read);
    chip_hook_write(chip, UCSR0A, ucsra_write);
    chip_hook_read(chip, UCSR0A, ucsra_read);
    chip_hook_write(chip, UCSR0B, ucsrb_write);
    chip_hook_write(chip, UBRR0L, NULL);
}

/* A reset does not stop the host's sending. */
void chip_uart_reset(struct chip *chip)
{
    chip->rx_count = 0;
    chip->tx_shifting = chip->tx_full = false;
    rx_start(chip);
}
