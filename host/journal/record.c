#include "journal/journal.h"

#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/utf8.h"

#define MARK        0xB1u
#define FRAME       7u  /* bytes of a record besides its body: mark, length, checksum */
#define BODY_MIN    10u /* bytes of kind, side and time */
#define BODY_MAX    (JOURNAL_RECORD_MAX - FRAME)
#define FORMAT      1u
#define WALL_MAX_US 253402300799999999u /* the end of the year 9999; a later time is invalid */
#define NUMBER_MAX  ((uint64_t)1 << 62)

/* A body has fewer than 512 bytes, so the third byte of each record is 0 or 1. The text of keys has
 * no such byte, and is not taken for a record in a search after damage. */

static bool key_is_good(uint32_t point)
{
    return utf8_is_plain(point) || point == KEY_RETURN || point == KEY_BACKSPACE ||
           point == KEY_TAB;
}

/* Decodes a run's text into code points. False if the text is too long or not UTF-8. */
static bool run_read(struct key_run *run, uint32_t point[JOURNAL_TEXT_MAX])
{
    run->point = point;
    run->count = 0;
    if (run->length > JOURNAL_TEXT_MAX)
        return false;
    for (size_t n, i = 0; i < run->length; i += n) {
        n = utf8_decode(run->text + i, run->length - i, &point[run->count++]);
        if (n == 0)
            return false;
    }
    return true;
}

static bool run_is_good(const struct key_run *given)
{
    uint32_t point[JOURNAL_TEXT_MAX];
    struct key_run run = *given;
    if (run.length == 0 || run.length > JOURNAL_TEXT_MAX || (!run.point && !run_read(&run, point)))
        return false;
    for (size_t i = 0; i < run.count; i++)
        if (!key_is_good(run.point[i]))
            return false;
    return run.count > 0;
}

static bool session_is_good(const char *session, size_t length)
{
    if (length == 0 || length > SESSION_ID_MAX)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = session[i];
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
              c == '.' || c == '_' || c == '-'))
            return false;
    }
    return true;
}

/* True if all members of a record are in their ranges. The writer and the reader both check
 * this. */
static bool record_is_good(const struct journal_record *e)
{
    if (e->side >= SIDES || e->wall_us > WALL_MAX_US)
        return false;
    switch (e->kind) {
    case JOURNAL_HEADER:
        return e->as.header.role < PARTIES &&
               session_is_good(e->as.header.session,
                               strnlen(e->as.header.session, SESSION_ID_MAX + 1));
    case JOURNAL_KEYS:
        return e->as.keys.party < PARTIES && e->as.keys.first >= 1 &&
               e->as.keys.first <= NUMBER_MAX && run_is_good(&e->as.keys.run);
    case JOURNAL_PRESSED:
        return e->as.pressed.first >= 1 && e->as.pressed.first <= NUMBER_MAX &&
               run_is_good(&e->as.pressed.run);
    case JOURNAL_UNPLACED:
        return e->as.unplaced.first >= 1 && e->as.unplaced.first <= e->as.unplaced.last &&
               e->as.unplaced.last <= NUMBER_MAX;
    case JOURNAL_EPOCH:
        return e->as.epoch.base <= NUMBER_MAX;
    case JOURNAL_SEGMENT:
        return e->as.segment.state <= SEGMENT_FINISHED;
    case JOURNAL_CLOSE:
        return e->as.close.outcome >= CLOSE_AGREED && e->as.close.outcome <= CLOSE_SETTLED &&
               e->as.close.placed <= e->as.close.n && e->as.close.n <= NUMBER_MAX;
    case JOURNAL_NOTE:
        /* A later version's code is valid: the note's text is kept. */
        return e->as.note.code >= 1 && (unsigned)e->as.note.code <= UINT8_MAX;
    case JOURNAL_DELIVERED:
        return e->as.delivered.n <= NUMBER_MAX;
    case JOURNAL_START:
        return e->as.start.state <= START_CLOSED;
    case JOURNAL_SEAL:
        return e->as.seal.n >= 1 && e->as.seal.n <= NUMBER_MAX;
    }
    return false;
}

static void put_text(struct bytes_out *out, const void *text, size_t length)
{
    bytes_put(out, length, 2);
    bytes_put_all(out, text, length);
}

static void put_line(struct bytes_out *out, const char *text, size_t room)
{
    char line[NOTE_MAX + 1];
    utf8_plain(line, room + 1, text, strlen(text));
    put_text(out, line, strlen(line));
}

size_t journal_encode(const struct journal_record *e, uint8_t bytes[JOURNAL_RECORD_MAX])
{
    struct bytes_out out = {.at = bytes, .left = JOURNAL_RECORD_MAX};
    if (!record_is_good(e))
        return 0;
    bytes_put(&out, MARK, 1);
    bytes_put(&out, 0, 2);
    bytes_put(&out, e->kind, 1);
    bytes_put(&out, e->side, 1);
    bytes_put(&out, e->wall_us, 8);
    switch (e->kind) {
    case JOURNAL_HEADER:
        bytes_put_all(&out, "BLJ", 3);
        bytes_put(&out, FORMAT, 1);
        bytes_put(&out, e->as.header.role, 1);
        bytes_put(&out, e->as.header.starts, 1);
        put_text(&out, e->as.header.session, strlen(e->as.header.session));
        put_line(&out, e->as.header.style, STYLE_MAX);
        break;
    case JOURNAL_KEYS:
        bytes_put(&out, e->as.keys.epoch, 4);
        bytes_put(&out, e->as.keys.first, 8);
        bytes_put(&out, e->as.keys.party, 1);
        put_text(&out, e->as.keys.run.text, e->as.keys.run.length);
        break;
    case JOURNAL_PRESSED:
        bytes_put(&out, e->as.pressed.first, 8);
        bytes_put(&out, e->as.pressed.segment, 4);
        put_text(&out, e->as.pressed.run.text, e->as.pressed.run.length);
        break;
    case JOURNAL_UNPLACED:
        bytes_put(&out, e->as.unplaced.first, 8);
        bytes_put(&out, e->as.unplaced.last, 8);
        break;
    case JOURNAL_EPOCH:
        bytes_put(&out, e->as.epoch.epoch, 4);
        bytes_put(&out, e->as.epoch.base, 8);
        break;
    case JOURNAL_SEGMENT:
        bytes_put(&out, e->as.segment.generation, 4);
        bytes_put(&out, e->as.segment.index, 1);
        bytes_put(&out, e->as.segment.state, 1);
        bytes_put(&out, e->as.segment.remaining_us, 8);
        break;
    case JOURNAL_CLOSE:
        bytes_put(&out, e->as.close.generation, 4);
        bytes_put(&out, e->as.close.n, 8);
        bytes_put(&out, e->as.close.placed, 8);
        bytes_put_all(&out, e->as.close.digest, sizeof e->as.close.digest);
        bytes_put(&out, e->as.close.outcome, 1);
        break;
    case JOURNAL_NOTE:
        bytes_put(&out, e->as.note.code, 1);
        bytes_put(&out, e->as.note.count, 4);
        put_line(&out, e->as.note.text, NOTE_MAX);
        break;
    case JOURNAL_DELIVERED:
        bytes_put(&out, e->as.delivered.n, 8);
        break;
    case JOURNAL_START:
        bytes_put(&out, e->as.start.state, 1);
        bytes_put(&out, e->as.start.damaged, 4);
        bytes_put_all(&out, e->as.start.boot, BOOT_SIZE);
        bytes_put_all(&out, e->as.start.secret, SEAL_SECRET);
        break;
    case JOURNAL_SEAL:
        bytes_put(&out, e->as.seal.epoch, 4);
        bytes_put(&out, e->as.seal.n, 8);
        bytes_put_all(&out, e->as.seal.seal, SEAL_SIZE);
        break;
    }
    size_t body = out.length - 3;
    bytes[1] = (uint8_t)body;
    bytes[2] = (uint8_t)(body >> 8);
    bytes_put(&out, crc32c(0, bytes, out.length), 4);
    return out.bad ? 0 : out.length;
}

static const uint8_t *take_text(struct bytes_in *in, size_t *length)
{
    const uint8_t *at;
    *length = bytes_get(in, 2);
    at = in->at;
    if (in->left < *length) {
        in->bad = true;
        *length = 0;
        return at;
    }
    in->at += *length;
    in->left -= *length;
    return at;
}

static bool take_run(struct bytes_in *in, struct key_run *run, struct journal_scratch *scratch)
{
    run->text = take_text(in, &run->length);
    return run_read(run, scratch->point);
}

static const char *take_line(struct bytes_in *in, char *out, size_t room)
{
    size_t length;
    const uint8_t *text = take_text(in, &length);
    if (length > room)
        in->bad = true;
    utf8_plain(out, room + 1, (const char *)text, length);
    return out;
}

/* Decodes the body of a record whose checksum is right. False if the body is invalid. */
static bool body_decode(struct bytes_in *in, struct journal_record *e,
                        struct journal_scratch *scratch)
{
    uint64_t kind = bytes_get(in, 1);
    memset(e, 0, sizeof *e);
    e->kind = (enum journal_kind)kind;
    e->side = (enum side)bytes_get(in, 1);
    e->wall_us = bytes_get(in, 8);
    switch (e->kind) {
    case JOURNAL_HEADER: {
        uint8_t magic[3];
        for (unsigned i = 0; i < sizeof magic; i++)
            magic[i] = (uint8_t)bytes_get(in, 1);
        if (memcmp(magic, "BLJ", 3) != 0 || bytes_get(in, 1) != FORMAT)
            return false;
        e->as.header.role = (enum party)bytes_get(in, 1);
        e->as.header.starts = (uint8_t)bytes_get(in, 1);
        e->as.header.session = take_line(in, scratch->session, SESSION_ID_MAX);
        e->as.header.style = take_line(in, scratch->style, STYLE_MAX);
        break;
    }
    case JOURNAL_KEYS:
        e->as.keys.epoch = (uint32_t)bytes_get(in, 4);
        e->as.keys.first = bytes_get(in, 8);
        e->as.keys.party = (enum party)bytes_get(in, 1);
        if (!take_run(in, &e->as.keys.run, scratch))
            return false;
        break;
    case JOURNAL_PRESSED:
        e->as.pressed.first = bytes_get(in, 8);
        e->as.pressed.segment = (uint32_t)bytes_get(in, 4);
        if (!take_run(in, &e->as.pressed.run, scratch))
            return false;
        break;
    case JOURNAL_UNPLACED:
        e->as.unplaced.first = bytes_get(in, 8);
        e->as.unplaced.last = bytes_get(in, 8);
        break;
    case JOURNAL_EPOCH:
        e->as.epoch.epoch = (uint32_t)bytes_get(in, 4);
        e->as.epoch.base = bytes_get(in, 8);
        break;
    case JOURNAL_SEGMENT:
        e->as.segment.generation = (uint32_t)bytes_get(in, 4);
        e->as.segment.index = (uint8_t)bytes_get(in, 1);
        e->as.segment.state = (enum segment_state)bytes_get(in, 1);
        e->as.segment.remaining_us = bytes_get(in, 8);
        break;
    case JOURNAL_CLOSE:
        e->as.close.generation = (uint32_t)bytes_get(in, 4);
        e->as.close.n = bytes_get(in, 8);
        e->as.close.placed = bytes_get(in, 8);
        bytes_get_all(in, e->as.close.digest, sizeof e->as.close.digest);
        e->as.close.outcome = (enum close_outcome)bytes_get(in, 1);
        break;
    case JOURNAL_NOTE:
        e->as.note.code = (enum note_code)bytes_get(in, 1);
        e->as.note.count = (uint32_t)bytes_get(in, 4);
        e->as.note.text = take_line(in, scratch->text, NOTE_MAX);
        break;
    case JOURNAL_DELIVERED:
        e->as.delivered.n = bytes_get(in, 8);
        break;
    case JOURNAL_START:
        e->as.start.state = (enum start_state)bytes_get(in, 1);
        e->as.start.damaged = (uint32_t)bytes_get(in, 4);
        bytes_get_all(in, e->as.start.boot, BOOT_SIZE);
        bytes_get_all(in, e->as.start.secret, SEAL_SECRET);
        break;
    case JOURNAL_SEAL:
        e->as.seal.epoch = (uint32_t)bytes_get(in, 4);
        e->as.seal.n = bytes_get(in, 8);
        bytes_get_all(in, e->as.seal.seal, SEAL_SIZE);
        break;
    default:
        return false;
    }
    return !in->bad && in->left == 0 && record_is_good(e);
}

/* Minus the number of bytes, at least 1, before the next possible start of a record. */
static long skip(const uint8_t *bytes, size_t length)
{
    const uint8_t *next = length > 1 ? memchr(bytes + 1, MARK, length - 1) : NULL;
    return next ? -(long)(next - bytes) : -(long)length;
}

long journal_decode(const uint8_t *bytes, size_t length, struct journal_record *record,
                    struct journal_scratch *scratch)
{
    if (length == 0)
        return 0;
    if (bytes[0] != MARK)
        return skip(bytes, length);
    if (length < 3)
        return 0;
    size_t body = (size_t)bytes[1] | (size_t)bytes[2] << 8;
    if (body < BODY_MIN || body > BODY_MAX)
        return skip(bytes, length);
    if (length < body + FRAME)
        return 0;
    struct bytes_in sum = {.at = bytes + 3 + body, .left = 4};
    if (bytes_get(&sum, 4) != crc32c(0, bytes, 3 + body))
        return skip(bytes, length);
    struct bytes_in in = {.at = bytes + 3, .left = body};
    if (!body_decode(&in, record, scratch))
        return -(long)(body + FRAME);
    return (long)(body + FRAME);
}
