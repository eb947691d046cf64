#include "sim/chip/chip_private.h"

static bool output(const struct chip *chip, unsigned port, unsigned bit)
{
    const uint8_t *data = chip->avr->data;

    return data[port] & data[port - 1] & 1u << bit; /* PORT and DDR; an input pin drives no level */
}

static void pins_changed(struct chip *chip)
{
    uint64_t now = chip->avr->cycle;

    pump_drive(&chip->pump[0], output(chip, BOARD_A_PUMP_PORT, BOARD_A_PUMP_BIT), now, BOARD_CLOCK);
    pump_drive(&chip->pump[1], output(chip, BOARD_B_PUMP_PORT, BOARD_B_PUMP_BIT), now, BOARD_CLOCK);
}

static void port_write(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    avr->data[at] = value;
    pins_changed(param);
}

static void pin_write(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    avr->data[at + 2] ^= value;
    pins_changed(param);
}

/* The levels that the outside puts on the input pins: high, except where the key switch or the
 * button is closed. */
static uint8_t outside(const struct chip *chip, unsigned pin)
{
    uint8_t level = 0xff;

    if (pin == BOARD_KEY_PIN && chip->key_switch)
        level &= (uint8_t) ~(1u << BOARD_KEY_BIT);
    if (pin == BOARD_BUTTON_PIN && chip->button)
        level &= (uint8_t) ~(1u << BOARD_BUTTON_BIT);
    return level;
}

static uint8_t pin_read(avr_t *avr, avr_io_addr_t at, void *param)
{
    uint8_t directions = avr->data[at + 1];

    return (uint8_t)((outside(param, at) & ~directions) | (avr->data[at + 2] & directions));
}

void chip_pins_attach(struct chip *chip)
{
    chip->key_switch = true;
    for (unsigned pin = PINB; pin <= PIND; pin += PINC - PINB) {
        chip_hook_read(chip, pin, pin_read);
        chip_hook_write(chip, pin, pin_write);
        chip_hook_write(chip, pin + 1, port_write);
        chip_hook_write(chip, pin + 2, port_write);
    }
    for (int line = 0; line < CHIP_LINES; line++)
        chip->pump[line].stuck = CHIP_FREE;
}

void chip_pins_reset(struct chip *chip)
{
    pins_changed(chip);
}

void chip_key_switch(struct chip *chip, bool run)
{
    chip->key_switch = run;
}

void chip_button(struct chip *chip, bool pressed)
{
    chip->button = pressed;
}

void chip_stick(struct chip *chip, int line, int level)
{
    chip->pump[line].stuck = level;
    pins_changed(chip);
}

bool chip_closed(struct chip *chip, int line)
{
    return pump_closed(&chip->pump[line], chip->avr->cycle, BOARD_CLOCK);
}

uint64_t chip_edge(const struct chip *chip, int line)
{
    return chip->pump[line].edge;
}

unsigned chip_lamps(const struct chip *chip)
{
    return (unsigned)output(chip, BOARD_LAMP_A_PORT, BOARD_LAMP_A_BIT) |
           (unsigned)output(chip, BOARD_LAMP_B_PORT, BOARD_LAMP_B_BIT) << 1 |
           (unsigned)output(chip, BOARD_LAMP_BREAK_PORT, BOARD_LAMP_BREAK_BIT) << 2 |
           (unsigned)output(chip, BOARD_LAMP_FAULT_PORT, BOARD_LAMP_FAULT_BIT) << 3 |
           (unsigned)output(chip, BOARD_BUZZER_PORT, BOARD_BUZZER_BIT) << 4;
}
