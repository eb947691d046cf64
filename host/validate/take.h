/* The log of one program: its output with the time of each read, and marks of events between the
 * reads. Pure and bounded: without room the oldest entries are dropped. */
#ifndef VALIDATE_TAKE_H
#define VALIDATE_TAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for 100 lines of the judge, even with programs that redraw their whole page at each key. */
#define TAKE_BYTES (4u << 20)
#define TAKE_READS (1u << 18)
#define TAKE_MARKS (1u << 15)

enum take_kind {
    TAKE_JUDGE,  /* the judge has pressed a key */
    TAKE_ENTITY, /* the Entry has shown a key of its own, or the confederate has pressed that key */
    TAKE_SETTLED /* all programs have reacted and rest */
};

/* One read of output: the positions of its first byte and after its last byte. */
struct take_read {
    uint64_t at_us;   /* monotonic */
    uint64_t late_us; /* time that this process waited for a processor before the read */
    uint64_t wait;    /* number of that wait, after which there may be several reads */
    uint64_t from, to;
};

struct take_mark {
    uint64_t at_us;
    uint64_t to; /* number of output bytes before the mark */
    uint32_t point;
    enum take_kind kind;
};

struct take {
    uint8_t *bytes;       /* the kept bytes, from position `base` on */
    uint64_t base, total; /* position of the first kept byte, and after the last */
    uint64_t seen;        /* position up to which the bytes were interpreted */
    struct take_read *reads;
    size_t count;
    struct take_mark *marks;
    size_t marked;
    bool full; /* the oldest entries, or a mark, were dropped */
};

/* NULL if out of memory. */
struct take *take_create(void);
void take_destroy(struct take *take);

/* Forgets all. */
void take_clear(struct take *take);

/* length is at most TAKE_BYTES. */
void take_add(struct take *take, uint64_t at_us, uint64_t wait, uint64_t late_us, const void *bytes,
              size_t length);
/* The number of keys in a piece of output: of the first bytes of characters. */
unsigned take_keys(const uint8_t *bytes, size_t length);

/* The most keys within window_us after the first read; `bytes` are those of the reads, which count
 * up to position `end`. This process, if late, reads separate writes as one: so the number is
 * multiplied by window_us / (window_us + lateness). *seen: at least the keys that were read. */
unsigned take_at_once(const struct take_read *reads, size_t count, const uint8_t *bytes,
                      uint64_t end, uint64_t window_us, unsigned *seen);

/* `to` is take->seen, unless the position is known better. */
void take_mark(struct take *take, uint64_t at_us, enum take_kind kind, uint32_t point, uint64_t to);

#endif
