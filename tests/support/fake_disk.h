/* A disk in memory under a journal, which fails as disks do. Files are known by their path.
 *
 * A test that kills a program: fake_disk_kill(), then journal_close() of the dead program's
 * journals, which only frees their memory: a descriptor that was open before a kill or a power loss
 * is dead and never touches a file again. Then journal_open() as the restarted program.
 *
 * It is safe from libuv's thread pool. */
#ifndef SUPPORT_FAKE_DISK_H
#define SUPPORT_FAKE_DISK_H

#include "journal/journal.h"

struct fake_disk;

/* The seed decides what a power loss tears. NULL: no memory. */
struct fake_disk *fake_disk_create(uint64_t seed);
void fake_disk_destroy(struct fake_disk *fake);

/* The face for journal_open and its like; lives as long as the fake. */
const struct disk *fake_disk_face(struct fake_disk *fake);

/* kill -9: descriptors and locks go, every byte that was appended stays. */
void fake_disk_kill(struct fake_disk *fake);

enum fake_loss {
    FAKE_LOSS_ALL,    /* nothing of what was not synced is there afterwards */
    FAKE_LOSS_PREFIX, /* a random part of it, from its start, cut at any byte */
    FAKE_LOSS_TORN    /* the same, and behind it up to 600 random or zero bytes of its length */
};

/* As a kill, and each file loses what was not synced. A file that was never synced is empty. */
void fake_disk_power_loss(struct fake_disk *fake, enum fake_loss loss);

/* All files together hold at most so many bytes; UINT64_MAX (the start) is no limit. */
void fake_disk_capacity(struct fake_disk *fake, uint64_t bytes);

/* The next so many syncs fail, and what they should have written stays unsynced. */
void fake_disk_fail_syncs(struct fake_disk *fake, unsigned count);

/* Called at the start of every sync by the thread that syncs, with nothing locked; it may block.
 * What is appended after that start is not covered. NULL: none. */
void fake_disk_on_sync(struct fake_disk *fake, void (*on_sync)(void *ctx), void *ctx);

/* Syncs that were begun. */
unsigned fake_disk_syncs(struct fake_disk *fake);

/* The bytes of a file (also those not synced) until the next call of the disk; NULL if there is
 * none. */
const uint8_t *fake_disk_bytes(struct fake_disk *fake, const char *path, size_t *length);

/* How many of them a power loss would leave. */
size_t fake_disk_synced(struct fake_disk *fake, const char *path);

/* Makes a file of these bytes, all synced, in place of what was there. */
void fake_disk_put(struct fake_disk *fake, const char *path, const void *bytes, size_t length);

#endif
