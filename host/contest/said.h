/* A party's text after all its corrections. Pure. */
#ifndef CONTEST_SAID_H
#define CONTEST_SAID_H

#include "transcript/history.h"

#define SAID_MAX 1024

/* All zeros at the start. Text without room is left out. */
struct said {
    char text[SAID_MAX];
    size_t length;
};

/* Takes the next key. BackSpace takes one back; Return and Tab are blanks. */
void said_add(struct said *said, uint32_t point);

bool said_blank(const struct said *said);

/* Writes an entity's first words on one side of a history's part: its first line that is not blank,
 * with blanks for the Returns before it. False: the entity typed nothing. */
bool said_first(const struct history *history, size_t part, unsigned side, char text[SAID_MAX]);

#endif
