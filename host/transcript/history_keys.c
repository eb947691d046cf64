/* Our own format "keys" (see keys.h). Comments that begin with "# @" describe the session:
 *
 *     # @title Loebner Prize 2012          of a run; also notice, contestant, header2, header3,
 *     # @run                               start; another run with its own header begins
 *     # @eol crlf                          of the whole file; also encoding, backspace
 *     # @lost line 234: the key is blank   lost from the original file
 *     # @part                              a part begins: one judge, one pair
 *     # @judge 2                           of the part; also round, subround, program, human,
 *     # @left human                        left, other
 *     # @restarted yes                     its program was restarted
 *     # @blank                             the next key's record has a blank for its name */
#include "transcript/history_private.h"

#include "transcript/iso.h"
#include "transcript/keys.h"

#include <string.h>

#define FIRST "# boothlink keys 1"

static void set_who(struct reader *reader, uint8_t *who, const struct piece *value)
{
    if (piece_is(value, "human"))
        *who = WHO_HUMAN;
    else if (piece_is(value, "program"))
        *who = WHO_PROGRAM;
    else
        reader_fault_quoted(reader, FAULT_FIELD, "expected human or program");
}

static bool read_field(struct reader *reader, const struct piece *name, const struct piece *value)
{
    for (enum history_field field = 0; field < FIELDS; field++) {
        if (!piece_is(name, history_field_name(field)))
            continue;
        if (field < FIELD_FIRST_OF_PART)
            reader_head(reader, field, value->text, value->length);
        else if (reader_last_part(reader))
            reader_set(reader, field, value->text, value->length);
        return true;
    }
    return false;
}

static bool read_file_field(struct reader *reader, const struct piece *name,
                            const struct piece *value)
{
    struct history *history = reader->history;
    if (piece_is(name, "eol")) {
        history->eol = piece_is(value, "crlf") ? EOL_CRLF
                       : piece_is(value, "lf") ? EOL_LF
                       : piece_is(value, "cr") ? EOL_CR
                                               : EOL_UNKNOWN;
    } else if (piece_is(name, "encoding")) {
        history->encoding =
            piece_is(value, "cp1252") || piece_is(value, "latin1") /* in older files */
                ? ENCODING_CP1252
                : ENCODING_UTF8;
    } else if (piece_is(name, "start")) {
        uint64_t *start_us = &reader->head.start_us;
        if (!iso_read(value->text, value->length, start_us) || *start_us > HISTORY_TIME_MAX) {
            *start_us = 0;
            reader_fault_quoted(reader, FAULT_FIELD,
                                "expected a time such as 2009-09-06T15:32:45.000000Z");
        }
    } else if (piece_is(name, "backspace")) {
        history->back_over_return = piece_is(value, "returns");
    } else if (piece_is(name, "lost")) {
        enum bl_status status = BL_OK;
        char text[HISTORY_TEXT];
        size_t length = value->length < sizeof text ? value->length : sizeof text - 1;
        memcpy(text, value->text, length);
        text[length] = '\0';
        status = history_add_fault(history, reader->number, FAULT_LOST, text, NULL, 0);
        if (status != BL_OK)
            reader->status = status;
    } else {
        return false;
    }
    return true;
}

static void read_meta(struct reader *reader, struct keys_reader *keys, struct piece rest)
{
    struct piece name = rest;
    struct history_part *part;
    if (!piece_until(&rest, " ", &name))
        rest = (struct piece){rest.text + rest.length, 0};
    if (piece_is(&name, "part")) {
        reader_part(reader, NULL);
        return;
    }
    if (piece_is(&name, "run")) {
        reader->head = (struct history_part){.start_us = 0};
        return;
    }
    if (piece_is(&name, "blank")) {
        keys->blank = true;
        return;
    }
    if (piece_is(&name, "restarted")) {
        part = reader_last_part(reader);
        if (part)
            part->restarted = piece_is(&rest, "yes");
        return;
    }
    if (piece_is(&name, "left") || piece_is(&name, "other")) {
        part = reader_last_part(reader);
        if (part)
            set_who(reader, piece_is(&name, "left") ? &part->left : &part->other, &rest);
        return;
    }
    if (!read_file_field(reader, &name, &rest) && !read_field(reader, &name, &rest))
        reader_fault_quoted(reader, FAULT_FIELD, "no field has this name");
}

void read_keys_line(struct reader *reader, struct keys_reader *keys, const char *text,
                    size_t length)
{
    struct piece line = {text, length};
    struct keys_line read;
    struct history_key key;
    const char *why;
    if (piece_skip(&line, "# @")) {
        read_meta(reader, keys, line);
        return;
    }
    if (piece_is(&line, FIRST) && reader->history->parts) { /* the beginning of an appended file */
        reader->head = (struct history_part){.start_us = 0};
        reader_part(reader, NULL);
        memset(keys, 0, sizeof *keys);
        return;
    }
    switch (keys_read(text, length, &read, &why)) {
    case KEYS_COMMENT:
        return;
    case KEYS_BAD:
        reader_bad(reader, why);
        return;
    case KEYS_LINE:
        break;
    }
    if (read.n != keys->n[read.side] + 1)
        reader_fault_quoted(reader, FAULT_MISSING, "the number does not follow that above it");
    keys->n[read.side] = read.n;
    key = (struct history_key){.posted_us = read.event.posted_us,
                               .pressed_us = read.pressed_us,
                               .point = read.event.point,
                               .side = (uint8_t)read.side,
                               .party = read.event.party,
                               .blank = keys->blank && read.event.point == ' '};
    keys->blank = false;
    reader_key(reader, &key);
}

void read_keys(struct reader *reader, enum format format)
{
    struct keys_reader keys = {.n = {0}};
    struct piece line;
    (void)format;
    while (reader_next(reader)) {
        line = (struct piece){reader->line, reader->length};
        if (reader->number == 1 && !piece_skip(&line, FIRST))
            reader_fault(reader, FAULT_HEADER, "the line \"" FIRST "\" is missing");
        read_keys_line(reader, &keys, reader->line, reader->length);
    }
}

static void put_meta(const struct out *out, const char *name, const char *value)
{
    if (value[0])
        out_texts(out, "# @", name, " ", value, "\n");
}

static void put_fields(const struct out *out, const struct history *history, size_t part,
                       enum history_field from, enum history_field end)
{
    for (enum history_field field = from; field < end; field++)
        put_meta(out, history_field_name(field), history_field_of(history, part, field));
}

static void put_run(const struct out *out, const struct history *history, size_t part)
{
    char start[ISO_LENGTH + 1] = "";
    if (part < history->parts && history->part[part].start_us)
        iso_write(history->part[part].start_us, start);
    put_fields(out, history, part, 0, FIELD_FIRST_OF_PART);
    put_meta(out, "start", start);
}

static void put_file(const struct out *out, const struct history *history)
{
    static const char *const eol[] = {"", "lf", "crlf", "cr"};
    put_run(out, history, 0);
    put_meta(out, "eol", eol[history->eol]);
    put_meta(out, "encoding", history->encoding == ENCODING_CP1252 ? "cp1252" : "");
    put_meta(out, "backspace", history->back_over_return ? "returns" : "");
    for (size_t i = 0; i < history->faults; i++) {
        const struct history_fault *fault = &history->fault[i];
        if (fault->kind >= FAULT_FIRST_ODD)
            continue;
        out_text(out, "# @lost ");
        if (fault->line && fault->kind != FAULT_LOST) {
            out_text(out, "line ");
            out_number(out, fault->line, 1);
            out_text(out, ": ");
        }
        out_texts(out, fault->text, "\n");
    }
}

void write_keys_lines(const struct out *out, const struct history *history)
{
    struct keys_line line;
    uint64_t n[SIDES] = {0};
    size_t at = 0;
    out_text(out, FIRST "\n");
    put_file(out, history);
    out_text(out, "# n side party posted pressed key\n");
    for (size_t i = 0; i < history->parts; i++) {
        const struct history_part *part = &history->part[i];
        if (i && history_begins_run(history, i)) {
            out_text(out, "# @run\n");
            put_run(out, history, i);
        }
        out_text(out, "# @part\n");
        put_fields(out, history, i, FIELD_FIRST_OF_PART, FIELDS);
        put_meta(out, "left", history_who_name((enum history_who)part->left));
        put_meta(out, "other", history_who_name((enum history_who)part->other));
        put_meta(out, "restarted", part->restarted ? "yes" : "");
        for (; at < history->keys && history->key[at].part == i; at++) {
            const struct history_key *key = &history->key[at];
            line = (struct keys_line){
                .n = ++n[key->side],
                .side = (enum side)key->side,
                .event = {.posted_us = key->posted_us, .point = key->point, .party = key->party},
                .pressed_us = key->pressed_us};
            if (key->blank)
                out_text(out, "# @blank\n");
            keys_write(out, &line);
        }
    }
}

enum bl_status write_keys(struct writer *writer, const struct history *history, enum format format)
{
    (void)format;
    write_keys_lines(writer->out, history);
    return BL_OK;
}
