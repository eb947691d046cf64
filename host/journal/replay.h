/* Reads a journal's file record by record. Private to host/journal. */
#ifndef JOURNAL_REPLAY_H
#define JOURNAL_REPLAY_H

#include "journal/journal.h"

/* Passes each valid record to each() and fills in *report. Stops when each() returns false. */
enum bl_status replay_file(const struct disk *disk, int fd,
                           bool (*each)(void *ctx, const struct journal_record *record), void *ctx,
                           struct journal_report *report);

/* Describes a file that has no record, as in "a text file". */
const char *replay_what(const struct disk *disk, int fd);

/* True if the file has only the remains of an interrupted creation: nothing, zeros, or the start of
 * a header. */
bool replay_is_unborn(const struct disk *disk, int fd, uint64_t length);

#endif
