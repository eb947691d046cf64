#include "journal/sync.h"

#include "base/assert.h"
#include "base/loop.h"

#include <stdio.h>
#include <stdlib.h>

struct sync {
    const struct disk *disk;
    int fd;
    uv_timer_t timer;
    uv_work_t work;
    uv_sem_t done; /* posted by the worker when it does not use fd any more */
    bool working;  /* the worker's job is queued or running, or after_work() was not called yet */
    bool closing;
    bool timer_closed;
    uint64_t length;  /* the file's length */
    uint64_t covered; /* the length that was synced or is being synced */
    uint64_t due_us;  /* the time at which the next sync is to begin if length > covered */
    uint64_t reserved;
    enum bl_status result;
    uint64_t room;
    bool full;   /* an append found the disk full, and `warn` was not called yet */
    bool failed; /* an append failed, and `warn` was not called yet */
    bool said_low, said_full, said_failed;
    struct sync_callbacks callbacks;
    void *ctx;
    char path[256];
};

static void on_timer(uv_timer_t *timer);

static void free_if_idle(struct sync *s)
{
    if (!s->closing || !s->timer_closed || s->working)
        return;
    uv_sem_destroy(&s->done);
    free(s);
}

static void work(uv_work_t *req)
{
    struct sync *s = req->data;
    s->result = s->disk->sync(s->disk->ctx, s->fd);
    /* `covered` and `reserved` are constant while this worker runs. */
    if (s->covered + SYNC_RESERVE / 2 > s->reserved &&
        s->disk->reserve(s->disk->ctx, s->fd, s->covered + SYNC_RESERVE) == BL_OK)
        s->reserved = s->covered + SYNC_RESERVE;
    s->room = s->disk->room(s->disk->ctx, s->fd);
    uv_sem_post(&s->done);
}

static void say(struct sync *s)
{
    char text[400];
    if (s->full && !s->said_full) {
        s->said_full = true;
        snprintf(text, sizeof text,
                 "the disk is full: no more keys can be kept in %s; free some space there",
                 s->path);
        s->callbacks.warn(s->ctx, text);
    }
    if (s->room < SYNC_ROOM_LOW && !s->said_low) {
        s->said_low = true;
        snprintf(text, sizeof text,
                 "the disk under %s is nearly full: %llu KiB left, free some space", s->path,
                 (unsigned long long)(s->room >> 10));
        s->callbacks.warn(s->ctx, text);
    }
    if ((s->result != BL_OK || s->failed) && !s->said_failed) {
        s->said_failed = true;
        snprintf(text, sizeof text,
                 "the disk fails to write %s: what is typed now may be lost if the power fails",
                 s->path);
        s->callbacks.warn(s->ctx, text);
    }
}

static void timer_set(struct sync *s)
{
    uint64_t now_us = bl_mono_us();
    uv_timer_start(&s->timer, on_timer, s->due_us > now_us ? (s->due_us - now_us) / 1000 : 0, 0);
}

static void after_work(uv_work_t *req, int status)
{
    struct sync *s = req->data;
    bl_assert(s->working && s->covered <= s->length);
    s->working = false;
    if (s->closing) {
        free_if_idle(s);
        return;
    }
    (void)status; /* only sync_destroy() cancels the work */
    uv_sem_wait(&s->done);
    say(s);
    if (s->length > s->covered)
        timer_set(s);
    else if (s->result == BL_OK && s->callbacks.kept)
        s->callbacks.kept(s->ctx);
}

static void on_timer(uv_timer_t *timer)
{
    struct sync *s = timer->data;
    say(s);
    if (s->working || s->length <= s->covered)
        return;
    s->covered = s->length;
    s->working = uv_queue_work(timer->loop, &s->work, work, after_work) == 0;
}

enum bl_status sync_create(struct sync **out, uv_loop_t *loop, const struct disk *disk, int fd,
                           const char *path, uint64_t length,
                           const struct sync_callbacks *callbacks, void *ctx)
{
    struct sync *s = calloc(1, sizeof *s);
    if (!s)
        return BL_NOMEM;
    s->disk = disk;
    s->fd = fd;
    s->callbacks = *callbacks;
    s->ctx = ctx;
    s->room = UINT64_MAX;
    snprintf(s->path, sizeof s->path, "%s", path);
    if (uv_sem_init(&s->done, 0)) {
        free(s);
        return BL_IO;
    }
    uv_timer_init(loop, &s->timer);
    s->timer.data = s;
    s->work.data = s;
    /* The first sync begins at once: room is reserved and checked early. */
    s->length = length;
    s->due_us = 0;
    timer_set(s);
    *out = s;
    return BL_OK;
}

void sync_appended(struct sync *s, uint64_t length)
{
    bl_assert(length > s->length && s->covered <= s->length);
    if (s->length == s->covered) {
        s->due_us = bl_mono_us() + SYNC_DELAY_MS * 1000;
        if (!s->working)
            timer_set(s); /* while a sync runs, after_work() sets the timer */
    }
    s->length = length;
}

void sync_full(struct sync *s)
{
    if (s->said_full || s->full)
        return;
    s->full = true;
    uv_timer_start(&s->timer, on_timer, 0, 0);
}

void sync_failed(struct sync *s)
{
    if (s->said_failed || s->failed)
        return;
    s->failed = true;
    uv_timer_start(&s->timer, on_timer, 0, 0);
}

static void on_timer_closed(uv_handle_t *handle)
{
    struct sync *s = handle->data;
    s->timer_closed = true;
    free_if_idle(s);
}

void sync_destroy(struct sync *s)
{
    if (!s)
        return;
    bl_assert(!s->closing);
    s->closing = true;
    if (s->working && uv_cancel((uv_req_t *)&s->work) != 0)
        uv_sem_wait(&s->done);
    uv_close((uv_handle_t *)&s->timer, on_timer_closed);
}
