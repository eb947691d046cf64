/* What one program drew while it was played with: every byte that it wrote with the time of its
 * read, and marks between them where something happened. Pure, bounded. */
#ifndef VALIDATE_TAKE_H
#define VALIDATE_TAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enough for 100 lines of the judge, and for programs that draw all of their page at each key. */
#define TAKE_BYTES (4u << 20)
#define TAKE_READS (1u << 18)
#define TAKE_MARKS (1u << 15)

enum take_kind {
    TAKE_JUDGE,  /* the judge has pressed a key */
    TAKE_ENTITY, /* the Entry has shown a key of its own, or the confederate has pressed it */
    TAKE_SETTLED /* all have reacted and rest */
};

struct take_read {
    uint64_t at_us; /* monotonic */
    size_t to;      /* bytes that were there after it */
};

struct take_mark {
    uint64_t at_us;
    size_t to; /* bytes that were there before it */
    uint32_t point;
    enum take_kind kind;
};

struct take {
    uint8_t *bytes;
    size_t length;
    struct take_read *reads;
    size_t count;
    struct take_mark *marks;
    size_t marked;
    bool full; /* something did not fit and is not here */
};

/* NULL: no memory. */
struct take *take_create(void);
void take_destroy(struct take *take);

void take_add(struct take *take, uint64_t at_us, const void *bytes, size_t length);
/* `to` is take->length, unless the bytes before the mark are known better. */
void take_mark(struct take *take, uint64_t at_us, enum take_kind kind, uint32_t point, size_t to);

#endif
