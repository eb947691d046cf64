/* Transcripts in memory for tests: written, read, compared, made by dice. */
#ifndef SUPPORT_HISTORIES_H
#define SUPPORT_HISTORIES_H

#include "tests/support/random.h"
#include "transcript/format.h"

/* A growing text. */
struct text {
    char *bytes;
    size_t length, room;
};
void text_free(struct text *text);
struct out text_out(struct text *text);

/* Writes and reads; anything but BL_OK aborts. Free the result. */
void histories_write(enum format format, const struct history *history, struct text *text);
void histories_read(enum format format, const char *bytes, size_t length, struct history *history);

/* A history by dice: parts, names, both sides, every kind of key, steps back in time. */
void histories_make(struct dice *dice, struct history *history);

/* A copy of what the format can hold of it, by the list of what it cannot. Free it. */
void histories_strip(enum format format, const struct history *from, struct history *to);

/* Where they differ, in words; NULL if they do not. Faults, line ends and encoding do not count. */
const char *histories_differ(const struct history *a, const struct history *b);

#endif
