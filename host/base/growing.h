/* Growing buffers of bytes, and growing arrays. */
#ifndef BASE_GROWING_H
#define BASE_GROWING_H

#include <stdbool.h>
#include <stddef.h>

/* A buffer that grows; zeroed, it is empty. The caller frees `bytes`. After the first put, a NUL
 * follows the bytes. */
struct growing {
    char *bytes;
    size_t length, room;
    bool failed; /* memory ran out, and bytes were dropped */
};

void growing_put(struct growing *growing, const char *bytes, size_t length);
void growing_text(struct growing *growing, const char *text);

/* Makes room for one more element in an array of `count` elements of `size` bytes; a NULL array is
 * empty. Returns the array, which may have moved, and updates *room, the elements for which there
 * is memory. Returns NULL if memory runs out, and leaves the array unchanged. */
void *growing_array(void *array, size_t count, size_t *room, size_t size);

#endif
