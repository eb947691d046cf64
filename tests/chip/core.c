/* chip.h without a chip: the watchdog's core compiled for this computer, with a port of its own, so
 * that the same tests run on it faster, and under the sanitizers. There is one at a time. A wait
 * for the store lets ticks come into the main loop as interrupts do. */
#include "firmware/core/board_io.h"
#include "firmware/core/watchdog.h"
#include "firmware/store/bytes.h"
#include "sim/chip/chip.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK      16000000u
#define TICK       (CLOCK / 1000 * WATCHDOG_TICK_MS)
#define CHIP_STORE IO_BYTES
#define QUEUE      65536
#define RING       128 /* as in the hardware's driver */
#define BYTE_NUM   38400u * WATCHDOG_TICK_MS
#define BYTE_DEN   10000u /* bytes in a tick are BYTE_NUM / BYTE_DEN */
#define HANG_TICKS WATCHDOG_TICKS(500)

struct chip {
    struct watchdog watchdog;
    uint64_t now, ticked; /* now, and when the last tick was */
    uint64_t dice;
    bool off, key, button, due;
    unsigned resets, hung;
    unsigned lamps;

    uint8_t queue[QUEUE], ring[RING];
    unsigned queue_in, queue_out, ring_in, ring_out, rx_share;
    const char *sending;
    unsigned to_send, tx_share;
    void (*take)(void *user, uint8_t byte);
    void *user;

    uint8_t store[CHIP_STORE];
    uint64_t writes;
    bool cutting, store_stuck;
    enum chip_tear cut_tear;
    bool working;
    jmp_buf lost; /* out of the main loop, when the power goes in it or a reset comes */
};

const struct chip_kind chip_kind = {"uno", true, false, CHIP_STORE, 100};

static struct chip *self;

const SENTENCE_ROM char io_board[] = "Core";

static uint32_t dice(void)
{
    self->dice = self->dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(self->dice >> 33);
}

uint8_t io_lock(void)
{
    return 0;
}

void io_unlock(uint8_t was)
{
    (void)was;
}

uint8_t io_read(uint16_t at)
{
    return self->store[at];
}

static void uart(void)
{
    self->rx_share += BYTE_NUM;
    for (; self->rx_share >= BYTE_DEN && self->queue_in != self->queue_out;
         self->rx_share -= BYTE_DEN) {
        uint8_t byte = self->queue[self->queue_out];

        self->queue_out = (self->queue_out + 1) % QUEUE;
        if ((self->ring_in + 1) % RING != self->ring_out) {
            self->ring[self->ring_in] = byte;
            self->ring_in = (self->ring_in + 1) % RING;
        }
        self->due |= byte == '\r' || byte == '\n';
    }
    if (self->queue_in == self->queue_out)
        self->rx_share = 0;
    self->tx_share += BYTE_NUM;
    for (; self->tx_share >= BYTE_DEN && self->to_send; self->tx_share -= BYTE_DEN) {
        if (self->take)
            self->take(self->user, (uint8_t)*self->sending);
        self->sending++;
        if (--self->to_send == 0)
            self->due = true;
    }
    if (!self->to_send)
        self->tx_share = 0;
}

static void tick(void)
{
    self->ticked += TICK;
    if (self->now < self->ticked)
        self->now = self->ticked;
    uart();
    self->due |= watchdog_tick(&self->watchdog, (uint8_t)((self->key ? STATUS_KEY_SWITCH : 0) |
                                                          (self->button ? STATUS_BUTTON : 0)));
}

/* 3.4 ms, during which two ticks come; 1.8 ms, one. */
static void store(uint16_t at, uint8_t byte, bool erases)
{
    uint8_t old = self->store[at], noise = (uint8_t)dice();

    self->writes++;
    tick();
    if (erases)
        tick();
    if (!self->store_stuck)
        self->store[at] = erases ? byte : old & byte;
    if (!self->cutting)
        return;
    if (self->cut_tear == CHIP_ERASED)
        self->store[at] = erases ? 0xff : old;
    if (self->cut_tear == CHIP_GARBAGE)
        self->store[at] = erases ? noise : old & (byte | noise);
    self->cutting = false;
    chip_off(self);
    longjmp(self->lost, 1);
}

void io_write(uint16_t at, uint8_t byte)
{
    store(at, byte, true);
}

void io_program(uint16_t at, uint8_t byte)
{
    store(at, byte, false);
}

bool io_receive(char *byte)
{
    if (self->ring_in == self->ring_out)
        return false;
    *byte = (char)self->ring[self->ring_out];
    self->ring_out = (self->ring_out + 1) % RING;
    return true;
}

void io_send(const char *text, uint8_t length)
{
    self->sending = text;
    self->to_send = length;
}

bool io_sending(void)
{
    return self->to_send > 0;
}

void io_show(uint8_t lamps)
{
    self->lamps = lamps;
}

void io_calibrate(int16_t value)
{
    (void)value;
}

static void start(struct chip *chip, enum sentence_word why)
{
    chip->resets++;
    chip->off = false;
    chip->hung = 0;
    chip->to_send = 0;
    chip->ring_in = chip->ring_out = 0;
    watchdog_start(&chip->watchdog, why);
}

struct chip *chip_create(const char *elf, uint64_t seed)
{
    (void)elf;
    self = calloc(1, sizeof(*self));
    if (!self)
        return NULL;
    self->dice = seed;
    self->key = true;
    memset(self->store, 0xff, sizeof(self->store));
    chip_reset(self, CHIP_POWER);
    return self;
}

void chip_destroy(struct chip *chip)
{
    free(chip);
    self = NULL;
}

uint32_t chip_clock(const struct chip *chip)
{
    (void)chip;
    return CLOCK;
}

uint64_t chip_now(const struct chip *chip)
{
    return chip->now;
}

static void work(struct chip *chip)
{
    chip->due = false;
    if (setjmp(chip->lost) == 0)
        watchdog_work(&chip->watchdog);
}

bool chip_run(struct chip *chip, uint64_t cycles)
{
    uint64_t end = chip->now + cycles;

    while (chip->ticked + TICK <= end && !chip->off) {
        tick();
        if (chip->hung && ++chip->hung == HANG_TICKS)
            start(chip, SAY_WATCHDOG);
        else if (!chip->hung && chip->due)
            work(chip);
    }
    if (chip->now < end)
        chip->now = end;
    if (chip->off)
        chip->ticked = chip->now;
    return !chip->off;
}

void chip_send(struct chip *chip, const void *bytes, size_t count)
{
    const uint8_t *from = bytes;

    for (; count > 0 && chip_sending(chip) < QUEUE - 1; count--) {
        chip->queue[chip->queue_in] = *from++;
        chip->queue_in = (chip->queue_in + 1) % QUEUE;
    }
}

size_t chip_sending(const struct chip *chip)
{
    return (chip->queue_in + QUEUE - chip->queue_out) % QUEUE;
}

void chip_on_byte(struct chip *chip, void (*take)(void *user, uint8_t byte), void *user)
{
    chip->take = take;
    chip->user = user;
}

void chip_key_switch(struct chip *chip, bool run)
{
    chip->key = run;
}

void chip_button(struct chip *chip, bool pressed)
{
    chip->button = pressed;
}

void chip_reset(struct chip *chip, enum chip_reset why)
{
    static const enum sentence_word reasons[] = {
        [CHIP_POWER] = SAY_POWER, [CHIP_BROWNOUT] = SAY_BROWNOUT, [CHIP_BUTTON] = SAY_BUTTON};

    if (why != CHIP_BUTTON) {
        for (size_t i = 0; i < sizeof(chip->watchdog); i++)
            ((uint8_t *)&chip->watchdog)[i] = (uint8_t)dice();
    }
    start(chip, reasons[why]);
}

void chip_off(struct chip *chip)
{
    chip->off = true;
}

bool chip_is_off(const struct chip *chip)
{
    return chip->off;
}

unsigned chip_resets(const struct chip *chip)
{
    return chip->resets;
}

void chip_hang(struct chip *chip)
{
    chip->hung = 1;
}

bool chip_closed(struct chip *chip, int line)
{
    return !chip->off && chip->watchdog.drive & 1 << line;
}

unsigned chip_lamps(const struct chip *chip)
{
    return chip->lamps;
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

void chip_cut(struct chip *chip, uint64_t write, enum chip_tear how)
{
    chip->cutting = chip->writes >= write;
    chip->cut_tear = how;
}

uint8_t chip_ram(const struct chip *chip, unsigned at)
{
    return ((const uint8_t *)&chip->watchdog)[at];
}

void chip_set_ram(struct chip *chip, unsigned at, uint8_t byte)
{
    ((uint8_t *)&chip->watchdog)[at] = byte;
}

unsigned chip_watchdog(const struct chip *chip)
{
    (void)chip;
    return 0;
}

/* Nothing here is finer than a tick. */
bool chip_run_to_change(struct chip *chip, unsigned at, uint64_t cycles)
{
    uint64_t end = chip->now + cycles;
    uint8_t before = chip_ram(chip, at);

    while (chip->now < end && chip_ram(chip, at) == before)
        chip_run(chip, TICK);
    return chip_ram(chip, at) != before;
}
