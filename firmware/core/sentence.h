/* The sentences between host and controller, for both ends: NMEA 0183 in style, for any terminal
 * program at 38,400 baud, 8N1.
 *
 *     $BLTTT,NNNN,field,field*hh<CR><LF>
 *
 * TTT is the type, NNNN the session's nonce in four hexadecimal digits, hh the exclusive or of all
 * characters between $ and *. Fields are unsigned decimal numbers of at most nine digits, or words
 * of one table. firmware/README.md lists the sentences and their meanings. Pure, and small enough
 * for a microcontroller: no allocation, no division, no stdio. */
#ifndef CORE_SENTENCE_H
#define CORE_SENTENCE_H

#include <stdbool.h>
#include <stdint.h>

#define SENTENCE_MAX 72 /* characters from $ to the second digit of hh */

/* The compiler's command line defines SENTENCE_ROM, the qualifier of constant tables: the address
 * space of the program memory, if separate; otherwise nothing. */

/* All words of sentences. The text of a word is its name here without SAY_. */
enum sentence_word {
    /* types from the host */
    SAY_HEL,
    SAY_PLN,
    SAY_SEG,
    SAY_FIX,
    SAY_RUN,
    SAY_BEA,
    SAY_CAL,
    SAY_TST,
    SAY_BEL,
    /* types from the controller, which answers HEL with HEL */
    SAY_ACK,
    SAY_NAK,
    SAY_STA,
    SAY_EVT,
    /* states; each is also the event of entering it */
    SAY_IDLE,
    SAY_READY,
    SAY_WAIT,
    SAY_CONNECT,
    SAY_OPEN,
    SAY_CLOSING,
    SAY_CUT,
    SAY_PAUSED,
    SAY_LOST,
    SAY_FAULT,
    SAY_OVER,
    /* events that are not states */
    SAY_WARN,
    SAY_BOOT,
    /* reasons for a refusal */
    SAY_DAMAGED,
    SAY_OVERLONG,
    SAY_UNKNOWN,
    SAY_NONCE,
    SAY_BUSY,
    SAY_STATE,
    SAY_RANGE,
    SAY_ORDER,
    SAY_KEY,
    /* reasons for a latched fault */
    SAY_NONE,
    SAY_BUDGET,
    SAY_STORE,
    /* reasons for a reset of the controller */
    SAY_POWER,
    SAY_BUTTON,
    SAY_BROWNOUT,
    SAY_WATCHDOG,
    SAY_COUNT /* number of words; also stands for an unknown word */
};

/* The text of a word, terminated by NUL. */
const SENTENCE_ROM char *sentence_text(enum sentence_word word);

enum sentence_result {
    SENTENCE_MORE,    /* nothing yet */
    SENTENCE_READY,   /* a complete sentence with correct checksum, type and nonce */
    SENTENCE_DAMAGED, /* a malformed sentence, from its $ on */
    SENTENCE_TOO_LONG,
};

/* A reader of bytes in any split; zeroed at the start. */
struct sentence_reader {
    char text[SENTENCE_MAX];
    uint8_t length; /* 0 between sentences; SENTENCE_MAX + 1 skips the rest of a sentence */
    uint8_t next;   /* index of the comma before the next field */
    uint8_t type;   /* enum sentence_word; SAY_COUNT: unknown */
    uint16_t nonce;
};

/* Takes a byte. After SENTENCE_READY, type and nonce are set, and the fields can be read until the
 * next byte. Bytes between sentences are skipped. */
enum sentence_result sentence_feed(struct sentence_reader *reader, char byte);

/* Reads the next field, a number up to `max`. False, with *value unchanged: the field is missing or
 * not such a number. */
bool sentence_number(struct sentence_reader *reader, uint32_t max, uint32_t *value);

/* Reads the next field, a word; SAY_COUNT: missing or unknown. */
enum sentence_word sentence_word(struct sentence_reader *reader);

/* Reads the next field as text of up to size - 1 characters. False: it is missing or longer. */
bool sentence_name(struct sentence_reader *reader, char *name, uint8_t size);

/* True if no field is left. */
bool sentence_done(const struct sentence_reader *reader);

/* Writes one sentence. Fields beyond SENTENCE_MAX are dropped. */
struct sentence_writer {
    char text[SENTENCE_MAX + 2]; /* characters with CR and LF, without a NUL */
    uint8_t length;
};

void sentence_begin(struct sentence_writer *writer, enum sentence_word type, uint16_t nonce);
void sentence_put_number(struct sentence_writer *writer, uint32_t number); /* below 10^9 */
void sentence_put_text(struct sentence_writer *writer, const SENTENCE_ROM char *text);
void sentence_put_word(struct sentence_writer *writer, enum sentence_word word);
void sentence_end(struct sentence_writer *writer);

#endif
