#include "tests/support/lpp2_terminal.h"

#include <stdlib.h>
#include <string.h>

#define TYPED 512

static uint32_t judge[TYPED];
static size_t typed;
static bool registered;

static enum handed on_key(void *ctx, uint32_t point, uint64_t pressed_us)
{
    (void)ctx, (void)pressed_us;
    if (!registered || !key_is_key(point))
        abort();
    return HANDED_ON;
}

static uint32_t on_placed(void *ctx, uint64_t n, enum party *party)
{
    (void)ctx;
    if (n < 1 || n > typed)
        abort();
    *party = PARTY_JUDGE;
    return judge[n - 1];
}

static uint32_t on_waiting(void *ctx, size_t i)
{
    (void)ctx, (void)i;
    return 0;
}

static void on_event(void *ctx, enum lpp2_event event, uint32_t count, const char *text)
{
    (void)ctx, (void)count;
    registered = registered || event == LPP2_REGISTERED;
    if (strlen(text) > NOTE_MAX || strchr(text, '\n'))
        abort();
}

const struct lpp2_callbacks lpp2_terminal = {on_key, on_placed, on_waiting, on_event};

void lpp2_terminal_begin(void)
{
    typed = 0;
    registered = false;
}

void lpp2_terminal_type(struct lpp2 *lpp2, const uint8_t *text, size_t length)
{
    for (size_t i = 0; i < length && typed < TYPED; i++)
        judge[typed++] = text[i] == '\n' ? KEY_RETURN : text[i] | 0x20u;
    lpp2_order(lpp2, typed);
}
