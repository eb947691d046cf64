/* The watchdog's needs of the microcontroller. A folder in firmware/hal defines these; so does a
 * test that runs the watchdog on a computer. None but io_store_append and io_store_mark waits. */
#ifndef CORE_BOARD_IO_H
#define CORE_BOARD_IO_H

#include "firmware/core/sentence.h"

/* Keeps watchdog_tick() away while the main loop changes common state; nests. */
uint8_t io_lock(void);
void io_unlock(uint8_t was);

/* The store: records that outlive a loss of power, the newest of each kind. A loss of power while
 * one is appended leaves the one before, or the new one; of a plan or a calibration perhaps none,
 * for there the one before is not needed any more. Appended and marked bytes are read back. */
enum io_record {
    IO_PLAN_A,
    IO_PLAN_B,
    IO_CALIBRATION,
    IO_TIME,
};
#define IO_RECORD_MOST 64 /* bytes of a plan, from 1 */
#define IO_TIME_SIZE   7  /* of a record of time, always */
#define IO_MARKS       8

/* The newest record of time, as the store keeps it in mind. */
struct io_store {
    uint16_t at, number;
    uint8_t marks; /* that it has, to IO_MARKS */
};

/* Finds the newest record of time after a reset. False: there is none. */
bool io_store_open(struct io_store *store);

/* The newest record of a kind into bytes; its size, or 0: none, or it has more than `room`. */
uint8_t io_store_read(const struct io_store *store, enum io_record kind, uint8_t *bytes,
                      uint8_t room);

/* Appends one; waits, up to 0.5 s. False: the store does not keep it. */
bool io_store_append(struct io_store *store, enum io_record kind, const uint8_t *bytes,
                     uint8_t size);

/* Adds a mark to the newest record of time, which has fewer than IO_MARKS; waits, for 60 ms at most
 * until the mark is there. False: the store does not keep it. */
bool io_store_mark(struct io_store *store);

/* Bytes from the host, oldest first; false when there is none. */
bool io_receive(char *byte);

/* Sends a sentence, which must stay as it is while io_sending() is true. */
void io_send(const char *text, uint8_t length);
bool io_sending(void);

/* Lamps and buzzer, IO_ bits. */
#define IO_LAMP_A     0x01
#define IO_LAMP_B     0x02
#define IO_LAMP_BREAK 0x04
#define IO_LAMP_FAULT 0x08
#define IO_BUZZER     0x10
void io_show(uint8_t lamps);

/* Makes a tick longer by so many 4,096,000ths, shorter when negative. */
void io_calibrate(int16_t value);

/* The board's name. */
extern const SENTENCE_ROM char io_board[];

#endif
