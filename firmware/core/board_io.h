/* What the watchdog asks of the microcontroller. A folder in firmware/hal defines these; so does a
 * test that runs the watchdog on a computer. None but io_write and io_program waits. */
#ifndef CORE_BOARD_IO_H
#define CORE_BOARD_IO_H

#include "firmware/core/sentence.h"

/* Keeps watchdog_tick() away while the main loop changes what both use; nests. */
uint8_t io_lock(void);
void io_unlock(uint8_t was);

/* Memory that outlives a loss of power, IO_STORE bytes of it. io_write erases and writes one
 * byte, io_program only clears the bits that are 0 in `byte`. Both wait until it is done. */
#define IO_STORE 1024
uint8_t io_read(uint16_t at);
void io_write(uint16_t at, uint8_t byte);
void io_program(uint16_t at, uint8_t byte);

/* Bytes from the host, oldest first; false when there is none. */
bool io_receive(char *byte);

/* Sends a sentence, which must stay as it is while io_sending() is true. */
void io_send(const char *text, uint8_t length);
bool io_sending(void);

/* Lamps and buzzer, IO_ bits. */
#define IO_LAMP_LEFT  0x01
#define IO_LAMP_RIGHT 0x02
#define IO_LAMP_BREAK 0x04
#define IO_LAMP_FAULT 0x08
#define IO_BUZZER     0x10
void io_show(uint8_t lamps);

/* Makes a tick longer by so many 4,096,000ths, shorter when negative. */
void io_calibrate(int16_t value);

/* The board's name. */
extern const SENTENCE_ROM char io_board[];

#endif
