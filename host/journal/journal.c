#include "journal/journal.h"

#include "base/assert.h"
#include "journal/replay.h"
#include "journal/sync.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct journal {
    const struct disk *disk;
    int fd;
    uint64_t length;
    struct sync *sync; /* NULL before journal_attach() */
    char path[PATH_MAX];
};

static enum bl_status open_failed(struct bl_diag *diag, const char *path, enum bl_status status)
{
    switch (status) {
    case BL_NOINPUT:
        return bl_fail(diag, status, "%s: there is no such journal", path);
    case BL_NOPERM:
        return bl_fail(diag, status, "%s: not permitted; it belongs to the user who wrote it",
                       path);
    case BL_FULL:
        return bl_fail(diag, status, "%s: the disk is full; free some space there", path);
    case BL_DATA:
        return bl_fail(diag, status, "%s is no file; give a .journal file", path);
    default:
        return bl_fail(diag, status, "%s: %s", path, bl_status_text(status));
    }
}

struct listener {
    void (*each)(void *ctx, const struct journal_record *record);
    void *ctx;
    uint64_t seen;
    bool headed;    /* the first valid record is a header */
    bool contested; /* a note names the contest */
};

static bool on_entry(void *ctx, const struct journal_record *record)
{
    struct listener *l = ctx;
    if (l->seen++ == 0)
        l->headed = record->kind == JOURNAL_HEADER;
    if (record->kind == JOURNAL_NOTE && record->as.note.code == NOTE_CONTEST)
        l->contested = true;
    if (l->each)
        l->each(l->ctx, record);
    return true;
}

static enum bl_status no_journal(struct bl_diag *diag, const struct disk *disk, int fd,
                                 const char *path)
{
    return bl_fail(diag, BL_DATA, "%s is no journal, it is %s; give a .journal file", path,
                   replay_what(disk, fd));
}

enum bl_status journal_secure(const struct disk *disk, const char *path)
{
    uint64_t length;
    int fd;
    enum bl_status status = disk->open(disk->ctx, path, DISK_APPEND, &fd, &length);
    if (status)
        return status;
    status = disk->sync(disk->ctx, fd);
    disk->close(disk->ctx, fd);
    return status;
}

enum bl_status journal_read(const struct disk *disk, const char *path,
                            void (*each)(void *ctx, const struct journal_record *record), void *ctx,
                            struct journal_report *report, struct bl_diag *diag)
{
    struct listener listener = {.each = each, .ctx = ctx};
    struct journal_report own;
    uint64_t length;
    int fd;
    enum bl_status status = disk->open(disk->ctx, path, DISK_READ, &fd, &length);
    if (status != BL_OK)
        return open_failed(diag, path, status);
    if (!report)
        report = &own;
    status = replay_file(disk, fd, on_entry, &listener, report);
    if (status != BL_OK)
        bl_fail(diag, status, "%s: reading fails after %llu record%s", path,
                (unsigned long long)report->records, BL_S(report->records));
    else if (report->records == 0)
        status = no_journal(diag, disk, fd, path);
    disk->close(disk->ctx, fd);
    return status;
}

/* Encodes the note of the header's contest, if any. */
static size_t encode_contest(const struct journal_record *header, uint8_t out[JOURNAL_RECORD_MAX])
{
    const struct journal_record note = {
        .kind = JOURNAL_NOTE,
        .wall_us = header->wall_us,
        .as.note = {.code = NOTE_CONTEST, .text = header->as.header.contest}};
    return note.as.note.text && note.as.note.text[0] ? journal_encode(&note, out) : 0;
}

static enum bl_status append_bytes(struct journal *j, const uint8_t *bytes, size_t length)
{
    enum bl_status status = j->disk->append(j->disk->ctx, j->fd, bytes, length);
    if (status == BL_OK)
        j->length += length;
    return status;
}

/* Writes the header of an empty file, and the note of its contest, at once. Waits for the disk. */
static enum bl_status create(struct journal *j, const struct journal_record *header,
                             struct bl_diag *diag)
{
    enum bl_status status;
    if (!header)
        return bl_fail(diag, BL_NOINPUT, "%s is an empty journal", j->path);
    status = j->disk->truncate(j->disk->ctx, j->fd, 0);
    j->length = 0;
    uint8_t bytes[2 * JOURNAL_RECORD_MAX];
    size_t length = journal_encode(header, bytes);
    if (status == BL_OK && length == 0)
        status = BL_DATA;
    if (status == BL_OK)
        status = append_bytes(j, bytes, length + encode_contest(header, bytes + length));
    if (status == BL_OK)
        status = j->disk->sync(j->disk->ctx, j->fd);
    return status == BL_OK ? status : open_failed(diag, j->path, status);
}

/* Replays an open and locked file, and prepares it for appending. */
static enum bl_status prepare(struct journal *j, const struct journal_record *header,
                              struct listener *listener, struct journal_report *report,
                              struct bl_diag *diag)
{
    enum bl_status status = replay_file(j->disk, j->fd, on_entry, listener, report);
    if (status != BL_OK)
        return bl_fail(diag, status, "%s: reading fails after %llu record%s", j->path,
                       (unsigned long long)report->records, BL_S(report->records));
    if (report->records == 0) {
        if (!replay_is_unborn(j->disk, j->fd, j->length))
            return no_journal(diag, j->disk, j->fd, j->path);
        return create(j, header, diag);
    }
    if (!listener->headed)
        return bl_fail(diag, BL_DATA,
                       "%s: its first record is damaged, so it can be read but not continued; "
                       "begin a new session",
                       j->path);
    if (report->torn_bytes) {
        bl_assert(report->torn_bytes <= j->length);
        j->length -= report->torn_bytes;
        status = j->disk->truncate(j->disk->ctx, j->fd, j->length);
        if (status != BL_OK)
            return bl_fail(diag, status, "%s: its torn end cannot be cut off: %s", j->path,
                           bl_status_text(status));
    }
    uint8_t note[JOURNAL_RECORD_MAX];
    const size_t length = header && !listener->contested ? encode_contest(header, note) : 0;
    if (length)
        append_bytes(j, note, length); /* a full disk is told at the next record */
    return BL_OK;
}

enum bl_status journal_open(struct journal **out, const struct disk *disk, const char *path,
                            const struct journal_record *header,
                            void (*each)(void *ctx, const struct journal_record *record), void *ctx,
                            struct journal_report *report, struct bl_diag *diag)
{
    struct listener listener = {.each = each, .ctx = ctx};
    struct journal_report own;
    char holder[DISK_HOLDER_MAX] = "";
    enum bl_status status;
    if (strlen(path) >= PATH_MAX)
        return bl_fail(diag, BL_USAGE, "the journal's path is longer than %d bytes", PATH_MAX - 1);
    struct journal *j = calloc(1, sizeof *j);
    if (!j)
        return bl_fail(diag, BL_NOMEM, "%s: out of memory", path);
    j->disk = disk;
    snprintf(j->path, sizeof j->path, "%s", path);
    status = disk->open(disk->ctx, path, header ? DISK_CREATE : DISK_APPEND, &j->fd, &j->length);
    if (status != BL_OK) {
        free(j);
        return open_failed(diag, path, status);
    }
    status = disk->lock(disk->ctx, j->fd, holder);
    if (status == BL_BUSY)
        bl_fail(diag, status, "%s is being written by %s; stop that first", path, holder);
    else if (status != BL_OK)
        bl_fail(diag, status, "%s: it cannot be locked", path);
    else
        status = prepare(j, header, &listener, report ? report : &own, diag);
    if (status != BL_OK) {
        disk->close(disk->ctx, j->fd);
        free(j);
        return status;
    }
    *out = j;
    return BL_OK;
}

enum bl_status journal_append(struct journal *j, const struct journal_record *record)
{
    uint8_t bytes[JOURNAL_RECORD_MAX];
    size_t length = journal_encode(record, bytes);
    enum bl_status status;
    if (length == 0)
        return BL_DATA;
    bl_assert(length <= JOURNAL_RECORD_MAX);
    status = append_bytes(j, bytes, length);
    if (status == BL_OK && j->sync) {
        sync_appended(j->sync, j->length);
    } else if (status == BL_FULL && j->sync) {
        sync_full(j->sync);
    } else if (j->sync) {
        sync_failed(j->sync);
    }
    return status;
}

enum bl_status journal_keep(void *place, const struct journal_record *record)
{
    struct journal *const *journal = place;
    return *journal ? journal_append(*journal, record) : BL_IO;
}

enum bl_status journal_attach(struct journal *j, uv_loop_t *loop,
                              void (*warn)(void *ctx, const char *text), void *ctx)
{
    bl_assert(!j->sync);
    const struct sync_callbacks callbacks = {.warn = warn};
    return sync_create(&j->sync, loop, j->disk, j->fd, j->path, j->length, &callbacks, ctx);
}

const char *journal_path(const struct journal *j)
{
    return j->path;
}

void journal_close(struct journal *j)
{
    if (!j)
        return;
    sync_destroy(j->sync);
    j->disk->truncate(j->disk->ctx, j->fd, j->length);
    j->disk->sync(j->disk->ctx, j->fd);
    j->disk->close(j->disk->ctx, j->fd);
    free(j);
}
