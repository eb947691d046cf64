/* A growing small file of text, as durable as a journal: appended lines survive a kill at once, and
 * a power cut once synced (sync.h). For ballots. */
#ifndef JOURNAL_LINES_H
#define JOURNAL_LINES_H

#include "journal/journal.h"
#include "journal/sync.h"

struct lines;

/* Opens the file, made if there is none, locks it, and reads all of it: *text has *length bytes and
 * a NUL behind them, and is the caller's to free. BL_DATA: it is larger than most. BL_BUSY names
 * the holder. disk must outlive the lines. The old contents are on the disk afterwards. */
enum bl_status lines_open(struct lines **out, const struct disk *disk, const char *path,
                          size_t most, char **text, size_t *length, struct bl_diag *diag);

/* Cuts off the bytes behind length. */
enum bl_status lines_cut(struct lines *lines, size_t length, struct bl_diag *diag);

/* All of it or nothing of it; before lines_attach it is on the disk then. BL_FULL, BL_IO. */
enum bl_status lines_append(struct lines *lines, const char *text, size_t length);

/* Starts the syncing off the loop, as journal_attach. callbacks are copied. */
enum bl_status lines_attach(struct lines *lines, uv_loop_t *loop,
                            const struct sync_callbacks *callbacks, void *ctx);

/* True before: then lines_append syncs, and so does lines_open. */
bool lines_sync_at_once(const struct lines *lines);

/* Syncs, unlocks, frees. After lines_attach the loop must still run once. NULL is allowed. */
void lines_close(struct lines *lines);

#endif
