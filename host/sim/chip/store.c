/* The EEPROM, with its times and ways of writing: data sheet of the ATmega328P, 8.4 and 8.6.3. A
 * write goes on through a reset; a loss of power may stop it. */
#include "sim/chip/chip_private.h"

#include <simavr/sim_cycle_timers.h>
#include <string.h>

#define EERE  0x01
#define EEPE  0x02
#define EEMPE 0x04
#define EEPM  0x30

#define EEPM_BOTH  0x00
#define EEPM_ERASE 0x10
#define EEPM_WRITE 0x20

static void finish(struct chip *chip)
{
    uint8_t *byte = &chip->store[chip->store_at];

    chip->busy = false;
    chip->avr->data[EECR] &= (uint8_t)~EEPE;
    if (!chip->store_stuck)
        *byte = chip->store_erases ? chip->store_value : *byte & chip->store_value;
}

static void tear(struct chip *chip)
{
    uint8_t *byte = &chip->store[chip->store_at];
    uint8_t noise = (uint8_t)chip_random(chip);

    switch (chip->cut_tear) {
    case CHIP_WRITTEN:
        finish(chip);
        break;
    case CHIP_ERASED:
        if (chip->store_erases)
            *byte = 0xff;
        break;
    case CHIP_GARBAGE:
        *byte = chip->store_erases ? noise : *byte & (chip->store_value | noise);
        break;
    }
    chip->cutting = false;
    chip->busy = false;
    chip->off = true;
    chip->stop = true;
}

static avr_cycle_count_t written(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct chip *chip = param;

    (void)avr;
    (void)when;
    if (chip->cutting && chip->writes > chip->cut_write)
        tear(chip);
    else
        finish(chip);
    return 0;
}

static void eecr_write(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct chip *chip = param;
    uint16_t place = (uint16_t)((avr->data[EEARL] | avr->data[EEARH] << 8) % CHIP_STORE);
    bool armed = avr->cycle <= chip->enabled;

    avr->data[at] = (uint8_t)((value & (EEPM | EEMPE)) | (chip->busy ? EEPE : 0));
    if ((value & EERE) && !chip->busy)
        avr->data[EEDR] = chip->store[place];
    if ((value & EEPE) && armed && !chip->busy) {
        unsigned mode = value & EEPM;

        chip->busy = true;
        chip->store_at = place;
        chip->store_value = mode == EEPM_ERASE ? 0xff : avr->data[EEDR];
        chip->store_erases = mode != EEPM_WRITE;
        chip->enabled = 0;
        chip->writes++;
        chip->wear[place] += chip->store_erases;
        avr->data[at] = (uint8_t)(mode | EEPE);
        avr_cycle_timer_register_usec(avr, mode == EEPM_BOTH ? 3400 : 1800, written, chip);
    } else if (value & EEMPE) {
        chip->enabled = avr->cycle + 4;
    }
}

void chip_store_attach(struct chip *chip)
{
    for (int i = 0; i < CHIP_STORE; i++)
        chip->store[i] = 0xff;
    chip_hook_write(chip, EECR, eecr_write);
}

void chip_store_reset(struct chip *chip)
{
    if (chip->busy)
        finish(chip);
    chip->enabled = 0;
}

void chip_store_get(struct chip *chip, uint8_t *bytes)
{
    memcpy(bytes, chip->store, CHIP_STORE);
}

void chip_store_put(struct chip *chip, const uint8_t *bytes)
{
    memcpy(chip->store, bytes, CHIP_STORE);
}

void chip_store_stick(struct chip *chip, bool stuck)
{
    chip->store_stuck = stuck;
}

uint64_t chip_writes(const struct chip *chip)
{
    return chip->writes;
}

uint32_t chip_wear(const struct chip *chip, unsigned at)
{
    return chip->wear[at];
}

void chip_cut(struct chip *chip, uint64_t write, enum chip_tear how)
{
    chip->cutting = true;
    chip->cut_write = write;
    chip->cut_tear = how;
}
