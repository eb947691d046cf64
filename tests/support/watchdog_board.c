#include "tests/support/watchdog_board.h"

#include <string.h>

static struct watchdog_board *present;
static struct watchdog watchdog;

const SENTENCE_ROM char io_board[] = "bench";

uint8_t io_lock(void)
{
    return 0; /* the tick is called between the main loop's turns, never in one */
}

void io_unlock(uint8_t was)
{
    (void)was;
}

uint8_t io_read(uint16_t at)
{
    return present->store[at];
}

void io_write(uint16_t at, uint8_t byte)
{
    present->store[at] = byte;
}

void io_program(uint16_t at, uint8_t byte)
{
    present->store[at] &= byte;
}

bool io_receive(char *byte)
{
    struct watchdog_board *b = present;
    if (b->in_count == 0)
        return false;
    *byte = b->in[b->in_first];
    b->in_first = (b->in_first + 1) % sizeof b->in;
    b->in_count--;
    return true;
}

void io_send(const char *text, uint8_t length)
{
    struct watchdog_board *b = present;
    if (b->out_count + length > sizeof b->out)
        return; /* nobody listens */
    memcpy(b->out + b->out_count, text, length);
    b->out_count += length;
}

bool io_sending(void)
{
    return false;
}

void io_show(uint8_t lamps)
{
    present->shown |= lamps;
}

void io_calibrate(int16_t value)
{
    (void)value;
}

void watchdog_board_power(struct watchdog_board *b)
{
    memset(b, 0, sizeof *b);
    memset(b->store, 0xFF, sizeof b->store);
    b->watchdog = &watchdog;
    memset(&watchdog, 0xA5, sizeof watchdog); /* as memory comes up */
    present = b;
    watchdog_start(&watchdog, SAY_POWER);
}

void watchdog_board_reset(struct watchdog_board *b, enum sentence_word reason)
{
    b->in_count = 0;
    watchdog_start(&watchdog, reason);
}

static void set_input(struct watchdog_board *b, uint8_t bit, bool on)
{
    b->inputs = (uint8_t)(on ? b->inputs | bit : b->inputs & ~bit);
}

void watchdog_board_key_switch(struct watchdog_board *b, bool run)
{
    set_input(b, STATUS_KEY_SWITCH, run);
}

void watchdog_board_button(struct watchdog_board *b, bool pressed)
{
    set_input(b, STATUS_BUTTON, pressed);
}

void watchdog_board_give(struct watchdog_board *b, char byte)
{
    if (b->in_count < sizeof b->in)
        b->in[(b->in_first + b->in_count++) % sizeof b->in] = byte;
}

size_t watchdog_board_take(struct watchdog_board *b, char *bytes, size_t size)
{
    size_t length = b->out_count < size ? b->out_count : size;
    memcpy(bytes, b->out, length);
    memmove(b->out, b->out + length, b->out_count - length);
    b->out_count -= length;
    return length;
}

void watchdog_board_tick(struct watchdog_board *b)
{
    if (watchdog_tick(&watchdog, b->inputs) || b->in_count)
        watchdog_work(&watchdog);
}
