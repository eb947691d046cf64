/* Growing buffers of bytes, and growing arrays. */
#ifndef BASE_GROWING_H
#define BASE_GROWING_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed is empty. The caller frees `bytes`, which are a C string after the first put. */
struct growing {
    char *bytes;
    size_t length, room;
    bool failed; /* out of memory: later text is dropped */
};

void growing_put(struct growing *growing, const char *bytes, size_t length);
void growing_text(struct growing *growing, const char *text);

/* Makes room for one more element in an array of `count` elements of that size. Returns the array,
 * which may have moved, and updates *room; NULL if out of memory, with the array unchanged. A NULL
 * array is empty. */
void *growing_array(void *array, size_t count, size_t *room, size_t size);

#endif
