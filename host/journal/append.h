/* A file that grows at its end, on a disk that may fail: bytes are appended whole or not at all,
 * and a failed append leaves nothing that a later one could join. Private to host/journal. */
#ifndef JOURNAL_APPEND_H
#define JOURNAL_APPEND_H

#include "journal/journal.h"
#include "journal/sync.h"

struct append {
    const struct disk *disk;
    int fd;
    uint64_t length;   /* the file's length, without the bytes of a failed append */
    bool torn;         /* there may be such bytes */
    struct sync *sync; /* NULL until the file is synced in the background */
};

/* Appends the bytes. A failure is told to `sync`, which warns once. BL_FULL, BL_IO: nothing of the
 * bytes counts; where the disk cannot remove them, nothing more is appended until it can. */
enum bl_status append_bytes(struct append *file, const void *bytes, size_t length);

/* Removes all bytes from `length` on; a shorter file stays as it is. */
enum bl_status append_cut(struct append *file, uint64_t length);

/* Takes back the bytes from `length` on, which were appended but not synced. */
void append_take_back(struct append *file, uint64_t length);

/* Waits for a running sync, gives back the reserved room, syncs, unlocks and closes the file. After
 * sync_create() the loop must run once more. */
void append_close(struct append *file);

#endif
