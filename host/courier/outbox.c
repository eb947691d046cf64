#include "courier/outbox.h"

#include "base/file.h"
#include "base/name.h"
#include "base/raw_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sodium/crypto_generichash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNKNOWN    UINT64_MAX
#define FOLDER_MAX (PATH_MAX - 64)
#define PATIENCE   3 /* ticks without an answer after which bytes are sent again */

struct outbox_file {
    char name[POST_FILE_MAX];
    ino_t number;
    unsigned copy;   /* number of the copy under way */
    uint64_t length; /* bytes, at the last look */
    uint64_t synced; /* bytes on this disk */
    uint64_t have;   /* bytes of the copy that are on the desk's disk; UNKNOWN */
    uint64_t sent;   /* sent bytes */
    unsigned quiet;  /* ticks since the last question, bytes or answer */
    bool heard;      /* `answer` is not looked at yet */
    struct post_piece answer;
    bool bad; /* its fault was reported */
};

struct outbox {
    char folder[FOLDER_MAX];
    bool between_sessions, told_full, is_new; /* is_new: a name is not synced */
    bool silent;                              /* the last tick found a session */
    struct outbox_file file[OUTBOX_FILES];
    size_t count;
};

enum bl_status outbox_create(struct outbox **out, const char *folder, bool between_sessions,
                             struct bl_diag *diag)
{
    struct outbox *outbox = *out = calloc(1, sizeof *outbox);
    if (!outbox)
        return bl_fail(diag, BL_NOMEM, "no memory");
    outbox->between_sessions = between_sessions;
    if (snprintf(outbox->folder, FOLDER_MAX, "%s", folder) < FOLDER_MAX)
        return BL_OK;
    *out = NULL;
    free(outbox);
    return bl_fail(diag, BL_USAGE, "%.60s...: the path is too long", folder);
}

void outbox_destroy(struct outbox *outbox)
{
    free(outbox);
}

static int is_record(const struct dirent *entry)
{
    return post_is_file(entry->d_name) &&
           (name_ends(entry->d_name, "-judge.journal") ||
            name_ends(entry->d_name, "-entity.journal") || name_ends(entry->d_name, ".ballot"));
}

struct lock_look {
    const struct outbox *outbox;
    bool held;
};

static void on_locked(void *ctx, uint64_t number)
{
    struct lock_look *look = ctx;
    for (size_t i = 0; i < look->outbox->count; i++)
        look->held |= look->outbox->file[i].number == number;
}

/* True: a terminal has the lock of one of our journals, or it is not known. */
static bool is_held(const struct outbox *outbox)
{
    struct lock_look look = {outbox, false};
    return !raw_locked(on_locked, &look) || look.held;
}

static struct outbox_file *find_file(struct outbox *outbox, const char *name)
{
    for (size_t i = 0; i < outbox->count; i++)
        if (strcmp(outbox->file[i].name, name) == 0)
            return &outbox->file[i];
    return NULL;
}

static void ask(struct outbox_file *file)
{
    file->have = UNKNOWN;
    file->sent = 0;
    file->quiet = PATIENCE;
    file->heard = false;
}

static struct outbox_file *add_file(struct outbox *outbox, const char *name)
{
    struct outbox_file *file = &outbox->file[outbox->count];
    if (outbox->count == OUTBOX_FILES)
        return NULL;
    outbox->count++;
    memset(file, 0, sizeof *file);
    snprintf(file->name, sizeof file->name, "%.63s", name);
    file->copy = 1;
    ask(file);
    return file;
}

static const char *path_of(const struct outbox *outbox, const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%.63s", outbox->folder, name);
    return path;
}

static int open_file(const struct outbox *outbox, const struct outbox_file *file)
{
    char path[PATH_MAX];
    return raw_open(path_of(outbox, file->name, path), false);
}

/* Syncs a grown file. Its length before the sync is then on the disk. */
static int sync_grown(int fd, struct outbox_file *file)
{
    struct stat info;
    if (fstat(fd, &info))
        return -1;
    if (!S_ISREG(info.st_mode) || (uint64_t)info.st_size > POST_LENGTH_MOST) {
        errno = S_ISREG(info.st_mode) ? EFBIG : EINVAL;
        return -1;
    }
    if (info.st_ino != file->number || (uint64_t)info.st_size < file->synced) {
        file->number = info.st_ino; /* another file has the name now */
        file->synced = 0;
        file->copy = 1;
        ask(file);
    }
    file->length = (uint64_t)info.st_size;
    if ((uint64_t)info.st_size > file->synced && raw_sync(fd))
        return -1;
    file->synced = (uint64_t)info.st_size;
    return 0;
}

/* Notes a new file's number. */
static void note_number(const struct outbox *outbox, struct outbox_file *file)
{
    char path[PATH_MAX];
    struct stat info;
    if (lstat(path_of(outbox, file->name, path), &info) == 0)
        file->number = info.st_ino;
}

/* Reads the folder's names, and adds new files. */
static enum bl_status look_at_folder(struct outbox *outbox, struct bl_diag *diag)
{
    struct dirent **names;
    enum bl_status status = BL_OK;
    int count = scandir(outbox->folder, &names, is_record, alphasort);
    if (count < 0)
        return errno == ENOENT ? BL_OK : file_fail(diag, outbox->folder);
    for (int i = 0; i < count; i++) {
        struct outbox_file *file = find_file(outbox, names[i]->d_name);
        outbox->is_new |= !file;
        if (!file && !(file = add_file(outbox, names[i]->d_name)) && !outbox->told_full) {
            outbox->told_full = true;
            status = bl_fail(diag, BL_FULL, "%s: more than %d records; %s is not sent",
                             outbox->folder, OUTBOX_FILES, names[i]->d_name);
        }
        if (file && !file->number)
            note_number(outbox, file);
        free(names[i]);
    }
    free(names);
    return status;
}

static enum bl_status sync_names(struct outbox *outbox, struct bl_diag *diag)
{
    enum bl_status status = outbox->is_new ? file_sync_folder(outbox->folder, diag) : BL_OK;
    outbox->is_new &= status != BL_OK;
    return status;
}

static void take_next_copy(struct outbox_file *file)
{
    file->copy++;
    ask(file);
}

/* True if the bytes on the desk's disk are the first bytes of our file. */
static bool is_ours(int fd, const struct outbox_file *file)
{
    crypto_generichash_state state;
    uint8_t bytes[16384], hash[POST_HASH];
    uint64_t at = 0, end = file->answer.offset;
    if (end > file->synced)
        return false;
    crypto_generichash_init(&state, NULL, 0, POST_HASH);
    while (at < end) {
        size_t most = end - at < sizeof bytes ? (size_t)(end - at) : sizeof bytes;
        ssize_t n = pread(fd, bytes, most, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        crypto_generichash_update(&state, bytes, (size_t)n);
        at += (uint64_t)n;
    }
    crypto_generichash_final(&state, hash, POST_HASH);
    return memcmp(hash, file->answer.hash, POST_HASH) == 0;
}

static void take_answer(int fd, struct outbox_file *file)
{
    const struct post_piece *answer = &file->answer;
    file->heard = false;
    if (answer->kind == POST_OTHER || !is_ours(fd, file)) {
        take_next_copy(file);
        return;
    }
    if (file->have == UNKNOWN || answer->offset > file->have)
        file->quiet = 0;
    file->have = answer->offset; /* less than before, where the desk has another disk */
    if (file->sent < file->have)
        file->sent = file->have;
}

struct outbox_way {
    void (*send)(void *ctx, const struct post_piece *piece);
    void *ctx;
    unsigned left; /* pieces left in this burst */
};

static void send_question(struct outbox_file *file, struct outbox_way *way)
{
    struct post_piece piece = {.kind = POST_ASK, .copy = file->copy};
    if (file->quiet++ < PATIENCE || way->left == 0)
        return;
    snprintf(piece.file, sizeof piece.file, "%s", file->name);
    file->quiet = 0;
    way->left--;
    way->send(way->ctx, &piece);
}

static void send_pieces(int fd, struct outbox_file *file, struct outbox_way *way)
{
    uint8_t bytes[POST_BYTES_MOST];
    struct post_piece piece = {.kind = POST_PIECE, .copy = file->copy, .bytes = bytes};
    if (file->sent > file->have && file->quiet++ >= PATIENCE) {
        file->sent = file->have; /* a piece was lost, or its answer */
        file->quiet = 0;
    }
    snprintf(piece.file, sizeof piece.file, "%s", file->name);
    while (way->left && file->sent < file->synced) {
        uint64_t rest = file->synced - file->sent;
        ssize_t n =
            pread(fd, bytes, rest < sizeof bytes ? (size_t)rest : sizeof bytes, (off_t)file->sent);
        if (n <= 0)
            return;
        piece.offset = file->sent;
        piece.length = (size_t)n;
        file->sent += (uint64_t)n;
        way->left--;
        way->send(way->ctx, &piece);
    }
}

/* Sends a file's question or pieces. Returns 0 or errno. */
static int send_file(const struct outbox *outbox, struct outbox_file *file, struct outbox_way *way)
{
    int fd = open_file(outbox, file);
    int error = fd < 0 || sync_grown(fd, file) ? errno : 0;
    if (!error && file->heard)
        take_answer(fd, file);
    if (!error && file->copy > POST_COPIES)
        error = EEXIST;
    if (!error && file->have == UNKNOWN)
        send_question(file, way);
    else if (!error)
        send_pieces(fd, file, way);
    if (fd >= 0)
        raw_close(fd);
    return error;
}

/* Reports a file's fault when it begins. */
static enum bl_status tell(const struct outbox *outbox, const struct outbox_file *file, int error,
                           struct bl_diag *diag)
{
    char path[PATH_MAX];
    path_of(outbox, file->name, path);
    if (error == EEXIST)
        return bl_fail(diag, BL_FULL, "%s: the desk has %d other files of that name", path,
                       POST_COPIES);
    errno = error;
    return file_fail(diag, path);
}

enum bl_status outbox_tick(struct outbox *outbox,
                           void (*send)(void *ctx, const struct post_piece *piece), void *ctx,
                           struct bl_diag *diag)
{
    struct outbox_way way = {send, ctx, OUTBOX_BURST};
    enum bl_status status = look_at_folder(outbox, diag);
    outbox->silent = outbox->between_sessions && is_held(outbox);
    if (outbox->silent)
        return status;
    if (status == BL_OK)
        status = sync_names(outbox, diag);
    for (size_t i = 0; i < outbox->count; i++) {
        struct outbox_file *file = &outbox->file[i];
        int error = send_file(outbox, file, &way);
        if (error && !file->bad && status == BL_OK)
            status = tell(outbox, file, error, diag);
        file->bad = error;
    }
    return status;
}

bool outbox_is_silent(const struct outbox *outbox)
{
    return outbox->silent;
}

void outbox_look(struct outbox *outbox)
{
    char path[PATH_MAX];
    struct stat info;
    if (look_at_folder(outbox, NULL) != BL_OK || (outbox->between_sessions && is_held(outbox)))
        return;
    for (size_t i = 0; i < outbox->count; i++)
        if (lstat(path_of(outbox, outbox->file[i].name, path), &info) == 0)
            outbox->file[i].length = (uint64_t)info.st_size;
}

void outbox_hear(struct outbox *outbox, const struct post_piece *answer)
{
    struct outbox_file *file = find_file(outbox, answer->file);
    if (!file || answer->copy != file->copy ||
        (answer->kind != POST_HAVE && answer->kind != POST_OTHER))
        return;
    file->answer = *answer;
    file->heard = true;
}

void outbox_ask_again(struct outbox *outbox)
{
    for (size_t i = 0; i < outbox->count; i++)
        ask(&outbox->file[i]);
}

unsigned outbox_waiting(const struct outbox *outbox)
{
    unsigned waiting = 0;
    for (size_t i = 0; i < outbox->count; i++)
        waiting += outbox->file[i].have == UNKNOWN || outbox->file[i].have < outbox->file[i].length;
    return waiting;
}
