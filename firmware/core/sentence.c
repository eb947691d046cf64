#include "firmware/core/sentence.h"

/* "$BLTTT,NNNN" */
#define TYPE_AT   3
#define NONCE_AT  7
#define FIELDS_AT 11
#define TAIL      3 /* "*hh" */

static const SENTENCE_ROM char words[] =
    "HEL\0PLN\0SEG\0FIX\0RUN\0BEA\0CAL\0TST\0BEL\0ACK\0NAK\0STA\0EVT\0"
    "IDLE\0READY\0WAIT\0CONNECT\0OPEN\0CLOSING\0CUT\0PAUSED\0LOST\0FAULT\0OVER\0"
    "WARN\0BOOT\0"
    "DAMAGED\0OVERLONG\0UNKNOWN\0NONCE\0BUSY\0STATE\0RANGE\0ORDER\0KEY\0"
    "NONE\0BUDGET\0STORE\0"
    "POWER\0BUTTON\0BROWNOUT\0WATCHDOG\0";

static const SENTENCE_ROM char head[] = "$BL";

const SENTENCE_ROM char *sentence_text(enum sentence_word word)
{
    const SENTENCE_ROM char *text = words;

    for (uint8_t left = (uint8_t)word; left > 0; left--) {
        while (*text++)
            ;
    }
    return text;
}

static char hex_digit(uint8_t value)
{
    value &= 15;
    return (char)(value < 10 ? '0' + value : 'A' - 10 + value);
}

/* Reads hexadecimal digits with capital letters; false: another character. */
static bool hex_value(const char *text, uint8_t digits, uint16_t *value)
{
    uint16_t sum = 0;

    for (; digits > 0; digits--, text++) {
        uint8_t digit = (uint8_t)(*text - '0');

        if (digit > 9) {
            digit = (uint8_t)(*text - 'A');
            if (digit > 5)
                return false;
            digit = (uint8_t)(digit + 10);
        }
        sum = (uint16_t)(sum << 4 | digit);
    }
    *value = sum;
    return true;
}

static uint8_t checksum(const char *text, uint8_t length)
{
    uint8_t sum = 0;

    for (uint8_t i = 1; i < length; i++)
        sum ^= (uint8_t)text[i];
    return sum;
}

/* The word from `from` to the end of the field. */
static enum sentence_word word_at(const struct sentence_reader *reader, uint8_t from)
{
    const SENTENCE_ROM char *text = words;

    for (uint8_t word = 0; word < SAY_COUNT; word++) {
        uint8_t at = from;

        while (*text && at < reader->length && *text == reader->text[at])
            text++, at++;
        if (!*text && (at == reader->length || reader->text[at] == ','))
            return (enum sentence_word)word;
        while (*text++)
            ;
    }
    return SAY_COUNT;
}

/* At a line's end: true for a complete sentence. Sets length to the end of the last field. */
static bool is_whole(struct sentence_reader *reader)
{
    uint16_t sum;
    uint8_t length = (uint8_t)(reader->length - TAIL);

    if (reader->length < FIELDS_AT + TAIL || reader->text[length] != '*' ||
        !hex_value(reader->text + length + 1, 2, &sum) || sum != checksum(reader->text, length) ||
        !hex_value(reader->text + NONCE_AT, 4, &reader->nonce) || reader->text[NONCE_AT - 1] != ',')
        return false;
    for (uint8_t i = 0; i < TYPE_AT; i++) {
        if (reader->text[i] != head[i])
            return false;
    }
    reader->length = length;
    reader->next = FIELDS_AT;
    reader->type = (uint8_t)word_at(reader, TYPE_AT);
    return length == FIELDS_AT || reader->text[FIELDS_AT] == ',';
}

enum sentence_result sentence_feed(struct sentence_reader *reader, char byte)
{
    uint8_t length = reader->length;

    if (reader->next) { /* the last sentence was already delivered */
        reader->next = 0;
        length = 0;
    }
    reader->length = 0;
    if (byte == '\r' || byte == '\n') {
        if (length == 0 || length > SENTENCE_MAX)
            return SENTENCE_MORE;
        reader->length = length;
        if (is_whole(reader))
            return SENTENCE_READY;
        reader->length = reader->next = 0;
        return SENTENCE_DAMAGED;
    }
    if (byte == '$') {
        reader->text[0] = byte;
        reader->length = 1;
        return length == 0 || length > SENTENCE_MAX ? SENTENCE_MORE : SENTENCE_DAMAGED;
    }
    if (length == 0)
        return SENTENCE_MORE;
    reader->length = SENTENCE_MAX + 1;
    if (length > SENTENCE_MAX)
        return SENTENCE_MORE;
    if (length == SENTENCE_MAX)
        return SENTENCE_TOO_LONG;
    reader->text[length] = byte;
    reader->length = (uint8_t)(length + 1);
    return SENTENCE_MORE;
}

/* Returns the start of the next field and moves the reader to the comma after it. */
static uint8_t field(struct sentence_reader *reader)
{
    uint8_t from = reader->next;

    if (from < reader->length) {
        from++;
        do
            reader->next++;
        while (reader->next < reader->length && reader->text[reader->next] != ',');
    }
    return from;
}

bool sentence_number(struct sentence_reader *reader, uint32_t max, uint32_t *value)
{
    uint8_t from = field(reader), digits = (uint8_t)(reader->next - from);
    uint32_t number = 0;

    if (digits == 0 || digits > 9)
        return false;
    for (; from < reader->next; from++) {
        uint8_t digit = (uint8_t)(reader->text[from] - '0');

        if (digit > 9)
            return false;
        number = number * 10 + digit;
    }
    if (number > max)
        return false;
    *value = number;
    return true;
}

enum sentence_word sentence_word(struct sentence_reader *reader)
{
    return word_at(reader, field(reader));
}

bool sentence_name(struct sentence_reader *reader, char *name, uint8_t size)
{
    uint8_t from = field(reader), length = (uint8_t)(reader->next - from);

    if (length == 0 || length >= size)
        return false;
    for (uint8_t i = 0; i < length; i++)
        name[i] = reader->text[from + i];
    name[length] = '\0';
    return true;
}

bool sentence_done(const struct sentence_reader *reader)
{
    return reader->next == reader->length;
}

static void put(struct sentence_writer *writer, char byte)
{
    if (writer->length < SENTENCE_MAX - TAIL)
        writer->text[writer->length++] = byte;
}

static void put_hex(struct sentence_writer *writer, uint8_t value)
{
    put(writer, hex_digit(value >> 4));
    put(writer, hex_digit(value));
}

static void put_all(struct sentence_writer *writer, const SENTENCE_ROM char *text)
{
    while (*text)
        put(writer, *text++);
}

void sentence_begin(struct sentence_writer *writer, enum sentence_word type, uint16_t nonce)
{
    writer->length = 0;
    put_all(writer, head);
    put_all(writer, sentence_text(type));
    put(writer, ',');
    put_hex(writer, (uint8_t)(nonce >> 8));
    put_hex(writer, (uint8_t)nonce);
}

void sentence_put_text(struct sentence_writer *writer, const SENTENCE_ROM char *text)
{
    put(writer, ',');
    put_all(writer, text);
}

void sentence_put_word(struct sentence_writer *writer, enum sentence_word word)
{
    sentence_put_text(writer, sentence_text(word));
}

void sentence_put_number(struct sentence_writer *writer, uint32_t number)
{
    static const SENTENCE_ROM uint32_t powers[] = {100000000, 10000000, 1000000, 100000, 10000,
                                                   1000,      100,      10,      1};
    bool begun = false;

    put(writer, ',');
    for (uint8_t i = 0; i < sizeof(powers) / sizeof(powers[0]); i++) {
        uint32_t power = powers[i];
        char digit = '0';

        while (number >= power) {
            number -= power;
            digit++;
        }
        if (digit > '0' || power == 1)
            begun = true;
        if (begun)
            put(writer, digit);
    }
}

void sentence_end(struct sentence_writer *writer)
{
    uint8_t sum = checksum(writer->text, writer->length);

    /* put() has left room for the tail */
    writer->text[writer->length++] = '*';
    writer->text[writer->length++] = hex_digit(sum >> 4);
    writer->text[writer->length++] = hex_digit(sum);
    writer->text[writer->length++] = '\r';
    writer->text[writer->length++] = '\n';
}
