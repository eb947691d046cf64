/* A text file that grows by lines, as durable as a journal: an appended line survives a kill at
 * once, and a loss of power as soon as it is synced (sync.h). For ballots. */
#ifndef JOURNAL_LINES_H
#define JOURNAL_LINES_H

#include "journal/journal.h"
#include "journal/sync.h"

struct lines;

/* Opens or creates the file, locks, reads and syncs it. *text receives the file's *length bytes and
 * a NUL; the caller frees *text. BL_DATA if the file has more than `most` bytes. BL_BUSY names the
 * lock's holder. `disk` must outlive the lines. */
enum bl_status lines_open(struct lines **out, const struct disk *disk, const char *path,
                          size_t most, char **text, size_t *length, struct bl_diag *diag);

/* Truncates the file to `length` bytes; a shorter file stays as it is. */
enum bl_status lines_cut(struct lines *lines, size_t length, struct bl_diag *diag);

/* Appends all of the text or nothing. Before lines_attach() the text is synced before the return.
 * BL_FULL, BL_IO: none of the text stays. If the disk cannot truncate the file, no further text is
 * appended until it can. */
enum bl_status lines_append(struct lines *lines, const char *text, size_t length);

/* Starts to sync the file in the background, and to warn, as journal_attach() does. Copies the
 * callbacks. */
enum bl_status lines_attach(struct lines *lines, uv_loop_t *loop,
                            const struct sync_callbacks *callbacks, void *ctx);

/* True before lines_attach(): lines_append() then syncs its text before it returns. */
bool lines_sync_at_once(const struct lines *lines);

/* Waits for a running sync, syncs the file, unlocks and closes it, and frees the lines. After
 * lines_attach() the loop must run once more. NULL is allowed. */
void lines_close(struct lines *lines);

#endif
