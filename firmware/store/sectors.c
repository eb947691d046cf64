/* The store in a flash memory: a log in one of two sectors. When the log is full, the newest record
 * of each kind is copied into the other sector. Programming that sector's head, the last step,
 * makes it the log; then the old sector is erased. Records have cells of 32 bytes. Only erased
 * bytes are programmed, so each mark has its own byte after a record of time.
 *
 * * A sector is erased after a mark or a plan was stored. The next mark is then 1.8 s away, longer
 * than the erasure's 0.4 s. The tick continues meanwhile, since the program runs in RAM.
 *
 * * Wear: 10 years of 8 h days are 6.9 million records of 15.36 s. A sector holds 127 cells, eight
 * of which are copies: each sector is erased 29,000 times, of the 100,000 that such a memory is
 * rated for.
 *
 * * A record: kind, size, contents, checksum of these (2 bytes); a record of time has marks from
 * byte 24 on. Further cells of a record begin with GOES_ON, which begins no record. A head: two
 * fixed bytes, the log's number, checksum. */
#include "firmware/store/sectors.h"

#include "firmware/core/board_io.h"
#include "firmware/core/crc.h"

#define CELL     32
#define CELLS    (SECTOR_SIZE / CELL)
#define MARKS_AT 24
#define FRAME    4 /* bytes of a record besides its contents */
#define LONGEST  (IO_RECORD_MOST + FRAME)
#define NONE     0xff
#define GOES_ON  0xa5 /* begins each further cell */
#define HEAD     6
#define KINDS    (IO_TIME + 1)

_Static_assert(IO_TIME_SIZE + FRAME <= MARKS_AT && MARKS_AT + IO_MARKS <= CELL, "a record of time");

/* The state of the log. */
static struct {
    uint16_t number;       /* number of the log */
    uint8_t sector;        /* the sector that holds it */
    uint8_t used;          /* cells */
    uint8_t newest[KINDS]; /* first cell of the newest record, or NONE */
    bool clean;            /* the other sector is erased, or being erased */
} found;

static uint16_t cell_at(uint8_t sector, uint8_t cell)
{
    return (uint16_t)(sector * SECTOR_SIZE + cell * CELL);
}

static uint8_t cells_of(uint8_t size)
{
    return (uint8_t)((size + FRAME + CELL - 3) / (CELL - 1));
}

static uint16_t sum_of(const uint8_t *bytes, uint8_t size)
{
    uint16_t sum = 0xffff;

    while (size-- > 0)
        sum = crc16(sum, *bytes++);
    return sum;
}

static void put_sum(uint8_t *bytes, uint8_t size)
{
    uint16_t sum = sum_of(bytes, size);

    bytes[size] = (uint8_t)sum;
    bytes[size + 1] = (uint8_t)(sum >> 8);
}

static bool is_whole(const uint8_t *bytes, uint8_t size)
{
    uint16_t sum = sum_of(bytes, size);

    return bytes[size] == (uint8_t)sum && bytes[size + 1] == (uint8_t)(sum >> 8);
}

static bool is_erased(const uint8_t *bytes, uint8_t size)
{
    for (; size > 0; size--) {
        if (*bytes++ != 0xff)
            return false;
    }
    return true;
}

/* Reads the record at a cell. False if no complete record begins there. */
static bool load(uint8_t sector, uint8_t cell, uint8_t *record)
{
    uint16_t at = cell_at(sector, cell);
    uint8_t size, done = CELL;

    flash_read(at, record, 2);
    if (record[0] >= KINDS || record[1] == 0 || record[1] > IO_RECORD_MOST ||
        cell + cells_of(record[1]) > CELLS)
        return false;
    size = (uint8_t)(record[1] + FRAME);
    flash_read(at, record, size < CELL ? size : CELL);
    for (; done < size; done = (uint8_t)(done + CELL - 1)) {
        uint8_t part = size - done < CELL - 1 ? (uint8_t)(size - done) : CELL - 1;

        at = (uint16_t)(at + CELL);
        flash_read((uint16_t)(at + 1), record + done, part);
    }
    return is_whole(record, (uint8_t)(size - 2));
}

/* Programs bytes of one cell; true if reading back succeeds. */
static bool program(uint16_t at, const uint8_t *bytes, uint8_t size)
{
    uint8_t again[CELL];

    flash_program(at, bytes, size);
    flash_read(at, again, size);
    for (uint8_t i = 0; i < size; i++) {
        if (again[i] != bytes[i])
            return false;
    }
    return true;
}

static bool load_head(uint8_t sector, uint16_t *number)
{
    uint8_t head[HEAD];

    flash_read(cell_at(sector, 0), head, HEAD);
    *number = (uint16_t)(head[2] | head[3] << 8);
    return head[0] == 'B' && head[1] == 'L' && is_whole(head, HEAD - 2);
}

static bool program_head(uint8_t sector, uint16_t number)
{
    uint8_t head[HEAD] = {'B', 'L', (uint8_t)number, (uint8_t)(number >> 8)};

    put_sum(head, HEAD - 2);
    return program(cell_at(sector, 0), head, HEAD);
}

static void erase_other(void)
{
    if (!found.clean)
        flash_erase(!found.sector);
    found.clean = true;
}

/* Scans the cells of the log up to the last one that is not erased. Skips a cell whose programming
 * was interrupted by a loss of power. */
static void find_records(void)
{
    uint8_t record[LONGEST], cell[CELL];

    found.used = 1;
    for (uint8_t at = 1; at < CELLS;) {
        uint8_t cells = 1;

        if (load(found.sector, at, record)) {
            found.newest[record[0]] = at;
            cells = cells_of(record[1]);
            found.used = (uint8_t)(at + cells);
        } else {
            flash_read(cell_at(found.sector, at), cell, CELL);
            if (!is_erased(cell, CELL))
                found.used = (uint8_t)(at + 1);
        }
        at = (uint8_t)(at + cells);
    }
}

static void count_marks(struct io_store *store)
{
    uint8_t marks[IO_MARKS];

    flash_read((uint16_t)(cell_at(found.sector, found.newest[IO_TIME]) + MARKS_AT), marks,
               IO_MARKS);
    for (store->marks = 0; store->marks < IO_MARKS && marks[store->marks] != 0xff;)
        store->marks++;
}

bool io_store_open(struct io_store *store)
{
    uint16_t number[SECTORS];
    bool whole[SECTORS];

    for (uint8_t sector = 0; sector < SECTORS; sector++)
        whole[sector] = load_head(sector, &number[sector]);
    for (uint8_t kind = 0; kind < KINDS; kind++)
        found.newest[kind] = NONE;
    found.clean = false;
    found.sector = whole[1] && (!whole[0] || (int16_t)(number[1] - number[0]) > 0);
    found.number = number[found.sector];
    if (!whole[found.sector]) {
        /* A new memory: the first record begins the log. */
        found.number = 0;
        found.used = CELLS;
        return false;
    }
    find_records();
    if (found.newest[IO_TIME] == NONE)
        return false;
    count_marks(store);
    return true;
}

uint8_t io_store_read(const struct io_store *store, enum io_record kind, uint8_t *bytes,
                      uint8_t room)
{
    uint8_t record[LONGEST];

    (void)store;
    if (found.newest[kind] == NONE || !load(found.sector, found.newest[kind], record) ||
        record[1] > room)
        return 0;
    for (uint8_t i = 0; i < record[1]; i++)
        bytes[i] = record[2 + i];
    return record[1];
}

/* Writes a record with its marks into cells of a sector. */
static bool put(uint8_t sector, uint8_t cell, const uint8_t *record, uint8_t marks)
{
    static const uint8_t marked[IO_MARKS];
    uint16_t at = cell_at(sector, cell);
    uint8_t size = (uint8_t)(record[1] + FRAME), done = size < CELL ? size : CELL;

    if (marks > 0 && !program((uint16_t)(at + MARKS_AT), marked, marks))
        return false;
    if (!program(at, record, done))
        return false;
    while (done < size) {
        uint8_t next[CELL] = {GOES_ON}, part = CELL - 1;

        if (size - done < part)
            part = (uint8_t)(size - done);
        for (uint8_t i = 0; i < part; i++)
            next[i + 1] = record[done + i];
        at = (uint16_t)(at + CELL);
        if (!program(at, next, (uint8_t)(part + 1)))
            return false;
        done = (uint8_t)(done + part);
    }
    return true;
}

/* Copies the newest record of each kind except `kind`, and writes the new record, into the other
 * sector, which then becomes the log. */
static bool turn(struct io_store *store, enum io_record kind, const uint8_t *record)
{
    uint8_t sector = !found.sector, used = 1, newest[KINDS];
    uint8_t copy[LONGEST];

    erase_other();
    found.clean = false; /* from here on the other sector is neither clean nor the log */
    for (uint8_t i = 0; i < KINDS; i++) {
        const uint8_t *from = i == kind ? record : copy;

        newest[i] = NONE;
        if (i != kind && (found.newest[i] == NONE || !load(found.sector, found.newest[i], copy)))
            continue;
        if (!put(sector, used, from, i == IO_TIME && i != kind ? store->marks : 0))
            return false;
        newest[i] = used;
        used = (uint8_t)(used + cells_of(from[1]));
    }
    if (!program_head(sector, (uint16_t)(found.number + 1)))
        return false;
    found.number++;
    found.sector = sector;
    found.used = used;
    for (uint8_t i = 0; i < KINDS; i++)
        found.newest[i] = newest[i];
    return true;
}

bool io_store_append(struct io_store *store, enum io_record kind, const uint8_t *bytes,
                     uint8_t size)
{
    uint8_t record[LONGEST] = {(uint8_t)kind, size}, cells = cells_of(size);
    bool kept = false;

    for (uint8_t i = 0; i < size; i++)
        record[2 + i] = bytes[i];
    put_sum(record, (uint8_t)(size + 2));
    for (uint8_t tries = 0; tries < 3 && !kept && found.used + cells <= CELLS; tries++) {
        uint8_t cell = found.used;

        found.used = (uint8_t)(found.used + cells);
        kept = put(found.sector, cell, record, 0);
        if (kept)
            found.newest[kind] = cell;
    }
    if (!kept && !turn(store, kind, record))
        return false;
    if (kind == IO_TIME)
        store->marks = 0;
    else
        erase_other();
    return true;
}

bool io_store_mark(struct io_store *store)
{
    static const uint8_t marked = 0;
    uint16_t at =
        (uint16_t)(cell_at(found.sector, found.newest[IO_TIME]) + MARKS_AT + store->marks);

    if (!program(at, &marked, 1))
        return false;
    store->marks++;
    erase_other();
    return true;
}
