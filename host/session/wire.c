#include "session/wire.h"

#include "base/bytes.h"
#include "base/utf8.h"

/* The fields of each kind, in their order on the wire. */
enum field {
    F_END,
    F_DT,
    F_TEXT, /* the text is the rest of the record */
    F_EPOCH,
    F_GENERATION,
    F_N,
    F_PLACED,
    F_CHAIN,
    F_TIME,
    F_DIGEST,
    F_FLAG,
    F_STARTS,
    F_STATE,
    F_INDEX,
    F_COUNT,
    F_SESSION,
    F_STYLE,
    F_VERSION,
    F_OUTCOME,
    F_NUMBER, /* n in NUMBER_BYTES, the number of a key */
    F_LOW,
    F_SEAL,
    F_SEALED, /* the number of the last sealed key, then the seal */
};

#define NUMBER_BYTES 3 /* enough for an order's numbers; small, because a frame is short */
#define FIELDS       9
static const uint8_t layout[][FIELDS] = {
    [WIRE_JUDGE_KEYS] = {F_DT, F_TEXT},
    [WIRE_ENTITY_KEYS] = {F_DT, F_TEXT},
    [WIRE_MARK] = {F_EPOCH, F_N, F_TIME},
    [WIRE_NEW_KEYS] = {F_TEXT},
    [WIRE_OFFER] = {F_VERSION, F_EPOCH, F_N, F_STARTS, F_SESSION, F_STYLE},
    [WIRE_RESUME] = {F_VERSION, F_EPOCH, F_GENERATION, F_N, F_CHAIN, F_SESSION, F_SEALED},
    [WIRE_FETCH] = {F_N, F_CHAIN},
    [WIRE_TAIL_END] = {F_FLAG},
    [WIRE_SYNC] = {F_EPOCH, F_GENERATION, F_N, F_PLACED, F_FLAG},
    [WIRE_DIFFERS] = {F_N},
    [WIRE_SEGMENT] = {F_GENERATION, F_STATE, F_INDEX, F_COUNT, F_FLAG, F_TIME},
    [WIRE_CLOSE] = {F_GENERATION, F_N, F_PLACED, F_DIGEST},
    [WIRE_CLOSE_ACK] = {F_GENERATION, F_N, F_DIGEST},
    [WIRE_DIGEST] = {F_N, F_DIGEST, F_SEAL},
    [WIRE_REPAIR] = {F_FLAG},
    [WIRE_STEWARD] = {F_FLAG},
    [WIRE_READY] = {F_END},
    [WIRE_COURSE] = {F_GENERATION, F_STATE, F_OUTCOME, F_INDEX, F_N, F_PLACED, F_TIME, F_DIGEST},
    [WIRE_JUDGE_KEYS_AT] = {F_NUMBER, F_LOW, F_TEXT},
    [WIRE_ENTITY_KEYS_AT] = {F_NUMBER, F_LOW, F_TEXT},
    [WIRE_SESSION] = {F_VERSION, F_EPOCH, F_N, F_STARTS, F_SESSION, F_STYLE},
    [WIRE_TAKE] = {F_END},
    [WIRE_STOOD] = {F_GENERATION, F_STATE, F_INDEX, F_TIME},
};
#define KINDS (sizeof layout / sizeof layout[0])

static void put_string(struct bytes_out *out, const char *text, size_t max)
{
    size_t length = strnlen(text, max);
    bytes_put(out, length, 1);
    bytes_put_all(out, text, length);
}

/* True if the text can be a session's name, which becomes part of a file's name. */
static bool names_session(const char *name)
{
    static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    return name[0] != '\0' && name[0] != '.' && name[strspn(name, good)] == '\0';
}

/* A text of plain characters, which are safe on a screen. */
static void get_string(struct bytes_in *in, char *text, size_t max)
{
    char plain[STYLE_MAX + 1];
    size_t length = bytes_get(in, 1);
    if (length > max || length > in->left) {
        in->bad = true;
        in->left = 0;
        length = 0;
    }
    memcpy(text, in->at, length);
    text[length] = '\0';
    in->at += length;
    in->left -= length;
    if (utf8_plain(plain, sizeof plain, text, length) != length || memcmp(plain, text, length) != 0)
        in->bad = true;
}

size_t wire_encode(const struct wire *w, uint8_t bytes[WIRE_MAX])
{
    struct bytes_out out = {.at = bytes, .left = WIRE_MAX};
    bytes_put(&out, w->kind, 1);
    for (const uint8_t *field = layout[w->kind]; *field != F_END; field++) {
        switch ((enum field) * field) {
        case F_END:
            break;
        case F_DT:
            bytes_put(&out, w->dt_us, 4);
            break;
        case F_TEXT:
            bytes_put_all(&out, w->text, w->length);
            break;
        case F_EPOCH:
            bytes_put(&out, w->epoch, 4);
            break;
        case F_GENERATION:
            bytes_put(&out, w->generation, 4);
            break;
        case F_N:
            bytes_put(&out, w->n, 8);
            break;
        case F_PLACED:
            bytes_put(&out, w->placed, 8);
            break;
        case F_CHAIN:
            bytes_put(&out, w->chain, 8);
            break;
        case F_TIME:
            bytes_put(&out, w->time_us, 8);
            break;
        case F_DIGEST:
            bytes_put_all(&out, w->digest, sizeof w->digest);
            break;
        case F_FLAG:
            bytes_put(&out, w->flag, 1);
            break;
        case F_STARTS:
            bytes_put(&out, w->starts, 1);
            break;
        case F_STATE:
            bytes_put(&out, w->state, 1);
            break;
        case F_INDEX:
            bytes_put(&out, w->index, 1);
            break;
        case F_COUNT:
            bytes_put(&out, w->count, 1);
            break;
        case F_SESSION:
            put_string(&out, w->session, SESSION_ID_MAX);
            break;
        case F_STYLE:
            put_string(&out, w->style, STYLE_MAX);
            break;
        case F_VERSION:
            bytes_put(&out, w->version ? w->version : WIRE_VERSION, 1);
            break;
        case F_OUTCOME:
            bytes_put(&out, w->outcome, 1);
            break;
        case F_NUMBER:
            bytes_put(&out, w->n, NUMBER_BYTES);
            break;
        case F_LOW:
            bytes_put(&out, w->low_us, 4);
            break;
        case F_SEALED:
            if (w->sealed)
                bytes_put(&out, w->sealed, 8);
            /* fall through */
        case F_SEAL:
            if (w->sealed)
                bytes_put_all(&out, w->seal, SEAL_SIZE);
            break;
        }
    }
    return out.bad ? 0 : out.length;
}

bool wire_places(const struct wire *w, enum party *party)
{
    *party =
        w->kind == WIRE_JUDGE_KEYS || w->kind == WIRE_JUDGE_KEYS_AT ? PARTY_JUDGE : PARTY_ENTITY;
    return w->kind == WIRE_JUDGE_KEYS || w->kind == WIRE_ENTITY_KEYS || wire_is_numbered(w);
}

bool wire_is_numbered(const struct wire *w)
{
    return w->kind == WIRE_JUDGE_KEYS_AT || w->kind == WIRE_ENTITY_KEYS_AT;
}

uint64_t wire_posted_us(const struct wire *w, uint64_t mark_us)
{
    return mark_us + (wire_is_numbered(w) ? w->low_us - (uint32_t)mark_us : w->dt_us);
}

struct key_run wire_keys(const struct wire *w)
{
    return (struct key_run){
        .point = w->point, .count = w->keys, .text = w->text, .length = w->length};
}

static bool text_is_keys(struct wire *w)
{
    for (size_t taken, at = 0; at < w->length; at += taken) {
        uint32_t *point = &w->point[w->keys++];
        taken = utf8_decode(w->text + at, w->length - at, point);
        if (taken == 0 || !key_is_key(*point))
            return false;
    }
    return true;
}

static bool get_text(struct bytes_in *in, struct wire *w)
{
    w->text = in->at;
    w->length = in->left;
    in->left = 0;
    return w->length > 0 && w->length <= WIRE_TEXT_MAX && text_is_keys(w);
}

/* Reads a number of one byte. False: it is greater than `most`. */
static bool get_up_to(struct bytes_in *in, uint8_t *number, unsigned most)
{
    *number = (uint8_t)bytes_get(in, 1);
    return *number <= most;
}

/* Reads the seal at the end of a record; version 3 has none. The number of the last sealed key
 * precedes the seal, or is the record's n. */
static bool get_seal(struct bytes_in *in, struct wire *w, bool has_number)
{
    if (in->left == 0)
        return true;
    w->sealed = has_number ? bytes_get(in, 8) : w->n;
    bytes_get_all(in, w->seal, SEAL_SIZE);
    return w->sealed != 0;
}

enum bl_status wire_decode(struct wire *w, const uint8_t *record, size_t length)
{
    struct bytes_in in = {.at = record, .left = length};
    memset(w, 0, sizeof *w);
    uint64_t kind = bytes_get(&in, 1);
    if (in.bad || kind == 0 || kind >= KINDS)
        return BL_DATA;
    w->kind = (enum wire_kind)kind;
    for (const uint8_t *field = layout[kind]; *field != F_END; field++) {
        switch ((enum field) * field) {
        case F_END:
            break;
        case F_DT:
            w->dt_us = (uint32_t)bytes_get(&in, 4);
            break;
        case F_TEXT:
            if (!get_text(&in, w))
                return BL_DATA;
            break;
        case F_EPOCH:
            w->epoch = (uint32_t)bytes_get(&in, 4);
            break;
        case F_GENERATION:
            w->generation = (uint32_t)bytes_get(&in, 4);
            break;
        case F_N:
            w->n = bytes_get(&in, 8);
            break;
        case F_PLACED:
            w->placed = bytes_get(&in, 8);
            break;
        case F_CHAIN:
            w->chain = bytes_get(&in, 8);
            break;
        case F_TIME:
            w->time_us = bytes_get(&in, 8);
            break;
        case F_DIGEST:
            bytes_get_all(&in, w->digest, sizeof w->digest);
            break;
        case F_FLAG:
            w->flag = (uint8_t)bytes_get(&in, 1);
            break;
        case F_STARTS:
            w->starts = (uint8_t)bytes_get(&in, 1);
            break;
        case F_STATE:
            if (!get_up_to(&in, &w->state, SEGMENT_FINISHED))
                return BL_DATA;
            break;
        case F_INDEX:
            w->index = (uint8_t)bytes_get(&in, 1);
            break;
        case F_COUNT:
            w->count = (uint8_t)bytes_get(&in, 1);
            break;
        case F_SESSION:
            get_string(&in, w->session, SESSION_ID_MAX);
            if (!names_session(w->session))
                return BL_DATA;
            break;
        case F_STYLE:
            get_string(&in, w->style, STYLE_MAX);
            break;
        case F_VERSION:
            w->version = (uint8_t)bytes_get(&in, 1);
            if (!in.bad && (w->version < WIRE_VERSION_OLD || w->version > WIRE_VERSION))
                return BL_OTHER_VERSION;
            break;
        case F_OUTCOME:
            if (!get_up_to(&in, &w->outcome, CLOSE_SETTLED))
                return BL_DATA;
            break;
        case F_NUMBER:
            w->n = bytes_get(&in, NUMBER_BYTES);
            break;
        case F_LOW:
            w->low_us = (uint32_t)bytes_get(&in, 4);
            break;
        case F_SEALED:
        case F_SEAL:
            if (!get_seal(&in, w, *field == F_SEALED))
                return BL_DATA;
            break;
        }
    }
    return in.bad || in.left ? BL_DATA : BL_OK;
}
