#include "journal/replay.h"

#include "base/utf8.h"

#include <string.h>

#define CHUNK  16384u
#define SAMPLE 256u

struct replay_reader {
    const struct disk *disk;
    int fd;
    uint8_t bytes[CHUNK];
    size_t at, end;  /* the unread bytes are those from `at` to before `end` */
    uint64_t offset; /* the file offset of bytes[at] */
    bool last;       /* the file ends before bytes[end] */
};

/* Moves the unread bytes to the start of the buffer and reads more bytes after them. */
static enum bl_status refill(struct replay_reader *r)
{
    size_t left = r->end - r->at;
    size_t more = sizeof r->bytes - left;
    memmove(r->bytes, r->bytes + r->at, left);
    enum bl_status status =
        r->disk->read(r->disk->ctx, r->fd, r->offset + left, r->bytes + left, &more);
    r->at = 0;
    r->end = left + more;
    r->last = more == 0;
    return status;
}

enum bl_status replay_file(const struct disk *disk, int fd,
                           bool (*each)(void *ctx, const struct journal_record *record), void *ctx,
                           struct journal_report *report)
{
    struct replay_reader r = {.disk = disk, .fd = fd};
    struct journal_scratch scratch;
    struct journal_record e;
    uint64_t bad_from = UINT64_MAX; /* the file offset at which the current damage starts;
                                     * UINT64_MAX: there is none */
    *report = (struct journal_report){.first_damage = UINT64_MAX};
    for (;;) {
        long n = journal_decode(r.bytes + r.at, r.end - r.at, &e, &scratch);
        if (n == 0 && !r.last) {
            enum bl_status status = refill(&r);
            if (status != BL_OK)
                return status;
            continue;
        }
        if (n == 0 && r.at == r.end)
            break;
        if (n > 0) {
            if (bad_from != UINT64_MAX) {
                report->damaged++;
                if (report->first_damage == UINT64_MAX)
                    report->first_damage = bad_from;
                bad_from = UINT64_MAX;
            }
            report->records++;
            if (!each(ctx, &e))
                return BL_OK;
        } else {
            if (bad_from == UINT64_MAX)
                bad_from = r.offset;
            /* n is 0 for a record cut by the file's end, or for a mark that begins no record. The
             * search goes on after the mark. */
            n = n < 0 ? -n : 1;
        }
        r.at += (size_t)n;
        r.offset += (uint64_t)n;
    }
    if (bad_from != UINT64_MAX)
        report->torn_bytes = r.offset - bad_from;
    return BL_OK;
}

static size_t sample(const struct disk *disk, int fd, uint8_t bytes[SAMPLE])
{
    size_t length = SAMPLE;
    return disk->read(disk->ctx, fd, 0, bytes, &length) == BL_OK ? length : 0;
}

/* The file offset of the first record's magic, after mark, length, kind, side and time. */
#define MAGIC_AT 13u

const char *replay_what(const struct disk *disk, int fd)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *what;
    } known[] = {
        {"SQLite format 3", 15, "an SQLite database"},
        {"\x7f"
         "ELF",
         4, "a program"},
        {"\x1f\x8b", 2, "a gzip file"},
        {"PK\3\4", 4, "a zip file"},
        {"%PDF", 4, "a PDF document"},
    };
    uint8_t bytes[SAMPLE];
    size_t length = sample(disk, fd, bytes);
    if (length == 0)
        return "empty";
    if (length > MAGIC_AT + 3 && memcmp(bytes + MAGIC_AT, "BLJ", 3) == 0)
        return bytes[MAGIC_AT + 3] == 1 ? "a journal without one good record"
                                        : "a journal of another version of boothlink";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (length >= known[i].length && memcmp(bytes, known[i].bytes, known[i].length) == 0)
            return known[i].what;
    for (size_t i = 0; i < length;) {
        uint32_t point;
        size_t n = utf8_decode(bytes + i, length - i, &point);
        if (n == 0 && length - i < UTF8_MAX && length == SAMPLE)
            break; /* the sample may end inside a character */
        if (n == 0 || (point < 0x20 && !strchr("\t\n\r\f\x1b", (int)point)) || point == 0)
            return "binary data of some other kind";
        i += n;
    }
    return "a text file";
}

bool replay_is_unborn(const struct disk *disk, int fd, uint64_t length)
{
    uint8_t bytes[SAMPLE];
    size_t n = sample(disk, fd, bytes);
    bool zero = true;
    if (length == 0)
        return true;
    if (length > JOURNAL_RECORD_MAX)
        return false;
    for (size_t i = 0; i < n; i++)
        zero = zero && bytes[i] == 0;
    if (zero)
        return true;
    if (bytes[0] != 0xB1 || (n > 3 && bytes[3] != JOURNAL_HEADER))
        return false;
    for (size_t i = 0; i < 4; i++)
        if (n > MAGIC_AT + i && bytes[MAGIC_AT + i] != "BLJ\1"[i])
            return false;
    return true;
}
