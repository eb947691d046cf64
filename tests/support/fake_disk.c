#include "tests/support/fake_disk.h"

#include "tests/support/random.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES       64
#define DESCRIPTORS 65536

struct file {
    char path[256];
    uint8_t *bytes;
    size_t length, room, synced, reserved;
    int locked_by; /* descriptor, -1 none */
};

struct fake_disk {
    struct disk face;
    pthread_mutex_t mutex;
    struct dice dice;
    struct file file[FILES];
    unsigned files;
    struct file *open[DESCRIPTORS]; /* NULL: closed or dead. Numbers are never used again. */
    int descriptors;
    uint64_t capacity;
    unsigned failing_syncs, syncs;
    void (*on_sync)(void *ctx);
    void *on_sync_ctx;
};

static struct file *file_of(struct fake_disk *f, int fd)
{
    return fd >= 0 && fd < f->descriptors ? f->open[fd] : NULL;
}

static struct file *find(struct fake_disk *f, const char *path)
{
    for (unsigned i = 0; i < f->files; i++)
        if (strcmp(f->file[i].path, path) == 0)
            return &f->file[i];
    return NULL;
}

static struct file *make(struct fake_disk *f, const char *path)
{
    struct file *file = find(f, path);
    if (!file && f->files < FILES) {
        file = &f->file[f->files++];
        snprintf(file->path, sizeof file->path, "%s", path);
        file->locked_by = -1;
    }
    return file;
}

static void set_length(struct file *file, size_t length)
{
    if (length > file->room) {
        file->room = length * 2 + 256;
        file->bytes = realloc(file->bytes, file->room);
        if (!file->bytes)
            abort();
    }
    if (length > file->length)
        memset(file->bytes + file->length, 0, length - file->length);
    file->length = length;
    if (file->synced > length)
        file->synced = length;
}

static size_t taken(const struct file *file)
{
    return file->reserved > file->length ? file->reserved : file->length;
}

static uint64_t room_left(const struct fake_disk *f)
{
    uint64_t used = 0;
    for (unsigned i = 0; i < f->files; i++)
        used += taken(&f->file[i]);
    return used > f->capacity ? 0 : f->capacity - used;
}

static enum bl_status fake_open(void *ctx, const char *path, enum disk_mode mode, int *fd,
                                uint64_t *length)
{
    struct fake_disk *f = ctx;
    enum bl_status status = BL_OK;
    pthread_mutex_lock(&f->mutex);
    struct file *file = mode == DISK_CREATE ? make(f, path) : find(f, path);
    if (!file || f->descriptors == DESCRIPTORS) {
        status = file || mode == DISK_CREATE ? BL_FULL : BL_NOINPUT;
    } else {
        *fd = f->descriptors++;
        f->open[*fd] = file;
        *length = file->length;
    }
    pthread_mutex_unlock(&f->mutex);
    return status;
}

static enum bl_status fake_lock(void *ctx, int fd, char holder[DISK_HOLDER_MAX])
{
    struct fake_disk *f = ctx;
    enum bl_status status = BL_OK;
    pthread_mutex_lock(&f->mutex);
    struct file *file = file_of(f, fd);
    if (!file)
        status = BL_IO;
    else if (file->locked_by >= 0 && file->locked_by != fd)
        status = BL_BUSY;
    else
        file->locked_by = fd;
    if (status == BL_BUSY)
        snprintf(holder, DISK_HOLDER_MAX, "descriptor %d", file->locked_by);
    pthread_mutex_unlock(&f->mutex);
    return status;
}

static enum bl_status fake_append(void *ctx, int fd, const void *bytes, size_t length)
{
    struct fake_disk *f = ctx;
    enum bl_status status = BL_OK;
    pthread_mutex_lock(&f->mutex);
    struct file *file = file_of(f, fd);
    if (!file) {
        status = BL_IO;
    } else if (length > taken(file) - file->length + room_left(f)) {
        status = BL_FULL;
    } else {
        size_t at = file->length;
        set_length(file, at + length);
        memcpy(file->bytes + at, bytes, length);
    }
    pthread_mutex_unlock(&f->mutex);
    return status;
}

static enum bl_status fake_read(void *ctx, int fd, uint64_t offset, void *bytes, size_t *length)
{
    struct fake_disk *f = ctx;
    pthread_mutex_lock(&f->mutex);
    struct file *file = file_of(f, fd);
    size_t left = file && offset < file->length ? file->length - (size_t)offset : 0;
    if (*length > left)
        *length = left;
    if (*length)
        memcpy(bytes, file->bytes + offset, *length);
    pthread_mutex_unlock(&f->mutex);
    return file ? BL_OK : BL_IO;
}

static enum bl_status fake_truncate(void *ctx, int fd, uint64_t length)
{
    struct fake_disk *f = ctx;
    pthread_mutex_lock(&f->mutex);
    struct file *file = file_of(f, fd);
    if (file) {
        set_length(file, (size_t)length);
        file->reserved = 0;
    }
    pthread_mutex_unlock(&f->mutex);
    return file ? BL_OK : BL_IO;
}

static enum bl_status fake_reserve(void *ctx, int fd, uint64_t length)
{
    struct fake_disk *f = ctx;
    enum bl_status status = BL_OK;
    pthread_mutex_lock(&f->mutex);
    struct file *file = file_of(f, fd);
    if (!file)
        status = BL_IO;
    else if (length > taken(file) && length - taken(file) > room_left(f))
        status = BL_FULL;
    else
        file->reserved = (size_t)length;
    pthread_mutex_unlock(&f->mutex);
    return status;
}

static enum bl_status fake_sync(void *ctx, int fd)
{
    struct fake_disk *f = ctx;
    enum bl_status status = BL_IO;
    pthread_mutex_lock(&f->mutex);
    struct file *file = file_of(f, fd);
    size_t length = file ? file->length : 0;
    void (*on_sync)(void *) = f->on_sync;
    void *on_sync_ctx = f->on_sync_ctx;
    f->syncs += file != NULL;
    pthread_mutex_unlock(&f->mutex);
    if (file && on_sync)
        on_sync(on_sync_ctx);
    pthread_mutex_lock(&f->mutex);
    if (file_of(f, fd)) {
        if (f->failing_syncs) {
            f->failing_syncs--;
        } else {
            file->synced = length < file->length ? length : file->length;
            status = BL_OK;
        }
    }
    pthread_mutex_unlock(&f->mutex);
    return status;
}

static uint64_t fake_room(void *ctx, int fd)
{
    struct fake_disk *f = ctx;
    (void)fd;
    pthread_mutex_lock(&f->mutex);
    uint64_t room = room_left(f);
    pthread_mutex_unlock(&f->mutex);
    return room;
}

static void fake_close(void *ctx, int fd)
{
    struct fake_disk *f = ctx;
    pthread_mutex_lock(&f->mutex);
    struct file *file = file_of(f, fd);
    if (file) {
        if (file->locked_by == fd)
            file->locked_by = -1;
        f->open[fd] = NULL;
    }
    pthread_mutex_unlock(&f->mutex);
}

struct fake_disk *fake_disk_create(uint64_t seed)
{
    struct fake_disk *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    pthread_mutex_init(&f->mutex, NULL);
    f->dice = dice_make(seed);
    f->capacity = UINT64_MAX;
    f->face = (struct disk){
        .ctx = f,
        .open = fake_open,
        .lock = fake_lock,
        .append = fake_append,
        .read = fake_read,
        .truncate = fake_truncate,
        .reserve = fake_reserve,
        .sync = fake_sync,
        .room = fake_room,
        .close = fake_close,
    };
    return f;
}

void fake_disk_destroy(struct fake_disk *f)
{
    if (!f)
        return;
    for (unsigned i = 0; i < f->files; i++)
        free(f->file[i].bytes);
    pthread_mutex_destroy(&f->mutex);
    free(f);
}

const struct disk *fake_disk_face(struct fake_disk *f)
{
    return &f->face;
}

static void kill_descriptors(struct fake_disk *f)
{
    for (int fd = 0; fd < f->descriptors; fd++)
        f->open[fd] = NULL;
    for (unsigned i = 0; i < f->files; i++)
        f->file[i].locked_by = -1;
}

void fake_disk_kill(struct fake_disk *f)
{
    pthread_mutex_lock(&f->mutex);
    kill_descriptors(f);
    pthread_mutex_unlock(&f->mutex);
}

static void lose(struct fake_disk *f, struct file *file, enum fake_loss loss)
{
    size_t unsynced = file->length - file->synced;
    size_t kept = loss == FAKE_LOSS_ALL ? 0 : (size_t)dice_below(&f->dice, unsynced + 1);
    size_t left = unsynced - kept;
    size_t torn = loss == FAKE_LOSS_TORN ? (size_t)dice_below(&f->dice, left + 1) : 0;
    bool zeros = dice_below(&f->dice, 2) == 0;
    if (torn > 600)
        torn = 600;
    set_length(file, file->synced + kept);
    size_t at = file->length;
    set_length(file, at + torn);
    for (size_t i = 0; i < torn && !zeros; i++)
        file->bytes[at + i] = (uint8_t)dice_next(&f->dice);
    file->synced = file->length;
    file->reserved = 0;
}

void fake_disk_power_loss(struct fake_disk *f, enum fake_loss loss)
{
    pthread_mutex_lock(&f->mutex);
    kill_descriptors(f);
    for (unsigned i = 0; i < f->files; i++)
        lose(f, &f->file[i], loss);
    pthread_mutex_unlock(&f->mutex);
}

void fake_disk_capacity(struct fake_disk *f, uint64_t bytes)
{
    pthread_mutex_lock(&f->mutex);
    f->capacity = bytes;
    pthread_mutex_unlock(&f->mutex);
}

void fake_disk_fail_syncs(struct fake_disk *f, unsigned count)
{
    pthread_mutex_lock(&f->mutex);
    f->failing_syncs = count;
    pthread_mutex_unlock(&f->mutex);
}

void fake_disk_on_sync(struct fake_disk *f, void (*on_sync)(void *ctx), void *ctx)
{
    pthread_mutex_lock(&f->mutex);
    f->on_sync = on_sync;
    f->on_sync_ctx = ctx;
    pthread_mutex_unlock(&f->mutex);
}

unsigned fake_disk_syncs(struct fake_disk *f)
{
    pthread_mutex_lock(&f->mutex);
    unsigned syncs = f->syncs;
    pthread_mutex_unlock(&f->mutex);
    return syncs;
}

const uint8_t *fake_disk_bytes(struct fake_disk *f, const char *path, size_t *length)
{
    struct file *file = find(f, path);
    if (!file)
        return NULL;
    *length = file->length;
    return file->bytes ? file->bytes : (const uint8_t *)"";
}

size_t fake_disk_synced(struct fake_disk *f, const char *path)
{
    pthread_mutex_lock(&f->mutex);
    struct file *file = find(f, path);
    size_t synced = file ? file->synced : 0;
    pthread_mutex_unlock(&f->mutex);
    return synced;
}

void fake_disk_put(struct fake_disk *f, const char *path, const void *bytes, size_t length)
{
    pthread_mutex_lock(&f->mutex);
    struct file *file = make(f, path);
    if (!file)
        abort();
    set_length(file, length);
    if (length)
        memcpy(file->bytes, bytes, length);
    file->synced = length;
    pthread_mutex_unlock(&f->mutex);
}
