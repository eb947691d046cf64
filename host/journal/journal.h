/* The journal: the durable, append-only record of a session. Each end of the line has its own
 * journal, a file. Source: DESIGN.md, "Journal" and "Session"; boothlink-entrant(7) for a log that
 * was lost.
 *
 * * A record in the file is the byte 0xB1, the length of the body (2 bytes), the body (kind, side,
 * time, and the fields in the order of record.c), and the CRC-32C of all these bytes. Numbers are
 * little-endian. Reading goes on after damage, without the damaged records. A torn tail costs the
 * torn record. The reader counts both. */
#ifndef JOURNAL_JOURNAL_H
#define JOURNAL_JOURNAL_H

#include "base/status.h"
#include "session/event.h"

#include <uv.h>

enum disk_mode {
    DISK_READ,   /* opens the file for reading only */
    DISK_APPEND, /* opens an existing file for reading and appending */
    DISK_CREATE  /* as DISK_APPEND, but creates a missing file (0600) and syncs its directory */
};

#define DISK_HOLDER_MAX 80

/* The calls that store a file. Tests replace disk_real by a disk that is full or loses unsynced
 * bytes. */
struct disk {
    void *ctx;
    /* Opens a file; *length receives the file's length. BL_NOINPUT, BL_NOPERM, BL_FULL, BL_IO;
     * BL_DATA if the file is not a regular one. */
    enum bl_status (*open)(void *ctx, const char *path, enum disk_mode mode, int *fd,
                           uint64_t *length);
    /* Locks the file until it is closed. BL_BUSY if another process has the lock; `holder` then
     * describes that process, as in "boothlink, pid 12". BL_IO. */
    enum bl_status (*lock)(void *ctx, int fd, char holder[DISK_HOLDER_MAX]);
    /* Appends the bytes. After a short write, removes the bytes again. BL_FULL: no byte was
     * appended. BL_IO: none, or some if they could not be removed. */
    enum bl_status (*append)(void *ctx, int fd, const void *bytes, size_t length);
    /* Reads at most *length bytes. Sets *length to the number of bytes read, which is 0 at the
     * file's end. BL_IO. */
    enum bl_status (*read)(void *ctx, int fd, uint64_t offset, void *bytes, size_t *length);
    /* Truncates the file to `length` bytes, and gives back the room that was reserved beyond. */
    enum bl_status (*truncate)(void *ctx, int fd, uint64_t length);
    /* Reserves room on the disk for `length` bytes of the file. BL_FULL: no room. BL_OK: also if
     * the file system cannot reserve room. */
    enum bl_status (*reserve)(void *ctx, int fd, uint64_t length);
    enum bl_status (*sync)(void *ctx, int fd); /* blocks */
    uint64_t (*room)(void *ctx, int fd);       /* the free bytes that this process may use;
                                                * UINT64_MAX if unknown */
    void (*close)(void *ctx, int fd);
};
extern const struct disk disk_real;

struct journal_report {
    uint64_t records;      /* valid records */
    uint64_t damaged;      /* damaged stretches before the last valid record */
    uint64_t torn_bytes;   /* damaged bytes after the last valid record */
    uint64_t first_damage; /* the file offset of the first damaged stretch; UINT64_MAX: none */
};

/* Encodes a record into `out`. Returns the record's length. 0: the record is invalid: a text of
 * keys is too long or has a character that is not a key, or a number is out of range. Keys are
 * written as their text; if the caller gives their code points, these are checked instead of the
 * text. A note becomes one line of UTF-8 of at most NOTE_MAX bytes. Pure. */
#define JOURNAL_RECORD_MAX 512
size_t journal_encode(const struct journal_record *record, uint8_t out[JOURNAL_RECORD_MAX]);

/* Decodes the record at the start of `bytes`. > 0: the record's length; pointers in *out point into
 * `bytes` and `scratch`. 0: the record needs more bytes. < 0: -n bytes are no record, and the
 * caller must skip them. Pure; any bytes are allowed. */
struct journal_scratch {
    uint32_t point[JOURNAL_TEXT_MAX];
    char text[NOTE_MAX + 1], session[SESSION_ID_MAX + 1], style[STYLE_MAX + 1];
};
long journal_decode(const uint8_t *bytes, size_t length, struct journal_record *out,
                    struct journal_scratch *scratch);

/* Passes each valid record of a file to each(), in order. BL_NOINPUT, BL_NOPERM, BL_IO; BL_DATA if
 * the file is no journal, in which case the message names the kind of file. `report` may be
 * NULL. */
enum bl_status journal_read(const struct disk *disk, const char *path,
                            void (*each)(void *ctx, const struct journal_record *record), void *ctx,
                            struct journal_report *report, struct bl_diag *diag);

/* Syncs a journal's file, so that appended bytes of a killed process survive a loss of power.
 * Blocks. */
enum bl_status journal_secure(const struct disk *disk, const char *path);

struct journal;

/* Opens an existing journal for appending: replays it through each() and removes a torn tail. A
 * missing journal, or the remains of an interrupted creation, gets `header` as its first record.
 * That record is synced before the return, and not passed to each(). With header NULL the result is
 * BL_NOINPUT. The header's contest follows in a NOTE_CONTEST, within the same write; a continued
 * journal without such a note gets it now. Takes and keeps an exclusive lock (flock): BL_BUSY names
 * the holder. disk must outlive the journal. BL_DATA if the file is not a journal, or has a damaged
 * header and cannot be continued. */
enum bl_status journal_open(struct journal **out, const struct disk *disk, const char *path,
                            const struct journal_record *header,
                            void (*each)(void *ctx, const struct journal_record *record), void *ctx,
                            struct journal_report *report, struct bl_diag *diag);

/* Appends a record. After BL_OK, a kill -9 does not lose the record. BL_FULL, BL_IO: the
 * record was not appended; where the disk cannot remove a part of its bytes, nothing more is
 * appended until it can. BL_DATA: the record is invalid (journal_encode()). Allocates nothing. */
enum bl_status journal_append(struct journal *journal, const struct journal_record *record);

/* journal_append() as a callback. `place` is a struct journal **, so that the journal may be opened
 * later. BL_IO while *place is NULL. */
enum bl_status journal_keep(void *place, const struct journal_record *record);

/* Starts to sync the journal in the background (sync.h): a sync begins 50 ms after the first
 * unsynced append, or when the sync before has ended. The loop calls `warn` at most once for each
 * fault: less than 16 MiB are free; the disk is full; writing or syncing fails. BL_NOMEM, BL_IO. */
enum bl_status journal_attach(struct journal *journal, uv_loop_t *loop,
                              void (*warn)(void *ctx, const char *text), void *ctx);

const char *journal_path(const struct journal *journal);

/* Waits for a running sync, syncs the file, unlocks and closes it, and frees the journal. After
 * journal_attach() the loop must run once more. NULL is allowed. */
void journal_close(struct journal *journal);

/* Finds the newest unfinished journal of a role in a directory: a file *.journal whose header has
 * the role and that has no SEGMENT_FINISHED. With a `session`, finds the session's journal of that
 * role, finished or not. `path` has PATH_MAX bytes. BL_NOINPUT if there is no such journal;
 * BL_NOPERM if the directory cannot be read. */
enum bl_status journal_find(const char *directory, enum party role, const char *session, char *path,
                            struct bl_diag *diag);

/* Writes the path DIRECTORY/SESSION-judge.journal or DIRECTORY/SESSION-entity.journal. `path` has
 * PATH_MAX bytes. */
void journal_name(const char *directory, const char *session, enum party role, char *path);

#endif
