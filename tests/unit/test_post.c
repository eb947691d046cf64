/* Pieces and their sealing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sodium.h>

#include "post/keys.h"

static const uint8_t secret[POST_SECRET] = {1, 2, 3}, nonce[POST_NONCE] = {7};
static uint8_t bytes[POST_BYTES_MOST + 1], plain[POST_PLAIN_MOST], sealed[POST_SEALED_MOST];
static struct bl_diag diag;

static struct post_piece piece_of(size_t length)
{
    return (struct post_piece){.kind = POST_PIECE,
                               .copy = 1,
                               .file = "r1-j1-judge.journal",
                               .offset = 1000,
                               .bytes = bytes,
                               .length = length};
}

static bool is_same(const struct post_piece *a, const struct post_piece *b)
{
    return a->kind == b->kind && a->copy == b->copy && strcmp(a->file, b->file) == 0 &&
           a->offset == b->offset && memcmp(a->hash, b->hash, POST_HASH) == 0 &&
           a->room == b->room && a->number == b->number && a->count == b->count &&
           a->run == b->run && a->length == b->length &&
           (!a->length || memcmp(a->bytes, b->bytes, a->length) == 0);
}

static void test_there_and_back(void **state)
{
    struct post_piece got;
    (void)state;
    randombytes_buf(bytes, sizeof bytes);
    for (size_t length = 1; length <= POST_BYTES_MOST; length += length < 600 ? 1 : 997) {
        const struct post_piece piece = piece_of(length);
        size_t whole = post_piece_write(&piece, plain);
        assert_true(whole >= POST_PLAIN_LEAST && (whole & (whole - 1)) == 0);
        assert_true(whole >= length);
        assert_int_equal(post_piece_read(&got, plain, whole, &diag), BL_OK);
        assert_true(is_same(&piece, &got));
    }
    struct post_piece have = {
        .kind = POST_HAVE, .copy = 64, .file = "002.ticket", .offset = POST_LENGTH_MOST};
    memset(have.hash, 9, POST_HASH);
    size_t whole = post_piece_write(&have, plain);
    assert_int_equal(post_piece_read(&got, plain, whole, &diag), BL_OK);
    assert_true(is_same(&have, &got));
    const struct post_piece state_of = {.kind = POST_STATE,
                                        .copy = 1,
                                        .file = "002.ticket",
                                        .offset = UINT64_MAX,
                                        .room = 7,
                                        .number = UINT64_MAX - 1,
                                        .count = 3,
                                        .run = UINT64_MAX - 2};
    whole = post_piece_write(&state_of, plain);
    assert_int_equal(whole, POST_PLAIN_LEAST); /* with and without a ticket's name */
    assert_int_equal(post_piece_read(&got, plain, whole, &diag), BL_OK);
    assert_true(is_same(&state_of, &got));
}

/* A newer message is named as that, one of an earlier version is read, and records travel in the
 * form of version 1, which an older desk takes. */
static void test_versions(void **state)
{
    const struct post_piece piece = piece_of(3);
    const struct post_piece run = {.kind = POST_RUN, .copy = 1, .file = POST_NO_TICKET, .run = 9};
    struct post_piece state_of = {.kind = POST_STATE,
                                  .version = 1,
                                  .copy = 1,
                                  .file = POST_NO_TICKET,
                                  .offset = 5,
                                  .room = 7,
                                  .number = 11};
    static const uint8_t of_version_1[] = {1, 6, 1, 4, 'n', 'o', 'n', 'e', 5, 0, 0, 0, 0,
                                           0, 0, 0, 7, 0,   0,   0,   0,   0, 0, 0, 11};
    struct post_piece got;
    (void)state;
    assert_int_equal(post_piece_write(&piece, plain), 512);
    assert_int_equal(plain[0], 1);
    memset(plain, 0, sizeof plain);
    memcpy(plain, of_version_1, sizeof of_version_1);
    assert_int_equal(post_piece_read(&got, plain, 512, &diag), BL_OK);
    assert_true(is_same(&state_of, &got));
    assert_int_equal(got.version, 1);
    state_of.version = 0;
    state_of.count = 13;
    assert_int_equal(post_piece_write(&state_of, plain), 512);
    assert_int_equal(plain[0], 2);
    assert_int_equal(post_piece_read(&got, plain, 512, &diag), BL_OK);
    assert_true(is_same(&state_of, &got));
    plain[0] = 3;
    assert_int_equal(post_piece_read(&got, plain, 512, &diag), BL_OTHER_VERSION);
    assert_string_equal(diag.text,
                        "a message of version 3, kind 6, which this version does not know");
    assert_int_equal(post_piece_write(&run, plain), 512);
    assert_int_equal(post_piece_read(&got, plain, 512, &diag), BL_OK);
    assert_true(is_same(&run, &got));
    plain[1] = 8;
    assert_int_equal(post_piece_read(&got, plain, 512, &diag), BL_OTHER_VERSION);
}

/* A person's ticket and a program's have one length, and so have all that a judge types in a
 * second. */
static void test_lengths_tell_nothing(void **state)
{
    struct post_piece piece = piece_of(232);
    (void)state;
    strcpy(piece.file, "002.ticket");
    assert_int_equal(post_piece_write(&piece, plain), 2048);
    piece.length = 243;
    assert_int_equal(post_piece_write(&piece, plain), 2048);
    piece.length = 1900;
    assert_int_equal(post_piece_write(&piece, plain), 2048);
    piece = piece_of(1);
    assert_int_equal(post_piece_write(&piece, plain), 512);
    piece.length = 400;
    assert_int_equal(post_piece_write(&piece, plain), 512);
    piece.length = 500;
    assert_int_equal(post_piece_write(&piece, plain), 1024);
}

static void refused(const struct post_piece *piece)
{
    assert_int_equal(post_piece_write(piece, plain), 0);
}

static void test_what_is_no_piece(void **state)
{
    static const char *const names[] = {"",      ".",    "..",           "a/b",  "-a",
                                        ".part", "a..b", "a.-b",         "a.",   "A",
                                        "a b",   "a\nb", "../../passwd", "\xC3", "a_b"};
    struct post_piece piece = piece_of(3);
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        strcpy(piece.file, names[i]);
        refused(&piece);
    }
    piece = piece_of(0);
    refused(&piece);
    piece = piece_of(POST_BYTES_MOST + 1);
    refused(&piece);
    piece = piece_of(3);
    piece.offset = POST_LENGTH_MOST - 2;
    refused(&piece);
    piece = piece_of(3);
    piece.copy = 0;
    refused(&piece);
    piece.copy = POST_COPIES + 1;
    refused(&piece);
    piece = piece_of(3);
    piece.kind = 0;
    refused(&piece);
    piece.kind = POST_ASK;
    refused(&piece);
    memset(piece.file, 'a', sizeof piece.file);
    piece.kind = POST_PIECE;
    refused(&piece);
    assert_true(post_is_place("booth-1-cable-a"));
    assert_false(post_is_place("booth.1"));
    assert_false(post_is_place("*"));
    assert_false(post_is_place(">"));
    assert_false(post_is_place("booth-1-"));
}

/* Another length, other zeros, a byte too few: one message is one string of bytes. */
static void test_one_writing(void **state)
{
    struct post_piece piece = piece_of(3), got;
    (void)state;
    size_t whole = post_piece_write(&piece, plain);
    plain[whole - 1] = 1;
    assert_int_equal(post_piece_read(&got, plain, whole, &diag), BL_DATA);
    plain[whole - 1] = 0;
    memset(plain + whole, 0, whole);
    assert_int_equal(post_piece_read(&got, plain, 2 * whole, &diag), BL_DATA);
    assert_int_equal(post_piece_read(&got, plain, whole - 1, &diag), BL_DATA);
    assert_int_equal(post_piece_read(&got, plain, 0, &diag), BL_DATA);
    plain[8] = 0; /* within its name */
    assert_int_equal(post_piece_read(&got, plain, whole, &diag), BL_DATA);
    plain[0] = 2;
    assert_int_equal(post_piece_read(&got, plain, whole, &diag), BL_OTHER_VERSION);
    plain[0] = 0;
    assert_int_equal(post_piece_read(&got, plain, whole, &diag), BL_OTHER_VERSION);
}

static void test_sealed(void **state)
{
    struct post_keys ours, others;
    struct post_piece piece = piece_of(300), got;
    static uint8_t out[POST_PLAIN_MOST];
    (void)state;
    assert_true(post_keys_make(&ours, "booth-1-judge", secret));
    assert_true(post_keys_make(&others, "booth-2-judge", secret));
    assert_false(post_keys_make(&others, "booth/2", secret));
    assert_true(post_keys_make(&others, "booth-2-judge", secret));
    size_t length = post_seal(&ours, POST_UP, &piece, nonce, sealed);
    assert_int_equal(length, 512 + POST_NONCE + POST_TAG);
    assert_int_equal(post_open(&ours, POST_UP, sealed, length, out, &got, &diag), BL_OK);
    assert_true(is_same(&piece, &got));
    /* Elsewhere it counts for nothing: the other way, another place, cut, or changed anywhere. */
    assert_int_equal(post_open(&ours, POST_DOWN, sealed, length, out, &got, &diag), BL_NOPERM);
    assert_int_equal(post_open(&others, POST_UP, sealed, length, out, &got, &diag), BL_NOPERM);
    assert_string_equal(diag.text, "a message that the key of booth-2-judge has not sealed");
    assert_int_equal(post_open(&ours, POST_UP, sealed, length - 1, out, &got, &diag), BL_NOPERM);
    assert_int_equal(post_open(&ours, POST_UP, sealed, 39, out, &got, &diag), BL_DATA);
    for (size_t i = 0; i < length; i++) {
        sealed[i] ^= 4;
        assert_int_equal(post_open(&ours, POST_UP, sealed, length, out, &got, &diag), BL_NOPERM);
        sealed[i] ^= 4;
    }
    assert_int_equal(post_open(&ours, POST_UP, sealed, length, out, &got, &diag), BL_OK);
    piece.copy = 0;
    assert_int_equal(post_seal(&ours, POST_UP, &piece, nonce, sealed), 0);
}

static void test_key_file(void **state)
{
    struct post_keys made, got;
    char text[POST_KEY_TEXT];
    (void)state;
    post_key_write("booth-1-judge", secret, text);
    assert_int_equal(post_key_read(&got, text, "k", &diag), BL_OK);
    assert_true(post_keys_make(&made, "booth-1-judge", secret));
    assert_memory_equal(&made, &got, sizeof got);
    const size_t length = strlen(text);
    /* By its length nobody knows whose it is, and the older form, without spaces, is read. */
    char another[POST_KEY_TEXT];
    post_key_write("booth-32-cable-a", secret, another);
    assert_int_equal(strlen(another), length);
    snprintf(another, sizeof another, "boothlink place key 1\nbooth-1-judge\n%s",
             strchr(strchr(text, '\n') + 1, '\n') + 1);
    assert_int_equal(post_key_read(&got, another, "k", &diag), BL_OK);
    assert_memory_equal(&made, &got, sizeof got);
    for (size_t i = 0; i < length; i++) {
        char other[POST_KEY_TEXT];
        strcpy(other, text);
        other[i] = '\0';
        assert_int_equal(post_key_read(&got, other, "k", &diag), BL_DATA);
        other[i] = '/';
        assert_int_equal(post_key_read(&got, other, "k", &diag), BL_DATA);
    }
    assert_string_equal(diag.text,
                        "k: not a place's key; expected 'boothlink place key 1', a place "
                        "such as booth-1-judge, and 64 hexadecimal digits, each on a "
                        "line");
}

/* As a program that is not ours has made it of the public key of that seed. */
static void test_nkey(void **state)
{
    static const uint8_t seed[POST_SECRET] = {0};
    uint8_t public[crypto_sign_PUBLICKEYBYTES], own[crypto_sign_SECRETKEYBYTES];
    uint8_t signature[POST_SIGNATURE];
    char text[POST_NKEY_TEXT];
    (void)state;
    post_nkey(seed, text);
    assert_string_equal(text, "UA5WUJ54Z23KILLCUOUNAKTPBVZWKMQVO4O6EQ5GHLAERIMLLHNCTYM5");
    post_nkey_sign(seed, "a nonce", signature);
    crypto_sign_seed_keypair(public, own, seed);
    assert_int_equal(crypto_sign_verify_detached(signature, (const uint8_t *)"a nonce", 7, public),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_there_and_back),
                                       cmocka_unit_test(test_versions),
                                       cmocka_unit_test(test_lengths_tell_nothing),
                                       cmocka_unit_test(test_what_is_no_piece),
                                       cmocka_unit_test(test_one_writing),
                                       cmocka_unit_test(test_sealed),
                                       cmocka_unit_test(test_key_file),
                                       cmocka_unit_test(test_nkey)};
    if (sodium_init() < 0)
        return 1;
    return cmocka_run_group_tests_name("post", tests, NULL, NULL);
}
