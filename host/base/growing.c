#include "base/growing.h"

#include <stdlib.h>
#include <string.h>

void growing_put(struct growing *growing, const char *bytes, size_t length)
{
    if (!growing->failed && growing->length + length + 1 > growing->room) {
        size_t room = 2 * (growing->length + length + 1);
        char *more = realloc(growing->bytes, room);
        growing->failed = !more;
        if (more) {
            growing->bytes = more;
            growing->room = room;
        }
    }
    if (growing->failed)
        return;
    memcpy(growing->bytes + growing->length, bytes, length);
    growing->length += length;
    growing->bytes[growing->length] = '\0';
}

void growing_text(struct growing *growing, const char *text)
{
    growing_put(growing, text, strlen(text));
}

void *growing_array(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    size_t bigger = *room ? *room * 2 : 16;
    void *moved = realloc(array, bigger * size);
    if (moved)
        *room = bigger;
    return moved;
}
