/* Bytes that are written one after the other, and arrays, in memory that grows. */
#ifndef BASE_GROWING_H
#define BASE_GROWING_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed is empty. The caller frees bytes, which is a string from the first put on. */
struct growing {
    char *bytes;
    size_t length, room;
    bool failed; /* no memory: all later text is dropped */
};

void growing_put(struct growing *growing, const char *bytes, size_t length);
void growing_text(struct growing *growing, const char *text);

/* Room for one more in an array of `count` of that size: the array, which may be another now, with
 * *room for more, or NULL and the array as it was. NULL is the empty array. */
void *growing_array(void *array, size_t count, size_t *room, size_t size);

#endif
