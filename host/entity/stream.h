/* Makes keys of the Entry's output, by the keeper's page. After a kill at any point the next
 * terminal goes on with the next key. See keeper.h.
 *
 * The state in the page is read at the beginning, and afterwards only written, for the next
 * terminal. This terminal uses its own copy, since an attacker in the keeper may write to the
 * page. */
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
    unsigned current; /* index of the page's latest state */
    uint64_t read_us;
    uint32_t length;
    uint8_t bytes[KEEPER_BYTES];
    struct given given;
};

/* Begins, or continues where an earlier terminal stopped. keys: the number of the Entry's keys in
 * the journal. fd does not block. False: the page has an invalid state. The stream must not move,
 * since its filter points into it. */
bool stream_begin(struct stream *stream, struct keeper_page *page, int fd,
                  const struct filter *filter, uint64_t keys);

/* Passes the judge's key n of the order to the keeper. after: bytes of output before the key. */
void stream_give(struct stream *stream, uint64_t n, uint32_t point, uint64_t after);

/* The order's number of the last passed key, to this Entry or an earlier one. */
uint64_t stream_given(const struct stream *stream);

/* Makes a key from the read bytes. Skips keys that the journal already has. False: no key. */
bool stream_key(struct stream *stream, struct filter_key *key);

/* The key of stream_key() is in the journal. */
void stream_took(struct stream *stream);

/* The key of stream_key() is lost, and in no journal. */
void stream_lost(struct stream *stream);

/* Reads at most `most` bytes, after stream_key() found no key. Returns the number of bytes; 0:
 * none, or the end. */
size_t stream_read(struct stream *stream, size_t most, uint64_t now_us);

/* The longest pause within an open escape sequence, in ms; 0: none is open. stream_timeout() ends
 * the sequence after that pause. */
unsigned stream_wait_ms(const struct stream *stream);
void stream_timeout(struct stream *stream);

/* Releases the text that was held as a possible prompt. end: no more bytes will come, so an
 * incomplete character is dropped. */
void stream_release(struct stream *stream, bool end);
bool stream_holding(const struct stream *stream);

/* True if the page has bytes or keys that were not handed over. */
bool stream_left(const struct stream *stream);

/* Number of bytes that wait in the kernel; a pty may have more. */
unsigned stream_kernel(const struct stream *stream);

/* Number of bytes that the Entry has written: taken, in the page, or in the kernel. */
uint64_t stream_written(const struct stream *stream);

const struct filter_state *stream_state(const struct stream *stream);

#endif
