/* The Noise handshake against the pattern's public vector, and the frames of a session. */
#include "link/frame.h"
#include "link/core.h"
#include "link/secure.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define VECTORS "tests/data/noise_nnpsk0.txt"

static struct dice dice;

struct text {
    uint8_t bytes[128];
    size_t length;
};

static struct text from_hex(const char *hex)
{
    struct text text;
    assert_int_equal(
        sodium_hex2bin(text.bytes, sizeof text.bytes, hex, strlen(hex), NULL, &text.length, NULL),
        0);
    return text;
}

struct vector {
    struct text prologue, psk, initiator, responder, hash;
    struct text payload[8], sent[8];
    unsigned messages;
};

static void read_vector(struct vector *vector)
{
    const struct {
        const char *name;
        struct text *text;
    } fields[] = {{"prologue", &vector->prologue},
                  {"psk", &vector->psk},
                  {"initiator", &vector->initiator},
                  {"responder", &vector->responder},
                  {"hash", &vector->hash}};
    char line[512], name[32], first[300], second[300];
    unsigned found = 0;
    FILE *file = fopen(VECTORS, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        int words = sscanf(line, "%31s %299s %299s", name, first, second);
        if (line[0] == '#')
            continue;
        if (words == 3 && strcmp(name, "message") == 0) {
            assert_true(vector->messages < 8);
            vector->payload[vector->messages] = from_hex(first);
            vector->sent[vector->messages++] = from_hex(second);
        }
        for (unsigned i = 0; words == 2 && i < sizeof fields / sizeof fields[0]; i++) {
            if (strcmp(name, fields[i].name) == 0) {
                *fields[i].text = from_hex(first);
                found++;
            }
        }
    }
    fclose(file);
    assert_int_equal(found, sizeof fields / sizeof fields[0]);
    assert_int_equal(vector->messages, 6);
}

static void same(const uint8_t *got, size_t length, const struct text *wanted)
{
    assert_int_equal(length, wanted->length);
    assert_memory_equal(got, wanted->bytes, length);
}

/* A transport message as the vector has it: no head, no padding, empty associated data. */
static void check_transport(const uint8_t key[SECURE_KEY], uint64_t count,
                            const struct text *payload, const struct text *sent)
{
    uint8_t nonce[12] = {0}, out[160];
    unsigned long long length;
    nonce[4] = (uint8_t)count;
    crypto_aead_chacha20poly1305_ietf_encrypt(out, &length, payload->bytes, payload->length, NULL,
                                              0, NULL, nonce, key);
    same(out, length, sent);
}

static void test_public_vector(void **state)
{
    struct vector v = {0};
    struct secure_handshake a, b;
    uint8_t sent[160], got[160], keys[4][SECURE_KEY];
    (void)state;
    read_vector(&v);
    secure_begin(&a, v.psk.bytes, v.prologue.bytes, v.prologue.length);
    secure_begin(&b, v.psk.bytes, v.prologue.bytes, v.prologue.length);

    secure_write_1(&a, v.initiator.bytes, v.payload[0].bytes, v.payload[0].length, sent);
    same(sent, v.payload[0].length + SECURE_MESSAGE, &v.sent[0]);
    assert_true(secure_read_1(&b, v.sent[0].bytes, v.sent[0].length, got));
    same(got, v.sent[0].length - SECURE_MESSAGE, &v.payload[0]);

    assert_true(
        secure_write_2(&b, v.responder.bytes, v.payload[1].bytes, v.payload[1].length, sent));
    same(sent, v.payload[1].length + SECURE_MESSAGE, &v.sent[1]);
    assert_true(secure_read_2(&a, v.sent[1].bytes, v.sent[1].length, got));
    same(got, v.sent[1].length - SECURE_MESSAGE, &v.payload[1]);

    same(a.hash, SECURE_HASH, &v.hash);
    same(b.hash, SECURE_HASH, &v.hash);
    secure_split(&a, keys[0], keys[1]);
    secure_split(&b, keys[2], keys[3]);
    assert_memory_equal(keys[0], keys[2], SECURE_KEY);
    assert_memory_equal(keys[1], keys[3], SECURE_KEY);
    for (unsigned i = 2; i < v.messages; i++)
        check_transport(keys[i % 2], i / 2 - 1, &v.payload[i], &v.sent[i]);
}

/* Every bit of either message counts, and so do key and prologue. */
static void test_spoilt_handshakes_fail(void **state)
{
    struct vector v = {0};
    struct secure_handshake begun, a, b;
    uint8_t got[160];
    (void)state;
    read_vector(&v);
    secure_begin(&begun, v.psk.bytes, v.prologue.bytes, v.prologue.length);
    for (size_t bit = 0; bit < v.sent[0].length * 8; bit++) {
        struct text spoilt = v.sent[0];
        spoilt.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        b = begun;
        assert_false(secure_read_1(&b, spoilt.bytes, spoilt.length, got));
    }
    for (size_t length = 0; length < v.sent[0].length; length++) {
        b = begun;
        assert_false(secure_read_1(&b, v.sent[0].bytes, length, got));
    }
    a = begun;
    secure_write_1(&a, v.initiator.bytes, v.payload[0].bytes, v.payload[0].length, got);
    begun = a;
    for (size_t bit = 0; bit < v.sent[1].length * 8; bit++) {
        struct text spoilt = v.sent[1];
        if (bit == 255)
            continue; /* RFC 7748, section 5: the highest bit of a public key is masked */
        spoilt.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        a = begun;
        assert_false(secure_read_2(&a, spoilt.bytes, spoilt.length, got));
    }
    v.psk.bytes[0] ^= 1;
    secure_begin(&b, v.psk.bytes, v.prologue.bytes, v.prologue.length);
    assert_false(secure_read_1(&b, v.sent[0].bytes, v.sent[0].length, got));
    v.psk.bytes[0] ^= 1;
    secure_begin(&b, v.psk.bytes, v.prologue.bytes, v.prologue.length - 1);
    assert_false(secure_read_1(&b, v.sent[0].bytes, v.sent[0].length, got));
    /* A public key that gives no secret is refused. */
    secure_begin(&b, v.psk.bytes, v.prologue.bytes, v.prologue.length);
    memset(b.remote, 0, sizeof b.remote);
    assert_false(secure_write_2(&b, v.responder.bytes, NULL, 0, got));
}

static void make_pair(struct secure_session *a, struct secure_session *b)
{
    memset(a, 0, sizeof *a);
    memset(b, 0, sizeof *b);
    for (unsigned i = 0; i < SECURE_KEY; i++) {
        a->key_out[i] = b->key_in[i] = (uint8_t)dice_next(&dice);
        a->key_in[i] = b->key_out[i] = (uint8_t)dice_next(&dice);
    }
    a->live = b->live = true;
}

static void test_frames_of_all_lengths(void **state)
{
    struct secure_session a, b;
    uint8_t frame[FRAME_MAX], sealed[FRAME_MAX], got[FRAME_MAX];
    size_t lengths[FRAME_MAX + 1] = {0}, kinds = 0, n;
    (void)state;
    make_pair(&a, &b);
    for (size_t i = 0; i < sizeof frame; i++)
        frame[i] = dice_next(&dice) % 3 ? (uint8_t)dice_next(&dice) : 0;
    for (size_t length = 0; length <= FRAME_MAX - SECURE_OVERHEAD; length++) {
        size_t whole = secure_seal(&a, frame, length, sealed, FRAME_MAX);
        assert_true(whole >= length + SECURE_OVERHEAD && whole <= FRAME_MAX);
        kinds += lengths[whole]++ == 0;
        assert_true(secure_open(&b, sealed, whole, got, &n));
        assert_int_equal(n, length);
        assert_memory_equal(got, frame, length);
    }
    assert_true(kinds <= 8);
    /* A slow line's frames are never above its room. */
    for (size_t length = 0; length <= 61 - SECURE_OVERHEAD; length++)
        assert_true(secure_seal(&a, frame, length, sealed, 61) <= 61);
    /* An acknowledgement, any one key and a hello are alike. */
    for (size_t length = 0; length <= 21; length++)
        assert_int_equal(secure_seal(&a, frame, length, sealed, FRAME_MAX),
                         secure_seal(&a, frame, 1, sealed, FRAME_MAX));
}

static void test_each_frame_once_and_not_late(void **state)
{
    struct secure_session a, b;
    uint8_t sealed[8][64], got[64];
    size_t whole[8], n;
    (void)state;
    make_pair(&a, &b);
    for (unsigned i = 0; i < 8; i++)
        whole[i] = secure_seal(&a, (const uint8_t *)"key", 3, sealed[i], 64);
    const struct {
        unsigned frame;
        bool taken;
    } order[] = {{0, true},  {0, false}, {2, true},  {1, true},  {1, false}, {2, false},
                 {5, true},  {3, true},  {2, false}, {4, true},  {5, false}, {7, true},
                 {4, false}, {6, true},  {6, false}, {7, false}, {0, false}};
    for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
        assert_int_equal(secure_open(&b, sealed[order[i].frame], whole[order[i].frame], got, &n),
                         order[i].taken);
    /* As many may overtake it as on a line without a secret; one more, and it is late. */
    for (unsigned overtakers = LINK_OVERTAKE; overtakers <= LINK_OVERTAKE + 1; overtakers++) {
        make_pair(&a, &b);
        for (unsigned i = 0; i <= overtakers; i++)
            whole[i] = secure_seal(&a, (const uint8_t *)"key", 3, sealed[i], 64);
        for (unsigned i = 1; i <= overtakers; i++)
            assert_true(secure_open(&b, sealed[i], whole[i], got, &n));
        assert_int_equal(secure_open(&b, sealed[0], whole[0], got, &n),
                         overtakers == LINK_OVERTAKE);
    }
    /* What this end sent does not come back to it as the other's. */
    assert_false(secure_open(&a, sealed[0], whole[0], got, &n));
}

/* Frames of every length, sealed by one and opened by the other: ours and libsodium's AEAD. */
static void test_frames_are_those_of_libsodium(void **state)
{
    struct secure_session a, b;
    uint8_t frame[FRAME_MAX], sealed[FRAME_MAX], got[FRAME_MAX];
    unsigned long long opened;
    size_t n;
    (void)state;
    make_pair(&a, &b);
    for (size_t i = 0; i < sizeof frame; i++)
        frame[i] = (uint8_t)dice_next(&dice);
    for (size_t room = SECURE_OVERHEAD; room <= FRAME_MAX; room++) {
        size_t length = dice_below(&dice, room - SECURE_OVERHEAD + 1), whole;
        uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES] = {0};
        a.count_out = b.next_in = dice_next(&dice);
        for (unsigned i = 0; i < 8; i++)
            nonce[4 + i] = (uint8_t)(a.count_out >> (8 * i));
        whole = secure_seal(&a, frame, length, sealed, room);
        assert_int_equal(crypto_aead_chacha20poly1305_ietf_decrypt(
                             got, &opened, NULL, sealed + SECURE_HEAD, whole - SECURE_HEAD, sealed,
                             SECURE_HEAD, nonce, a.key_out),
                         0);
        assert_int_equal(opened, whole - SECURE_HEAD - SECURE_TAG);
        assert_memory_equal(got, frame, length);
        crypto_aead_chacha20poly1305_ietf_encrypt(sealed + SECURE_HEAD, NULL, got, opened, sealed,
                                                  SECURE_HEAD, NULL, nonce, b.key_in);
        memset(got, 0, sizeof got);
        assert_true(secure_open(&b, sealed, whole, got, &n));
        assert_int_equal(n, length);
        assert_memory_equal(got, frame, length);
    }
}

/* The count is 64 bits wide, of which 24 are sent. */
static void test_counts_beyond_what_is_sent(void **state)
{
    static const uint64_t starts[] = {(1u << 24) - 2, 0xFFFFFFFEu, UINT64_MAX / 2, 3u << 24};
    struct secure_session a, b;
    uint8_t sealed[64], got[64];
    size_t n;
    (void)state;
    for (unsigned i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        make_pair(&a, &b);
        a.count_out = b.next_in = starts[i];
        for (unsigned j = 0; j < 6; j++) {
            size_t whole = secure_seal(&a, (const uint8_t *)"key", 3, sealed, 64);
            assert_true(secure_open(&b, sealed, whole, got, &n));
        }
        a.count_out += (1u << 23) - 1; /* so many were lost */
        size_t whole = secure_seal(&a, (const uint8_t *)"key", 3, sealed, 64);
        assert_true(secure_open(&b, sealed, whole, got, &n));
        assert_true(b.next_in == a.count_out);
    }
    for (unsigned i = 0; i < 100000; i++) {
        uint64_t next = dice_next(&dice) >> dice_below(&dice, 60);
        int64_t off = (int64_t)dice_below(&dice, 1u << 23) - (1 << 22);
        uint64_t count = next + (uint64_t)off;
        if (off < 0 && next < (uint64_t)-off)
            continue;
        uint8_t head[4] = {7, (uint8_t)count, (uint8_t)(count >> 8), (uint8_t)(count >> 16)};
        assert_true(secure_count(head, next) == count);
    }
}

/* A million random frames in a soak, some thousands else: none is taken, nothing is changed. */
static void test_random_frames(void **state)
{
    struct secure_session a, b, before;
    uint8_t frame[FRAME_MAX], got[FRAME_MAX];
    unsigned rounds = getenv("SOAK") ? 1000000 : 20000;
    size_t n;
    (void)state;
    make_pair(&a, &b);
    before = b;
    for (unsigned i = 0; i < rounds; i++) {
        size_t length = dice_below(&dice, i % 4 ? 80 : FRAME_MAX + 1);
        if (i % 2) { /* a real one, spoilt */
            length = secure_seal(&a, frame, dice_below(&dice, 40), frame, 80);
            frame[dice_below(&dice, length)] ^= (uint8_t)(1u << dice_below(&dice, 8));
        } else {
            for (size_t j = 0; j < length; j++)
                frame[j] = (uint8_t)dice_next(&dice);
        }
        assert_false(secure_open(&b, frame, length, got, &n));
    }
    assert_memory_equal(&b, &before, sizeof b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_public_vector),
        cmocka_unit_test(test_spoilt_handshakes_fail),
        cmocka_unit_test(test_frames_of_all_lengths),
        cmocka_unit_test(test_frames_are_those_of_libsodium),
        cmocka_unit_test(test_each_frame_once_and_not_late),
        cmocka_unit_test(test_counts_beyond_what_is_sent),
        cmocka_unit_test(test_random_frames),
    };
    dice = dice_make(dice_seed("secure"));
    if (sodium_init() < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
