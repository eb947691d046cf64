/* The last messages about an Entry, with their times, for the entity's screen. */
#ifndef BOOTH_ENTRY_LINES_H
#define BOOTH_ENTRY_LINES_H

#include "session/event.h"

#define ENTRY_LINES 3

struct entry_lines {
    char line[ENTRY_LINES][NOTE_MAX + 16];
    unsigned count; /* number of messages added so far */
    char text[ENTRY_LINES * (NOTE_MAX + 16)];
};

/* Adds a message with its time. */
void entry_lines_add(struct entry_lines *lines, uint64_t wall_us, const char *text);

/* Returns the messages, the oldest first, separated by '\n'; valid until the next call. */
const char *entry_lines_text(struct entry_lines *lines);

#endif
