#include "desk/listing.h"

#include <stdlib.h>
#include <string.h>

bool listing_put(struct line_list *listing, const char *bytes, size_t length)
{
    size_t from = listing->text.length;
    listing->full |= from + length > LISTING_MOST;
    if (listing->full)
        return true;
    growing_put(&listing->text, bytes, length);
    if (listing->text.failed)
        return false;
    for (; from < listing->text.length; from++) {
        if (listing->text.bytes[from] != '\n')
            continue;
        size_t *more = growing_array(listing->end, listing->count, &listing->room, sizeof *more);
        if (!more)
            return false;
        listing->end = more;
        listing->end[listing->count++] = from + 1;
    }
    return true;
}

void listing_clear(struct line_list *listing)
{
    free(listing->text.bytes);
    free(listing->end);
    *listing = (struct line_list){.count = 0};
}

size_t listing_write(const struct line_list *listing, size_t from, char *out, size_t room)
{
    size_t at = from, length = 0;
    for (; at < listing->count; at++) {
        size_t begin = at ? listing->end[at - 1] : 0, bytes = listing->end[at] - begin - 1;
        if (length + bytes + 2 > room)
            break;
        if (at > from)
            out[length++] = ',';
        memcpy(out + length, listing->text.bytes + begin, bytes);
        length += bytes;
    }
    out[length] = '\0';
    return at;
}
