/* The "keys" format: every key of a session on a line of its own.
 *
 *     # boothlink keys 1
 *     # session 2009-r1-j2, judge's record
 *     # n side party posted pressed key
 *     1 left judge 2009-09-06T15:32:45.610049Z - H
 *     2 left entity 2009-09-06T15:32:46.000000Z 2009-09-06T15:32:45.871203Z Return
 *
 * Lines that begin with # are comments; those that begin with "# @" describe the session, see
 * history_keys.c. n numbers the keys of a side. posted is the time of the key's placing, by the
 * judge's clock, or "-"; pressed is the time of its press, by the clock of its end, or "-". Times
 * are UTC. The key's name is that of words_key(). Fields are separated by one blank. Pure. */
#ifndef TRANSCRIPT_KEYS_H
#define TRANSCRIPT_KEYS_H

#include "session/event.h"
#include "transcript/out.h"

struct keys_line {
    uint64_t n; /* number of the key on its side, from 1 */
    enum side side;
    struct key_event event;
    uint64_t pressed_us; /* 0: unknown */
};

/* Writes a line with its line feed. */
void keys_write(const struct out *out, const struct keys_line *line);

enum keys_kind { KEYS_LINE, KEYS_COMMENT, KEYS_BAD };

/* Reads a line without its line feed; a carriage return at its end is ignored, and an empty line is
 * valid. KEYS_BAD: *why describes the expected form. */
enum keys_kind keys_read(const char *text, size_t length, struct keys_line *line, const char **why);

#endif
