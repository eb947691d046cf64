/* Syncs a growing file in the background: one fdatasync at a time, in libuv's thread pool. A sync
 * begins SYNC_DELAY_MS after the first append that it covers, or when the sync before has ended.
 * Private to host/journal. Source: DESIGN.md, "Journal". */
#ifndef JOURNAL_SYNC_H
#define JOURNAL_SYNC_H

#include "journal/journal.h"

#define SYNC_DELAY_MS 50
#define SYNC_ROOM_LOW (16u << 20) /* with fewer free bytes, the disk is nearly full */
/* The reserved bytes of the file, so that a filled disk does not stop a running session at once. */
#define SYNC_RESERVE (1u << 20)

struct sync;

struct sync_callbacks {
    void (*warn)(void *ctx, const char *text);
    void (*kept)(void *ctx); /* called when all appended bytes are synced; may be NULL */
};

/* Starts to sync the file fd, which has `length` unsynced bytes. Copies the path and the callbacks.
 * BL_NOMEM, BL_IO. */
enum bl_status sync_create(struct sync **out, uv_loop_t *loop, const struct disk *disk, int fd,
                           const char *path, uint64_t length,
                           const struct sync_callbacks *callbacks, void *ctx);

/* The caller has appended, and the file has `length` bytes now. A sync follows. */
void sync_appended(struct sync *sync, uint64_t length);

/* The caller could not append because the disk is full. The loop will call `warn`, once. */
void sync_full(struct sync *sync);

/* The caller could not append for another reason. The loop will call `warn`, once. */
void sync_failed(struct sync *sync);

/* Waits for a running sync. Afterwards fd is not used. The loop must run once more, which frees the
 * memory. NULL is allowed. */
void sync_destroy(struct sync *sync);

#endif
