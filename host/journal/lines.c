#include "journal/lines.h"

#include "journal/append.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct lines {
    struct append file;
    char path[PATH_MAX];
};

static enum bl_status failed(struct bl_diag *diag, const char *path, enum bl_status status)
{
    return bl_fail(diag, status, "%s: %s", path,
                   status == BL_NOINPUT ? "there is no such file"
                   : status == BL_DATA  ? "this is no file"
                                        : bl_status_text(status));
}

static enum bl_status read_all(const struct disk *disk, int fd, const char *path, uint64_t size,
                               size_t most, char **text, size_t *length, struct bl_diag *diag)
{
    size_t at = 0;
    if (size > most)
        return bl_fail(diag, BL_DATA, "%s: larger than %zu bytes; this is none of ours", path,
                       most);
    *text = malloc((size_t)size + 1);
    if (!*text)
        return bl_fail(diag, BL_NOMEM, "%s: no memory", path);
    while (at < size) {
        size_t part = (size_t)size - at;
        enum bl_status status = disk->read(disk->ctx, fd, at, *text + at, &part);
        if (status != BL_OK) {
            free(*text);
            *text = NULL;
            return failed(diag, path, status);
        }
        if (part == 0)
            break;
        at += part;
    }
    (*text)[at] = '\0';
    *length = at;
    return BL_OK;
}

enum bl_status lines_open(struct lines **out, const struct disk *disk, const char *path,
                          size_t most, char **text, size_t *length, struct bl_diag *diag)
{
    char holder[DISK_HOLDER_MAX] = "";
    struct lines *lines = calloc(1, sizeof *lines);
    enum bl_status status;
    if (!lines)
        return bl_fail(diag, BL_NOMEM, "%s: no memory", path);
    struct append *file = &lines->file;
    file->disk = disk;
    snprintf(lines->path, sizeof lines->path, "%s", path);
    status = disk->open(disk->ctx, path, DISK_CREATE, &file->fd, &file->length);
    if (status != BL_OK) {
        free(lines);
        return failed(diag, path, status);
    }
    status = disk->lock(disk->ctx, file->fd, holder);
    if (status == BL_BUSY)
        bl_fail(diag, status, "%s is being written by %s; stop that first", path, holder);
    else if (status != BL_OK)
        failed(diag, path, status);
    else
        status = read_all(disk, file->fd, path, file->length, most, text, length, diag);
    /* A killed program may have left unsynced lines, which the caller will show as given. */
    if (status == BL_OK && *length > 0 && disk->sync(disk->ctx, file->fd) != BL_OK) {
        free(*text);
        *text = NULL;
        status = failed(diag, path, BL_IO);
    }
    if (status != BL_OK) {
        disk->close(disk->ctx, file->fd);
        free(lines);
        return status;
    }
    *out = lines;
    return BL_OK;
}

enum bl_status lines_cut(struct lines *lines, size_t length, struct bl_diag *diag)
{
    enum bl_status status = append_cut(&lines->file, length);
    return status == BL_OK ? status : failed(diag, lines->path, status);
}

enum bl_status lines_append(struct lines *lines, const char *text, size_t length)
{
    struct append *file = &lines->file;
    const uint64_t before = file->length;
    enum bl_status status = append_bytes(file, text, length);
    if (status != BL_OK || file->sync)
        return status;
    status = file->disk->sync(file->disk->ctx, file->fd);
    if (status != BL_OK)
        append_take_back(file, before);
    return status;
}

enum bl_status lines_attach(struct lines *lines, uv_loop_t *loop,
                            const struct sync_callbacks *callbacks, void *ctx)
{
    struct append *file = &lines->file;
    return sync_create(&file->sync, loop, file->disk, file->fd, lines->path, file->length,
                       callbacks, ctx);
}

bool lines_sync_at_once(const struct lines *lines)
{
    return !lines->file.sync;
}

void lines_close(struct lines *lines)
{
    if (!lines)
        return;
    append_close(&lines->file);
    free(lines);
}
