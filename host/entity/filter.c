#include "entity/filter.h"

#include "base/bytes.h"
#include "session/event.h"

#include <string.h>

#define REPLACEMENT 0xFFFDu
#define ESCAPE      0x1Bu
#define SWALLOW_MAX 1024 /* longest escape string; a longer one is text after a stray ESC ] */

/* Where the bytes stand in an escape sequence (ECMA-48). */
enum { ESCAPE_NONE, ESCAPE_BEGUN, ESCAPE_MIDDLE, ESCAPE_CSI, ESCAPE_STRING, ESCAPE_STRING_END };

static void out_put(struct filter_state *s, uint32_t point)
{
    s->out[s->out_count++] = point;
}

static void line_start(const struct filter *f, struct filter_state *s)
{
    if (!f->prompt)
        return;
    s->matching = true;
    s->held_count = s->held_matched = 0;
    prompt_start(f->prompt, &s->prompt);
}

/* Feeds held key number at to the match. Returns false when no prompt can come of it any more. */
static bool held_feed(const struct filter *f, struct filter_state *s, unsigned at)
{
    prompt_feed(f->prompt, &s->prompt, s->held[at]);
    if (prompt_matched(f->prompt, &s->prompt))
        s->held_matched = (uint16_t)(at + 1);
    return prompt_open(f->prompt, &s->prompt) && at + 1 < FILTER_HELD;
}

/* The match is over, or with `wait` may be: drops the longest prompt at the start of what is held.
 * What stood behind it is at the line's start again and may be the next prompt. */
static void held_settle(const struct filter *f, struct filter_state *s, bool wait)
{
    while (s->held_matched) {
        unsigned count = s->held_count - s->held_matched;
        bool open = true;
        memmove(s->held, s->held + s->held_matched, count * sizeof *s->held);
        line_start(f, s);
        s->held_count = (uint16_t)count;
        for (unsigned i = 0; i < count && open; i++)
            open = held_feed(f, s, i);
        if (open && (wait || count == 0))
            return;
    }
    for (unsigned i = 0; i < s->held_count; i++)
        out_put(s, s->held[i]);
    s->matching = s->matching && s->held_count == 0;
    s->held_count = 0;
}

/* Takes a key that is no echo. */
static void prompt_key(const struct filter *f, struct filter_state *s, uint32_t point)
{
    if (point == KEY_RETURN) {
        held_settle(f, s, false);
        out_put(s, point);
        line_start(f, s);
    } else if (!s->matching) {
        out_put(s, point);
    } else {
        s->held[s->held_count++] = point;
        if (!held_feed(f, s, s->held_count - 1u))
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

/* Lines of the judge that were answered without an echo, and after that answer the judge went on
 * typing: their echo will not come, and waiting for it would miss all that follow. */
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

/* Is this the echo of the judge's next key? Keys that may have none (BackSpace at a line's start, a
 * Tab that completes) are passed over. */
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

/* Takes a key and drops it if the Entry, or its terminal, echoes one of the judge's with it. */
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

/* Starts an escape sequence at its second character, ESC or a C1 control having been taken. */
static void escape_begin(struct filter_state *s, uint32_t second)
{
    s->swallowed = 0;
    if (second == '[')
        s->escape = ESCAPE_CSI;
    else if (second == ']' || second == 'P' || second == 'X' || second == '^' || second == '_')
        s->escape = ESCAPE_STRING;
    else if (second >= 0x20 && second <= 0x2F)
        s->escape = ESCAPE_MIDDLE;
    else
        s->escape = ESCAPE_NONE;
}

/* Does this character belong to an escape sequence? */
static bool escape_takes(struct filter_state *s, uint32_t point)
{
    bool control = point < 0x20 || point >= 0x7F;
    uint8_t where = s->escape;
    if (where == ESCAPE_NONE)
        return false;
    if (where == ESCAPE_STRING || where == ESCAPE_STRING_END) {
        /* A string that runs into the next line was none. */
        s->escape = where == ESCAPE_STRING && point == ESCAPE ? ESCAPE_STRING_END : ESCAPE_STRING;
        if (point == '\n' || point == '\r' || ++s->swallowed > SWALLOW_MAX) {
            s->escape = ESCAPE_NONE;
            return false;
        }
        if (point == 0x07 || point == 0x9C || (where == ESCAPE_STRING_END && point == '\\'))
            s->escape = ESCAPE_NONE;
        return true;
    }
    if (control || ++s->swallowed > SWALLOW_MAX) {
        s->escape = ESCAPE_NONE;
        return false;
    }
    if (where == ESCAPE_BEGUN)
        escape_begin(s, point);
    else if (where == ESCAPE_CSI ? point >= 0x40 : point >= 0x30)
        s->escape = ESCAPE_NONE;
    return true;
}

static void take_point(const struct filter *f, struct filter_state *s, uint32_t point)
{
    bool after_cr = s->after_cr;
    if (escape_takes(s, point))
        return;
    s->after_cr = point == '\r';
    if (point == '\n' && after_cr)
        return;
    if (point == ESCAPE || (point >= 0x80 && point <= 0x9F)) {
        s->ignored++;
        s->escape = ESCAPE_BEGUN;
        if (point != ESCAPE)
            escape_begin(s, point - 0x40);
        return;
    }
    if (point == '\n')
        point = KEY_RETURN;
    else if (point == 0x7F)
        point = KEY_BACKSPACE;
    if (key_is_key(point))
        echo_key(f, s, point);
    else
        s->ignored++;
}

static void take_bad(const struct filter *f, struct filter_state *s, unsigned bytes)
{
    s->bad += bytes;
    take_point(f, s, REPLACEMENT);
}

static bool are_keys(const uint32_t *point, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!key_is_key(point[i]))
            return false;
    return true;
}

bool filter_sound(const struct filter_state *state)
{
    return bool_sound(&state->after_cr) && bool_sound(&state->plain) &&
           bool_sound(&state->matching) && state->utf8.need < UTF8_MAX &&
           state->utf8.point <= 0x10FFFF >> 6 && state->partial < UTF8_MAX &&
           state->held_count < FILTER_HELD && state->held_matched <= state->held_count &&
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
    unsigned count = state->held_count;
    if (!filter->prompt) {
        state->held_matched = 0;
        held_settle(filter, state, false);
        state->matching = false;
        return;
    }
    if (!state->matching)
        return;
    line_start(filter, state);
    state->held_count = (uint16_t)count;
    for (unsigned i = 0; i < count; i++) {
        if (!held_feed(filter, state, i)) {
            held_settle(filter, state, true);
            return;
        }
    }
}

void filter_feed(const struct filter *filter, struct filter_state *state, uint8_t byte)
{
    uint64_t turn = atomic_load_explicit(&filter->given->turn, memory_order_relaxed);
    uint32_t point;
    state->out_at = state->out_count = 0;
    state->position++;
    /* On a terminal the judge's Return would have moved the cursor to a line's start. */
    if (turn != state->turn && state->position >= turn) {
        state->turn = turn;
        if (!state->matching)
            line_start(filter, state);
    }
    for (;;) {
        switch (utf8_feed(&state->utf8, byte, &point)) {
        case UTF8_MORE:
            state->partial++;
            return;
        case UTF8_POINT:
            state->partial = 0;
            take_point(filter, state, point);
            return;
        case UTF8_BAD:
            take_bad(filter, state, state->partial + 1u);
            state->partial = 0;
            return;
        case UTF8_AGAIN:
            take_bad(filter, state, state->partial);
            state->partial = 0;
            break;
        }
    }
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
    filter_release(filter, state);
    if (state->partial) {
        take_bad(filter, state, state->partial);
        held_settle(filter, state, false);
        state->partial = 0;
        state->utf8 = (struct utf8_decoder){0};
    }
}

unsigned filter_waiting(const struct filter_state *state)
{
    return state->out_count - state->out_at;
}

uint32_t filter_next(const struct filter_state *state)
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
