#include "validate/actor_private.h"

#include "base/loop.h"

#define SPINS_MS 4000 /* a program that works for so long is polling */
#define READY_MS 200  /* rest after the start */
#define STILL_MS 3000
#define PAGE_US  20000 /* time in which a program redraws a screen that it has erased */
#define PULSES   3     /* looks at a program's processes until their state is reliable */

static bool is_masked(const struct actor *a, unsigned row, unsigned column)
{
    return picture_masked(a->options.mask, row, column);
}

static void on_put(void *ctx, uint32_t point, unsigned row, unsigned column)
{
    const struct actor *a = ctx;
    if (a->screen.callbacks.put && !is_masked(a, row, column))
        a->screen.callbacks.put(a->screen.ctx, point, row, column);
}

static void on_gone(void *ctx, unsigned row, unsigned column)
{
    const struct actor *a = ctx;
    if (a->screen.callbacks.gone && !is_masked(a, row, column))
        a->screen.callbacks.gone(a->screen.ctx, row, column);
}

static void on_scrolled(void *ctx)
{
    const struct actor *a = ctx;
    if (a->screen.callbacks.scrolled)
        a->screen.callbacks.scrolled(a->screen.ctx);
}

bool screen_open(struct actor *a, unsigned rows, unsigned columns)
{
    static const struct emulator_callbacks callbacks = {on_put, on_gone, on_scrolled};
    struct actor_screen *s = &a->screen;
    s->emulator = emulator_create(rows, columns, &callbacks, a);
    s->before = picture_create(rows, columns);
    s->changed_us = s->idle_us = bl_mono_us();
    return s->emulator && s->before;
}

void screen_close(struct actor *a)
{
    emulator_destroy(a->screen.emulator);
    picture_destroy(a->screen.before);
}

static void look(struct actor *a)
{
    struct actor_screen *s = &a->screen;
    struct picture_difference difference;
    const struct picture *now = emulator_picture(s->emulator);
    if (!picture_compare(s->before, now, a->options.mask, &difference))
        return;
    s->changed_us = a->last_us;
    picture_destroy(s->before);
    s->before = picture_copy(now);
}

/* Feeds single bytes, so that the callbacks know the byte at which a cell appeared. */
void screen_hear(struct actor *a, const uint8_t *bytes, size_t length)
{
    char reply[64];
    if (a->take->full) { /* the program writes without end */
        a->out_closed = true;
        return;
    }
    for (size_t i = 0; i < length; i++) {
        size_t answered;
        a->take->seen++;
        emulator_feed(a->screen.emulator, bytes + i, 1);
        answered = emulator_reply(a->screen.emulator, reply, sizeof reply);
        if (answered)
            actor_give(a, reply, answered);
    }
    a->screen.drawn = true;
    look(a);
}

void screen_rest(struct actor *a, uint64_t now_us)
{
    if (a->screen.emulator && now_us - a->last_us >= PAGE_US)
        emulator_rest(a->screen.emulator);
}

void actor_listen(struct actor *a, const struct emulator_callbacks *callbacks, void *ctx)
{
    a->screen.callbacks = *callbacks;
    a->screen.ctx = ctx;
}

void actor_press(struct actor *a, uint32_t point)
{
    uint8_t bytes[UTF8_MAX] = {0};
    a->screen.pulse = sandbox_facts(a->sandbox)->pulse;
    a->screen.idle_us = bl_mono_us();
    actor_give(a, bytes, utf8_encode(point, bytes));
}

const struct picture *actor_picture(const struct actor *a)
{
    return emulator_picture(a->screen.emulator);
}

uint64_t actor_changed_us(const struct actor *a)
{
    return a->screen.changed_us;
}

/* True if the program works. A program that works all the time, such as one that polls for keys,
 * does not count. */
static bool works(struct actor *a, uint64_t now_us)
{
    struct actor_screen *s = &a->screen;
    bool running = sandbox_facts(a->sandbox)->running;
    if (!running || s->idle_us < s->changed_us)
        s->idle_us = now_us;
    if (now_us - s->idle_us >= SPINS_MS * MS)
        s->spins = true;
    return running && !s->spins;
}

bool actor_rests(struct actor *a, unsigned ms)
{
    uint64_t now_us = bl_mono_us();
    return now_us - a->screen.changed_us >= ms * MS && !works(a, now_us) &&
           sandbox_facts(a->sandbox)->pulse - a->screen.pulse >= PULSES;
}

bool actor_ready(struct actor *a)
{
    return actor_rests(a, READY_MS) && (a->screen.drawn || sandbox_facts(a->sandbox)->reading);
}

bool actor_waits(struct actor *a)
{
    return actor_ready(a) || actor_rests(a, STILL_MS);
}
