/* Brings a journal's file onto the disk behind the loop's back: one fdatasync at a time in libuv's
 * thread pool, begun at most SYNC_DELAY_MS after the first append that it will cover.
 * Private to host/journal. Source: DESIGN.md, "Journal". */
#ifndef JOURNAL_SYNC_H
#define JOURNAL_SYNC_H

#include "journal/journal.h"

#define SYNC_DELAY_MS 50
#define SYNC_ROOM_LOW (16u << 20) /* bytes free below which the disk is called nearly full */
/* Bytes kept for the file, so a full disk does not stop a session under way. */
#define SYNC_RESERVE (1u << 20)

struct sync;

struct sync_callbacks {
    void (*warn)(void *ctx, const char *text);
    void (*kept)(void *ctx); /* all appended bytes are on the disk; NULL: nobody asks */
};

/* Prepares the syncing of fd, whose length is given and of which nothing is on the disk yet. path
 * and callbacks are copied. BL_NOMEM, BL_IO. */
enum bl_status sync_create(struct sync **out, uv_loop_t *loop, const struct disk *disk, int fd,
                           const char *path, uint64_t length,
                           const struct sync_callbacks *callbacks, void *ctx);

/* The file's new length. */
void sync_appended(struct sync *sync, uint64_t length);

/* An append failed for want of room: warn will be called from the loop. */
void sync_full(struct sync *sync);

/* An append failed for another reason: likewise. */
void sync_failed(struct sync *sync);

/* Waits for a sync under way; nothing touches fd afterwards. The memory goes when the loop has run.
 * NULL is allowed. */
void sync_destroy(struct sync *sync);

#endif
