#include "contest/act.h"

#include <sodium/crypto_generichash.h>
#include <string.h>

static void add_number(crypto_generichash_state *state, int64_t number)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint64_t)number >> (56 - 8 * i));
    crypto_generichash_update(state, bytes, sizeof bytes);
}

static void add_text(crypto_generichash_state *state, const char *text)
{
    crypto_generichash_update(state, (const uint8_t *)text, strlen(text) + 1);
}

void act_hash(const struct act *act, const uint8_t before[ACT_HASH_BYTES],
              uint8_t out[ACT_HASH_BYTES])
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, ACT_HASH_BYTES);
    crypto_generichash_update(&state, before, ACT_HASH_BYTES);
    add_number(&state, act->number);
    add_number(&state, act->at_us);
    add_text(&state, act->chained_author ? act->chained_author : act->author);
    add_text(&state, act->kind);
    add_text(&state, act->chained_body ? act->chained_body : act->body);
    crypto_generichash_final(&state, out, ACT_HASH_BYTES);
}
