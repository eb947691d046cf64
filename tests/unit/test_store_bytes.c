/* The store in an EEPROM, whose power goes while it writes any byte. */
#include "firmware/store/bytes.h"
#include "tests/chip/store_rounds.h"

#include <string.h>

static uint8_t memory[IO_BYTES];

/* The data sheet promises nothing of a byte whose write was cut short. */
static void write_byte(uint16_t at, uint8_t byte, uint8_t torn)
{
    if (store_sticks())
        return;
    if (store_power_goes()) {
        if (dice_below(store_dice(), 3) == 0)
            byte = memory[at];
        else if (dice_below(store_dice(), 2))
            byte = torn;
        memory[at] = byte;
        store_power_off();
    }
    memory[at] = byte;
}

uint8_t io_read(uint16_t at)
{
    return memory[at];
}

void io_write(uint16_t at, uint8_t byte)
{
    write_byte(at, byte, (uint8_t)dice_below(store_dice(), 256));
}

void io_program(uint16_t at, uint8_t byte)
{
    uint8_t after = memory[at] & byte;

    write_byte(at, after, (uint8_t)(after | (memory[at] & dice_below(store_dice(), 256))));
}

int main(void)
{
    memset(memory, 0xff, sizeof(memory));
    return store_rounds("store_bytes", false);
}
