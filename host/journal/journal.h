/* The durable, append-only record of a session, one file at each end.
 * Source: DESIGN.md, "Journal" and "Session"; boothlink-entrant(7) for a log that was lost.
 *
 * On disk a record is the byte 0xB1, length of the body (2 bytes), body (kind, side, time, fields
 * as record.c lays them out), CRC-32C of the record's bytes before. Little-endian. Reading stops at
 * nothing: a torn tail costs the torn record, damage inside costs the damaged records, and both are
 * counted. */
#ifndef JOURNAL_JOURNAL_H
#define JOURNAL_JOURNAL_H

#include "base/status.h"
#include "session/event.h"

#include <uv.h>

enum disk_mode {
    DISK_READ,   /* to read only */
    DISK_APPEND, /* to read and append; the file exists */
    DISK_CREATE  /* as DISK_APPEND; made (0600, its directory synced) if there is none */
};

#define DISK_HOLDER_MAX 80

/* The destination of bytes. Tests stand in a disk, full or losing unsynced bytes. */
struct disk {
    void *ctx;
    /* Opens and gives the present length. BL_NOINPUT, BL_NOPERM, BL_FULL, BL_IO; BL_DATA: something
     * else than a file. */
    enum bl_status (*open)(void *ctx, const char *path, enum disk_mode mode, int *fd,
                           uint64_t *length);
    /* Locks the file until close. BL_BUSY: holder gets words for who has it ("boothlink, pid 12").
     */
    enum bl_status (*lock)(void *ctx, int fd, char holder[DISK_HOLDER_MAX]);
    /* All of it or nothing of it: a short write is cut off again. BL_FULL, BL_IO. */
    enum bl_status (*append)(void *ctx, int fd, const void *bytes, size_t length);
    /* Reads up to *length bytes and gives how many in *length, 0 at the end. BL_IO. */
    enum bl_status (*read)(void *ctx, int fd, uint64_t offset, void *bytes, size_t *length);
    /* Cuts the file to length, and gives back the room reserved beyond. */
    enum bl_status (*truncate)(void *ctx, int fd, uint64_t length);
    /* Reserves room for the file to grow to length, whatever else fills the disk. BL_FULL if not;
     * BL_OK where it cannot be done at all. */
    enum bl_status (*reserve)(void *ctx, int fd, uint64_t length);
    enum bl_status (*sync)(void *ctx, int fd); /* blocks; called off the loop */
    uint64_t (*room)(void *ctx, int fd);       /* bytes free for us */
    void (*close)(void *ctx, int fd);
};
extern const struct disk disk_real;

/* The findings of reading. */
struct journal_report {
    uint64_t records;      /* good ones */
    uint64_t damaged;      /* stretches between good records */
    uint64_t torn_bytes;   /* after the last good record */
    uint64_t first_damage; /* offset in the file; UINT64_MAX if none */
};

/* Encodes a record into out; returns its length, 0 if it cannot be one (a text too long
 * or not of keys, a number out of its range). Keys are written as their text says; without code
 * points (NULL) they are checked by it. A note is cut to NOTE_MAX and made one line of UTF-8.
 * Pure. */
#define JOURNAL_RECORD_MAX 512
size_t journal_encode(const struct journal_record *record, uint8_t out[JOURNAL_RECORD_MAX]);

/* Decodes a record at the start of bytes. > 0: bytes taken, *out is filled and points into bytes
 * (texts of notes and header, and the code points of keys, into scratch). 0: more bytes are needed.
 * < 0: -n bytes are no record and are to be skipped. Pure; any bytes are safe. */
struct journal_scratch {
    uint32_t point[JOURNAL_TEXT_MAX];
    char text[NOTE_MAX + 1], session[SESSION_ID_MAX + 1], style[STYLE_MAX + 1];
};
long journal_decode(const uint8_t *bytes, size_t length, struct journal_record *out,
                    struct journal_scratch *scratch);

/* Gives every record of a file in order to each(). Errors: BL_NOINPUT, BL_NOPERM, BL_IO, BL_DATA
 * (not a journal at all: the diag names the kind of file). report may be NULL. */
enum bl_status journal_read(const struct disk *disk, const char *path,
                            void (*each)(void *ctx, const struct journal_record *record), void *ctx,
                            struct journal_report *report, struct bl_diag *diag);

/* Brings a killed process's writes to the disk: from now on they survive a loss of power.
 * Blocks. */
enum bl_status journal_secure(const struct disk *disk, const char *path);

struct journal;

/* Opens an existing journal, replays it through each(), cuts off a torn tail and is ready to
 * append; or, if there is none, creates it with header as its first record, which is on the disk
 * when this returns and is not given to each(). header NULL: an existing one only (BL_NOINPUT).
 * Takes an exclusive lock (flock) and keeps it: BL_BUSY names the holder. disk must outlive the
 * journal. BL_DATA: no journal, or one with a damaged header, which cannot go on. */
enum bl_status journal_open(struct journal **out, const struct disk *disk, const char *path,
                            const struct journal_record *header,
                            void (*each)(void *ctx, const struct journal_record *record), void *ctx,
                            struct journal_report *report, struct bl_diag *diag);

/* Appends; after BL_OK a kill -9 loses nothing of the record. BL_FULL, BL_IO: nothing was appended.
 * BL_DATA: it cannot be one (journal_encode). Allocates nothing. */
enum bl_status journal_append(struct journal *journal, const struct journal_record *record);

/* journal_append() in the form of a callback: `place` is a struct journal **, so the journal may be
 * opened later. BL_IO while it points to NULL. */
enum bl_status journal_keep(void *place, const struct journal_record *record);

/* Starts the syncing off the loop: at most 50 ms after the first unsynced append. warn is called
 * from the loop, never from journal_append: once when the disk has less than 16 MiB left, once when
 * it is full, and once when writing or syncing fails. BL_NOMEM, BL_IO. */
enum bl_status journal_attach(struct journal *journal, uv_loop_t *loop,
                              void (*warn)(void *ctx, const char *text), void *ctx);

const char *journal_path(const struct journal *journal);

/* Syncs, waits for a sync under way, unlocks, frees. After journal_attach the loop must still run
 * once. NULL is allowed. */
void journal_close(struct journal *journal);

/* The newest unfinished journal of a role in a directory (a file named *.journal whose header has
 * that role and which has no SEGMENT_FINISHED), or with session not NULL that session's, finished
 * or not. path is PATH_MAX bytes. BL_NOINPUT: there is none. */
enum bl_status journal_find(const char *directory, enum party role, const char *session, char *path,
                            struct bl_diag *diag);

/* DIRECTORY/SESSION-judge.journal or -entity.journal; path is PATH_MAX bytes. */
void journal_name(const char *directory, const char *session, enum party role, char *path);

#endif
