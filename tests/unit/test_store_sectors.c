/* The store in a flash memory, whose power goes while it programs or erases. */
#include "firmware/store/sectors.h"
#include "tests/chip/store_rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#define PAGE 256

static uint8_t memory[SECTORS * SECTOR_SIZE];

/* An erasing goes on after the call; what is asked next finds it done. */
static int erasing = -1;

static void finish(void)
{
    if (erasing >= 0)
        memset(memory + erasing * SECTOR_SIZE, 0xff, SECTOR_SIZE);
    erasing = -1;
}

/* Bits of a sector that is being erased may be anything; so may its bytes one by one. */
static void tear_sector(void)
{
    struct dice *dice = store_dice();
    uint8_t *bytes = memory + erasing * SECTOR_SIZE;
    uint64_t odds = dice_below(dice, 5);

    for (unsigned i = 0; i < SECTOR_SIZE; i++) {
        if (dice_below(dice, 4) < odds)
            bytes[i] |= (uint8_t)dice_next(dice);
    }
    erasing = -1;
}

void flash_read(uint16_t at, uint8_t *bytes, uint8_t size)
{
    finish();
    memcpy(bytes, memory + at, size);
}

void flash_program(uint16_t at, const uint8_t *bytes, uint8_t size)
{
    uint8_t torn;

    if (erasing >= 0 && store_power_goes()) {
        tear_sector();
        store_power_off();
    }
    finish();
    assert_true(size > 0 && at / PAGE == (at + size - 1) / PAGE);
    torn = store_power_goes() ? (uint8_t)(1 + dice_below(store_dice(), size)) : 0;
    for (uint8_t i = 0; i < size && !store_sticks(); i++) {
        assert_int_equal(memory[at + i], 0xff);
        if (torn && i == torn - 1) {
            memory[at + i] = (uint8_t)(bytes[i] | dice_next(store_dice()));
            store_power_off();
        }
        memory[at + i] = bytes[i];
    }
}

void flash_erase(uint8_t sector)
{
    finish();
    if (store_sticks())
        return;
    erasing = sector;
    if (store_power_goes()) {
        tear_sector();
        store_power_off();
    }
}

int main(void)
{
    memset(memory, 0xff, sizeof(memory));
    return store_rounds("store_sectors", true);
}
