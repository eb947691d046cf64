#include "post/piece.h"

#include "base/bytes.h"
#include "base/name.h"

static bool is_small(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* True for letters and digits with single signs between them. */
static bool is_name(const char *name, const char *signs, size_t most)
{
    size_t length = strnlen(name, most);
    for (size_t i = 0; i < length; i++)
        if (!is_small(name[i]) &&
            (!strchr(signs, name[i]) || i == 0 || !is_small(name[i - 1]) || i + 1 == length))
            return false;
    return length > 0 && length < most;
}

bool post_is_file(const char *name)
{
    return is_name(name, "-.", POST_FILE_MAX);
}

bool post_is_place(const char *name)
{
    return is_name(name, "-", POST_PLACE_MAX);
}

/* The length of a message, zeros included. */
static size_t filled(const struct post_piece *piece, size_t length)
{
    bool ticket = name_ends(piece->file, ".ticket") && piece->kind != POST_STATE;
    size_t whole = ticket ? POST_TICKET : POST_PLAIN_LEAST;
    while (whole < length)
        whole *= 2;
    return whole;
}

static unsigned newest(enum post_kind kind)
{
    return kind >= POST_STATE ? POST_VERSION_RUN : POST_VERSION;
}

static unsigned version_of(const struct post_piece *piece)
{
    return piece->version ? piece->version : newest(piece->kind);
}

/* True if such a message may have been written by this version or by an earlier one. */
static bool is_known(const struct post_piece *piece)
{
    return piece->kind >= POST_ASK && piece->kind <= POST_RUN &&
           (version_of(piece) == newest(piece->kind) ||
            (piece->kind == POST_STATE && piece->version == POST_VERSION));
}

static bool is_sound(const struct post_piece *piece)
{
    bool piece_of = piece->kind == POST_PIECE;
    bool with_offset = piece_of || piece->kind == POST_HAVE || piece->kind == POST_WANT;
    bool state = piece->kind == POST_STATE;
    return is_known(piece) && piece->copy >= 1 && piece->copy <= POST_COPIES &&
           post_is_file(piece->file) && piece->length <= POST_BYTES_MOST &&
           piece_of == (piece->length > 0) &&
           (state ||
            (piece->offset <= POST_LENGTH_MOST - piece->length && (with_offset || !piece->offset)));
}

size_t post_piece_write(const struct post_piece *piece, uint8_t out[POST_PLAIN_MOST])
{
    struct bytes_out to = {.at = out, .left = POST_PLAIN_MOST};
    if (!is_sound(piece))
        return 0;
    size_t name = strlen(piece->file);
    bytes_put(&to, version_of(piece), 1);
    bytes_put(&to, piece->kind, 1);
    bytes_put(&to, piece->copy, 1);
    bytes_put(&to, name, 1);
    bytes_put_all(&to, piece->file, name);
    bytes_put(&to, piece->offset, 8);
    if (piece->kind == POST_HAVE)
        bytes_put_all(&to, piece->hash, POST_HASH);
    if (piece->kind == POST_STATE) {
        bytes_put(&to, piece->room, 8);
        bytes_put(&to, piece->number, 8);
    }
    if (piece->kind == POST_STATE && version_of(piece) > 1)
        bytes_put(&to, piece->count, 8);
    if (piece->kind >= POST_STATE && version_of(piece) > 1)
        bytes_put(&to, piece->run, 8);
    if (piece->kind == POST_PIECE) {
        bytes_put(&to, piece->length, 2);
        bytes_put_all(&to, piece->bytes, piece->length);
    }
    size_t whole = filled(piece, to.length);
    memset(out + to.length, 0, whole - to.length);
    return to.bad ? 0 : whole;
}

/* Reads the fields behind the kind. */
static void read_fields(struct post_piece *piece, struct bytes_in *in)
{
    piece->copy = (unsigned)bytes_get(in, 1);
    size_t name = bytes_get(in, 1);
    if (name >= POST_FILE_MAX)
        in->bad = true;
    else
        bytes_get_all(in, piece->file, name);
    in->bad |= strnlen(piece->file, POST_FILE_MAX) != name;
    piece->offset = bytes_get(in, 8);
    if (piece->kind == POST_HAVE)
        bytes_get_all(in, piece->hash, POST_HASH);
    if (piece->kind == POST_STATE) {
        piece->room = bytes_get(in, 8);
        piece->number = bytes_get(in, 8);
    }
    if (piece->kind == POST_STATE && piece->version > 1)
        piece->count = bytes_get(in, 8);
    if (piece->kind >= POST_STATE && piece->version > 1)
        piece->run = bytes_get(in, 8);
    if (piece->kind != POST_PIECE)
        return;
    piece->length = bytes_get(in, 2);
    piece->bytes = in->at;
    in->bad |= piece->length > in->left;
    if (!in->bad) {
        in->at += piece->length;
        in->left -= piece->length;
    }
}

/* True if the bytes after the message are the expected number of zeros: a message has one
 * encoding. */
static bool is_filled(const struct post_piece *piece, const struct bytes_in *in, size_t length)
{
    for (size_t i = 0; i < in->left; i++)
        if (in->at[i])
            return false;
    return length == filled(piece, length - in->left);
}

enum bl_status post_piece_read(struct post_piece *piece, const uint8_t *plain, size_t length,
                               struct bl_diag *diag)
{
    struct bytes_in in = {.at = (uint8_t *)plain, .left = length};
    memset(piece, 0, sizeof *piece);
    if (length < POST_PLAIN_LEAST || length > POST_PLAIN_MOST)
        return bl_fail(diag, BL_DATA, "a message of %zu byte%s; expected %d to %d", length,
                       BL_S(length), POST_PLAIN_LEAST, POST_PLAIN_MOST);
    piece->version = (unsigned)bytes_get(&in, 1);
    piece->kind = (enum post_kind)bytes_get(&in, 1);
    if (!piece->version || !is_known(piece))
        return bl_fail(diag, BL_OTHER_VERSION,
                       "a message of version %u, kind %u, which this version does not know",
                       piece->version, piece->kind);
    read_fields(piece, &in);
    if (in.bad || !is_sound(piece) || !is_filled(piece, &in, length))
        return bl_fail(diag, BL_DATA, "a message whose fields do not fit");
    return BL_OK;
}
