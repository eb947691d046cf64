/* Lines for a page, each a JSON object, received in any split. They are written as an array's
 * members, from a line's number on. */
#ifndef DESK_LISTING_H
#define DESK_LISTING_H

#include "base/growing.h"

#define LISTING_MOST (256u << 20) /* bytes of all */

/* All zeros: empty. */
struct line_list {
    struct growing text; /* all whole lines, then the beginning of the next one */
    size_t *end;         /* offset after each whole line's newline */
    size_t count, room;
    bool full; /* further bytes are dropped */
};

/* False: out of memory. */
bool listing_put(struct line_list *listing, const char *bytes, size_t length);

/* Drops all. */
void listing_clear(struct line_list *listing);

/* Writes the lines from number `from` on, with commas between, as many as have room, and a zero.
 * Returns the number of the first unwritten line. */
size_t listing_write(const struct line_list *listing, size_t from, char *out, size_t room);

#endif
