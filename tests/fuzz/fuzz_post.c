/* A message of the post, opened or not: its fields are within it, and writing it again gives the
 * same bytes. Sealed bytes of a stranger's open nothing. The first byte says which: 0 a message, 1
 * a sealed one, 2 the text of a key file. */
#include "post/keys.h"

#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static uint8_t plain[POST_PLAIN_MOST];

/* Short inputs have their zeros left out. */
static void look_at_piece(const uint8_t *bytes, size_t length)
{
    static uint8_t whole[POST_PLAIN_MOST];
    struct post_piece piece;
    size_t filled = POST_PLAIN_LEAST;
    if (length > sizeof whole)
        return;
    while (filled < length)
        filled *= 2;
    memset(whole, 0, sizeof whole);
    memcpy(whole, bytes, length);
    if (post_piece_read(&piece, whole, filled, NULL))
        return;
    if (!post_is_file(piece.file) || strchr(piece.file, '/') || piece.copy < 1 ||
        piece.copy > POST_COPIES || piece.offset + piece.length > POST_LENGTH_MOST)
        abort();
    if (piece.length && (piece.bytes < whole || piece.bytes + piece.length > whole + filled))
        abort();
    if (post_piece_write(&piece, plain) != filled || memcmp(plain, whole, filled) != 0)
        abort();
}

static void look_at_sealed(const uint8_t *bytes, size_t length)
{
    static const uint8_t secret[POST_SECRET] = {5};
    struct post_keys keys;
    struct post_piece piece;
    if (!post_keys_make(&keys, "booth-1-judge", secret) ||
        post_open(&keys, POST_UP, bytes, length, plain, &piece, NULL) == BL_OK)
        abort();
}

static void look_at_key(const uint8_t *bytes, size_t length)
{
    char text[POST_KEY_TEXT + 8] = "";
    struct post_keys keys;
    memcpy(text, bytes, length < sizeof text - 1 ? length : sizeof text - 1);
    if (post_key_read(&keys, text, "", NULL) == BL_OK && !post_is_place(keys.place))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length == 0 || sodium_init() < 0)
        return 0;
    if (bytes[0] % 3 == 0)
        look_at_piece(bytes + 1, length - 1);
    else if (bytes[0] % 3 == 1)
        look_at_sealed(bytes + 1, length - 1);
    else
        look_at_key(bytes + 1, length - 1);
    return 0;
}
