/* A small growing text file, as durable as a journal: appended lines survive a kill at once, and a
 * loss of power once synced (sync.h). For ballots. */
#ifndef JOURNAL_LINES_H
#define JOURNAL_LINES_H

#include "journal/journal.h"
#include "journal/sync.h"

struct lines;

/* Opens the file, creates it if missing, locks it and reads it: *text has *length bytes and a NUL,
 * and the caller frees it. The old contents are synced before the return. BL_DATA if the file is
 * larger than `most`. BL_BUSY names the holder. disk must outlive the lines. */
enum bl_status lines_open(struct lines **out, const struct disk *disk, const char *path,
                          size_t most, char **text, size_t *length, struct bl_diag *diag);

/* Truncates the file to `length` bytes. */
enum bl_status lines_cut(struct lines *lines, size_t length, struct bl_diag *diag);

/* Appends all of the text or nothing. Before lines_attach() the text is synced before the return.
 * BL_FULL, BL_IO: nothing of it stays; where the disk cannot even truncate, nothing more is
 * appended until it can. */
enum bl_status lines_append(struct lines *lines, const char *text, size_t length);

/* Starts background syncing, as journal_attach(). callbacks are copied. */
enum bl_status lines_attach(struct lines *lines, uv_loop_t *loop,
                            const struct sync_callbacks *callbacks, void *ctx);

/* True before lines_attach(): lines_append() syncs its text. */
bool lines_sync_at_once(const struct lines *lines);

/* Syncs, unlocks, frees. After lines_attach() the loop must still run once. NULL is allowed. */
void lines_close(struct lines *lines);

#endif
