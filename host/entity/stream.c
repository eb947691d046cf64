#include "entity/stream.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const struct keeper_state *state_now(const struct stream *s)
{
    return &s->now;
}

/* Stores the changed state for the next terminal. */
static void state_commit(struct stream *s)
{
    s->current = !s->current;
    s->page->state[s->current] = s->now;
    atomic_store_explicit(&s->page->current, s->current, memory_order_release);
}

static void length_set(struct stream *s, uint32_t length)
{
    atomic_store_explicit(&s->page->length, length, memory_order_release);
}

/* Copies the judge's keys that an earlier terminal gave. */
static void take_given(struct given *given, const struct given *page)
{
    given->base = page->base;
    atomic_store_explicit(&given->turn, atomic_load_explicit(&page->turn, memory_order_relaxed),
                          memory_order_relaxed);
    atomic_store_explicit(&given->count, atomic_load_explicit(&page->count, memory_order_acquire),
                          memory_order_relaxed);
    memcpy(given->number, page->number, sizeof given->number);
    memcpy(given->key, page->key, sizeof given->key);
    memcpy(given->after, page->after, sizeof given->after);
}

/* Counts the read bytes. After a kill during a read, the new bytes are those that differ from the
 * fill byte. */
static void take_bytes(struct stream *stream)
{
    uint32_t length = atomic_load_explicit(&stream->page->length, memory_order_relaxed);
    bool reading = length & KEEPER_READING;
    length &= ~KEEPER_READING;
    if (length > KEEPER_BYTES)
        length = KEEPER_BYTES;
    memcpy(stream->bytes, stream->page->bytes, sizeof stream->bytes);
    while (reading && length && stream->bytes[length - 1] == KEEPER_FILL)
        length--;
    stream->length = length;
    stream->read_us = stream->page->read_us;
    if (reading)
        length_set(stream, length);
}

bool stream_begin(struct stream *stream, struct keeper_page *page, int fd,
                  const struct filter *filter, uint64_t keys)
{
    memset(stream, 0, sizeof *stream);
    stream->page = page;
    stream->fd = fd;
    stream->filter = *filter;
    stream->filter.given = &stream->given;
    take_given(&stream->given, &page->given);
    take_bytes(stream);
    stream->current = atomic_load_explicit(&page->current, memory_order_acquire) & 1;
    if (keeper_flag(&page->begun)) {
        memcpy(&stream->now, &page->state[stream->current], sizeof stream->now);
        if (stream->now.at > KEEPER_BYTES || !filter_sound(&stream->now.filter))
            return false;
        filter_resume(&stream->filter, &stream->now.filter);
        if (keys > stream->now.keys)
            stream->skip = keys - stream->now.keys;
    } else {
        filter_start(&stream->filter, &stream->now.filter);
        stream->now.keys = keys;
    }
    state_commit(stream);
    atomic_store_explicit(&page->begun, true, memory_order_release);
    return true;
}

uint64_t stream_given(const struct stream *stream)
{
    uint64_t count = atomic_load_explicit(&stream->given.count, memory_order_relaxed);
    return count ? stream->given.number[count % GIVEN_ROOM] : stream->given.base;
}

static void put_given(struct given *given, uint64_t count, uint64_t n, uint32_t point,
                      uint64_t after)
{
    given->number[count % GIVEN_ROOM] = n;
    given->key[count % GIVEN_ROOM] = point;
    given->after[count % GIVEN_ROOM] = after;
    if (point == KEY_RETURN)
        atomic_store_explicit(&given->turn, after + 1, memory_order_relaxed);
    atomic_store_explicit(&given->count, count, memory_order_release);
}

void stream_give(struct stream *stream, uint64_t n, uint32_t point, uint64_t after)
{
    uint64_t count = atomic_load_explicit(&stream->given.count, memory_order_relaxed) + 1;
    put_given(&stream->given, count, n, point, after);
    put_given(&stream->page->given, count, n, point, after);
}

bool stream_key(struct stream *stream, struct filter_key *key)
{
    struct keeper_state *now = &stream->now;
    for (;;) {
        if (filter_waiting(&now->filter)) {
            if (stream->skip == 0) {
                *key = filter_next(&now->filter);
                return true;
            }
            stream->skip--;
            stream_took(stream);
        } else if (now->at < stream->length) {
            now->filter.now_us = stream->read_us;
            while (now->at < stream->length && !filter_waiting(&now->filter))
                filter_feed(&stream->filter, &now->filter, stream->bytes[now->at++]);
            state_commit(stream);
        } else {
            return false;
        }
    }
}

void stream_took(struct stream *stream)
{
    filter_pop(&stream->now.filter);
    stream->now.keys++;
    state_commit(stream);
}

void stream_lost(struct stream *stream)
{
    filter_pop(&stream->now.filter);
    state_commit(stream);
}

size_t stream_read(struct stream *stream, size_t most, uint64_t now_us)
{
    ssize_t n;
    if (most > KEEPER_BYTES)
        most = KEEPER_BYTES;
    if (most == 0 || stream->ended)
        return 0;
    length_set(stream, 0);
    stream->length = stream->now.at = 0;
    state_commit(stream);
    memset(stream->page->bytes, KEEPER_FILL, most);
    stream->page->read_us = stream->read_us = now_us;
    length_set(stream, KEEPER_READING | (uint32_t)most);
    n = read(stream->fd, stream->page->bytes, most);
    length_set(stream, n > 0 ? (uint32_t)n : 0);
    if (n > 0) {
        memcpy(stream->bytes, stream->page->bytes, (size_t)n);
        stream->length = (uint32_t)n;
        return (size_t)n;
    }
    if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        stream->ended = true;
        stream_release(stream, true);
    }
    return 0;
}

unsigned stream_wait_ms(const struct stream *stream)
{
    return filter_wait_ms(&state_now(stream)->filter);
}

void stream_timeout(struct stream *stream)
{
    filter_timeout(&stream->filter, &stream->now.filter);
    state_commit(stream);
}

void stream_release(struct stream *stream, bool end)
{
    if (end)
        filter_end(&stream->filter, &stream->now.filter);
    else
        filter_release(&stream->filter, &stream->now.filter);
    state_commit(stream);
}

bool stream_holding(const struct stream *stream)
{
    return filter_holding(&state_now(stream)->filter);
}

bool stream_left(const struct stream *stream)
{
    const struct keeper_state *now = state_now(stream);
    return filter_waiting(&now->filter) || now->at < stream->length;
}

unsigned stream_kernel(const struct stream *stream)
{
    int count = 0;
    if (stream->ended || ioctl(stream->fd, FIONREAD, &count) || count < 0)
        return 0;
    return (unsigned)count;
}

uint64_t stream_written(const struct stream *stream)
{
    const struct keeper_state *now = state_now(stream);
    uint32_t left = now->at < stream->length ? stream->length - now->at : 0;
    return now->filter.position + left + stream_kernel(stream);
}

const struct filter_state *stream_state(const struct stream *stream)
{
    return &state_now(stream)->filter;
}
