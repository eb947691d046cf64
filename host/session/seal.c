#include "session/seal.h"

#include "base/assert.h"
#include "base/bytes.h"

#include <sodium/crypto_generichash.h>

void seal_begin(struct seal *seal, const uint8_t secret[SEAL_SECRET], const char *session,
                enum side side, uint32_t epoch)
{
    static const char about[] = "boothlink seal 1";
    uint8_t block[sizeof about + SESSION_ID_MAX + 1 + 1 + 4];
    struct bytes_out out = {.at = block, .left = sizeof block};
    bytes_put_all(&out, about, sizeof about);
    bytes_put_all(&out, session, strnlen(session, SESSION_ID_MAX));
    bytes_put(&out, 0, 1);
    bytes_put(&out, side, 1);
    bytes_put(&out, epoch, 4);
    seal->n = 0;
    crypto_generichash(seal->chain, sizeof seal->chain, block, out.length, secret, SEAL_SECRET);
}

void seal_extend(struct seal *seal, const uint8_t secret[SEAL_SECRET],
                 const struct sequence *sequence, uint64_t n)
{
    bl_assert(n <= SEQUENCE_MAX);
    for (; seal->n < n; seal->n++) {
        const struct key_event *event = &sequence->event[seal->n];
        uint8_t block[sizeof seal->chain + 8 + 4 + 1];
        struct bytes_out out = {.at = block, .left = sizeof block};
        bytes_put_all(&out, seal->chain, sizeof seal->chain);
        bytes_put(&out, event->posted_us, 8);
        bytes_put(&out, event->point, 4);
        bytes_put(&out, event->party, 1);
        crypto_generichash(seal->chain, sizeof seal->chain, block, sizeof block, secret,
                           SEAL_SECRET);
    }
}

void seal_take(const struct seal *seal, uint8_t out[SEAL_SIZE])
{
    memcpy(out, seal->chain, SEAL_SIZE);
}

bool seal_equals(const uint8_t a[SEAL_SIZE], const uint8_t b[SEAL_SIZE])
{
    uint8_t differs = 0;
    for (unsigned i = 0; i < SEAL_SIZE; i++)
        differs |= a[i] ^ b[i];
    return differs == 0;
}
