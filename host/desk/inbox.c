#include "desk/inbox.h"

#include "base/file.h"
#include "base/growing.h"
#include "base/name.h"
#include "base/raw_file.h"
#include "desk/collected.h"
#include "desk/folder.h"
#include "journal/journal.h"
#include "rules/ballot_file.h"
#include "rules/place.h"

#include <dirent.h>
#include <errno.h>
#include <sodium/crypto_generichash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES_MOST 512                 /* files of a place */
#define BYTES_MOST (UINT64_C(1) << 30) /* bytes of a place */
#define ROOM_AGAIN (UINT64_C(1) << 20) /* bytes on a disk that was full */
#define STANDS_US  10000000            /* more than between two tries of a booth */

_Static_assert(POST_LENGTH_MOST == COLLECTED_MAX, "what is collected may be sent");

struct inbox_file {
    crypto_generichash_state
        hash; /* hash of its bytes; the first member, because of its alignment */
    char place[POST_PLACE_MAX], name[POST_FILE_MAX];
    unsigned copy;
    uint64_t length, synced; /* bytes in all, and bytes at the last sync */
    bool asked, other;       /* an answer is due; the answer is OTHER, not HAVE */
};

struct inbox {
    char folder[FOLDER_PATH_MAX];
    int fd;
    struct inbox_file **file;
    size_t count, room;
    struct bl_diag unwritten, unsynced; /* the faults of the disk; "": none */
    const struct inbox_file *failed;    /* the file of unwritten */
    bool full;                          /* unwritten: there was no room */
    bool again, others; /* since then: not asked for yet; other files have been written */
    uint64_t failed_us; /* monotonic */
};

enum bl_status inbox_open(struct inbox **out, const char *folder, struct bl_diag *diag)
{
    struct inbox *inbox = calloc(1, sizeof *inbox);
    *out = NULL;
    if (!inbox)
        return bl_fail(diag, BL_NOMEM, "no memory");
    inbox->fd = -1;
    enum bl_status status = folder_path(inbox->folder, diag, "%s", folder);
    if (status == BL_OK)
        status = folder_make(folder, diag);
    if (status == BL_OK && (inbox->fd = raw_lock(folder)) < 0)
        status = errno == EWOULDBLOCK
                     ? bl_fail(diag, BL_BUSY, "%s: another desk is at work there", folder)
                     : file_fail(diag, folder);
    if (status == BL_OK)
        *out = inbox;
    else
        inbox_close(inbox);
    return status;
}

void inbox_close(struct inbox *inbox)
{
    if (!inbox)
        return;
    for (size_t i = 0; i < inbox->count; i++)
        free(inbox->file[i]);
    free(inbox->file);
    if (inbox->fd >= 0)
        raw_close(inbox->fd);
    free(inbox);
}

enum bl_status inbox_folder(char out[FOLDER_PATH_MAX], const char *inbox, const char *place,
                            unsigned copy, struct bl_diag *diag)
{
    return copy == 1 ? folder_path(out, diag, "%s/%s", inbox, place)
                     : folder_path(out, diag, "%s/%s-%u", inbox, place, copy);
}

static enum bl_status find_folder(const struct inbox *inbox, const struct inbox_file *file,
                                  char out[FOLDER_PATH_MAX], struct bl_diag *diag)
{
    return inbox_folder(out, inbox->folder, file->place, file->copy, diag);
}

static enum bl_status find_path(const struct inbox *inbox, const struct inbox_file *file,
                                char out[FOLDER_PATH_MAX], struct bl_diag *diag)
{
    char folder[FOLDER_PATH_MAX];
    enum bl_status status = find_folder(inbox, file, folder, diag);
    return status == BL_OK ? folder_path(out, diag, "%s/%s", folder, file->name) : status;
}

static void count_bytes(struct inbox_file *file, const void *bytes, size_t length)
{
    crypto_generichash_update(&file->hash, bytes, length);
    file->length += length;
}

static void pass_over(void *ctx, const struct journal_record *record)
{
    (void)ctx, (void)record;
}

/* The length of a copy without a torn end. After a loss of power a file may end with bytes that no
 * machine has sent; they would turn the rest of the record into a second copy. What is cut off
 * comes again. */
static size_t intact(const char *path, const char *bytes, size_t length)
{
    struct journal_report report;
    if (name_ends(path, ".journal")) {
        enum bl_status status = journal_read(&disk_real, path, pass_over, NULL, &report, NULL);
        return status == BL_OK     ? length - (size_t)report.torn_bytes
               : status == BL_DATA ? 0 /* not even a first record */
                                   : length;
    }
    while (length && bytes[length - 1] != '\n')
        length--;
    static struct ballot_file ballot;
    return ballot_file_read(&ballot, bytes, length, "", NULL) == BL_DATA ? 0 : length;
}

/* Takes up the file as it is on the disk, from an earlier desk. */
static enum bl_status look_at_disk(struct inbox *inbox, struct inbox_file *file,
                                   struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX], *bytes = NULL;
    size_t length = 0;
    enum bl_status status = find_path(inbox, file, path, diag);
    crypto_generichash_init(&file->hash, NULL, 0, POST_HASH);
    file->length = 0;
    if (status == BL_OK && folder_has(path)) {
        status = file_read_plain(&bytes, &length, path, COLLECTED_MAX, "a record", diag);
        size_t whole = status == BL_OK ? intact(path, bytes, length) : 0;
        if (status == BL_OK && whole < length && raw_truncate(path, whole))
            whole = length;
        if (status == BL_OK)
            count_bytes(file, bytes, whole);
        free(bytes);
    }
    file->synced = file->length;
    return status;
}

static enum bl_status add_file(struct inbox *inbox, struct inbox_file *file, struct bl_diag *diag)
{
    struct inbox_file **more =
        growing_array(inbox->file, inbox->count, &inbox->room, sizeof *inbox->file);
    if (!more)
        return bl_fail(diag, BL_NOMEM, "no memory");
    inbox->file = more;
    enum bl_status status = look_at_disk(inbox, file, diag);
    if (status == BL_OK)
        inbox->file[inbox->count++] = file;
    return status;
}

/* The file of a piece; *bytes: the size of all files of the place. */
static enum bl_status find_file(struct inbox *inbox, const char *place,
                                const struct post_piece *piece, struct inbox_file **out,
                                uint64_t *bytes, struct bl_diag *diag)
{
    unsigned files = 0;
    *out = NULL;
    *bytes = 0;
    for (size_t i = 0; i < inbox->count; i++) {
        struct inbox_file *file = inbox->file[i];
        if (strcmp(file->place, place) != 0)
            continue;
        files++;
        *bytes += file->length;
        if (file->copy == piece->copy && strcmp(file->name, piece->file) == 0)
            *out = file;
    }
    if (*out)
        return BL_OK;
    if (files == FILES_MOST)
        return bl_fail(diag, BL_FULL, "%s has sent %d files; no more are taken", place, FILES_MOST);
    struct inbox_file *file = aligned_alloc(_Alignof(struct inbox_file), sizeof *file);
    if (!file)
        return bl_fail(diag, BL_NOMEM, "no memory");
    memset(file, 0, sizeof *file);
    snprintf(file->place, sizeof file->place, "%s", place);
    snprintf(file->name, sizeof file->name, "%s", piece->file);
    file->copy = piece->copy;
    enum bl_status status = add_file(inbox, file, diag);
    if (status == BL_OK)
        *out = file;
    else
        free(file);
    return status;
}

void inbox_add(struct inbox *inbox, const char *place)
{
    for (unsigned copy = 1; copy <= POST_COPIES; copy++) {
        char path[FOLDER_PATH_MAX];
        struct dirent **found = NULL;
        int count = inbox_folder(path, inbox->folder, place, copy, NULL) == BL_OK
                        ? scandir(path, &found, NULL, alphasort)
                        : 0;
        for (int i = 0; i < count; i++) {
            struct post_piece piece = {.copy = copy};
            struct inbox_file *file;
            uint64_t bytes;
            size_t length = strlen(found[i]->d_name);
            /* A file that cannot be read now is looked at again when its machine asks. */
            if (collected_is_name(found[i]->d_name) && length < sizeof piece.file) {
                memcpy(piece.file, found[i]->d_name, length + 1);
                find_file(inbox, place, &piece, &file, &bytes, NULL);
            }
            free(found[i]);
        }
        free(found);
    }
}

/* *equal: the file has the first `length` bytes of the piece at its offset. */
static enum bl_status compare(int fd, const struct post_piece *piece, size_t length, bool *equal)
{
    uint8_t held[POST_BYTES_MOST];
    size_t got = 0;
    *equal = true;
    if (length == 0)
        return BL_OK;
    while (got < length) {
        ssize_t n = pread(fd, held + got, length - got, (off_t)(piece->offset + got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return BL_IO;
        got += (size_t)n;
    }
    *equal = memcmp(held, piece->bytes, length) == 0;
    return BL_OK;
}

/* Appends the bytes. On a full disk the bytes already written stay. */
static enum bl_status append(int fd, struct inbox_file *file, const uint8_t *bytes, size_t length)
{
    while (length) {
        ssize_t n = raw_write(fd, bytes, length, file->length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return BL_IO;
        count_bytes(file, bytes, (size_t)n);
        bytes += n;
        length -= (size_t)n;
    }
    return BL_OK;
}

static enum bl_status write_piece(int fd, struct inbox_file *file, const struct post_piece *piece)
{
    uint64_t behind = file->length - piece->offset;
    size_t overlap = behind < piece->length ? (size_t)behind : piece->length;
    bool equal = true;
    enum bl_status status = compare(fd, piece, overlap, &equal);
    if (status == BL_OK && !equal)
        file->other = true;
    else if (status == BL_OK)
        status = append(fd, file, piece->bytes + overlap, piece->length - overlap);
    return status;
}

/* Opens a file for writing, and makes a missing one. -1: failed, with the reason. */
static int open_file(const struct inbox *inbox, const struct inbox_file *file, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX], folder[FOLDER_PATH_MAX];
    if (find_folder(inbox, file, folder, diag) != BL_OK ||
        find_path(inbox, file, path, diag) != BL_OK)
        return -1;
    int fd = raw_open(path, true);
    if (fd < 0 && errno == ENOENT) {
        if (folder_make(folder, diag) != BL_OK)
            return -1;
        fd = raw_open(path, true);
    }
    if (fd < 0)
        file_fail(diag, path);
    return fd;
}

/* False: the disk has not taken the piece; diag has the reason. */
static bool keep_piece(const struct inbox *inbox, struct inbox_file *file,
                       const struct post_piece *piece, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX];
    int fd = open_file(inbox, file, diag);
    if (fd < 0)
        return false;
    bool written = write_piece(fd, file, piece) == BL_OK;
    if (!written && find_path(inbox, file, path, NULL) == BL_OK)
        file_fail(diag, path);
    raw_close(fd);
    return written;
}

static void take_piece(struct inbox *inbox, struct inbox_file *file, const struct post_piece *piece)
{
    struct bl_diag diag = {""};
    if (piece->offset > file->length)
        return; /* an earlier piece was lost, as the answer shows */
    errno = 0;
    if (keep_piece(inbox, file, piece, &diag)) {
        if (file == inbox->failed)
            inbox->unwritten.text[0] = '\0';
        inbox->others = true;
        return;
    }
    inbox->full = errno == ENOSPC;
    inbox->others = false;
    inbox->again = true;
    inbox->unwritten = diag;
    inbox->failed = file;
}

const char *inbox_fault(struct inbox *inbox, uint64_t now_us)
{
    if (inbox->again)
        inbox->failed_us = now_us;
    inbox->again = false;
    if (inbox->others && now_us - inbox->failed_us >= STANDS_US)
        inbox->unwritten.text[0] = '\0';
    uint64_t room = inbox->unwritten.text[0] && inbox->full ? raw_room(inbox->folder) : UINT64_MAX;
    if (room != UINT64_MAX && room >= ROOM_AGAIN)
        inbox->unwritten.text[0] = '\0';
    return inbox->unsynced.text[0]    ? inbox->unsynced.text
           : inbox->unwritten.text[0] ? inbox->unwritten.text
                                      : NULL;
}

enum bl_status inbox_take(struct inbox *inbox, const char *place, const struct post_piece *piece,
                          struct bl_diag *diag)
{
    struct inbox_file *file;
    uint64_t bytes;
    struct place at;
    if (!place_name_read(&at, place))
        return bl_fail(diag, BL_DATA, "%s: expected a place, such as booth-1-judge", place);
    if ((piece->kind != POST_ASK && piece->kind != POST_PIECE) || !collected_is_name(piece->file))
        return bl_fail(diag, BL_DATA, "%s: %s: expected a journal or a ballot", place, piece->file);
    enum bl_status status = find_file(inbox, place, piece, &file, &bytes, diag);
    if (status != BL_OK)
        return status;
    file->asked = true;
    if (piece->kind == POST_ASK)
        return BL_OK;
    if (bytes + piece->length > BYTES_MOST)
        return bl_fail(diag, BL_FULL, "%s has sent %llu byte%s; no more are taken", place,
                       (unsigned long long)bytes, BL_S(bytes));
    take_piece(inbox, file, piece);
    return BL_OK;
}

/* Truncates the file to its last sync, since later bytes may not be on the disk. */
static void take_back(struct inbox *inbox, struct inbox_file *file)
{
    char path[FOLDER_PATH_MAX];
    if (file->length > file->synced && find_path(inbox, file, path, NULL) == BL_OK &&
        raw_truncate(path, file->synced) == 0)
        look_at_disk(inbox, file, NULL);
    file->asked = file->other = false;
}

enum bl_status inbox_sync(struct inbox *inbox,
                          void (*answer)(void *ctx, const char *place,
                                         const struct post_piece *piece),
                          void *ctx, struct bl_diag *diag)
{
    bool asked = false;
    for (size_t i = 0; i < inbox->count; i++)
        asked |= inbox->file[i]->asked;
    if (asked && raw_sync_all(inbox->fd)) {
        enum bl_status status = file_fail(diag, inbox->folder);
        inbox->unsynced = *diag;
        for (size_t i = 0; i < inbox->count; i++)
            take_back(inbox, inbox->file[i]);
        return status;
    }
    if (asked)
        inbox->unsynced.text[0] = '\0';
    for (size_t i = 0; i < inbox->count; i++) {
        struct inbox_file *file = inbox->file[i];
        crypto_generichash_state hash = file->hash;
        struct post_piece piece = {.kind = file->other ? POST_OTHER : POST_HAVE,
                                   .copy = file->copy,
                                   .offset = file->other ? 0 : file->length};
        if (!file->asked)
            continue;
        file->synced = file->length;
        snprintf(piece.file, sizeof piece.file, "%s", file->name);
        crypto_generichash_final(&hash, piece.hash, POST_HASH);
        file->asked = file->other = false;
        answer(ctx, file->place, &piece);
    }
    return BL_OK;
}
