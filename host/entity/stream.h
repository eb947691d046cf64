/* The Entry's output on its way from the kernel to keys, in the keeper's page: at any instruction
 * at which a terminal is killed, the next one goes on with the very next key. See keeper.h.
 *
 * The page is written for the next terminal, and read once, at the beginning: an attacker in the
 * keeper may write there at any time. This terminal goes by its own copy. */
#ifndef ENTITY_STREAM_H
#define ENTITY_STREAM_H

#include "entity/keeper.h"

struct stream {
    struct keeper_page *page;
    int fd;
    struct filter filter;
    uint64_t skip; /* keys that a killed terminal journalled, but did not mark as handed over */
    bool ended;    /* no more bytes will come */
    struct keeper_state now;
    unsigned current; /* the latest of the page's states */
    uint64_t read_us;
    uint32_t length;
    uint8_t bytes[KEEPER_BYTES];
    struct given given;
};

/* Begins, or continues from where an earlier terminal was stopped; keys is the number of the
 * Entry's keys in the journal. fd does not block. False: the page holds a state that no terminal
 * could have left. The stream must not move: its filter points into it. */
bool stream_begin(struct stream *stream, struct keeper_page *page, int fd,
                  const struct filter *filter, uint64_t keys);

/* Passes the judge's key with number n in the order to the keeper; `after`: bytes of output before
 * it. */
void stream_give(struct stream *stream, uint64_t n, uint32_t point, uint64_t after);

/* The number of the last key that was passed, to this Entry or an earlier one. */
uint64_t stream_given(const struct stream *stream);

/* Makes a key from the bytes read; false: there is none. Skips keys that the journal already
 * has. */
bool stream_key(struct stream *stream, struct filter_key *key);

/* The key of stream_key() is in the journal. */
void stream_took(struct stream *stream);

/* The key of stream_key() is in no journal, and lost. */
void stream_lost(struct stream *stream);

/* Reads up to most bytes; only after stream_key() found none. Returns their number; 0 for none or
 * at the end. */
size_t stream_read(struct stream *stream, size_t most, uint64_t now_us);

/* The longest pause within an open sequence, in ms (0: none is open), and the end of the sequence
 * after that pause. */
unsigned stream_wait_ms(const struct stream *stream);
void stream_timeout(struct stream *stream);

/* Releases the text that was held as a possible prompt; with `end` for good, with an incomplete
 * character. */
void stream_release(struct stream *stream, bool end);
bool stream_holding(const struct stream *stream);

/* True if the page has bytes that were not handed over. */
bool stream_left(const struct stream *stream);

/* Bytes in the kernel (a pty may have some more on the way). */
unsigned stream_kernel(const struct stream *stream);

/* Bytes that the Entry has written so far: taken, in the page, in the kernel. */
uint64_t stream_written(const struct stream *stream);

const struct filter_state *stream_state(const struct stream *stream);

#endif
