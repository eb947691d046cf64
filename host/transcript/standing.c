#include "transcript/standing.h"

#include <stdlib.h>

struct standing_key {
    uint64_t before; /* number of the standing key before it, of the same party and side; 0: none */
    bool stands, is_return;
};

enum bl_status standing_begin(struct standing *standing, uint64_t count, bool over_return)
{
    *standing = (struct standing){.over_return = over_return};
    standing->key = calloc((size_t)count + 1, sizeof *standing->key);
    return standing->key ? BL_OK : BL_NOMEM;
}

void standing_free(struct standing *standing)
{
    free(standing->key);
    standing->key = NULL;
}

static void take_back(struct standing *standing, uint64_t *last)
{
    struct standing_key *key = &standing->key[*last];
    if (*last == 0 || (key->is_return && !standing->over_return))
        return;
    key->stands = false;
    standing->taken++;
    standing->returns += key->is_return;
    *last = key->before;
}

void standing_take(struct standing *standing, uint64_t number, enum side side, enum party party,
                   uint32_t point)
{
    uint64_t *last = &standing->last[side][party];
    if (point == 0)
        return;
    if (point == KEY_BACKSPACE) {
        take_back(standing, last);
        return;
    }
    standing->key[number] =
        (struct standing_key){.before = *last, .stands = true, .is_return = point == KEY_RETURN};
    *last = number;
}

bool standing_is(const struct standing *standing, uint64_t number)
{
    return standing->key[number].stands;
}
