/* The frames of a session: sealed under a count that is used once, and padded to hide the number of
 * keys. */
#include "link/core.h"
#include "link/secure_private.h"

enum {
    COUNT_SENT = SECURE_HEAD - 1, /* bytes of the count on the wire */
    COUNT_BITS = 8 * COUNT_SENT,
    PAD = 0x80,
    /* Lengths of padded contents. The least holds a hello, an acknowledgement or any single key,
     * which thus look alike. Each next length is about twice as long. */
    LEAST = 24,
};

size_t secure_seal(struct secure_session *session, const uint8_t *frame, size_t length,
                   uint8_t *out, size_t room)
{
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    uint64_t count = session->count_out++;
    size_t padded = LEAST, most = room - SECURE_HEAD - SECURE_TAG;
    uint8_t *contents = out + SECURE_HEAD;
    while (padded < length + 1)
        padded = 2 * padded + 8;
    if (padded > most)
        padded = most;
    out[0] = session->kind;
    for (unsigned i = 0; i < COUNT_SENT; i++)
        out[1 + i] = (uint8_t)(count >> (8 * i));
    if (length)
        memmove(contents, frame, length);
    contents[length] = PAD;
    memset(contents + length + 1, 0, padded - length - 1);
    secure_nonce(nonce, count);
    secure_encrypt(out, padded, nonce, session->key_out);
    return SECURE_HEAD + padded + SECURE_TAG;
}

uint64_t secure_count(const uint8_t *frame, uint64_t next)
{
    const uint64_t span = (uint64_t)1 << COUNT_BITS;
    uint64_t low = 0, count;
    for (unsigned i = 0; i < COUNT_SENT; i++)
        low |= (uint64_t)frame[1 + i] << (8 * i);
    /* Takes the possible count nearest to the expected count. */
    count = (next & ~(span - 1)) | low;
    if (count + span / 2 <= next)
        count += span;
    else if (count > next + span / 2 && count >= span)
        count -= span;
    return count;
}

bool secure_open_count(const uint8_t key[SECURE_KEY], uint64_t count, const uint8_t *frame,
                       size_t length, uint8_t *out, size_t *out_length)
{
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    size_t n;
    if (length < SECURE_OVERHEAD)
        return false;
    n = length - SECURE_HEAD - SECURE_TAG;
    secure_nonce(nonce, count);
    if (!secure_decrypt(frame, n, out, nonce, key))
        return false;
    while (n && out[n - 1] == 0)
        n--;
    if (n == 0 || out[n - 1] != PAD)
        return false;
    *out_length = n - 1;
    return true;
}

bool secure_open(struct secure_session *session, const uint8_t *frame, size_t length, uint8_t *out,
                 size_t *out_length)
{
    uint64_t count, behind = 0;
    if (!session->live || length < SECURE_OVERHEAD)
        return false;
    count = secure_count(frame, session->next_in);
    if (count < session->next_in) {
        behind = session->next_in - 1 - count;
        if (behind > LINK_OVERTAKE || session->seen >> behind & 1)
            return false;
    }
    if (!secure_open_count(session->key_in, count, frame, length, out, out_length))
        return false;
    if (count >= session->next_in) {
        uint64_t ahead = count - session->next_in + 1;
        session->seen = ahead < 8 ? (uint8_t)(session->seen << ahead) : 0;
        session->next_in = count + 1;
    }
    session->seen |= (uint8_t)(1u << behind);
    return true;
}
