#include "sim/chip/chip_private.h"

#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RAM_START 0x100
#define RAM_END   0x8ff
#define PAINT     0xa5
#define LOOP_AT   0x7f00 /* address in unused flash of a jump to itself */
#define PORF      0x01
#define EXTRF     0x02
#define BORF      0x04

const struct chip_kind chip_kind = {"uno", true, false, CHIP_STORE, 100};

uint32_t chip_random(struct chip *chip)
{
    chip->dice = chip->dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(chip->dice >> 33);
}

static void sleep_not(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr;
    (void)cycles;
}

static void log_not(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr;
    (void)level;
    (void)format;
    (void)arguments;
}

/* Called by simavr after each reset of any cause, which has cleared the registers and timers. */
static void was_reset(avr_io_t *io)
{
    struct chip *chip = (struct chip *)((char *)io - offsetof(struct chip, io));

    if (!chip->off)
        chip->resets++;
    chip->avr->run_cycle_limit = BOARD_CLOCK; /* most cycles without a look at timers */
    chip_pins_reset(chip);
    chip_store_reset(chip);
    chip_uart_reset(chip);
}

static void paint(struct chip *chip)
{
    for (unsigned at = chip->ram_end; at <= RAM_END; at++)
        chip->avr->data[at] = PAINT;
}

struct chip *chip_create(const char *elf, uint64_t seed)
{
    struct chip *chip = calloc(1, sizeof(*chip));
    elf_firmware_t firmware;
    struct elf_variables variables;

    memset(&firmware, 0, sizeof(firmware));
    avr_global_logger_set(log_not);
    if (access(elf, R_OK) != 0 || !elf_variables(elf, &variables) ||
        elf_read_firmware(elf, &firmware) != 0) {
        fprintf(stderr, "%s: is no firmware: \"make firmware\" makes one\n", elf);
        free(chip);
        return NULL;
    }
    chip->watchdog_at = variables.watchdog & 0xffff;
    chip->ram_end = variables.end & 0xffff;
    chip->dice = seed;
    chip->avr = avr_make_mcu_by_name("atmega328p");
    avr_init(chip->avr);
    firmware.frequency = BOARD_CLOCK;
    firmware.eesize = 0;
    avr_load_firmware(chip->avr, &firmware);
    chip->avr->sleep = sleep_not;
    chip->avr->flash[LOOP_AT] = 0xff; /* rjmp .-2 */
    chip->avr->flash[LOOP_AT + 1] = 0xcf;
    chip->avr->codeend = chip->avr->flashend;
    chip_pins_attach(chip);
    chip_store_attach(chip);
    chip_uart_attach(chip);
    chip->io.kind = "chip";
    chip->io.reset = was_reset;
    avr_register_io(chip->avr, &chip->io);
    chip_reset(chip, CHIP_POWER);
    return chip;
}

void chip_destroy(struct chip *chip)
{
    if (!chip)
        return;
    avr_terminate(chip->avr);
    free(chip);
}

uint32_t chip_clock(const struct chip *chip)
{
    (void)chip;
    return BOARD_CLOCK;
}

uint64_t chip_now(const struct chip *chip)
{
    return chip->avr->cycle;
}

static avr_cycle_count_t time_over(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct chip *chip = param;

    (void)avr;
    (void)when;
    chip->stop = true;
    return 0;
}

bool chip_run(struct chip *chip, uint64_t cycles)
{
    uint64_t end = chip->avr->cycle + cycles;

    while (chip->avr->cycle < end && !chip->off) {
        chip->stop = false;
        /* A reset forgets the timer, which is then set again. */
        avr_cycle_timer_register(chip->avr, end - chip->avr->cycle, time_over, chip);
        unsigned resets = chip->resets;
        /* Stops at the timer, since a sleeping processor would sleep on to the next one. */
        while (!chip->stop && chip->avr->cycle < end && resets == chip->resets)
            avr_run(chip->avr);
        if (chip->off)
            chip_off(chip);
    }
    if (chip->avr->cycle < end)
        chip->avr->cycle = end;
    return !chip->off;
}

bool chip_run_to_change(struct chip *chip, unsigned at, uint64_t cycles)
{
    uint64_t end = chip->avr->cycle + cycles, limit = chip->avr->run_cycle_limit;
    uint8_t before = chip_ram(chip, at);
    bool changed = false;

    chip->avr->run_cycle_limit = 1;
    while (!changed && chip->avr->cycle < end && !chip->off) {
        avr_run(chip->avr);
        changed = chip_ram(chip, at) != before;
    }
    chip->avr->run_cycle_limit = limit;
    return changed;
}

void chip_reset(struct chip *chip, enum chip_reset why)
{
    static const uint8_t flags[] = {
        [CHIP_POWER] = PORF | BORF, [CHIP_BROWNOUT] = BORF, [CHIP_BUTTON] = EXTRF};

    chip->off = false;
    avr_reset(chip->avr);
    chip->avr->data[MCUSR] = flags[why];
    if (why != CHIP_BUTTON) {
        for (unsigned at = RAM_START; at <= RAM_END; at++)
            chip->avr->data[at] = (uint8_t)chip_random(chip);
        paint(chip);
    }
}

void chip_off(struct chip *chip)
{
    chip->off = true;
    avr_reset(chip->avr); /* leaves all pins floating */
}

unsigned chip_resets(const struct chip *chip)
{
    return chip->resets;
}

void chip_hang(struct chip *chip)
{
    unsigned resets = chip->resets;

    /* First runs on to the main loop, with interrupts on. */
    while ((chip->avr->interrupts.running_ptr || !chip->avr->sreg[S_I] ||
            chip->avr->interrupt_state) &&
           resets == chip->resets)
        avr_run(chip->avr);
    chip->avr->state = cpu_Running;
    chip->avr->pc = LOOP_AT;
}

bool chip_is_off(const struct chip *chip)
{
    return chip->off;
}

uint8_t chip_ram(const struct chip *chip, unsigned at)
{
    return chip->avr->data[at];
}

void chip_set_ram(struct chip *chip, unsigned at, uint8_t byte)
{
    chip->avr->data[at] = byte;
}

unsigned chip_watchdog(const struct chip *chip)
{
    return chip->watchdog_at;
}

unsigned chip_stack(const struct chip *chip)
{
    unsigned at = chip->ram_end;

    while (at <= RAM_END && chip->avr->data[at] == PAINT)
        at++;
    return RAM_END + 1 - at;
}
