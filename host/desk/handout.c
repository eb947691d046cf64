#include "desk/handout.h"

#include "base/crc32c.h"
#include "base/file.h"
#include "base/growing.h"
#include "base/name.h"
#include "desk/folder.h"
#include "rules/place.h"
#include "rules/stick.h"

#include <inttypes.h>
#include <sodium/crypto_generichash.h>
#include <sodium/utils.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LIST_MOST (16u << 20)
#define FILE_MOST (1u << 20)

/* A room's stick. */
struct handout_room {
    char folder[FOLDER_PATH_MAX]; /* the folder with the list */
    char *list;                   /* the list's text; NULL: none */
    struct stat seen;             /* of the list, as it was read */
};

struct handout {
    struct handout_room room[STICK_ROOMS];
    struct growing list; /* list of the last asking place */
    uint8_t bytes[POST_BYTES_MOST];
};

enum bl_status handout_open(struct handout **out, const char *sticks, struct bl_diag *diag)
{
    struct handout *handout = *out = calloc(1, sizeof *handout);
    enum bl_status status = handout ? BL_OK : bl_fail(diag, BL_NOMEM, "no memory");
    for (unsigned i = 0; status == BL_OK && i < STICK_ROOMS; i++)
        status = folder_path(handout->room[i].folder, diag, "%s/%s/" STICK_FOLDER, sticks,
                             stick_rooms[i]);
    return status;
}

void handout_close(struct handout *handout)
{
    if (!handout)
        return;
    for (unsigned i = 0; i < STICK_ROOMS; i++)
        free(handout->room[i].list);
    free(handout->list.bytes);
    free(handout);
}

bool handout_is_asked(const struct post_piece *piece)
{
    return piece->kind == POST_WANT ||
           (piece->kind == POST_ASK && strcmp(piece->file, STICK_LIST) == 0);
}

static bool is_as_seen(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Reads the list if its file has changed. */
static enum bl_status look_at_list(struct handout_room *room, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX];
    struct stat info = {0};
    enum bl_status status = folder_path(path, diag, "%s/" STICK_LIST, room->folder);
    if (status != BL_OK)
        return status;
    bool there = stat(path, &info) == 0;
    if (there && room->list && is_as_seen(&info, &room->seen))
        return BL_OK;
    free(room->list);
    room->list = NULL;
    room->seen = info;
    return there ? file_read_text(&room->list, path, LIST_MOST, "a stick's list", diag)
                 : bl_fail(diag, BL_NOINPUT, "%s is not there", path);
}

/* Finds the place's next file in the list; *name points into its path. */
static bool next_file(const char **at, const char *place, struct stick_file *file,
                      const char **name)
{
    size_t length = strlen(place);
    while (stick_file_read(file, at)) {
        *name = file->path + length + 1;
        if (strncmp(file->path, place, length) == 0 && file->path[length] == '/')
            return true;
    }
    return false;
}

/* Reads a listed file, for the caller to free. BL_NOINPUT: it differs from the list, since the
 * folder is being written. */
static enum bl_status read_listed(const struct handout_room *room, const struct stick_file *file,
                                  char **bytes, struct bl_diag *diag)
{
    char path[FOLDER_PATH_MAX];
    size_t length = 0;
    enum bl_status status = folder_path(path, diag, "%s/%s", room->folder, file->path);
    if (status == BL_OK)
        status = file_read_plain(bytes, &length, path, FILE_MOST, "a ticket or a key", diag);
    if (status != BL_OK || (length == file->bytes && crc32c(0, *bytes, length) == file->crc))
        return status;
    sodium_memzero(*bytes, length);
    free(*bytes);
    *bytes = NULL;
    return bl_fail(diag, BL_NOINPUT, "%s: it is not as the list has it", path);
}

/* Finds the place's file of the name `wanted`. False: it is not in the list. */
static bool find_file(const char *rows, const char *place, const char *wanted,
                      struct stick_file *file)
{
    const char *name;
    while (next_file(&rows, place, file, &name))
        if (strcmp(name, wanted) == 0)
            return true;
    return false;
}

/* Checks that the room's stick brings the place this key. BL_NOINPUT: no key, or another one. */
static enum bl_status check_key(const struct handout_room *room, const char *rows,
                                const struct post_keys *keys, struct bl_diag *diag)
{
    struct stick_file file;
    struct post_keys brought;
    char *text = NULL;
    if (!find_file(rows, keys->place, STICK_KEY, &file))
        return bl_fail(diag, BL_NOINPUT, "the stick brings %s no key", keys->place);
    enum bl_status status = read_listed(room, &file, &text, diag);
    if (status == BL_OK)
        status = post_key_read(&brought, text, file.path, diag);
    bool same = status == BL_OK && strcmp(brought.place, keys->place) == 0 &&
                sodium_memcmp(brought.way, keys->way, sizeof keys->way) == 0;
    sodium_memzero(&brought, sizeof brought);
    if (text)
        sodium_memzero(text, (size_t)file.bytes);
    free(text);
    return status != BL_OK || same
               ? status
               : bl_fail(diag, BL_NOINPUT, "the stick brings %s another key", keys->place);
}

/* Appends a row to the place's list. Rows of equal names have equal lengths. */
static enum bl_status put_row(struct growing *list, const struct stick_file *file, const char *name,
                              struct bl_diag *diag)
{
    char line[STICK_LINE_MAX];
    if (!post_is_file(name))
        return bl_fail(diag, BL_DATA, "%s: a file of that name does not travel: bring the stick",
                       file->path);
    if (name_ends(name, ".ticket") && file->bytes > POST_TICKET_MOST)
        return bl_fail(diag, BL_DATA,
                       "%s: a ticket of more than %d bytes would tell by its length: bring the "
                       "stick",
                       file->path, POST_TICKET_MOST);
    snprintf(line, sizeof line, "%08" PRIx32 " %9" PRIu64 " %s\n", file->crc, file->bytes,
             file->path);
    growing_text(list, line);
    return BL_OK;
}

/* Writes the place's part of its room's list, without the place's key. */
static enum bl_status write_list(struct handout *handout, const struct stick *head,
                                 const char *rows, const char *place, struct bl_diag *diag)
{
    char line[STICK_LINE_MAX];
    struct stick_file file;
    const char *name;
    enum bl_status status = BL_OK;
    handout->list.length = 0;
    stick_head_write(head, line);
    growing_text(&handout->list, line);
    while (status == BL_OK && next_file(&rows, place, &file, &name))
        if (strcmp(name, STICK_KEY) != 0)
            status = put_row(&handout->list, &file, name, diag);
    return status == BL_OK && handout->list.failed ? bl_fail(diag, BL_NOMEM, "no memory") : status;
}

/* The bytes of a piece, from its offset on. */
static enum bl_status put_bytes(struct handout *handout, const char *bytes, size_t length,
                                struct post_piece *answer, struct bl_diag *diag)
{
    if (answer->offset >= length)
        return bl_fail(diag, BL_NOINPUT, "%s: nothing is behind byte %" PRIu64, answer->file,
                       answer->offset);
    size_t rest = length - (size_t)answer->offset;
    answer->length = rest < sizeof handout->bytes ? rest : sizeof handout->bytes;
    memcpy(handout->bytes, bytes + answer->offset, answer->length);
    answer->bytes = handout->bytes;
    return BL_OK;
}

static enum bl_status put_file(struct handout *handout, const struct handout_room *room,
                               const char *place, struct post_piece *answer, struct bl_diag *diag)
{
    const char *rows = handout->list.bytes;
    struct stick_file file;
    char *bytes = NULL;
    if (strcmp(answer->file, STICK_LIST) == 0)
        return put_bytes(handout, handout->list.bytes, handout->list.length, answer, diag);
    rows = strchr(rows, '\n') + 1;
    if (!find_file(rows, place, answer->file, &file))
        return bl_fail(diag, BL_NOINPUT, "%s is not on the stick", answer->file);
    enum bl_status status = read_listed(room, &file, &bytes, diag);
    if (status == BL_OK)
        status = put_bytes(handout, bytes, (size_t)file.bytes, answer, diag);
    if (bytes)
        sodium_memzero(bytes, (size_t)file.bytes);
    free(bytes);
    return status;
}

enum bl_status handout_answer(struct handout *handout, const struct post_keys *keys,
                              const struct post_piece *asked, struct post_piece *answer,
                              struct bl_diag *diag)
{
    struct stick head;
    const char *rows;
    struct place place;
    if (!place_name_read(&place, keys->place))
        return bl_fail(diag, BL_DATA, "%s: expected a place, such as booth-1-judge", keys->place);
    struct handout_room *room =
        &handout->room[place.machine == MACHINE_JUDGE ? STICK_JUDGES : STICK_BACK];
    enum bl_status status = look_at_list(room, diag);
    if (status == BL_OK)
        status = stick_head_read(&head, room->list, STICK_LIST, &rows, diag);
    if (status == BL_OK && !head.complete)
        status = bl_fail(diag, BL_NOINPUT, "the stick is being written");
    if (status == BL_OK)
        status = check_key(room, rows, keys, diag);
    if (status == BL_OK)
        status = write_list(handout, &head, rows, keys->place, diag);
    if (status != BL_OK)
        return status;
    *answer = (struct post_piece){.kind = asked->kind == POST_ASK ? POST_HAVE : POST_PIECE,
                                  .copy = 1,
                                  .offset = asked->offset};
    snprintf(answer->file, sizeof answer->file, "%s", asked->file);
    if (answer->kind == POST_PIECE)
        return put_file(handout, room, keys->place, answer, diag);
    answer->offset = handout->list.length;
    crypto_generichash(answer->hash, POST_HASH, (const uint8_t *)handout->list.bytes,
                       handout->list.length, NULL, 0);
    return BL_OK;
}
