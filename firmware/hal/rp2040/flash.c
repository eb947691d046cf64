/* The flash memory as a device on a serial bus, by the RP2040's SSI with its select line held by
 * hand (RP2040 data sheet, 4.10; W25Q16JV data sheet, 8.2). The program runs in RAM, so interrupts
 * continue during an erasure. Times of a W25Q16JV, 9.6: programming a page takes up to 3 ms,
 * erasing a sector 400 ms. */
#include "firmware/hal/rp2040/hal.h"
#include "firmware/hal/rp2040/regs.h"
#include "firmware/store/sectors.h"

#include "board.h"

#include <stdbool.h>
#include <stddef.h>

#define STORE_AT (BOARD_FLASH - SECTORS * SECTOR_SIZE)
#define FIFO     8 /* bytes in transfer at once; there is room for 16 */

#define READ         0x03
#define PROGRAM      0x02
#define ERASE_SECTOR 0x20
#define WRITE_ENABLE 0x06
#define READ_STATUS  0x05
#define BUSY         0x01

#define WAIT_US 500000 /* a memory busy for longer is broken, which reading back detects */

void flash_start(void)
{
    SSI_SSIENR = 0;
    SSI_BAUDR = 2;
    SSI_CTRLR0 = 7u << 16; /* 8 bits, transmit and receive */
    SSI_SER = 1;
    SSI_SSIENR = 1;
    QSPI_SS_CTRL = QSPI_SS_HIGH;
}

/* Sends a command, with its address if any, then sends or receives bytes. */
static void transfer(uint8_t command, const uint32_t *address, const uint8_t *out, uint8_t *in,
                     uint32_t size)
{
    uint32_t head = address ? 4 : 1, sent = 0, got = 0;

    QSPI_SS_CTRL = QSPI_SS_LOW;
    while (got < head + size) {
        if (sent < head + size && sent - got < FIFO && (SSI_SR & SR_TFNF)) {
            uint32_t byte = command;

            if (sent > 0 && sent < head)
                byte = *address >> (8 * (3 - sent)) & 0xff;
            else if (sent >= head)
                byte = out ? out[sent - head] : 0;
            SSI_DR0 = byte;
            sent++;
        }
        if (SSI_SR & SR_RFNE) {
            uint8_t byte = (uint8_t)SSI_DR0;

            if (in && got >= head)
                in[got - head] = byte;
            got++;
        }
    }
    QSPI_SS_CTRL = QSPI_SS_HIGH;
}

static void wait(void)
{
    uint32_t from = TIMER_NOW;
    uint8_t status;

    for (;;) {
        transfer(READ_STATUS, NULL, NULL, &status, 1);
        if (!(status & BUSY) || TIMER_NOW - from > WAIT_US)
            return;
    }
}

void flash_read(uint16_t at, uint8_t *bytes, uint8_t size)
{
    uint32_t address = STORE_AT + at;

    wait();
    transfer(READ, &address, NULL, bytes, size);
}

void flash_program(uint16_t at, const uint8_t *bytes, uint8_t size)
{
    uint32_t address = STORE_AT + at;

    wait();
    transfer(WRITE_ENABLE, NULL, NULL, NULL, 0);
    transfer(PROGRAM, &address, bytes, NULL, size);
    wait();
}

void flash_erase(uint8_t sector)
{
    uint32_t address = STORE_AT + (uint32_t)sector * SECTOR_SIZE;

    wait();
    transfer(WRITE_ENABLE, NULL, NULL, NULL, 0);
    transfer(ERASE_SECTOR, &address, NULL, NULL, 0);
}
