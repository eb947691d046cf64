#ifndef SIM_CHIP_PRIVATE_H
#define SIM_CHIP_PRIVATE_H

#include "sim/chip/chip.h"
#include "sim/chip/elf.h"
#include "sim/chip/pump.h"

#include <simavr/sim_avr.h>
#include <simavr/sim_io.h>

/* Registers of the ATmega328P, as addresses of its memory. The names are those of the board's
 * header. */
#define PINB   0x23
#define DDRB   0x24
#define PORTB  0x25
#define PINC   0x26
#define DDRC   0x27
#define PORTC  0x28
#define PIND   0x29
#define DDRD   0x2a
#define PORTD  0x2b
#define EECR   0x3f
#define EEDR   0x40
#define EEARL  0x41
#define EEARH  0x42
#define MCUSR  0x54
#define UCSR0A 0xc0
#define UCSR0B 0xc1
#define UBRR0L 0xc4
#define UBRR0H 0xc5
#define UDR0   0xc6

#include "board.h"

#define CHIP_STORE 1024
#define RX_QUEUE   65536

struct chip {
    avr_t *avr;
    avr_io_t io; /* simavr's report of a reset */
    uint64_t dice;
    bool off;
    bool stop; /* the time of chip_run() is over */
    unsigned resets;
    unsigned watchdog_at, ram_end;

    bool key_switch, button;
    struct pump pump[CHIP_LINES];

    /* UART */
    avr_int_vector_t *rx_vector, *tx_vector;
    uint8_t rx_fifo[2];
    unsigned rx_count;
    uint8_t rx_queue[RX_QUEUE];
    size_t rx_in, rx_out;
    bool rx_busy;
    unsigned rx_thirds; /* a byte at 38,400 baud takes 4,166 2/3 cycles of 16 MHz */
    bool tx_shifting, tx_full;
    uint8_t tx_byte, tx_next;
    void (*take)(void *user, uint8_t byte);
    void *user;

    /* EEPROM */
    uint8_t store[CHIP_STORE];
    uint32_t wear[CHIP_STORE];
    uint64_t writes, enabled; /* enabled: last cycle in which EEMPE is in effect */
    bool busy;
    uint16_t store_at;
    uint8_t store_value;
    bool store_erases;
    bool store_stuck;
    bool cutting;
    uint64_t cut_write;
    enum chip_tear cut_tear;
};

uint32_t chip_random(struct chip *chip);

/* _attach replaces simavr's own registers; _reset applies a reset to them. */
void chip_uart_attach(struct chip *chip);
void chip_uart_reset(struct chip *chip);
void chip_store_attach(struct chip *chip);
void chip_store_reset(struct chip *chip);
void chip_pins_attach(struct chip *chip);
void chip_pins_reset(struct chip *chip);

static inline void chip_hook_write(struct chip *chip, unsigned at, avr_io_write_t write)
{
    chip->avr->io[AVR_DATA_TO_IO(at)].w.c = write;
    chip->avr->io[AVR_DATA_TO_IO(at)].w.param = chip;
}

static inline void chip_hook_read(struct chip *chip, unsigned at, avr_io_read_t read)
{
    chip->avr->io[AVR_DATA_TO_IO(at)].r.c = read;
    chip->avr->io[AVR_DATA_TO_IO(at)].r.param = chip;
}

#endif
