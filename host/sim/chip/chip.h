/* The controller without hardware: the firmware's own ELF on a simulated processor, with the
 * board's pins, a UART, a store and the relays' pumps. Time is virtual, in cycles of the
 * controller's clock, and passes only in chip_run() and chip_run_to_change(). The calls and the
 * seed decide all. sim/chip has an Arduino, by libsimavr; sim/pico has a Raspberry Pi Pico.
 *
 * * Faults of simavr 1.6 that are worked round, each with a test in test_chip.c: no change of a pin
 * is signalled at a reset, inputs read 0 after one, a pulled-up input snaps back, a byte takes 11
 * bits, the EEPROM is never busy and knows no way of writing without erasing, timers are forgotten
 * at a reset, and a sleeping processor makes the simulator sleep. */
#ifndef SIM_CHIP_H
#define SIM_CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHIP_LINES 2 /* left, right */

#define CHIP_MS(chip, ms) ((uint64_t)(ms) * (chip_clock(chip) / 1000))

struct chip;

/* The kind of chip that a program is linked with. */
struct chip_kind {
    const char *board;    /* name of the folder in boards/, and of the firmware */
    bool tells_brownout;  /* reports a brownout after a reset */
    bool slow;            /* its simulation is slow */
    unsigned store;       /* bytes of the store, which outlives a loss of power */
    unsigned plan_writes; /* least number of writes of a plan and a session of some segments */
};
extern const struct chip_kind chip_kind;

/* Loads the ELF, erases the store and applies power. NULL: the ELF cannot be loaded; prints the
 * reason. */
struct chip *chip_create(const char *elf, uint64_t seed);
void chip_destroy(struct chip *chip);

uint32_t chip_clock(const struct chip *chip); /* cycles in a second */
uint64_t chip_now(const struct chip *chip);   /* cycles since the beginning */

bool chip_run(struct chip *chip, uint64_t cycles);

/* Lets time pass, in steps of an instruction, until the byte `at` of the firmware's memory changes,
 * or `cycles` are over. False: unchanged. */
bool chip_run_to_change(struct chip *chip, unsigned at, uint64_t cycles);

/* Sends bytes of the host, each in its time at 38,400 baud. Bytes without room in the queue are
 * lost; chip_sending() is the number of waiting bytes. */
void chip_send(struct chip *chip, const void *bytes, size_t count);
size_t chip_sending(const struct chip *chip);

/* Sets the receiver of the bytes for the host, called when a byte has passed the line. */
void chip_on_byte(struct chip *chip, void (*take)(void *user, uint8_t byte), void *user);

/* Sets the steward's key switch (run: at RUN) and the button. At first: at RUN, not pressed. */
void chip_key_switch(struct chip *chip, bool run);
void chip_button(struct chip *chip, bool pressed);

enum chip_reset {
    CHIP_POWER,    /* memory is garbage afterwards */
    CHIP_BROWNOUT, /* memory is garbage afterwards */
    CHIP_BUTTON,   /* memory stays */
};
void chip_reset(struct chip *chip, enum chip_reset why);
void chip_off(struct chip *chip);              /* takes the power away, until a reset */
unsigned chip_resets(const struct chip *chip); /* number of resets, those by power and watchdog
                                                * included */

/* Stops the main loop until a reset; interrupts go on. */
void chip_hang(struct chip *chip);

/* A relay and the signal on its pin, a wave while the line is driven. chip_stick() sticks the pin
 * at a level, which the firmware cannot see. */
bool chip_closed(struct chip *chip, int line);         /* true if the relay's contacts are closed */
uint64_t chip_edge(const struct chip *chip, int line); /* time of the last edge on the pin */
#define CHIP_FREE -1
void chip_stick(struct chip *chip, int line, int level);

unsigned chip_lamps(const struct chip *chip); /* left 1, right 2, break 4, fault 8, buzzer 16 */

/* Read and write the store's chip_kind.store bytes. */
void chip_store_get(struct chip *chip, uint8_t *bytes);
void chip_store_put(struct chip *chip, const uint8_t *bytes);
uint64_t chip_writes(const struct chip *chip); /* number of writes begun since the beginning */

uint32_t chip_wear(const struct chip *chip, unsigned at); /* number of the byte's erasures */

/* stuck: writes have no effect, as in a worn store. */
void chip_store_stick(struct chip *chip, bool stuck);

/* Cuts the power during write number `write`, as chip_writes() counts. The byte is then, by `tear`:
 * CHIP_WRITTEN: written. CHIP_ERASED: erased if the write erases first, otherwise unchanged.
 * CHIP_GARBAGE: any value if the write erases, otherwise with some of the bits cleared that were to
 * be. chip_run() then returns false until a reset. */
enum chip_tear { CHIP_WRITTEN, CHIP_ERASED, CHIP_GARBAGE };
void chip_cut(struct chip *chip, uint64_t write, enum chip_tear tear);
bool chip_is_off(const struct chip *chip);

uint8_t chip_ram(const struct chip *chip, unsigned at);
void chip_set_ram(struct chip *chip, unsigned at, uint8_t byte);
/* The address of the firmware's struct watchdog. */
unsigned chip_watchdog(const struct chip *chip);
/* The greatest depth of the firmware's stack since the power came, in bytes. */
unsigned chip_stack(const struct chip *chip);

#endif
