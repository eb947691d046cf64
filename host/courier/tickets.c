#include "courier/tickets.h"

#include "base/crc32c.h"
#include "base/file.h"
#include "base/tree.h"
#include "rules/stick.h"

#include <errno.h>
#include <limits.h>
#include <sodium/crypto_generichash.h>
#include <sodium/utils.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER_MAX (PATH_MAX - STICK_PATH_MAX - 64)
#define PATIENCE   3 /* ticks without an answer after which the courier asks again */
#define GIVE_UP    (4 * TICKETS_EVERY) /* ticks without news before it begins anew */

/* The board is another user, of the same group. */
#define FILE_MODE   0640
#define FOLDER_MODE 0750

/* A file under way; the first one is the list. */
struct tickets_file {
    char name[POST_FILE_MAX];
    uint8_t *bytes;
    size_t length, got;
    uint32_t crc;
    unsigned quiet; /* ticks since the question; 0: not asked yet */
};

struct tickets {
    char folder[FOLDER_MAX], place[POST_PLACE_MAX];
    bool coming;          /* the files below are under way */
    unsigned rest, still; /* ticks until the next question; ticks without news */
    uint8_t wanted[POST_HASH],
        laid[POST_HASH];        /* hashes of the list under way, and of the list laid out */
    uint8_t refused[POST_HASH]; /* hash of a bad list */
    bool told;                  /* the fault of writing was reported */
    struct tickets_file list, file[TICKETS_FILES];
    size_t count; /* of files; 0: the list is not read yet */
};

static void hash_of(const uint8_t *bytes, size_t length, uint8_t out[POST_HASH])
{
    crypto_generichash(out, POST_HASH, bytes, length, NULL, 0);
}

/* Notes the hash of the list in an earlier courier's folder. */
static void look_at_folder(struct tickets *tickets)
{
    char path[PATH_MAX], *bytes;
    size_t length;
    snprintf(path, sizeof path, "%s/" STICK_FOLDER "/" STICK_LIST, tickets->folder);
    if (file_read_plain(&bytes, &length, path, TICKETS_LIST_MOST, "a list", NULL) != BL_OK)
        return;
    hash_of((const uint8_t *)bytes, length, tickets->laid);
    free(bytes);
}

enum bl_status tickets_create(struct tickets **out, const char *folder, const char *place,
                              struct bl_diag *diag)
{
    struct tickets *tickets = *out = calloc(1, sizeof *tickets);
    if (!tickets)
        return bl_fail(diag, BL_NOMEM, "no memory");
    snprintf(tickets->place, sizeof tickets->place, "%s", place);
    if (snprintf(tickets->folder, FOLDER_MAX, "%s", folder) >= FOLDER_MAX) {
        *out = NULL;
        free(tickets);
        return bl_fail(diag, BL_USAGE, "%.60s...: the path is too long", folder);
    }
    look_at_folder(tickets);
    return BL_OK;
}

static void free_file(struct tickets_file *file)
{
    if (file->bytes)
        sodium_memzero(file->bytes, file->length);
    free(file->bytes);
    memset(file, 0, sizeof *file);
}

/* Forgets the files under way. */
static void drop(struct tickets *tickets)
{
    free_file(&tickets->list);
    for (size_t i = 0; i < tickets->count; i++)
        free_file(&tickets->file[i]);
    tickets->count = 0;
    tickets->coming = false;
    tickets->still = 0;
}

void tickets_destroy(struct tickets *tickets)
{
    if (tickets)
        drop(tickets);
    free(tickets);
}

/* Begins a file without bytes. False: no memory. */
static bool begin_file(struct tickets_file *file, const char *name, size_t length, uint32_t crc)
{
    memset(file, 0, sizeof *file);
    snprintf(file->name, sizeof file->name, "%s", name);
    file->bytes = calloc(1, length + 1); /* the zero ends a list's text */
    file->length = length;
    file->crc = crc;
    return file->bytes;
}

static void hear_list(struct tickets *tickets, const struct post_piece *answer)
{
    if (tickets->coming || memcmp(answer->hash, tickets->laid, POST_HASH) == 0 ||
        memcmp(answer->hash, tickets->refused, POST_HASH) == 0 ||
        answer->offset > TICKETS_LIST_MOST || answer->offset == 0)
        return;
    memcpy(tickets->wanted, answer->hash, POST_HASH);
    tickets->coming = begin_file(&tickets->list, STICK_LIST, (size_t)answer->offset, 0);
}

static struct tickets_file *find_file(struct tickets *tickets, const char *name)
{
    if (strcmp(name, STICK_LIST) == 0)
        return &tickets->list;
    for (size_t i = 0; i < tickets->count; i++)
        if (strcmp(tickets->file[i].name, name) == 0)
            return &tickets->file[i];
    return NULL;
}

static void hear_piece(struct tickets *tickets, const struct post_piece *answer)
{
    struct tickets_file *file = tickets->coming ? find_file(tickets, answer->file) : NULL;
    if (!file || answer->offset != file->got || answer->length > file->length - file->got)
        return;
    memcpy(file->bytes + file->got, answer->bytes, answer->length);
    file->got += answer->length;
    file->quiet = 0;
    tickets->still = 0;
}

void tickets_hear(struct tickets *tickets, const struct post_piece *answer)
{
    if (answer->kind == POST_HAVE && strcmp(answer->file, STICK_LIST) == 0)
        hear_list(tickets, answer);
    else if (answer->kind == POST_PIECE)
        hear_piece(tickets, answer);
}

/* The name of a listed file in the place's folder; NULL: elsewhere. */
static const char *name_in_place(const struct tickets *tickets, const char *path)
{
    size_t length = strlen(tickets->place);
    return strncmp(path, tickets->place, length) == 0 && path[length] == '/' &&
                   post_is_file(path + length + 1)
               ? path + length + 1
               : NULL;
}

static enum bl_status refuse(struct tickets *tickets, const char *why, struct bl_diag *diag)
{
    memcpy(tickets->refused, tickets->wanted, POST_HASH);
    drop(tickets);
    return bl_fail(diag, BL_DATA, "the desk's list of tickets for %s: %s", tickets->place, why);
}

static bool is_hash_of(const struct tickets_file *file, const uint8_t wanted[POST_HASH])
{
    uint8_t hash[POST_HASH];
    hash_of(file->bytes, file->length, hash);
    return memcmp(hash, wanted, POST_HASH) == 0;
}

/* Reads the whole list, and begins with its files. */
static enum bl_status read_list(struct tickets *tickets, struct bl_diag *diag)
{
    const char *text = (const char *)tickets->list.bytes, *at;
    struct stick head;
    struct stick_file row;
    uint64_t bytes = 0;
    if (!is_hash_of(&tickets->list, tickets->wanted)) {
        drop(tickets); /* parts of two lists: the desk's is being written */
        return BL_OK;
    }
    if (strlen(text) != tickets->list.length ||
        stick_head_read(&head, text, STICK_LIST, &at, NULL) != BL_OK || !head.complete)
        return refuse(tickets, "it is none", diag);
    while (*at) {
        const char *name = stick_file_read(&row, &at) ? name_in_place(tickets, row.path) : NULL;
        bytes += row.bytes;
        if (!name || find_file(tickets, name))
            return refuse(tickets, "it names what is not the place's", diag);
        if (tickets->count == TICKETS_FILES || row.bytes > TICKETS_BYTES_MOST ||
            bytes > TICKETS_BYTES_MOST)
            return refuse(tickets, "it is longer than a machine takes", diag);
        if (!begin_file(&tickets->file[tickets->count], name, (size_t)row.bytes, row.crc))
            return refuse(tickets, "no memory", diag);
        tickets->count++;
    }
    return tickets->count ? BL_OK : refuse(tickets, "it names no ticket", diag);
}

static bool is_whole(const struct tickets_file *file)
{
    return file->got == file->length;
}

/* ---- laying out ---- */

static enum bl_status remove_one(void *ctx, const struct tree_at *at, struct bl_diag *diag)
{
    (void)ctx, (void)diag;
    if (remove(at->path) != 0 && errno != ENOENT)
        return file_fail(diag, at->path);
    return BL_OK;
}

static enum bl_status remove_tree(const char *path, struct bl_diag *diag)
{
    struct stat info;
    return lstat(path, &info) != 0 ? BL_OK : tree_walk(path, remove_one, NULL, diag);
}

static enum bl_status make_folder(const char *path, struct bl_diag *diag)
{
    return mkdir(path, FOLDER_MODE) || chmod(path, FOLDER_MODE) ? file_fail(diag, path) : BL_OK;
}

static enum bl_status write_one(const char *path, const struct tickets_file *file,
                                struct bl_diag *diag)
{
    enum bl_status status = file_write(path, file->bytes, file->length, diag);
    return status == BL_OK && chmod(path, FILE_MODE) ? file_fail(diag, path) : status;
}

static enum bl_status write_all(const struct tickets *tickets, const char *folder,
                                struct bl_diag *diag)
{
    char path[PATH_MAX];
    enum bl_status status = make_folder(folder, diag);
    snprintf(path, sizeof path, "%s/" STICK_FOLDER, folder);
    if (status == BL_OK)
        status = make_folder(path, diag);
    snprintf(path, sizeof path, "%s/" STICK_FOLDER "/%s", folder, tickets->place);
    if (status == BL_OK)
        status = make_folder(path, diag);
    for (size_t i = 0; status == BL_OK && i < tickets->count; i++) {
        const struct tickets_file *file = &tickets->file[i];
        snprintf(path, sizeof path, "%s/" STICK_FOLDER "/%s/%s", folder, tickets->place,
                 file->name);
        status = write_one(path, file, diag);
    }
    snprintf(path, sizeof path, "%s/" STICK_FOLDER "/" STICK_LIST, folder);
    return status == BL_OK ? write_one(path, &tickets->list, diag) : status;
}

/* Puts the new folder in place. The board sees the old folder, then none, then the new one. */
static enum bl_status lay_out(const struct tickets *tickets, struct bl_diag *diag)
{
    char next[FOLDER_MAX + 8], last[FOLDER_MAX + 8];
    snprintf(next, sizeof next, "%s.next", tickets->folder);
    snprintf(last, sizeof last, "%s.last", tickets->folder);
    enum bl_status status = remove_tree(next, diag);
    if (status == BL_OK)
        status = remove_tree(last, diag);
    if (status == BL_OK)
        status = write_all(tickets, next, diag);
    if (status == BL_OK && rename(tickets->folder, last) && errno != ENOENT)
        status = file_fail(diag, tickets->folder);
    if (status == BL_OK && rename(next, tickets->folder))
        status = file_fail(diag, tickets->folder);
    if (status == BL_OK)
        status = remove_tree(last, diag);
    else
        remove_tree(next, NULL);
    return status;
}

/* Lays the folder out, once all files are here. */
static enum bl_status end_coming(struct tickets *tickets, bool *fresh, struct bl_diag *diag)
{
    for (size_t i = 0; i < tickets->count; i++) {
        const struct tickets_file *file = &tickets->file[i];
        if (crc32c(0, file->bytes, file->length) == file->crc)
            continue;
        drop(tickets); /* the desk's files have changed meanwhile */
        return BL_OK;
    }
    enum bl_status status = lay_out(tickets, diag);
    bool told = tickets->told;
    *fresh = status == BL_OK;
    tickets->told = !*fresh;
    if (*fresh)
        memcpy(tickets->laid, tickets->wanted, POST_HASH);
    else
        tickets->rest = GIVE_UP;
    drop(tickets);
    return told ? BL_OK : status;
}

/* ---- asking ---- */

struct tickets_way {
    void (*send)(void *ctx, const struct post_piece *piece);
    void *ctx;
    unsigned left; /* questions left in this burst */
};

static void send_want(struct tickets_file *file, struct tickets_way *way)
{
    struct post_piece piece = {.kind = POST_WANT, .copy = 1, .offset = file->got};
    if (is_whole(file) || (file->quiet && file->quiet++ < PATIENCE) || way->left == 0)
        return;
    snprintf(piece.file, sizeof piece.file, "%s", file->name);
    file->quiet = 1;
    way->left--;
    way->send(way->ctx, &piece);
}

static void send_question(struct tickets *tickets, struct tickets_way *way)
{
    static const struct post_piece ask = {.kind = POST_ASK, .copy = 1, .file = STICK_LIST};
    if (tickets->rest && --tickets->rest)
        return;
    tickets->rest = TICKETS_EVERY;
    way->send(way->ctx, &ask);
}

enum bl_status tickets_tick(struct tickets *tickets,
                            void (*send)(void *ctx, const struct post_piece *piece), void *ctx,
                            bool *fresh, struct bl_diag *diag)
{
    struct tickets_way way = {send, ctx, TICKETS_BURST};
    enum bl_status status = BL_OK;
    *fresh = false;
    if (tickets->coming && tickets->still++ > GIVE_UP)
        drop(tickets);
    if (tickets->coming && is_whole(&tickets->list) && !tickets->count)
        status = read_list(tickets, diag);
    size_t whole = 0;
    for (size_t i = 0; i < tickets->count; i++)
        whole += is_whole(&tickets->file[i]);
    if (status == BL_OK && tickets->count && whole == tickets->count)
        status = end_coming(tickets, fresh, diag);
    if (status != BL_OK)
        return status;
    if (!tickets->coming) {
        send_question(tickets, &way);
        return BL_OK;
    }
    send_want(&tickets->list, &way);
    for (size_t i = 0; i < tickets->count; i++)
        send_want(&tickets->file[i], &way);
    return BL_OK;
}
