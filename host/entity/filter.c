#include "entity/filter.h"

#include "base/bytes.h"
#include "session/event.h"

#include <string.h>

static void out_put(struct filter_state *s, struct filter_key key)
{
    s->out[s->out_count++] = key;
}

static void line_start(const struct filter *f, struct filter_state *s)
{
    s->matching = f->prompt != NULL;
    s->held_count = 0;
}

/* The length of the prompt at the start of the held text. *open: more keys could make it longer. */
static unsigned held_find(const struct filter *f, const struct filter_state *s, bool *open)
{
    uint32_t keys[FILTER_HELD];
    unsigned found;
    for (unsigned i = 0; i < s->held_count; i++)
        keys[i] = s->held[i].point;
    found = prompt_find(f->prompt, keys, s->held_count, open);
    *open = *open && s->held_count < FILTER_HELD;
    return found;
}

/* Drops the prompts at the start of the held text. Releases the rest, unless `wait` is set and more
 * keys could make the rest a prompt. */
static void held_settle(const struct filter *f, struct filter_state *s, bool wait)
{
    while (s->held_count) {
        bool open = false;
        unsigned found = f->prompt ? held_find(f, s, &open) : 0;
        if (open && wait)
            return;
        if (found == 0)
            break;
        s->held_count -= found;
        memmove(s->held, s->held + found, s->held_count * sizeof *s->held);
        if (s->held_count == 0)
            return;
    }
    for (unsigned i = 0; i < s->held_count; i++)
        out_put(s, s->held[i]);
    s->matching = s->matching && s->held_count == 0;
    s->held_count = 0;
}

/* Takes a key that is not an echo. */
static void prompt_key(const struct filter *f, struct filter_state *s, uint32_t point)
{
    const struct filter_key key = {.point = point, .at_us = s->now_us};
    if (point == KEY_RETURN) {
        held_settle(f, s, false);
        out_put(s, key);
        line_start(f, s);
    } else if (!s->matching) {
        out_put(s, key);
    } else {
        s->held[s->held_count++] = key;
        held_settle(f, s, true);
    }
}

static void plain_key(const struct filter *f, struct filter_state *s, uint32_t point)
{
    if (point == KEY_RETURN) {
        if (s->plain) {
            s->last_from = s->line_from;
            s->last_to = s->position;
        }
        s->plain = false;
    } else if (!s->plain) {
        s->plain = true;
        s->line_from = s->position;
    }
    prompt_key(f, s, point);
}

/* Skips the judge's lines that were answered without an echo, once the judge has typed after the
 * answer. To wait for their echo would miss all later echoes. */
static void echo_forget(const struct given *given, struct filter_state *s, uint64_t count)
{
    uint64_t turn = 0;
    if (s->last_to == 0 || (s->forgot_count == count && s->forgot_to == s->last_to))
        return;
    s->forgot_count = count;
    s->forgot_to = s->last_to;
    for (uint64_t n = s->echoed + 1; n <= count; n++) {
        uint64_t after = given->after[n % GIVEN_ROOM];
        if (turn && after >= s->last_to) {
            s->echoed = turn;
            return;
        }
        if (given->key[n % GIVEN_ROOM] == KEY_RETURN) {
            if (after >= s->last_from)
                return;
            turn = n;
        }
    }
}

/* True if the key echoes the judge's next key. Skips keys of the judge that may have no echo
 * (BackSpace at a line's start, a completing Tab). */
static bool echo_matches(const struct given *given, struct filter_state *s, uint32_t point)
{
    uint64_t count = atomic_load_explicit(&given->count, memory_order_acquire);
    if (s->echoed >= count)
        return false;
    if (count - s->echoed > GIVEN_ROOM)
        s->echoed = count - GIVEN_ROOM;
    echo_forget(given, s, count);
    for (uint64_t n = s->echoed + 1; n <= count; n++) {
        uint32_t key = given->key[n % GIVEN_ROOM];
        if (given->after[n % GIVEN_ROOM] >= s->position)
            return false;
        if (key == point) {
            s->echoed = n;
            return true;
        }
        if (key != KEY_BACKSPACE && key != KEY_TAB)
            return false;
    }
    return false;
}

/* Drops a key that is an echo; passes on any other. */
static void echo_key(const struct filter *f, struct filter_state *s, uint32_t point)
{
    if (s->erasing == 1 && point == ' ') {
        s->erasing = 2;
        return;
    }
    if (s->erasing == 2) {
        s->erasing = 0;
        if (point == KEY_BACKSPACE)
            return;
        plain_key(f, s, ' ');
    }
    s->erasing = 0;
    if (s->more && point == KEY_RETURN) {
        s->more--;
        return;
    }
    s->more = 0;
    if (!f->strip_echo || !echo_matches(f->given, s, point)) {
        plain_key(f, s, point);
    } else if (point == KEY_BACKSPACE) {
        s->erasing = 1;
    } else if (point == KEY_RETURN) {
        s->more = (uint8_t)(f->returns - 1);
        held_settle(f, s, false);
        line_start(f, s);
        s->plain = false;
    }
}

struct feeding {
    const struct filter *filter;
    struct filter_state *state;
};

static void on_input(void *ctx, enum input_what what, uint32_t point)
{
    const struct feeding *feeding = ctx;
    if (what == INPUT_POINT)
        echo_key(feeding->filter, feeding->state, point);
    else if (what == INPUT_BROKEN)
        feeding->state->bad++;
    else if (what != INPUT_SILENT)
        feeding->state->ignored++;
}

static bool are_keys(const struct filter_key *key, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!key_is_key(key[i].point))
            return false;
    return true;
}

bool filter_sound(const struct filter_state *state)
{
    const struct input *input = &state->input;
    return bool_sound(&state->plain) && bool_sound(&state->matching) &&
           bool_sound(&input->after_return) && input->utf8.need < UTF8_MAX &&
           (input->utf8.need == 0 || input->utf8.point <= 0x10FFFF >> 6) &&
           input->length < sizeof input->sequence && state->held_count < FILTER_HELD &&
           state->out_at <= state->out_count &&
           state->out_count + state->held_count <= FILTER_OUT &&
           are_keys(state->held, state->held_count) && are_keys(state->out, state->out_count);
}

void filter_start(const struct filter *filter, struct filter_state *state)
{
    memset(state, 0, sizeof *state);
    line_start(filter, state);
}

void filter_resume(const struct filter *filter, struct filter_state *state)
{
    held_settle(filter, state, filter->prompt != NULL);
    state->matching = state->matching && filter->prompt;
}

void filter_feed(const struct filter *filter, struct filter_state *state, uint8_t byte)
{
    struct feeding feeding = {.filter = filter, .state = state};
    uint64_t turn = atomic_load_explicit(&filter->given->turn, memory_order_relaxed);
    state->out_at = state->out_count = 0;
    state->position++;
    /* A line starts here. On a terminal the echo of the judge's Return would have moved the
     * cursor. */
    if (turn != state->turn && state->position >= turn) {
        state->turn = turn;
        if (!state->matching)
            line_start(filter, state);
    }
    input_feed(&state->input, byte, on_input, &feeding);
}

unsigned filter_wait_ms(const struct filter_state *state)
{
    return input_wait_ms(&state->input);
}

void filter_timeout(const struct filter *filter, struct filter_state *state)
{
    struct feeding feeding = {.filter = filter, .state = state};
    state->out_at = state->out_count = 0;
    input_timeout(&state->input, on_input, &feeding);
}

void filter_release(const struct filter *filter, struct filter_state *state)
{
    state->out_at = state->out_count = 0;
    if (state->erasing == 2)
        plain_key(filter, state, ' ');
    state->erasing = 0;
    held_settle(filter, state, false);
}

void filter_end(const struct filter *filter, struct filter_state *state)
{
    struct feeding feeding = {.filter = filter, .state = state};
    filter_release(filter, state);
    input_timeout(&state->input, on_input, &feeding);
    state->bad += state->input.utf8.need > 0;
    state->input = (struct input){0};
}

unsigned filter_waiting(const struct filter_state *state)
{
    return state->out_count - state->out_at;
}

struct filter_key filter_next(const struct filter_state *state)
{
    return state->out[state->out_at];
}

void filter_pop(struct filter_state *state)
{
    state->out_at++;
}

bool filter_holding(const struct filter_state *state)
{
    return state->held_count || state->erasing == 2;
}
