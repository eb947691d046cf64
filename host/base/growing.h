/* Bytes that are written one after the other, in memory that grows. */
#ifndef BASE_GROWING_H
#define BASE_GROWING_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed is empty. The caller frees bytes, which is a string from the first that was put on. */
struct growing {
    char *bytes;
    size_t length, room;
    bool failed; /* there was no memory: what is put after that is dropped */
};

void growing_put(struct growing *growing, const char *bytes, size_t length);
void growing_text(struct growing *growing, const char *text);

#endif
