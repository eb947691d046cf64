/* The durable, append-only record of a session; each end has its own file. Source: DESIGN.md,
 * "Journal" and "Session"; boothlink-entrant(7) for a log that was lost.
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
    DISK_READ,   /* for reading only */
    DISK_APPEND, /* for reading and appending; the file exists */
    DISK_CREATE  /* as DISK_APPEND; a missing file is created (0600, its directory synced) */
};

#define DISK_HOLDER_MAX 80

/* The storage. Tests replace it by a disk that is full or loses unsynced bytes. */
struct disk {
    void *ctx;
    /* Opens a file and gives its length. BL_NOINPUT, BL_NOPERM, BL_FULL, BL_IO; BL_DATA if it is
     * not a regular file. */
    enum bl_status (*open)(void *ctx, const char *path, enum disk_mode mode, int *fd,
                           uint64_t *length);
    /* Locks the file until close. BL_BUSY: `holder` describes the process that has it ("boothlink,
     * pid 12"). */
    enum bl_status (*lock)(void *ctx, int fd, char holder[DISK_HOLDER_MAX]);
    /* Appends all bytes or none: a short write is truncated again. BL_FULL, BL_IO. */
    enum bl_status (*append)(void *ctx, int fd, const void *bytes, size_t length);
    /* Reads up to *length bytes and sets *length to the number read, 0 at the end. BL_IO. */
    enum bl_status (*read)(void *ctx, int fd, uint64_t offset, void *bytes, size_t *length);
    /* Truncates the file to `length` and releases the reserved room beyond. */
    enum bl_status (*truncate)(void *ctx, int fd, uint64_t length);
    /* Reserves room for the file to grow to `length` even if the disk fills up. BL_FULL if there is
     * no room; BL_OK if the file system cannot reserve. */
    enum bl_status (*reserve)(void *ctx, int fd, uint64_t length);
    enum bl_status (*sync)(void *ctx, int fd); /* blocks; not called on the loop's thread */
    uint64_t (*room)(void *ctx, int fd);       /* bytes available to this process */
    void (*close)(void *ctx, int fd);
};
extern const struct disk disk_real;

/* Counts of a journal's reading. */
struct journal_report {
    uint64_t records;      /* valid records */
    uint64_t damaged;      /* damaged stretches between valid records */
    uint64_t torn_bytes;   /* bytes after the last valid record */
    uint64_t first_damage; /* offset in the file; UINT64_MAX if none */
};

/* Encodes a record into `out` and returns its length, or 0 if the record is invalid (a text too
 * long or not of keys, a number out of range). Keys are written as their text. Their code points,
 * if given, are checked in its stead. A note is truncated to NOTE_MAX and becomes one line of
 * UTF-8. Pure. */
#define JOURNAL_RECORD_MAX 512
size_t journal_encode(const struct journal_record *record, uint8_t out[JOURNAL_RECORD_MAX]);

/* Decodes a record at the start of bytes. > 0: the bytes taken; *out points into `bytes`, and for
 * texts of notes and headers and for code points of keys into `scratch`. 0: more bytes are needed.
 * < 0: -n bytes are not a record and must be skipped. Pure; any bytes are safe. */
struct journal_scratch {
    uint32_t point[JOURNAL_TEXT_MAX];
    char text[NOTE_MAX + 1], session[SESSION_ID_MAX + 1], style[STYLE_MAX + 1];
};
long journal_decode(const uint8_t *bytes, size_t length, struct journal_record *out,
                    struct journal_scratch *scratch);

/* Passes every record of a file to each(), in order. Errors: BL_NOINPUT, BL_NOPERM, BL_IO, BL_DATA
 * (not a journal; the diag names the kind of file). report may be NULL. */
enum bl_status journal_read(const struct disk *disk, const char *path,
                            void (*each)(void *ctx, const struct journal_record *record), void *ctx,
                            struct journal_report *report, struct bl_diag *diag);

/* Syncs the writes of a killed process, so they survive a loss of power. Blocks. */
enum bl_status journal_secure(const struct disk *disk, const char *path);

struct journal;

/* Opens an existing journal for appending: replays it through each() and removes a torn tail. A
 * missing one, or the remains of an interrupted creation, gets `header` as its first record, which
 * is synced before the return and not passed to each(); with header NULL the result is BL_NOINPUT.
 * The header's contest follows in a NOTE_CONTEST, within the same write; a continued journal
 * without such a note gets it now. Takes and keeps an exclusive lock (flock): BL_BUSY names the
 * holder. disk must outlive the journal. BL_DATA if the file is not a journal, or has a damaged
 * header and cannot be continued. */
enum bl_status journal_open(struct journal **out, const struct disk *disk, const char *path,
                            const struct journal_record *header,
                            void (*each)(void *ctx, const struct journal_record *record), void *ctx,
                            struct journal_report *report, struct bl_diag *diag);

/* Appends a record; after BL_OK a kill -9 loses nothing of it. BL_FULL, BL_IO: nothing was
 * appended. BL_DATA: the record is invalid (journal_encode). Allocates nothing. */
enum bl_status journal_append(struct journal *journal, const struct journal_record *record);

/* journal_append() as a callback. `place` is a struct journal **, so the journal may be opened
 * later; BL_IO while the pointer is NULL. */
enum bl_status journal_keep(void *place, const struct journal_record *record);

/* Starts background syncing, at most 50 ms after the first unsynced append. The loop calls warn,
 * never from journal_append(): once when less than 16 MiB are free, once when the disk is full, and
 * once when writing or syncing fails. BL_NOMEM, BL_IO. */
enum bl_status journal_attach(struct journal *journal, uv_loop_t *loop,
                              void (*warn)(void *ctx, const char *text), void *ctx);

const char *journal_path(const struct journal *journal);

/* Syncs, waits for a running sync, unlocks, frees. After journal_attach() the loop must still run
 * once. NULL is allowed. */
void journal_close(struct journal *journal);

/* Finds the newest unfinished journal of a role in a directory: a file *.journal whose header has
 * the role, without SEGMENT_FINISHED. With `session` it finds that session's journal, finished or
 * not. path has PATH_MAX bytes. BL_NOINPUT if there is none. */
enum bl_status journal_find(const char *directory, enum party role, const char *session, char *path,
                            struct bl_diag *diag);

/* Writes DIRECTORY/SESSION-judge.journal or -entity.journal; path has PATH_MAX bytes. */
void journal_name(const char *directory, const char *session, enum party role, char *path);

#endif
