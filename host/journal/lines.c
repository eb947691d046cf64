#include "journal/lines.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct lines {
    const struct disk *disk;
    int fd;
    uint64_t length;
    bool torn;         /* there may be bytes of a failed append after `length` */
    struct sync *sync; /* NULL until attached */
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
    lines->disk = disk;
    snprintf(lines->path, sizeof lines->path, "%s", path);
    status = disk->open(disk->ctx, path, DISK_CREATE, &lines->fd, &lines->length);
    if (status != BL_OK) {
        free(lines);
        return failed(diag, path, status);
    }
    status = disk->lock(disk->ctx, lines->fd, holder);
    if (status == BL_BUSY)
        bl_fail(diag, status, "%s is being written by %s; stop that first", path, holder);
    else if (status != BL_OK)
        failed(diag, path, status);
    else
        status = read_all(disk, lines->fd, path, lines->length, most, text, length, diag);
    /* A killed program may have left unsynced lines, which the caller will treat as given. */
    if (status == BL_OK && *length > 0 && disk->sync(disk->ctx, lines->fd) != BL_OK) {
        free(*text);
        *text = NULL;
        status = failed(diag, path, BL_IO);
    }
    if (status != BL_OK) {
        disk->close(disk->ctx, lines->fd);
        free(lines);
        return status;
    }
    *out = lines;
    return BL_OK;
}

enum bl_status lines_cut(struct lines *lines, size_t length, struct bl_diag *diag)
{
    enum bl_status status;
    if (length >= lines->length)
        return BL_OK;
    status = lines->disk->truncate(lines->disk->ctx, lines->fd, length);
    if (status != BL_OK)
        return failed(diag, lines->path, status);
    lines->length = length;
    return BL_OK;
}

/* Removes the bytes of a failed append. After these the next line would have another meaning. */
static enum bl_status mend(struct lines *lines)
{
    if (lines->torn && lines->disk->truncate(lines->disk->ctx, lines->fd, lines->length) != BL_OK)
        return BL_IO;
    lines->torn = false;
    return BL_OK;
}

enum bl_status lines_append(struct lines *lines, const char *text, size_t length)
{
    enum bl_status status = mend(lines);
    if (status == BL_OK)
        status = lines->disk->append(lines->disk->ctx, lines->fd, text, length);
    if (status == BL_OK && !lines->sync)
        status = lines->disk->sync(lines->disk->ctx, lines->fd);
    if (status != BL_OK) {
        lines->torn = true;
        mend(lines); /* tried again before the next append, and at the end */
        if (status == BL_FULL && lines->sync)
            sync_full(lines->sync);
        return status;
    }
    lines->length += length;
    if (lines->sync)
        sync_appended(lines->sync, lines->length);
    return BL_OK;
}

enum bl_status lines_attach(struct lines *lines, uv_loop_t *loop,
                            const struct sync_callbacks *callbacks, void *ctx)
{
    return sync_create(&lines->sync, loop, lines->disk, lines->fd, lines->path, lines->length,
                       callbacks, ctx);
}

bool lines_sync_at_once(const struct lines *lines)
{
    return !lines->sync;
}

void lines_close(struct lines *lines)
{
    if (!lines)
        return;
    sync_destroy(lines->sync);
    lines->disk->truncate(lines->disk->ctx, lines->fd, lines->length);
    lines->disk->sync(lines->disk->ctx, lines->fd);
    lines->disk->close(lines->disk->ctx, lines->fd);
    free(lines);
}
