/* A message of the post, opened or not: its fields are within it, and writing it again gives the
 * same bytes. Sealed bytes of a stranger's open nothing. A list of tickets, and pieces in any order
 * behind it, lay out the place's folder alone. The first byte says which: 0 a message, 1 a sealed
 * one, 2 the text of a key file, 3 a list with pieces. */
#include "courier/tickets.h"
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
        piece.copy > POST_COPIES ||
        (piece.kind != POST_STATE && piece.offset + piece.length > POST_LENGTH_MOST))
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

static void check_want(void *ctx, const struct post_piece *piece)
{
    (void)ctx;
    if (!post_piece_write(piece, plain) || piece->copy != 1)
        abort();
}

/* Hears bytes as the list, and then as pieces: the length of a name and of its bytes, and both. No
 * file can be laid out, for the folder above is none. */
static void look_at_tickets(const uint8_t *bytes, size_t length)
{
    struct post_piece piece = {.kind = POST_HAVE, .copy = 1, .file = "stick.list"};
    struct tickets *tickets;
    bool fresh;
    size_t list = length < 2 ? 0 : bytes[0] | (size_t)bytes[1] << 8;
    if (list == 0 || list > length - 2 || list > POST_BYTES_MOST ||
        tickets_create(&tickets, "/dev/null/none", "booth-1-judge", NULL) != BL_OK)
        return;
    piece.offset = list;
    crypto_generichash(piece.hash, POST_HASH, bytes + 2, list, NULL, 0);
    tickets_hear(tickets, &piece);
    piece = (struct post_piece){.kind = POST_PIECE, .copy = 1, .file = "stick.list"};
    piece.bytes = bytes + 2;
    piece.length = list;
    tickets_hear(tickets, &piece);
    tickets_tick(tickets, check_want, NULL, &fresh, NULL);
    for (size_t at = 2 + list; at + 3 <= length;) {
        size_t name = bytes[at] % POST_FILE_MAX, more = bytes[at + 1];
        piece = (struct post_piece){.kind = POST_PIECE, .copy = 1, .offset = bytes[at + 2]};
        at += 3;
        if (name + more > length - at)
            break;
        memcpy(piece.file, bytes + at, name);
        piece.bytes = bytes + at + name;
        piece.length = more;
        if (more && post_is_file(piece.file))
            tickets_hear(tickets, &piece);
        at += name + more;
        tickets_tick(tickets, check_want, NULL, &fresh, NULL);
        if (fresh)
            abort();
    }
    tickets_destroy(tickets);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length == 0 || sodium_init() < 0)
        return 0;
    static void (*const looks[])(const uint8_t *bytes, size_t length) = {
        look_at_piece, look_at_sealed, look_at_key, look_at_tickets};
    looks[bytes[0] % 4](bytes + 1, length - 1);
    return 0;
}
