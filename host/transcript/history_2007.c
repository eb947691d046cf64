/* 2007: three header lines, a line for each round and a record for each key. Source: the
 * organiser's page "Format of transcripts": the contest with its date and place, "These transcripts
 * are in the public domain", "Transcripts of program P3", and "starting round 1 left= xxx right =
 * yyy", where one is the human and the other the program. Other header lines are kept unchanged. */
#include "transcript/history_private.h"

#include "transcript/words.h"

#include <string.h>

#define PUBLIC_DOMAIN "These transcripts are in the public domain"
#define TRANSCRIPTS   "Transcripts of program P"
#define OURS                                                                                       \
    "Transcripts of the keys of judges and entities" /* our header line of earlier versions */
#define START   "starting round "
#define HEADERS 3

void read_record(struct reader *reader)
{
    struct piece rest = {reader->line, reader->length}, judge, posted, pressed, where, side;
    struct history_part *part = reader_last_part(reader);
    struct history_key key = {.posted_us = 0};
    enum side at;
    if (!part)
        return;
    if (!piece_skip(&rest, "J") || !piece_until(&rest, " ", &judge) ||
        !piece_until(&rest, " ", &posted) || !piece_until(&rest, " ", &pressed) ||
        !piece_until(&rest, " ", &where) || !piece_until(&rest, " ", &side) ||
        !stamp_read(&posted, &key.posted_us) || !stamp_read(&pressed, &key.pressed_us) ||
        !words_find_side(side.text, side.length, &at) ||
        !(piece_is(&where, "local") || piece_is(&where, "remote"))) {
        reader_bad(reader, "a record is \"J1 POSTED PRESSED local left KEY\"");
        return;
    }
    key.side = (uint8_t)at;
    key.party = piece_is(&where, "local") ? PARTY_JUDGE : PARTY_ENTITY;
    if (reader->trailing && piece_is(&rest, " "))
        rest.length = 0;
    if (rest.length > 1 && rest.text[rest.length - 1] == ' ') {
        rest.length--;
        reader->trailing++;
    }
    if (!reader_keyname(reader, &rest, &key))
        return;
    if (!piece_is(&judge, part->judge)) {
        if (part->judge[0])
            reader_fault_quoted(reader, FAULT_WHO, "another judge in the same part");
        else
            reader_set(reader, FIELD_JUDGE, judge.text, judge.length);
    }
    reader_key(reader, &key);
}

void write_record(struct writer *writer, const struct history *history,
                  const struct history_key *key)
{
    writer_text(writer, "J");
    writer_text(writer, history->part[key->part].judge);
    writer_text(writer, " ");
    writer_stamp(writer, key->posted_us);
    writer_text(writer, " ");
    writer_stamp(writer, key->pressed_us);
    writer_text(writer, key->party == PARTY_JUDGE ? " local " : " remote ");
    writer_text(writer, words_side((enum side)key->side));
    writer_text(writer, " ");
    writer_keyname(writer, key);
    writer_end_line(writer);
}

static bool is_human(const struct piece *who)
{
    return piece_is(who, "Human") || piece_is(who, "human");
}

static bool skip_program(struct piece *who)
{
    return piece_skip(who, "Program") || piece_skip(who, "program");
}

/* Drops a third header line that names the part's program: the writer writes that line anew. */
static void check_program(struct reader *reader, struct history_part *part)
{
    struct piece third = {part->header3, strlen(part->header3)};
    char word[HISTORY_TEXT + 1];
    size_t length = 0;
    if (!piece_skip(&third, TRANSCRIPTS))
        return;
    for (; part->program[length]; length++)
        word[length] = part->program[length] == ' ' ? '_' : part->program[length];
    word[length] = '\0';
    reader->named = reader->named || piece_is(&third, word);
    if (reader->named)
        part->header3[0] = '\0';
    else
        reader_fault_quoted(reader, FAULT_WHO, "the header names another program");
}

/* Reads "starting round 1 left= Human right = Program 3". */
static bool read_start(struct reader *reader)
{
    struct piece rest = {reader->line, reader->length}, round, left, program;
    struct history_part *part;
    if (!piece_skip(&rest, START))
        return false;
    reader_part(reader, NULL);
    part = reader_last_part(reader);
    if (!part)
        return true;
    if (!piece_until(&rest, " left=", &round) || !piece_until(&rest, " right =", &left)) {
        reader_fault_quoted(reader, FAULT_FIELD,
                            "it should be \"starting round R left= Human right = Program P\"");
        return true;
    }
    while (piece_skip(&left, " ") || piece_skip(&rest, " "))
        ;
    reader_want(reader, FIELD_ROUND, round.text, round.length);
    program = left;
    part->left = WHO_PROGRAM;
    if (!skip_program(&program)) {
        program = rest;
        part->left = is_human(&left) ? WHO_HUMAN : WHO_UNKNOWN;
        if (!skip_program(&program))
            program.length = 0;
    }
    if (part->left == WHO_UNKNOWN)
        reader_fault_quoted(reader, FAULT_FIELD, "it does not say where the human is");
    if (!piece_skip(&program, " ") &&
        program.length ==
            0) { /* 0: "right = program" without a name; the third header line has the program */
        program = (struct piece){part->header3, strlen(part->header3)};
        if (!piece_skip(&program, TRANSCRIPTS))
            program.length = 0;
    }
    while (program.length && program.text[program.length - 1] == ' ')
        program.length--;
    reader_want(reader, FIELD_PROGRAM, program.text, program.length);
    check_program(reader, part);
    return true;
}

static bool is_record(const struct reader *reader)
{
    struct piece rest = {reader->line, reader->length}, judge, posted;
    uint64_t us;
    return piece_skip(&rest, "J") && piece_until(&rest, " ", &judge) &&
           piece_until(&rest, " ", &posted) && stamp_read(&posted, &us);
}

static void read_header(struct reader *reader, unsigned at)
{
    static const enum history_field field[HEADERS] = {FIELD_TITLE, FIELD_HEADER2, FIELD_HEADER3};
    struct piece line = {reader->line, reader->length};
    if (at == 0) {
        reader->head = (struct history_part){.start_us = 0};
        reader->named = false;
    }
    if (!(at == 1 && piece_is(&line, PUBLIC_DOMAIN)) && !(at == 2 && piece_is(&line, OURS)))
        reader_head(reader, field[at], line.text, line.length);
}

/* Detects an appended log: the header's first round follows. */
static bool begins_run(const struct reader *reader)
{
    return !is_record(reader) && textfile_peek(&reader->lines, HEADERS - 1, START);
}

void read_2007(struct reader *reader, enum format format)
{
    unsigned headers = 0;
    bool begun = false;
    (void)format;
    while (reader_next(reader)) {
        bool start = read_start(reader);
        if (begun && !start && begins_run(reader)) {
            begun = false;
            headers = 0;
        }
        if (!begun && !start && headers < HEADERS && !is_record(reader)) {
            read_header(reader, headers++);
            continue;
        }
        if (!begun && headers < HEADERS)
            reader_fault(reader, FAULT_HEADER, "fewer than three header lines");
        if (!begun && !start)
            reader_fault(reader, FAULT_HEADER, "the line \"" START "\" is missing");
        begun = true;
        if (!start)
            read_record(reader);
    }
    if (!begun)
        reader_fault(reader, FAULT_HEADER, "the line \"" START "\" is missing");
}

static void write_header(struct writer *writer, const struct history_part *part)
{
    writer_text(writer, part->title);
    writer_end_line(writer);
    writer_text(writer, part->header2[0] ? part->header2 : PUBLIC_DOMAIN);
    writer_end_line(writer);
    if (part->header3[0]) {
        writer_text(writer, part->header3);
    } else {
        writer_text(writer, TRANSCRIPTS);
        writer_word(writer, part->program, "");
    }
    writer_end_line(writer);
}

/* True if the run's header has fields of this format. */
static bool is_run(const struct history *history, size_t part)
{
    const struct history_part *this = &history->part[part], *last = this - 1;
    return part == 0 || strcmp(this->title, last->title) != 0 ||
           strcmp(this->header2, last->header2) != 0 || strcmp(this->header3, last->header3) != 0;
}

enum bl_status write_2007(struct writer *writer, const struct history *history, enum format format)
{
    static const struct history_part nobody;
    size_t at = 0;
    (void)format;
    writer->of_2007 = true;
    if (history->parts == 0)
        write_header(writer, &nobody);
    for (size_t i = 0; i < history->parts; i++) {
        const struct history_part *part = &history->part[i];
        if (is_run(history, i))
            write_header(writer, part);
        writer_text(writer, "starting round ");
        writer_text(writer, part->round);
        writer_text(writer, " left= ");
        if (part->left == WHO_UNKNOWN)
            writer_text(writer, "? right = Program ");
        if (part->left == WHO_HUMAN)
            writer_text(writer, "Human right = Program ");
        if (part->left == WHO_PROGRAM)
            writer_text(writer, "Program ");
        writer_word(writer, part->program, "");
        if (part->left == WHO_PROGRAM)
            writer_text(writer, " right = Human");
        writer_end_line(writer);
        for (; at < history->keys && history->key[at].part == i; at++)
            write_record(writer, history, &history->key[at]);
    }
    return BL_OK;
}
