/* The watchdog's interface to the microcontroller, implemented by a folder in firmware/hal, and by
 * a test on a computer. Only the functions of the store block. */
#ifndef CORE_BOARD_IO_H
#define CORE_BOARD_IO_H

#include "firmware/core/sentence.h"

/* Keeps watchdog_tick() out while the main loop changes shared state; may be nested. */
uint8_t io_lock(void);
void io_unlock(uint8_t was);

/* The store: records that survive a loss of power; the newest of each kind counts. A loss of power
 * during an append leaves the old record or the new one; of a plan or a calibration, possibly none.
 * io_store_append() and io_store_mark() read the written bytes back. */
enum io_record {
    IO_PLAN_A,
    IO_PLAN_B,
    IO_CALIBRATION,
    IO_TIME,
};
#define IO_RECORD_MOST 64 /* bytes of the longest record */
#define IO_TIME_SIZE   7  /* bytes of a record of time */
#define IO_MARKS       8

struct io_store {
    uint16_t at, number;
    uint8_t marks; /* marks of the record, up to IO_MARKS */
};

/* Finds the newest record of time after a reset. False: none. */
bool io_store_open(struct io_store *store);

/* Reads the newest record of a kind and returns its size; 0: none, or larger than `room`. May wait
 * up to 0.4 s for an erasure begun by io_store_append() or io_store_mark(); after a reset
 * io_store_open() may, too. */
uint8_t io_store_read(const struct io_store *store, enum io_record kind, uint8_t *bytes,
                      uint8_t room);

/* Appends a record; blocks for up to 0.5 s. False if the store did not keep it. */
bool io_store_append(struct io_store *store, enum io_record kind, const uint8_t *bytes,
                     uint8_t size);

/* Adds a mark to the newest record of time, which must have fewer than IO_MARKS. Blocks for up to
 * 60 ms. False: the store did not keep the mark. */
bool io_store_mark(struct io_store *store);

/* Takes a byte from the host, the oldest first; false if there is none. */
bool io_receive(char *byte);

/* Sends a sentence, which must not change while io_sending() is true. */
void io_send(const char *text, uint8_t length);
bool io_sending(void);

/* Lamps and buzzer, IO_ bits. */
#define IO_LAMP_A     0x01
#define IO_LAMP_B     0x02
#define IO_LAMP_BREAK 0x04
#define IO_LAMP_FAULT 0x08
#define IO_BUZZER     0x10
void io_show(uint8_t lamps);

/* Lengthens a tick by `value` 4,096,000ths; a negative value shortens it. */
void io_calibrate(int16_t value);

/* The board's name. */
extern const SENTENCE_ROM char io_board[];

#endif
