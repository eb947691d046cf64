/* Any expression as an Entry's prompt and any bytes as its output: only keys come out, whatever is
 * held is let go in the end, and a terminal that is started again at any byte goes on at the very
 * key. The expression stands before the first line end. */
#include "entity/filter.h"
#include "session/event.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static uint64_t take_keys(struct filter_state *state, uint64_t hash)
{
    while (filter_waiting(state)) {
        uint32_t point = filter_next(state).point;
        if (!key_is_key(point))
            abort();
        hash = (hash ^ point) * 1099511628211u;
        filter_pop(state);
    }
    return hash;
}

static uint64_t run(const struct filter *filter, const uint8_t *bytes, size_t length, size_t again)
{
    static struct filter_state state;
    uint64_t hash = 14695981039346656037u;
    memset(&state, 0, sizeof state);
    filter_start(filter, &state);
    for (size_t i = 0; i < length; i++) {
        if (i == again)
            filter_resume(filter, &state);
        filter_feed(filter, &state, bytes[i]);
        hash = take_keys(&state, hash);
        if (bytes[i] == 0x07) {
            filter_release(filter, &state);
            hash = take_keys(&state, hash);
            if (filter_holding(&state))
                abort();
        }
        if (bytes[i] == 0x06 && filter_wait_ms(&state)) {
            filter_timeout(filter, &state);
            hash = take_keys(&state, hash);
            if (filter_wait_ms(&state))
                abort();
        }
        if (!filter_sound(&state))
            abort();
    }
    filter_end(filter, &state);
    return take_keys(&state, hash);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct prompt prompt;
    static struct given given;
    struct filter filter = {.strip_echo = length & 1, .returns = 1, .given = &given};
    char text[100];
    const uint8_t *line = memchr(bytes, '\n', length);
    size_t n = line ? (size_t)(line - bytes) : 0;
    if (n >= sizeof text)
        return 0;
    memcpy(text, bytes, n);
    text[n] = '\0';
    if (n && prompt_parse(&prompt, text, NULL) == BL_OK)
        filter.prompt = &prompt;
    bytes += n;
    length -= n;
    if (run(&filter, bytes, length, SIZE_MAX) != run(&filter, bytes, length, length / 2))
        abort();
    prompt_free(&prompt);
    return 0;
}
