/* Syncs a journal's file in the background: one fdatasync at a time in libuv's thread pool, begun
 * at most SYNC_DELAY_MS after the first append that it covers. Private to host/journal. Source:
 * DESIGN.md, "Journal". */
#ifndef JOURNAL_SYNC_H
#define JOURNAL_SYNC_H

#include "journal/journal.h"

#define SYNC_DELAY_MS 50
#define SYNC_ROOM_LOW (16u << 20) /* free bytes below which the disk is nearly full */
/* Bytes reserved for the file, so a full disk does not stop a running session. */
#define SYNC_RESERVE (1u << 20)

struct sync;

struct sync_callbacks {
    void (*warn)(void *ctx, const char *text);
    void (*kept)(void *ctx); /* all appended bytes are synced; may be NULL */
};

/* Prepares background syncing of fd, a file of `length` bytes that are not synced yet. path and
 * callbacks are copied. BL_NOMEM, BL_IO. */
enum bl_status sync_create(struct sync **out, uv_loop_t *loop, const struct disk *disk, int fd,
                           const char *path, uint64_t length,
                           const struct sync_callbacks *callbacks, void *ctx);

/* Tells the file's new length after an append: a sync follows. */
void sync_appended(struct sync *sync, uint64_t length);

/* An append found the disk full: the loop will call warn. */
void sync_full(struct sync *sync);

/* An append failed for another reason: the loop will call warn. */
void sync_failed(struct sync *sync);

/* Waits for a running sync; fd is not touched afterwards. The loop must run once more to free the
 * memory. NULL is allowed. */
void sync_destroy(struct sync *sync);

#endif
