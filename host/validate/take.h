/* The log of one program: every byte it wrote with the time of its read, and marks between them
 * where something happened. Pure, bounded: the oldest go when there is no room. */
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

/* One read of its output: places of its first byte, and after its last, in all the output. */
struct take_read {
    uint64_t at_us;   /* monotonic */
    uint64_t late_us; /* time for which we waited for a processor before this read; the program's
                         output of that time seems to come at once */
    uint64_t from, to;
};

struct take_mark {
    uint64_t at_us;
    uint64_t to; /* bytes that were there before it */
    uint32_t point;
    enum take_kind kind;
};

struct take {
    uint8_t *bytes;       /* those from `base` on */
    uint64_t base, total; /* places of the first that is kept, and after the last */
    uint64_t seen;        /* the place up to which they have been interpreted */
    struct take_read *reads;
    size_t count;
    struct take_mark *marks;
    size_t marked;
    bool full; /* something has not fit: the oldest, or a mark, is not here */
};

/* NULL: no memory. */
struct take *take_create(void);
void take_destroy(struct take *take);

/* Forgets all. */
void take_clear(struct take *take);

/* length is at most TAKE_BYTES. */
void take_add(struct take *take, uint64_t at_us, uint64_t late_us, const void *bytes,
              size_t length);
/* `to` is take->seen, unless the bytes before the mark are known better. */
void take_mark(struct take *take, uint64_t at_us, enum take_kind kind, uint32_t point, uint64_t to);

#endif
