#include "transcript/history_private.h"

#include "base/keysym.h"
#include "transcript/words.h"

#include <string.h>

void reader_begin(struct reader *reader, struct history *history, const uint8_t *bytes,
                  size_t length)
{
    *reader = (struct reader){.history = history};
    textfile_begin(&reader->lines, bytes, length < HISTORY_BYTES ? length : HISTORY_BYTES);
    if (length > HISTORY_BYTES)
        reader_fault(reader, FAULT_LONG, "the file is too long: the rest is left out");
    if (textfile_kind(&reader->lines) == TEXTFILE_UTF16)
        reader_fault(reader, FAULT_ENCODING, "the file is UTF-16: it is written as UTF-8");
    history->encoding = textfile_kind(&reader->lines) == TEXTFILE_CP1252 && !reader->lines.utf8
                            ? ENCODING_CP1252
                            : ENCODING_UTF8;
}

/* Reports characters in another encoding than the file's other lines. */
static void check_characters(struct reader *reader)
{
    if (reader->lines.foreign && reader->history->encoding == ENCODING_UTF8)
        reader_fault_quoted(reader, FAULT_ENCODING,
                            "not UTF-8, as other lines are: taken for Windows-1252");
    if (reader->lines.lost)
        reader_fault_quoted(reader, FAULT_BYTE,
                            reader->lines.unit == 2
                                ? "no character of UTF-16"
                                : "no character of UTF-8, and none of Windows-1252");
}

bool reader_next(struct reader *reader)
{
    if (reader->status != BL_OK || reader->full || !textfile_next(&reader->lines)) {
        if (reader->lines.failed)
            reader->status = BL_NOMEM;
        return false;
    }
    reader->number = reader->lines.number;
    reader->line = reader->lines.line;
    reader->length = reader->lines.length;
    reader->ended = reader->lines.ended;
    check_characters(reader);
    return true;
}

static bool has_head(const struct reader *reader)
{
    const struct history_part *head = &reader->head;
    return head->title[0] || head->notice[0] || head->contestant[0] || head->header2[0] ||
           head->header3[0] || head->start_us;
}

/* Reports a last line without an end. Later lines may be missing; if no key was read, all keys. */
static void name_end(struct reader *reader)
{
    if (reader->ended || reader->length == 0 || reader->cut || reader->full)
        return;
    if (reader->history->keys)
        reader_fault_quoted(reader, FAULT_END, "the last line does not end: it may be cut");
    else
        reader_fault_quoted(reader, FAULT_CUT, "the file ends within a line, before any key");
}

enum bl_status reader_end(struct reader *reader, bool says_ends)
{
    static const enum history_eol eol[TEXTFILE_ENDS] = {EOL_LF, EOL_CRLF, EOL_CR, EOL_CRLF};
    const uint64_t *ends = reader->lines.ends;
    unsigned kinds = 0, most = 0;
    name_end(reader);
    for (unsigned i = 0; i < TEXTFILE_ENDS; i++) {
        kinds += ends[i] > 0;
        most = ends[i] > ends[most] ? i : most;
    }
    reader->number = 0;
    if (!says_ends)
        reader->history->eol = ends[most] ? eol[most] : EOL_UNKNOWN;
    if (!says_ends && (kinds > 1 || ends[TEXTFILE_CRCRLF]))
        reader_fault(reader, FAULT_EOL, "line ends of several kinds: LF, CR LF, CR or CR CR LF");
    if (reader->history->parts == 0 && has_head(reader))
        reader_part(reader, NULL);
    textfile_free(&reader->lines);
    return reader->status;
}

static void fault(struct reader *reader, enum history_fault_kind kind, const char *text,
                  const char *piece)
{
    reader->cut = reader->cut || kind == FAULT_CUT;
    enum bl_status status = history_add_fault(reader->history, reader->number, kind, text, piece,
                                              piece ? reader->length : 0);
    if (status != BL_OK)
        reader->status = status;
}

void reader_fault(struct reader *reader, enum history_fault_kind kind, const char *text)
{
    fault(reader, kind, text, NULL);
}

void reader_fault_quoted(struct reader *reader, enum history_fault_kind kind, const char *text)
{
    fault(reader, kind, text, reader->line);
}

void reader_bad(struct reader *reader, const char *why)
{
    if (reader->ended)
        reader_fault_quoted(reader, FAULT_RECORD, why);
    else
        reader_fault_quoted(reader, FAULT_CUT, "the file ends within a record");
}

/* Reports a lack of room once. Reading ends there. */
static void settle(struct reader *reader, enum bl_status status, const char *what)
{
    if (status == BL_FULL) {
        if (!reader->full)
            reader_fault(reader, FAULT_LONG, what);
        reader->full = true;
    } else if (status == BL_NOMEM) {
        reader->status = status;
    }
}

void reader_part(struct reader *reader, const struct history_part *like)
{
    settle(reader, history_add_part(reader->history, like ? like : &reader->head),
           "too many parts: the rest is left out");
}

struct history_part *reader_last_part(struct reader *reader)
{
    struct history *history = reader->history;
    if (history->parts == 0)
        reader_part(reader, NULL);
    return history->parts ? &history->part[history->parts - 1] : NULL;
}

bool reader_is_lost(const struct reader *reader, uint32_t point)
{
    return point == TEXTFILE_LOST && reader->lines.lost;
}

void reader_key(struct reader *reader, const struct history_key *from)
{
    struct history_key key = *from;
    enum bl_status status;
    if (!reader_last_part(reader) || reader_is_lost(reader, key.point))
        return;
    key.part = (uint16_t)(reader->history->parts - 1);
    status = history_add_key(reader->history, &key);
    if (status == BL_DATA) {
        reader_fault_quoted(reader, FAULT_KEY, "no key, or a time beyond the year 5138");
        return;
    }
    settle(reader, status, "too many keys: the rest is left out");
    if (status != BL_OK)
        return;
    if (key.posted_us < reader->last_us)
        reader_fault_quoted(reader, FAULT_ORDER, "its time is before that of the key above");
    reader->last_us = key.posted_us;
}

static void name_field(struct reader *reader, enum history_field field)
{
    if (reader->status == BL_OK)
        reader_fault_quoted(reader, FAULT_FIELD,
                            field < FIELD_FIRST_WORD
                                ? "a name or a title is not printable, or too long"
                                : "a number is not one word, or too long");
}

void reader_head(struct reader *reader, enum history_field field, const char *text, size_t length)
{
    if (!history_part_set(&reader->head, field, text, length))
        name_field(reader, field);
}

void reader_set(struct reader *reader, enum history_field field, const char *text, size_t length)
{
    if (!history_set(reader->history, field, text, length))
        name_field(reader, field);
}

void reader_want(struct reader *reader, enum history_field field, const char *text, size_t length)
{
    char why[64] = "empty in the header: the ";
    if (length == 0)
        reader_fault_quoted(reader, FAULT_FIELD, strcat(why, history_field_name(field)));
    reader_set(reader, field, text, length);
}

bool piece_skip(struct piece *piece, const char *beginning)
{
    size_t length = strlen(beginning);
    if (piece->length < length || memcmp(piece->text, beginning, length) != 0)
        return false;
    piece->text += length;
    piece->length -= length;
    return true;
}

static bool split(struct piece *piece, size_t at, size_t mark, struct piece *before)
{
    *before = (struct piece){piece->text, at};
    piece->text += at + mark;
    piece->length -= at + mark;
    return true;
}

bool piece_until(struct piece *piece, const char *mark, struct piece *before)
{
    size_t length = strlen(mark);
    for (size_t at = 0; at + length <= piece->length; at++)
        if (memcmp(piece->text + at, mark, length) == 0)
            return split(piece, at, length, before);
    return false;
}

bool piece_until_last(struct piece *piece, const char *mark, struct piece *before)
{
    size_t length = strlen(mark);
    for (size_t at = piece->length + 1; at-- > 0;)
        if (at + length <= piece->length && memcmp(piece->text + at, mark, length) == 0)
            return split(piece, at, length, before);
    return false;
}

bool piece_is(const struct piece *piece, const char *text)
{
    return piece->length == strlen(text) && memcmp(piece->text, text, piece->length) == 0;
}

bool stamp_read(const struct piece *piece, uint64_t *us)
{
    uint64_t seconds = 0, micros = 0;
    if (piece->length != 18)
        return false;
    for (size_t i = 0; i < 18; i++) {
        unsigned digit = (unsigned)(piece->text[i] - '0');
        if (digit > 9)
            return false;
        if (i < 11)
            seconds = seconds * 10 + digit;
        else
            micros = micros * 10 + digit;
    }
    *us = seconds * 1000000u + micros;
    return micros < 1000000u;
}

/* Reads a key's name of 2007 to 2012: a name of the 2009 appendix, or the character itself. */
static uint32_t keyname_read(const struct piece *piece)
{
    uint32_t point = keysym_point(piece->text, piece->length, NULL);
    if (point == 0)
        point = words_find_key(piece->text, piece->length);
    if (piece->length == 1 && point <= 0x20)
        return 0;
    return key_is_key(point) ? point : 0;
}

bool reader_keyname(struct reader *reader, const struct piece *name, struct history_key *key)
{
    key->point = keyname_read(name);
    key->blank = piece_is(name, " ");
    if (key->blank) {
        key->point = ' ';
        reader_fault_quoted(reader, FAULT_BLANK, "the key's name is a blank: a space");
    } else if (key->point == 0 && !reader->ended) {
        reader_bad(reader, "");
    } else if (name->length == 0) {
        reader_fault_quoted(reader, FAULT_EMPTY, "the key's name is empty: nothing was typed");
    } else if (key->point == 0) {
        reader_fault_quoted(reader, FAULT_KEY, "no key has this name");
    }
    return key->point != 0;
}

enum history_who who_of_name(const struct piece *piece)
{
    if (piece_is(piece, "Human") || piece_is(piece, "human"))
        return WHO_HUMAN;
    if (piece->length && (piece->text[0] == 'P' || piece->text[0] == 'p'))
        return WHO_PROGRAM;
    return WHO_UNKNOWN;
}
