/* Lines for a page, each a JSON object, which may come in any split. They are written as an array's
 * members, from a line's number on. */
#ifndef DESK_LISTING_H
#define DESK_LISTING_H

#include "base/growing.h"

#define LISTING_MOST (256u << 20) /* bytes of all */

/* Zeroed is empty. */
struct line_list {
    struct growing text; /* all whole lines, and behind them the beginning of the next */
    size_t *end;         /* offset of each whole line's end, behind its newline */
    size_t count, room;
    bool full; /* further bytes are dropped */
};

/* False: out of memory. */
bool listing_put(struct line_list *listing, const char *bytes, size_t length);

/* Drops all. */
void listing_clear(struct line_list *listing);

/* Writes the lines from number `from` on, with commas between, as many as there is room for, and
 * a zero behind them. Returns the number of the first that is not written. */
size_t listing_write(const struct line_list *listing, size_t from, char *out, size_t room);

#endif
