/* What the watchdog asks of the microcontroller. A folder in firmware/hal defines these; so does a
 * test that runs the watchdog on a computer. None but port_write and port_program waits. */
#ifndef CORE_PORT_H
#define CORE_PORT_H

#include "firmware/core/sentence.h"

/* Keeps watchdog_tick() away while the main loop changes what both use; nests. */
uint8_t port_lock(void);
void port_unlock(uint8_t was);

/* Memory that outlives a loss of power, PORT_STORE bytes of it. port_write erases and writes one
 * byte, port_program only clears the bits that are 0 in `byte`. Both wait until it is done. */
#define PORT_STORE 1024
uint8_t port_read(uint16_t at);
void port_write(uint16_t at, uint8_t byte);
void port_program(uint16_t at, uint8_t byte);

/* Bytes from the host, oldest first; false when there is none. */
bool port_receive(char *byte);

/* Sends a sentence, which must stay as it is while port_sending() is true. */
void port_send(const char *text, uint8_t length);
bool port_sending(void);

/* Lamps and buzzer, PORT_ bits. */
#define PORT_LAMP_LEFT  0x01
#define PORT_LAMP_RIGHT 0x02
#define PORT_LAMP_BREAK 0x04
#define PORT_LAMP_FAULT 0x08
#define PORT_BUZZER     0x10
void port_show(uint8_t lamps);

/* Makes a tick longer by so many 4,096,000ths, shorter when negative. */
void port_calibrate(int16_t value);

/* The board's name. */
extern const SENTENCE_ROM char port_board[];

#endif
