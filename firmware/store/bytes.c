/* The store in an EEPROM. Plans and the calibration have fixed addresses; records of time form a
 * ring of 80. A record's last byte has a bit for each mark. Clearing a bit needs no erasure and
 * changes no other bit.
 *
 * Wear: 10 years of 8 h days are 6.9 million records of 15.36 s; over 80 places that is 86,000
 * erasures of each byte, of the 100,000 that an AVR's EEPROM is rated for. Each bit of the marks is
 * cleared once per erasure.
 *
 * A record of time: sequence number, its bytes, checksum of these (2 bytes), marks. A plan or a
 * calibration: its bytes, their checksum. A plan's size has an address of its own. */
#include "firmware/store/bytes.h"

#include "firmware/core/board_io.h"
#include "firmware/core/crc.h"

#define ROOM           (IO_RECORD_MOST + 2)
#define AT_CALIBRATION (2 * ROOM)
#define CALIBRATION    2
#define AT_RECORDS     (AT_CALIBRATION + CALIBRATION + 2)
#define RECORDS        80
#define BODY           (1 + IO_TIME_SIZE)
#define MARKS_AT       (BODY + 2)
#define RECORD         (MARKS_AT + 1)
#define AT_SIZES       (AT_RECORDS + RECORDS * RECORD)

_Static_assert(AT_SIZES + 2 <= IO_BYTES, "the store is too small");

/* Reads bytes; true if the two bytes after them are their checksum. */
static bool load(uint16_t at, uint8_t *bytes, uint8_t size)
{
    uint16_t sum = 0xffff;

    for (; size > 0; size--, bytes++) {
        *bytes = io_read(at++);
        sum = crc16(sum, *bytes);
    }
    return io_read(at) == (uint8_t)sum && io_read(at + 1) == (uint8_t)(sum >> 8);
}

/* Writes bytes and their checksum; true if reading back succeeds. */
static bool save(uint16_t at, const uint8_t *bytes, uint8_t size)
{
    uint16_t sum = 0xffff, from = at;
    bool kept = true;

    for (uint8_t i = 0; i < size; i++) {
        io_write(at++, bytes[i]);
        sum = crc16(sum, bytes[i]);
    }
    io_write(at, (uint8_t)sum);
    io_write(at + 1, (uint8_t)(sum >> 8));
    for (uint8_t i = 0; i < size; i++)
        kept &= io_read(from++) == bytes[i];
    return kept && io_read(at) == (uint8_t)sum && io_read(at + 1) == (uint8_t)(sum >> 8);
}

static uint16_t slot_at(uint8_t slot)
{
    return (uint16_t)(AT_RECORDS + slot * RECORD);
}

static uint16_t plan_at(enum io_record kind)
{
    return kind == IO_PLAN_A ? 0 : ROOM;
}

static uint16_t size_at(enum io_record kind)
{
    return (uint16_t)(AT_SIZES + kind - IO_PLAN_A);
}

/* Sequence numbers in the ring differ by less than 128. A record that a slot did not keep is tried
 * in the next slots with the same number. */
static bool is_newer(const struct io_store *store, uint8_t number, uint8_t slot)
{
    int8_t ahead = (int8_t)(number - (uint8_t)store->number);

    return ahead > 0 || (ahead == 0 && slot - store->at < RECORDS / 2);
}

bool io_store_open(struct io_store *store)
{
    uint8_t body[BODY], marks;
    bool found = false;

    for (uint8_t slot = 0; slot < RECORDS; slot++) {
        if (!load(slot_at(slot), body, BODY) || (found && !is_newer(store, body[0], slot)))
            continue;
        found = true;
        store->at = slot;
        store->number = body[0];
    }
    if (!found)
        return false;
    store->marks = 0;
    for (marks = io_read(slot_at((uint8_t)store->at) + MARKS_AT);
         !(marks & 1) && store->marks < IO_MARKS; marks >>= 1)
        store->marks++;
    return true;
}

uint8_t io_store_read(const struct io_store *store, enum io_record kind, uint8_t *bytes,
                      uint8_t room)
{
    uint16_t at = AT_CALIBRATION;
    uint8_t size = CALIBRATION;

    if (kind == IO_TIME) {
        at = slot_at((uint8_t)store->at) + 1; /* io_store_open() has verified the checksum */
        for (size = 0; size < BODY - 1 && size < room; size++)
            bytes[size] = io_read(at++);
        return size;
    }
    if (kind != IO_CALIBRATION) {
        at = plan_at(kind);
        size = io_read(size_at(kind));
    }
    return size <= room && load(at, bytes, size) ? size : 0;
}

static bool append_time(struct io_store *store, const uint8_t *bytes)
{
    uint8_t body[BODY], slot = (uint8_t)store->at;

    body[0] = (uint8_t)(store->number + 1);
    for (uint8_t i = 1; i < BODY; i++)
        body[i] = bytes[i - 1];
    for (uint8_t tries = 0; tries < 3; tries++) {
        uint16_t at;

        if (++slot >= RECORDS)
            slot = 0;
        at = slot_at(slot);
        io_write(at + MARKS_AT, 0xff);
        if (save(at, body, BODY) && io_read(at + MARKS_AT) == 0xff) {
            store->at = slot;
            store->number++;
            store->marks = 0;
            return true;
        }
    }
    return false;
}

bool io_store_append(struct io_store *store, enum io_record kind, const uint8_t *bytes,
                     uint8_t size)
{
    if (kind == IO_TIME)
        return append_time(store, bytes);
    if (kind == IO_CALIBRATION)
        return save(AT_CALIBRATION, bytes, size);
    io_write(size_at(kind), size);
    return save(plan_at(kind), bytes, size) && io_read(size_at(kind)) == size;
}

bool io_store_mark(struct io_store *store)
{
    uint16_t at = slot_at((uint8_t)store->at) + MARKS_AT;
    uint8_t bit = (uint8_t)(1 << store->marks);

    io_program(at, (uint8_t)~bit);
    if (io_read(at) & bit)
        return false;
    store->marks++;
    return true;
}
