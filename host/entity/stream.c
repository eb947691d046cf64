#include "entity/stream.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const struct keeper_state *state_now(const struct stream *s)
{
    return &s->page->state[atomic_load_explicit(&s->page->current, memory_order_relaxed) & 1];
}

/* A copy to change; another terminal sees it only after state_commit(). */
static struct keeper_state *state_next(struct stream *s)
{
    struct keeper_state *next = &s->page->state[!(s->page->current & 1)];
    *next = *state_now(s);
    return next;
}

static void state_commit(struct stream *s)
{
    atomic_store_explicit(&s->page->current, !(s->page->current & 1), memory_order_release);
}

static uint32_t length_now(const struct stream *s)
{
    return atomic_load_explicit(&s->page->length, memory_order_relaxed);
}

static void length_set(struct stream *s, uint32_t length)
{
    atomic_store_explicit(&s->page->length, length, memory_order_release);
}

void stream_begin(struct stream *stream, struct keeper_page *page, int fd,
                  const struct filter *filter, uint64_t keys)
{
    struct keeper_state *next;
    uint32_t length;
    *stream = (struct stream){.page = page, .fd = fd, .filter = *filter};
    stream->filter.given = &page->given;
    length = length_now(stream);
    if (length & KEEPER_READING) {
        /* Killed in a read: what came is what is no longer the filling. */
        length &= ~KEEPER_READING;
        if (length > KEEPER_BYTES)
            length = KEEPER_BYTES;
        while (length && page->bytes[length - 1] == KEEPER_FILL)
            length--;
        length_set(stream, length);
    }
    next = state_next(stream);
    if (atomic_load_explicit(&page->begun, memory_order_acquire)) {
        filter_resume(&stream->filter, &next->filter);
        if (keys > next->keys)
            stream->skip = keys - next->keys;
    } else {
        filter_start(&stream->filter, &next->filter);
        next->keys = keys;
    }
    state_commit(stream);
    atomic_store_explicit(&page->begun, true, memory_order_release);
}

bool stream_key(struct stream *stream, struct filter_key *key)
{
    for (;;) {
        const struct keeper_state *now = state_now(stream);
        if (filter_waiting(&now->filter)) {
            if (stream->skip == 0) {
                *key = filter_next(&now->filter);
                return true;
            }
            stream->skip--;
            stream_took(stream);
        } else if (now->at < length_now(stream)) {
            struct keeper_state *next = state_next(stream);
            uint32_t length = length_now(stream);
            next->filter.now_us = stream->page->read_us;
            while (next->at < length && !filter_waiting(&next->filter))
                filter_feed(&stream->filter, &next->filter, stream->page->bytes[next->at++]);
            state_commit(stream);
        } else {
            return false;
        }
    }
}

void stream_took(struct stream *stream)
{
    struct keeper_state *next = state_next(stream);
    filter_pop(&next->filter);
    next->keys++;
    state_commit(stream);
}

void stream_lost(struct stream *stream)
{
    filter_pop(&state_next(stream)->filter);
    state_commit(stream);
}

size_t stream_read(struct stream *stream, size_t most, uint64_t now_us)
{
    struct keeper_state *next;
    ssize_t n;
    if (most > KEEPER_BYTES)
        most = KEEPER_BYTES;
    if (most == 0 || stream->ended)
        return 0;
    length_set(stream, 0);
    next = state_next(stream);
    next->at = 0;
    state_commit(stream);
    memset(stream->page->bytes, KEEPER_FILL, most);
    stream->page->read_us = now_us;
    length_set(stream, KEEPER_READING | (uint32_t)most);
    n = read(stream->fd, stream->page->bytes, most);
    length_set(stream, n > 0 ? (uint32_t)n : 0);
    if (n > 0)
        return (size_t)n;
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
    filter_timeout(&stream->filter, &state_next(stream)->filter);
    state_commit(stream);
}

void stream_release(struct stream *stream, bool end)
{
    struct keeper_state *next = state_next(stream);
    if (end)
        filter_end(&stream->filter, &next->filter);
    else
        filter_release(&stream->filter, &next->filter);
    state_commit(stream);
}

bool stream_holding(const struct stream *stream)
{
    return filter_holding(&state_now(stream)->filter);
}

bool stream_left(const struct stream *stream)
{
    const struct keeper_state *now = state_now(stream);
    return filter_waiting(&now->filter) || now->at < length_now(stream);
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
    uint32_t length = length_now(stream);
    uint32_t left = now->at < length ? length - now->at : 0;
    return now->filter.position + left + stream_kernel(stream);
}

const struct filter_state *stream_state(const struct stream *stream)
{
    return &state_now(stream)->filter;
}
